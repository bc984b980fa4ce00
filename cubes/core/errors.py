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
    """The caller's arguments are wrong (the command line exits with status 2)."""


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
