"""A chat model's endpoint for tests: a real HTTP server that speaks the OpenAI API, and what answers behind it."""

from .faults import Fault
from .request import Exchange, ModelRequest
from .server import ModelServer

__all__ = ["Exchange", "Fault", "ModelRequest", "ModelServer"]
