"""Collect what data sets say about rivers: python corpus.py OUT FILE...

A FILE is JSON lines, gzip or not, with `title` and `text` or `passage`. A text is about a river if its first sentence
says "is a river", "is a stream" and so on. OUT becomes a data set for `multicube eval OUT --ontology rivers.yaml`.
"""

import gzip
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

RIVER = re.compile(r"\b(?:is|was|are) (?:a|an|the|one of the) (?:[\w,-]+ ){0,6}(?:river|stream|creek|brook|tributary)")


def passages(path: Path) -> Iterator[tuple[str, str]]:
    """Titles and texts of a file."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row.get("title") or "", row.get("text") or row["passage"]


def main(out: Path, files: list[Path]) -> None:
    """Write the longest text of each river, and the questions beside this file."""
    longest: dict[str, str] = {}
    for title, text in (pair for path in files for pair in passages(path)):
        about_one = title and RIVER.search(text[:300])
        if about_one and len(text) > len(longest.get(title, "")):
            longest[title] = text
    out.mkdir(parents=True, exist_ok=True)
    rows = ({"id": f"r{n}", "title": title, "text": text} for n, (title, text) in enumerate(sorted(longest.items())))
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (out / "corpus.jsonl").write_text("".join(lines), "utf-8")
    shutil.copy(Path(__file__).with_name("questions.jsonl"), out)
    print(f"{len(longest)} rivers in {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
