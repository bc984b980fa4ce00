"""Which prompt a request carries, and what it was filled with: read back from the wording, as a model reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from multicube.prompts import PromptLibrary
from multicube.prompts.prompt import Prompt

from .request import ModelRequest

__all__ = ["Recogniser", "Task", "records_of", "steps_of"]

_SLOT = re.compile(r"\{([A-Za-z_]\w*)\}")
_STEP = re.compile(r"^\d+\. (?P<asked>.+?\?) Answer: (?P<answers>.*)$", re.MULTILINE)
_NUMBERED = re.compile(r"^\W*(?P<id>[A-Za-z]{0,12}[-_ ]?\d+)(?:\]|:|\)|\.)\s*(?P<text>\S.*)$")
_MISSING = "not found"


@dataclass(frozen=True)
class Task:
    """A prompt with the values of its variables; ``prompt`` is empty where none was recognised."""

    prompt: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.values[name]


class Recogniser:
    """Knows the wordings of a shelf of prompts."""

    def __init__(self, library: PromptLibrary | None = None) -> None:
        library = library or PromptLibrary.load()
        self._patterns = {name: _pattern(prompt) for name, prompt in library.items() if name != "repair"}

    def task(self, request: ModelRequest) -> Task:
        """The first prompt in the conversation; what comes after it asks for the same once more."""
        for role, text in request.messages:
            for name, pattern in self._patterns.items() if role == "user" else ():
                if found := pattern.match(text):
                    return Task(name, {key: value for key, value in found.groupdict().items() if value is not None})
        return Task()


def _pattern(prompt: Prompt) -> re.Pattern[str]:
    """The prompt's wording with a group for each variable; what stands in a fence reaches to the fence's own mark."""
    parts, at = [], 0
    for slot in _SLOT.finditer(prompt.user):
        name = slot[1]
        parts.append(re.escape(prompt.user[at : slot.start()]))
        if name in prompt.fenced:
            mark = f"mark_of_{name}"
            parts.append(rf"<<<{name} (?P<{mark}>[0-9a-f]+)\n(?P<{name}>.*?)\n(?P={mark}) {name}>>>")
        else:
            parts.append(rf"(?P<{name}>.*?)" if f"(?P<{name}>" not in "".join(parts) else rf"(?P={name})")
        at = slot.end()
    parts.append(re.escape(prompt.user[at:].rstrip()))
    return re.compile("".join(parts) + r"\s*(?:\n\n.*)?\Z", re.DOTALL)


def steps_of(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The subqueries so far with their answers; several are parted by semicolons."""
    return [(found["asked"], _answers(found["answers"])) for found in _STEP.finditer(text)]


def _answers(text: str) -> tuple[str, ...]:
    return () if text.strip().startswith(_MISSING) else tuple(part.strip() for part in text.split(";") if part.strip())


def records_of(text: str) -> list[dict[str, str]]:
    """What is listed one a line: JSON objects, or texts that begin with an id ("[e1] ...")."""
    return [record for line in text.splitlines() if (record := _record(line.strip()))]


def _record(line: str) -> dict[str, str] | None:
    try:
        fields = json.loads(line)
    except ValueError:
        found = _NUMBERED.match(line)
        return {"id": found["id"], "text": found["text"]} if found else None
    if not isinstance(fields, dict):
        return None
    return {str(key): _words(value) for key, value in fields.items()}


def _words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
