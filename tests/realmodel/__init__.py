"""A small real model behind llama.cpp's own server, as `make model` installs it."""

from .server import NOT_INSTALLED, RealServer, is_installed

__all__ = ["NOT_INSTALLED", "RealServer", "is_installed"]
