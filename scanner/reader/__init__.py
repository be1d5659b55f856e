"""Cell images to a probability for every text a cell can hold; printed words; names and dates."""

from __future__ import annotations

from scanner.reader.cells import read_cells

__all__ = ["read_cells"]
