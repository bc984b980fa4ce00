"""What a plain install leaves out: a sentence that names the extra, where one is needed."""

from __future__ import annotations

from importlib.util import find_spec

from .errors import UsageError

__all__ = ["require"]


def require(module: str, extra: str, what: str, name: str = "") -> None:
    """Raise UsageError that says how to install the extra, unless ``what`` finds its module.

    ``name`` is the package's, where it is not the module's.
    """
    if find_spec(module) is None:
        raise UsageError(
            f"{what} needs {name or module}, which a plain install leaves out; install it: "
            f"pip install 'multicube-rag[{extra}]' (in a checkout: pip install '.[{extra}]')."
        )
