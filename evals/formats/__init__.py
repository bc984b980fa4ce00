"""Data sets in the formats in which they are published: told apart, read record by record, put into the own layout."""

from __future__ import annotations

from .converting import prepared
from .registry import FORMATS, Format, detect, names

__all__ = ["FORMATS", "Format", "detect", "names", "prepared"]
