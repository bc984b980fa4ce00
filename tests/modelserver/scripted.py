"""A brain that thinks nothing: it leads any question through a given number of hops, at hardly any cost.

For measuring what the client itself takes; `Competent` is for what is said.
"""

from __future__ import annotations

import re
from typing import Any

from .request import ModelRequest

__all__ = ["Scripted"]

_ASKED = re.compile(r"`([^`]+)`")
_STEP = re.compile(r"^\d+\. ", re.MULTILINE)


class Scripted:
    """Answers each prompt of the loop by the reply's form alone: ``hops`` subqueries, then FINAL ANSWER."""

    def __init__(self, hops: int = 3) -> None:
        self.hops = hops

    def __call__(self, request: ModelRequest) -> Any:
        text = request.messages[-1][1]
        match request.schema_name:
            case "Subquery":
                return {"question": f"What is step 1 of {_question(text)}"}
            case "NextSubquery":
                done = len(_STEP.findall(text))
                more = f"What is step {done + 1} of {_question(text)}"
                return {"final": done >= self.hops, "question": "" if done >= self.hops else more}
            case "RouteReply":
                return {"cubes": ["PERSON"]}
            case "Decomposition":
                return {"pairs": [{"dimension": "name", "entity": "Anselm Torvik"}]}
            case "SubAnswerReply":
                return {"answers": ["Skarholt"], "document": "d1", "quote": "Born in Skarholt"}
            case "Ready":
                return {"ready": True}
        return "Skarholt"


def _question(text: str) -> str:
    found = _ASKED.search(text)
    return found[1] if found else "it?"
