"""What of a Markdown file is there for its looks alone: badges, images that cannot be kept, HTML tags, comments.

It says nothing that could be asked for, and stands in the way of what is quoted. Code is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["code_lines", "without_markup"]

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_TAGS = """a abbr b big blockquote br center cite code dd del details div dl dt em figcaption figure font footer h1 h2
h3
    h4 h5 h6 header hr i img ins kbd li mark nav ol p picture pre s samp section small source span strike strong sub
    summary sup table tbody td tfoot th thead tr tt u ul var video wbr"""
_IMAGE = r"!\[[^\[\]]*\](?:\((?!figure:)[^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])"
_LOOKS = re.compile(
    rf"""(?P<code>(?P<ticks>(?<!`)`+(?!`))(?:(?!\n[ \t]*\n).)*?(?<!`)(?P=ticks)(?!`))
    | <!--.*?-->
    | \[\s*{_IMAGE}\s*\](?:\([^()]*\)|\[[^\[\]]*\])
    | !\[(?P<alt>[^\[\]]*)\](?:\((?!figure:)(?P<target>[^()]*(?:\([^()]*\)[^()]*)*)\)|\[[^\[\]]*\])
    | (?m:^[ ]{{0,3}}\[(?!\^)[^\[\]\n]+\]:[ \t]*\S+[^\n]*$)
    | <(?P<end>/?)(?P<tag>{"|".join(_TAGS.split())})(?P<rest>\s[^<>]*|/)?>""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_HEADING = re.compile(r"(?ims)^[ \t]*<h(?P<level>[1-6])(?:\s[^<>]*)?>(?P<name>.*?)</h(?P=level)>[ \t]*$")
_VOID = frozenset({"br", "hr", "img", "wbr"})
_ELSEWHERE = re.compile(r"\s*<?(?:[a-z][a-z+.-]*:|//)", re.IGNORECASE)


def without_markup(text: str) -> str:
    """Return a Markdown text without what only lays it out; a heading written in HTML becomes one of Markdown.

    A tag is taken for one where it has attributes, stands for itself, or is closed: ``<source>`` alone is a
    placeholder.
    """
    if not any(mark in text for mark in ("<", "![", "]:")):
        return text
    runs: list[tuple[bool, list[str]]] = []
    for line, is_code in code_lines(text):
        if not runs or runs[-1][0] != is_code:
            runs.append((is_code, []))
        runs[-1][1].append(line)
    return "\n".join("\n".join(lines) if is_code else _cleaned("\n".join(lines)) for is_code, lines in runs)


def code_lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every line, and whether it is of fenced or indented code."""
    fence, blank, indented = "", True, False
    for line in text.split("\n"):
        found = _FENCE.match(line)
        indented = bool(_INDENTED.match(line)) and (blank or indented) and not fence
        yield line, bool(fence or found or indented)
        blank = not line.strip()
        if not fence:
            fence = found["mark"] if found else ""
        elif found and found["mark"].startswith(fence) and not line[found.end() :].strip():
            fence = ""


def _cleaned(text: str) -> str:
    headed = _HEADING.sub(lambda found: f"{'#' * int(found['level'])} {' '.join(found['name'].split())}", text)
    closed = {found.lower() for found in re.findall(r"</([a-z][a-z0-9]*)", headed, re.IGNORECASE)}
    bare = "\0"  # what was taken out, so that a line that held nothing else goes, too

    def plain(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        if found["tag"] and not (found["end"] or found["rest"] or found["tag"].lower() in _VOID | closed):
            return found[0]
        if found["alt"] is not None and not (found["target"] and _ELSEWHERE.match(found["target"])):
            return found["alt"] or bare
        return bare + " " if (found["tag"] or "").lower() == "br" else bare

    lines = _LOOKS.sub(plain, headed).split("\n")
    return "\n".join(line.replace(bare, "") for line in lines if bare not in line or line.strip(f"{bare} \t|·•-&nbsp;"))
