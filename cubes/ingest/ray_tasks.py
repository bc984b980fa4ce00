"""Tasks on a Ray cluster. What a worker needs is sent to it: the machines need no common file system."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..core.errors import MultiCubeError, UsageError
from ..core.extras import require

if TYPE_CHECKING:
    from ray import ObjectRef

    from .tasks import Pending, Tasks

__all__ = ["RayTasks", "ray_tasks"]

T = TypeVar("T")
_RETRIES = 3
"""How often a task is done again whose worker died; one that kills every worker must not go on for ever."""
_HELD = 4
"""Shared values that a worker keeps: an extractor, an encoder, and those of the ingest before."""


@contextmanager
def ray_tasks(address: str | None) -> Iterator[Tasks | None]:
    """Connect to a Ray cluster for as long as this lasts; without an address there are no workers.

    ``address`` is "auto" for the cluster that this machine belongs to, "local" to start one here, or "host:port". A
    program that has connected already stays so. Raises UsageError where Ray is not installed, there is no cluster, or
    it has no processor.
    """
    if address is None:
        yield None
        return
    require("ray", "ray", "Ingest by workers (--ray)")
    connected = _ray().is_initialized()
    if not connected:
        _connect(address)
    try:
        yield RayTasks()
    finally:
        if not connected:
            _ray().shutdown()


def _ray() -> Any:
    """Ray, which takes a second to import and whose types are in part missing."""
    import ray

    return ray


def _connect(address: str) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a cluster that is started here reports to nobody
    own: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    try:
        _ray().init(address=address, log_to_driver=False, logging_level=logging.WARNING, **own)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(
            f"There is no Ray cluster at '{address}' ({_first_line(error)}); start one with `ray start --head` and "
            "name it (--ray auto, --ray HOST:PORT), or let one be started on this machine: --ray local"
        ) from error


class RayTasks:
    """Workers of the Ray cluster that the process is connected to (implements `tasks.Tasks`)."""

    def __init__(self) -> None:
        processors = int(_ray().cluster_resources().get("CPU", 0))
        if not processors:
            raise UsageError("The Ray cluster has no processor; add one with `ray start --address HOST:PORT`.")
        self.many = 2 * processors
        self._run = _ray().remote(num_cpus=1, max_retries=_RETRIES)(_run)

    def submit(self, work: Callable[..., T], *arguments: object) -> Pending[T]:
        """Begin ``work(*arguments)`` on one processor of some worker."""
        return _Reply(self._run.remote(work, *arguments))

    def share(self, value: T) -> Callable[[], T]:
        """Put a value into Ray's store, from which each worker takes it once."""
        try:
            return _Shared(_ray().put(value))
        except TypeError as error:
            raise UsageError(
                f"{type(value).__name__} cannot be sent to workers ({_first_line(error)}); "
                "name an encoder instead of handing one in, or ingest without --ray."
            ) from error


class _Reply(Generic[T]):
    """What a task returns; it is taken once, because many documents or texts share a task."""

    def __init__(self, reference: ObjectRef[T]) -> None:
        self._reference = reference

    def result(self) -> T:
        """Wait for what a task returns; raises MultiCubeError where it could not be done."""
        return self._value

    @cached_property
    def _value(self) -> T:
        from ray.exceptions import RayError, RayTaskError

        try:
            value: T = _ray().get(self._reference)
        except RayTaskError as error:
            if isinstance(error.cause, MultiCubeError):
                raise error.cause from error
            raise MultiCubeError(
                f"A worker could not do its task ({_last_line(error)}). Every machine of the cluster needs the same "
                "version of multicube-rag; run the ingest again, it goes on where it stopped."
            ) from error
        except RayError as error:
            raise MultiCubeError(
                f"A task was begun {_RETRIES + 1} times and lost each time ({_first_line(error)}). Look whether the "
                "workers have memory enough; run the ingest again, it goes on where it stopped."
            ) from error
        return value


@dataclass(frozen=True, slots=True)
class _Shared(Generic[T]):
    reference: ObjectRef[T]

    def __call__(self) -> T:
        value: T = _taken(self.reference)
        return value


def _run(work: Callable[..., T], *arguments: object) -> T:
    return work(*arguments)


@lru_cache(maxsize=_HELD)
def _taken(reference: ObjectRef[Any]) -> Any:
    """Take a shared value from Ray's store, once in a worker's life: an encoder takes a second to load."""
    return _ray().get(reference)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _last_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]
