"""The command line: one module for each group of commands."""

from __future__ import annotations

from .application import app, main

__all__ = ["app", "main"]
