"""How a section opens, and whom or what that says it is about."""

from __future__ import annotations

import pytest
from extracted import told


@pytest.mark.parametrize(
    ("title", "text", "fact"),
    [
        ("Ada Lund", "He was killed by storms. She moved to Hesk.", ("lives in", "Hesk")),
        ("Ada Lund", "Lund moved to Hesk in 1949, and the hail and thunder of her plays began.", ("lives in", "Hesk")),
        ("Ada Hamar Lund", "Ada Hamar Lund was a painter. Ada H. Lund was born in Hesk.", ("born in", "Hesk")),
        ("Ada Lund", "Ada Berg (born 1900) was a poet who signed with the pen name Ada Lund.",
         ("occupation", "poet")),
        ("A. Lund", "Ada Lund (1900 – 1970), or AL, as she was called, was a painter.", ("occupation", "painter")),
        ("The Old Mill", "The Old Mill is a 1981 thriller film loosely based on a play.", ("genre", "thriller film")),
        ("The Old Mill", "The Old Mill is a 9- minute training film.", ("genre", "training film")),
    ],
)  # fmt: skip
def test_whom_a_section_is_about(title: str, text: str, fact: tuple[str, str]) -> None:
    assert (title, *fact) in told(title, text)


@pytest.mark.parametrize(
    ("text", "performer"),
    [
        ('"Stove" is the second single from British rock musician Pell Gandry\'s 1992 album Them.', "Pell Gandry"),
        ('"Stove" is Pell Gandry\'s first single. It was written by Ilse Marr.', "Pell Gandry"),
        ('"Stove" is the debut album from the British band Torn Hill.', "Torn Hill"),
        ('"Stove" is an album by British jazz trumpeter, composer, and bandleader Pell Gandry.', "Pell Gandry"),
        ('"Stove" is a song. It was written by Ilse Marr.', "Ilse Marr"),
    ],
)
def test_whose_album_a_song_is_from_performs_it(text: str, performer: str) -> None:
    performers = {value for subject, relation, value in told("Stove", text) if relation == "performed by"}
    assert performers == {performer}


def test_degrees_are_from_a_school() -> None:
    text = "Lund holds a BFA in sculpture from Hesk University. She received a doctorate from Torn College."
    facts = told("Ada Lund", f"Ada Lund was a painter. {text}")
    schools = {value for _, relation, value in facts if relation == "educated at"}
    assert schools == {"Hesk University", "Torn College"}
