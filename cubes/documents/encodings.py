"""Telling in which encoding a text is written that is not UTF-8.

charset-normalizer tells scripts apart, but takes Western text for Central European. So where most letters are plain,
the accented ones decide: in the right encoding they are letters of one group of languages.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

__all__ = ["encoding_name", "guess", "is_utf8", "other_encoding"]

_SAMPLE = 2**18
_MOST_PLAIN = 0.25
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BEYOND = re.compile(r"[^\x00-\x7f]")
_MISPLACED = re.compile(r"(?<=[a-z])(?:[¿¡£¥§¬¶]|[©°±²³¹¼½¾×](?=[a-z])|[À-ÖØ-ÞĀĂĄĆČĎĐĘĚŁŃŇŐŘŚŞŠŢŤŮŰŹŻŽ])")
_MARKS = frozenset("‘’‚“”„–—…•€£§°±·«»©®™\u00a0")
_WESTERN = ("äöüßàâæçéèêëîïôœùûáíóúñ¿¡åøãõìòµ²³½¼×ªº",)
_CENTRAL = ("ąćęłńóśźż", "áčďéěíňóřšťúůýžäľĺŕô", "áéíóöőúüű", "ăâîșțşţ", "čćđšž", "äöüßéàè")
_TURKISH = ("çğıöşüâîûİ",)
_LATIN = {
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL,
    "cp1254": _TURKISH,
    "mac_roman": _WESTERN,
    "cp850": _WESTERN,
}
"""Encodings of Latin letters, and each language's letters; of two that fit alike the first is right more often."""
_OTHERS = ("cp1251", "koi8_r", "cp866", "iso8859_5", "cp1253", "iso8859_7", "cp1255", "cp1256", "cp874",
           "cp932", "euc_jp", "gb18030", "big5", "euc_kr")  # fmt: skip
_NAMES = {"cp1252": "Windows-1252 (Latin-1)", "iso8859_2": "ISO-8859-2", "mac_roman": "Mac Roman", "cp932": "Shift JIS"}


def guess(data: bytes) -> str | None:
    """Return Python's name of the encoding of bytes that are not UTF-8; None where they are no text in any.

    Bytes that are UTF-8 but for a few are damaged rather than in another encoding: that, too, is None.
    """
    if _CONTROL.search(data) or _is_damaged(data):
        return None
    beyond = sum(byte > 127 for byte in data)
    letters = beyond + sum(65 <= (byte & ~32) <= 90 for byte in data if byte < 128)
    return _latin(data) if beyond <= _MOST_PLAIN * letters else _other(data) or _latin(data)


def other_encoding(path: Path) -> str:
    """Return the encoding of a file of any length; "" where it is Unicode's, or cannot be told."""
    telling: list[bytes] = []
    size = 0
    with path.open("rb") as file:
        while size < _SAMPLE and (line := file.readline(_SAMPLE)):
            if not line.isascii():
                telling.append(line)
                size += len(line)
    data = b"".join(telling)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or is_utf8(data):
        return ""
    return guess(data) or ""


def is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8; the last character may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    return True


def encoding_name(encoding: str) -> str:
    """Return what people call an encoding.

    >>> encoding_name("cp1252"), encoding_name("koi8_r"), encoding_name("cp1250")
    ('Windows-1252 (Latin-1)', 'KOI8-R', 'Windows-1250')
    """
    return _NAMES.get(encoding) or re.sub(r"^cp(?=12)", "Windows-", encoding).replace("_", "-").replace(
        "iso8859", "ISO-8859"
    ).replace("koi8-r", "KOI8-R")


def _is_damaged(data: bytes) -> bool:
    """Whether more of the letters beyond ASCII are good UTF-8 than are not."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    return sum(char > "\x7f" for char in text) - bad >= bad


def _latin(data: bytes) -> str | None:
    fitting = [(_fit(data, encoding, languages), encoding) for encoding, languages in _LATIN.items()]
    best, encoding = max(fitting, key=lambda fit: fit[0])
    return encoding if best >= 0 else None


def _fit(data: bytes, encoding: str, languages: Sequence[str]) -> float:
    """Return the share of the characters beyond ASCII that one language uses; -1 where the encoding lacks a byte."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return -1.0
    beyond = Counter(_BEYOND.findall(text))
    usual = max(sum(n for char, n in beyond.items() if char.lower() in _MARKS | set(letters)) for letters in languages)
    return max(usual - len(_MISPLACED.findall(text)), 0) / max(beyond.total(), 1)


def _other(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE], cp_isolation=list(_OTHERS)).best()
    return best.encoding if best is not None else None
