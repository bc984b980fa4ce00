"""The errors a person can meet: each is one plain sentence and says what to do next."""

from __future__ import annotations

__all__ = [
    "CorruptStoreError",
    "EncoderMismatchError",
    "InputError",
    "KnowledgeBaseError",
    "LockedError",
    "MultiCubeError",
    "OntologyError",
    "SectionError",
    "UsageError",
]


class MultiCubeError(Exception):
    """Root of every error this package raises on purpose.

    ``retryable`` says whether the same call may succeed later without any change by the caller; ``pauses``, whether
    work stopped at a limit that the person set and can go on from there.
    """

    retryable: bool = False
    pauses: bool = False


class UsageError(MultiCubeError, ValueError):
    """The caller's arguments are wrong (the command line exits with status 2).

    ``plain`` says so wherever it is read. ``listed_by`` is the command that lists what could have been named; it is
    told with the error where commands are typed.
    """

    def __init__(self, message: str, *, listed_by: str = "") -> None:
        super().__init__(message)
        self.plain, self.listed_by = message, listed_by

    def __str__(self) -> str:
        return f"{self.plain} `{self.listed_by}` lists them." if self.listed_by else self.plain


class InputError(MultiCubeError):
    """A document or record cannot be used; names the file and, where there is one, the line."""


class SectionError(MultiCubeError):
    """One section cannot be read: it is set aside, with this reason, and the rest goes on. Extractors raise it."""


class OntologyError(MultiCubeError):
    """An ontology file is not valid; names the file and the line."""


class KnowledgeBaseError(MultiCubeError):
    """A knowledge base cannot be opened, read or written."""


class LockedError(KnowledgeBaseError):
    """Another process is writing this knowledge base; the message says who."""

    retryable = True


class EncoderMismatchError(KnowledgeBaseError):
    """The knowledge base was embedded with another encoder than the one in use."""


class CorruptStoreError(KnowledgeBaseError):
    """A file of the knowledge base is damaged or was written by an incompatible version."""
