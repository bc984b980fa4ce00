"""The prompts in use: the package's own in one of two sizes, and those of a folder that stand in for them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, Self, get_args

import yaml

from .prompt import Prompt, PromptError

__all__ = ["SIZES", "PromptLibrary", "Size"]

Size = Literal["papers", "short"]
SIZES: tuple[Size, ...] = get_args(Size)
"""The papers' own prompts, and those of the loop in short with two examples each, for small models."""
_ROOMS: dict[Size, tuple[str, ...]] = {"papers": ("library",), "short": ("library", "short")}


class PromptLibrary(Mapping[str, Prompt]):
    """Prompts by name. Make one with `load`."""

    def __init__(
        self, prompts: Mapping[str, Prompt], replaced: frozenset[str] = frozenset(), size: Size = "papers"
    ) -> None:
        self._prompts = dict(sorted(prompts.items()))
        self.replaced, self.size = replaced, size

    @classmethod
    def load(cls, folder: Path | None = None, size: Size = "papers") -> Self:
        """Load the package's prompts; files of ``folder`` replace those of the same name.

        Of a prompt that has no short version "short" takes the papers' own. Raises PromptError for a file that cannot
        be used, that replaces nothing, or whose variables are others.
        """
        own = {prompt.name: prompt for room in _ROOMS[size] for prompt in _packaged(room)}
        if folder is None:
            return cls(own, size=size)
        if not folder.is_dir():
            raise PromptError(f"There is no folder {folder}; `multicube prompts export DIR` makes one to start from.")
        theirs = dict(_replacing(file, own) for file in sorted(folder.glob("*.yaml")))
        if not theirs:
            raise PromptError(f"There is no prompt (*.yaml) in {folder}; `multicube prompts export DIR` writes them.")
        return cls(own | theirs, frozenset(theirs), size)

    def __getitem__(self, name: str) -> Prompt:
        try:
            return self._prompts[name]
        except KeyError:
            raise PromptError(_unknown(name, self._prompts)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._prompts

    def __iter__(self) -> Iterator[str]:
        return iter(self._prompts)

    def __len__(self) -> int:
        return len(self._prompts)

    @staticmethod
    def export(folder: Path, size: Size = "papers") -> list[Path]:
        """Write the package's prompts into a folder, to be edited; returns the files.

        A file that is there already is left as it is, and not returned.
        """
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        texts = {entry.name: entry for room in _ROOMS[size] for entry in files(__package__).joinpath(room).iterdir()}
        for name, entry in sorted(texts.items()):
            target = folder / name
            if name.endswith(".yaml") and not target.exists():
                target.write_text(entry.read_text("utf-8"), encoding="utf-8")
                written.append(target)
        return written


@cache  # every engine asks for them, and reading them takes longer than a question's own work
def _packaged(room: str) -> tuple[Prompt, ...]:
    entries = files(__package__).joinpath(room).iterdir()
    return tuple(
        Prompt.read(yaml.safe_load(entry.read_text("utf-8")), f"The prompt {entry.name}")
        for entry in entries if entry.name.endswith(".yaml")
    )  # fmt: skip


def _replacing(file: Path, own: Mapping[str, Prompt]) -> tuple[str, Prompt]:
    """Read a file that stands in for one of the package's prompts."""
    try:
        fields = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise PromptError(f"{file} cannot be read as YAML: {said[:200]}.") from error
    prompt = Prompt.read(fields, str(file))
    if prompt.name not in own:
        raise PromptError(f"{file}: {_unknown(prompt.name, own)}")
    ours = own[prompt.name]
    if different := sorted(set(prompt.variables) ^ set(ours.variables)):
        which = "unknown" if different[0] in prompt.variables else "missing"
        raise PromptError(f"{file} cannot be used: the variable '{different[0]}' of '{prompt.name}' is {which}.")
    if bare := sorted(set(ours.fenced) - set(prompt.fenced)):
        raise PromptError(f"{file} cannot be used: '{bare[0]}' holds text of others and must stay fenced.")
    return prompt.name, prompt


def _unknown(name: str, known: Mapping[str, Prompt]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else "`multicube prompts list` names them."
    return f"There is no prompt '{name}'; {hint}"
