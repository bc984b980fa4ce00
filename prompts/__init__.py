"""One file per prompt, checked on load; the language-model engine brings them, the embedded one has none."""

from .fence import fenced
from .prompt import Prompt, PromptError, Rendered
from .shelf import SIZES, Shelf, Size

__all__ = ["SIZES", "Prompt", "PromptError", "Rendered", "Shelf", "Size", "fenced"]
