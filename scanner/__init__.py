"""Clabber Sheets: photographs of clabber score sheets in, verified hands out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scanner.reader.cells import read_cells

__version__ = "0.1.0"
__all__ = ["read_cells"]


def __getattr__(name: str) -> object:
    # The reader brings onnxruntime and OpenCV along; commands that read no picture should not wait for them.
    if name == "read_cells":
        from scanner.reader.cells import read_cells

        return read_cells
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
