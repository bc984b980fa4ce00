"""Pages of a PDF as PDFium sees them: words with their fonts, shapes, images, and pictures of parts of a page."""

from __future__ import annotations

import ctypes
import hashlib
import math
import re
import struct
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pypdfium2
import pypdfium2.raw as pdfium

from .items import Box, Font, RasterImage, Shape, Word
from .shapes import Matrix, PageGeometry, shapes_of

__all__ = ["Page", "jpeg_of", "picture_of"]

_MOST_CHARS = 150_000
_SMALLEST = 2.0  # points
_TALL = 0.75  # of a font's size: its taller letters
_MOST_OBJECTS = 30_000
_DEEPEST = 6
_MOST_PIXELS = 4_000_000
_LARGEST_JPEG = 16 * 2**20
_BOLD = ("bold", "black", "heavy", "semibold", "demi", "cmbx", "sfbx", "ecbx", "-bd", "cmssbx", "medi")
_MONO = (
    "mono",
    "courier",
    "typewriter",
    "consol",
    "cmtt",
    "sftt",
    "ectt",
    "menlo",
    "nimbusmon",
    "inconsolata",
    "cmsltt",
)
_ITALIC = ("italic", "oblique", "cmti", "cmsl", "-it", "ital", "slant")
_FIXED_PITCH = 1
_HYPHENS = "\x02\ufffe\u00ad"
_ACCENTS = {
    "\u00b4": "\u0301",
    "\u00a8": "\u0308",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u02c7": "\u030c",
    "\u02da": "\u030a",
}
_ACCENTED = re.compile("([" + "".join(_ACCENTS) + r"])([^\W\d_])")
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "ft",
    "\ufb06": "st",
}


@dataclass(frozen=True)
class Page:
    """An open page, whose words, shapes and images are read when they are asked for."""

    document: pypdfium2.PdfDocument
    page: pypdfium2.PdfPage
    number: int

    @cached_property
    def words(self) -> list[Word]:
        """The words that run the way most of the page's text does, in the order of the file."""
        return list(self._words())

    @cached_property
    def size(self) -> tuple[float, float]:
        """Its width and height as it is read."""
        return self._place.size

    @cached_property
    def shapes(self) -> list[Shape]:
        """What is drawn on it, except for what covers nearly all of it."""
        place = self._place
        found: list[Shape] = []
        for item, matrix in self._objects:
            if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_PATH:
                found.extend(shapes_of(item, matrix, place))
        width, height = self.size
        return [s for s in found if s.box.width < 0.97 * width or s.box.height < 0.97 * height]

    @cached_property
    def drawings(self) -> list[RasterImage]:
        """The raster images on it."""
        found = []
        for number, (item, matrix) in enumerate(self._objects):
            if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_IMAGE and (box := self._box(item, matrix)):
                found.append(RasterImage(box, _key(item), number))
        return found

    def jpeg(self, drawing: RasterImage) -> bytes | None:
        """Return the bytes of an image that lies in the file as an ordinary JPEG; None for any other."""
        item, outer = self._objects[drawing.number]
        matrix = Matrix.of(item).then(outer)
        upright = self._place.quarter == 0 and matrix.b == 0 == matrix.c and matrix.a > 0 and matrix.d > 0
        return jpeg_of(item) if upright else None

    def picture(self, box: Box, sharpness: float = 2.0) -> bytes | None:
        """Return a part of the page as PNG, ``sharpness`` pixels to a point; None where nothing can be drawn."""
        if self.page.get_rotation() // 90 != self._place.quarter:
            self.page.set_rotation(self._place.quarter * 90)
        return picture_of(self.page, self._place.back(box), sharpness)

    def sharpness(self, drawing: RasterImage) -> float:
        """How many of an image's own pixels come to a point, within what is worth drawing."""
        item, _ = self._objects[drawing.number]
        width, height = ctypes.c_uint(), ctypes.c_uint()
        if not pdfium.FPDFImageObj_GetImagePixelSize(item, width, height):
            return 2.0
        longer = max(drawing.box.width, drawing.box.height, 1.0)
        return min(max(max(width.value, height.value) / longer, 1.5), 4.0)

    # text.

    @cached_property
    def _chars(self) -> list[tuple[str, float, float, float, float, float, int, Font]]:
        """Characters as (text, left, right, size, x, base line, quarter, font)."""
        text = self.page.get_textpage()
        count = min(pdfium.FPDFText_CountChars(text), _MOST_CHARS)
        rect, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
        fonts: dict[int, Font] = {}
        heights: dict[Font, list[float]] = {}  # of letters in fonts that do not say how large they are
        chars: list[tuple[str, float, float, float, float, float, int, Font]] = []
        owner, quarter, size, font = 0, 0, 0.0, Font("", False, False, False)
        for n in range(count):
            code = pdfium.FPDFText_GetUnicode(text, n)
            if code in (13, 10):
                continue
            item = pdfium.FPDFText_GetTextObject(text, n)
            address = ctypes.addressof(item.contents) if item else 0
            if address and address != owner:
                owner = address
                quarter, size = _direction(text, n)
                font = _font(item, fonts)
            pdfium.FPDFText_GetLooseCharBox(text, n, rect)
            if size < _SMALLEST and rect.top - rect.bottom > 2 * size:
                heights.setdefault(font, []).append(rect.top - rect.bottom)
            pdfium.FPDFText_GetCharOrigin(text, n, x, y)
            char = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
            chars.append((char, rect.left, rect.right, size, x.value, y.value, quarter, font))
        text.close()
        sizes = {face: sorted(found)[int(0.9 * (len(found) - 1))] / _TALL for face, found in heights.items()}
        known = ((*c[:3], sizes.get(c[7], c[3]) if c[3] < _SMALLEST else c[3], *c[4:]) for c in chars)
        return [char for char in known if char[3] >= 0.5]  # smaller is invisible

    @cached_property
    def _place(self) -> PageGeometry:
        """How the page lies: turned so that most of its text runs from left to right."""
        left, bottom, right, top = self.page.get_bbox()
        counts = [0, 0, 0, 0]
        for char in self._chars:
            counts[char[6]] += char[6] >= 0
        turned = counts.index(max(counts)) if any(counts) else self.page.get_rotation() // 90 % 4
        return PageGeometry(left, bottom, right, top, turned)

    def _words(self) -> Iterator[Word]:
        place = self._place
        text: list[str] = []
        x0 = x1 = y = size = before = 0.0
        font, glued, spaced = Font("", False, False, False), False, True
        for char, left, right, em, x, base, quarter, face in self._chars:
            if quarter != place.quarter:
                continue
            if char.isspace() or char == "\u200b":
                if text:
                    yield Word(_text(text), x0, x1, y, size, font, glued)
                    text = []
                spaced = True
                continue
            if place.quarter == 0:
                start, end, line = left - place.left, right - place.left, place.top - base
            else:
                start, line = place.to(x, base)
                end = start + em * 0.5
            follows = start >= before - 0.05 * em and start - x1 <= 0.18 * em  # parts of a ligature begin together
            apart = not follows or abs(line - y) > 0.1 * em or face is not font
            if text and (apart or round(em, 1) != size):
                yield Word(_text(text), x0, x1, y, size, font, glued)
                text = []
            if not text:
                x0, y, size, font, glued, spaced = start, line, round(em, 1), face, not spaced, False
            text.append("-" if char in _HYPHENS else _LIGATURES.get(char, char))
            x1, before = max(end, start), start
        if text:
            yield Word(_text(text), x0, x1, y, size, font, glued)

    # drawn things.

    @cached_property
    def _objects(self) -> list[tuple[pdfium.FPDF_PAGEOBJECT, Matrix]]:
        """Everything on the page, what is inside forms included, with the matrix that places it."""
        found: list[tuple[pdfium.FPDF_PAGEOBJECT, Matrix]] = []
        self._collect(self.page.raw, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, Matrix(), found, 0)
        return found

    def _collect(self, holder, count, get, matrix, found, depth) -> None:  # type: ignore[no-untyped-def]
        for n in range(min(count(holder), _MOST_OBJECTS)):
            if len(found) >= _MOST_OBJECTS:
                return
            item = get(holder, n)
            kind = pdfium.FPDFPageObj_GetType(item) if item else 0
            if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
                inner = Matrix.of(item).then(matrix)
                count_in, get_in = pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject
                self._collect(item, count_in, get_in, inner, found, depth + 1)
            elif kind in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE):
                own = Matrix.of(item).then(matrix) if kind == pdfium.FPDF_PAGEOBJ_PATH else matrix
                found.append((item, own))

    def _box(self, item: pdfium.FPDF_PAGEOBJECT, matrix: Matrix) -> Box | None:
        sides = [ctypes.c_float() for _ in range(4)]
        if not pdfium.FPDFPageObj_GetBounds(item, *sides):
            return None
        left, bottom, right, top = (side.value for side in sides)
        corners = [matrix.point(x, y) for x, y in ((left, bottom), (right, top), (left, top), (right, bottom))]
        return self._place.box(corners)


def _text(chars: list[str]) -> str:
    """Return a word's characters as text; an accent that was set beside its letter is put onto it."""
    text = "".join(chars)
    if text.isascii():
        return text
    composed = _ACCENTED.sub(lambda found: found[2].replace("\u0131", "i") + _ACCENTS[found[1]], text)
    return unicodedata.normalize("NFC", composed)


def _direction(text: pypdfium2.PdfTextPage, n: int) -> tuple[int, float]:
    """Return the quarter turn that a character runs in (-1: askew) and its size in points."""
    matrix = pdfium.FS_MATRIX()
    size = pdfium.FPDFText_GetFontSize(text, n)
    if not pdfium.FPDFText_GetMatrix(text, n, matrix):
        return 0, size
    size *= math.hypot(matrix.c, matrix.d)
    angle = math.degrees(math.atan2(matrix.b, matrix.a)) if matrix.a or matrix.b else 0.0
    quarter = round(angle / 90)
    return (quarter % 4 if abs(angle - 90 * quarter) < 5 else -1), size


def _font(item: pdfium.FPDF_PAGEOBJECT, known: dict[int, Font]) -> Font:
    handle = pdfium.FPDFTextObj_GetFont(item)
    address = ctypes.addressof(handle.contents) if handle else 0
    if address not in known:
        known[address] = _read_font(handle, len(known)) if handle else Font("", False, False, False)
    return known[address]


def _read_font(handle: pdfium.FPDF_FONT, number: int) -> Font:
    buffer = ctypes.create_string_buffer(256)
    length = pdfium.FPDFFont_GetBaseFontName(handle, buffer, 256)
    name = buffer.raw[: max(0, min(length, 256) - 1)].decode("utf-8", "replace")
    plain = name.partition("+")[2] or name or f"font {number}"
    low = plain.lower()
    fixed = bool(pdfium.FPDFFont_GetFlags(handle) & _FIXED_PITCH)
    bold = any(part in low for part in _BOLD) or (pdfium.FPDFFont_GetWeight(handle) >= 700 and "cm" not in low)
    mono = fixed or any(part in low for part in _MONO)
    return Font(plain, bold, any(part in low for part in _ITALIC), mono)


def _key(item: pdfium.FPDF_PAGEOBJECT) -> str:
    """Tell equal images by their first bytes and their length."""
    length = pdfium.FPDFImageObj_GetImageDataRaw(item, None, 0)
    if not 0 < length <= _LARGEST_JPEG:
        return f"{length}"
    buffer = (ctypes.c_ubyte * length)()
    pdfium.FPDFImageObj_GetImageDataRaw(item, buffer, length)
    return hashlib.blake2b(bytes(buffer), digest_size=8).hexdigest()


def jpeg_of(item: pdfium.FPDF_PAGEOBJECT) -> bytes | None:
    """Return an image's bytes where they are a JPEG that any program shows (grey or RGB); None otherwise."""
    if pdfium.FPDFImageObj_GetImageFilterCount(item) != 1:
        return None
    name = ctypes.create_string_buffer(32)
    pdfium.FPDFImageObj_GetImageFilter(item, 0, name, 32)
    length = pdfium.FPDFImageObj_GetImageDataRaw(item, None, 0)
    if name.value != b"DCTDecode" or not 0 < length <= _LARGEST_JPEG:
        return None
    buffer = (ctypes.c_ubyte * length)()
    pdfium.FPDFImageObj_GetImageDataRaw(item, buffer, length)
    data = bytes(buffer)
    plain = data.startswith(b"\xff\xd8\xff") and b"Adobe" not in data[:2_048]
    return data if plain else None


def picture_of(page: pypdfium2.PdfPage, sides: tuple[float, float, float, float], sharpness: float) -> bytes | None:
    """Draw a part of a page, given as what to leave out at the left, bottom, right and top, as PNG."""
    width, height = page.get_size()
    wide, high = width - sides[0] - sides[2], height - sides[1] - sides[3]
    if wide < 1 or high < 1:
        return None
    scale = min(sharpness, math.sqrt(_MOST_PIXELS / (wide * high)))
    bitmap = page.render(scale=scale, crop=sides, rev_byteorder=True, prefer_bgrx=False, may_draw_forms=False)
    if bitmap.n_channels != 3:
        return None
    data = bytes(bitmap.buffer)
    rows = (data[n * bitmap.stride : n * bitmap.stride + bitmap.width * 3] for n in range(bitmap.height))
    return _png(bitmap.width, bitmap.height, b"".join(b"\0" + row for row in rows))


def _png(width: int, height: int, rows: bytes) -> bytes:
    """Write 8-bit RGB rows, each behind its filter's byte, as PNG."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body
