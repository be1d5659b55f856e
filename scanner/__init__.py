"""Clabber Sheets: photographs of clabber score sheets in, verified hands out."""

from __future__ import annotations

__version__ = "0.1.0"
