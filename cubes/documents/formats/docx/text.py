"""The text and the images inside a DOCX paragraph, as they are seen: nothing deleted or hidden, no field codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docx.oxml.ns import nsmap, qn

from ..blocks import Picture
from ..images import EXTENSIONS, media_type_of, worth_keeping
from .styles import is_on

__all__ = ["ParagraphContent", "TextReader"]

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_VML = "{urn:schemas-microsoft-com:vml}"
_SKIPPED = frozenset(
    [qn(f"w:{name}") for name in ("del", "moveFrom", "delText", "delInstrText", "instrText", "pPr", "rPr", "sdtPr")]
)
_BREAKS = {qn("w:tab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-", qn("w:ptab"): " "}


@dataclass(slots=True)
class ParagraphContent:
    """What a paragraph holds: its text, images, the numbers of its notes, and paragraphs of text boxes in it.

    ``bold`` says whether all of its text is.
    """

    text: str = ""
    pictures: list[Picture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    bold: bool = False


class TextReader:
    """Reads paragraphs in their order; a table of contents may begin in one and end in another."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self._parts = parts
        self._fields: list[str] = []  # the instruction of every field that is open
        self._pieces: list[tuple[str, bool | None]] = []
        self._content = ParagraphContent()

    def read(self, paragraph: Any) -> ParagraphContent:
        """Return what is seen of a paragraph."""
        self._pieces, self._content = [], ParagraphContent()
        self._inside(paragraph)
        found = self._content
        found.text = "".join(text for text, _ in self._pieces).strip()
        found.bold = all(bold for text, bold in self._pieces if text.strip()) and bool(found.text)
        return found

    @property
    def in_contents(self) -> bool:
        """Whether a table of contents, an index or a list of figures is being shown by a field."""
        return any(code.split(maxsplit=1)[:1] in (["TOC"], ["INDEX"], ["TOA"]) for code in self._fields)

    def _inside(self, element: Any, bold: bool | None = None) -> None:
        for child in element.iterchildren():
            self._one(child, bold)

    def _one(self, child: Any, bold: bool | None) -> None:
        tag = child.tag
        if not isinstance(tag, str):
            return
        if tag == qn("w:instrText") and self._fields:
            self._fields[-1] += child.text or ""
        if tag in _SKIPPED:
            return
        if tag == qn("w:r"):
            properties = child.find(qn("w:rPr"))
            if not is_on(properties, "w:vanish"):
                self._inside(child, is_on(properties, "w:b"))
        elif tag in (qn("w:t"), f"{_M}t"):
            self._say(child.text or "", bold)
        elif tag in _BREAKS:
            if child.get(qn("w:type")) not in ("page", "column"):
                self._say(_BREAKS[tag], bold)
        else:
            self._other(child, tag, bold)

    def _other(self, child: Any, tag: str, bold: bool | None) -> None:
        if tag == qn("w:fldChar"):
            self._field(child.get(qn("w:fldCharType")))
        elif tag == qn("w:fldSimple") and child.get(qn("w:instr"), "").split()[:1] == ["TOC"]:
            return
        elif tag in (qn("w:footnoteReference"), qn("w:endnoteReference")):
            self._note(child, tag)
        elif tag in (qn("w:drawing"), qn("w:pict"), qn("w:object")):
            self._drawing(child)
        elif tag == f"{_MC}AlternateContent":
            choices = [each for each in child.iterchildren() if isinstance(each.tag, str)]
            if choices:
                self._inside(choices[0], bold)
        else:
            self._inside(child, bold)

    def _say(self, text: str, bold: bool | None) -> None:
        if not self.in_contents:
            self._pieces.append((text, bold))

    def _field(self, kind: str | None) -> None:
        if kind == "begin":
            self._fields.append("")
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _note(self, reference: Any, tag: str) -> None:
        kind = "footnote" if tag == qn("w:footnoteReference") else "endnote"
        self._content.notes.append(f"{kind}:{reference.get(qn('w:id'))}")
        self._say(f" [{reference.get(qn('w:id'))}]", None)

    def _drawing(self, drawing: Any) -> None:
        self._content.boxes.extend(drawing.iter(qn("w:txbxContent")))
        described = next(drawing.iter(qn("wp:docPr")), None)
        said = "" if described is None else described.get("descr") or described.get("title") or ""
        for id in _embedded(drawing):
            if (picture := self._picture(id, said)) is not None:
                self._content.pictures.append(picture)

    def _picture(self, id: str, said: str) -> Picture | None:
        """Return an image of the package; one that is only linked to is never fetched."""
        part = self._parts.get(id)
        if part is None or part.is_external:
            return None
        data = part.target_part.blob
        media_type = media_type_of(data)
        if media_type not in EXTENSIONS or not worth_keeping(data):
            return None
        return Picture(data, media_type, said)


def _embedded(drawing: Any) -> Iterator[str]:
    """Yield the relationships of a drawing's images; of an SVG with its PNG, that of the PNG."""
    for blip in drawing.iter(f"{{{nsmap['a']}}}blip"):
        if id := blip.get(qn("r:embed")):
            yield id
    for image in drawing.iter(f"{_VML}imagedata"):
        if id := image.get(qn("r:id")):
            yield id
