"""One file per prompt, checked on load; the language-model engine brings them, the embedded one has none."""

from .fence import fenced
from .library import SIZES, PromptLibrary, Size
from .prompt import Prompt, PromptError, Rendered

__all__ = ["SIZES", "Prompt", "PromptError", "PromptLibrary", "Rendered", "Size", "fenced"]
