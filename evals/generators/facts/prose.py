"""The passages: what one person had to do with one school, teacher, town, prize or company, worded in many ways."""

from __future__ import annotations

from random import Random

from .people import Person

__all__ = ["GROUP", "SHARED", "passage"]

_TELLING = {
    "teacher": (
        "As a young {woman} {name} studied under {value}.",
        "{name} was taught by {value} for six winters.",
        "{name} was a pupil of {value} before anything else.",
        "From the age of fifteen {name} studied with {value}.",
        "{name} was apprenticed to {value} and slept above the workshop.",
        "It is told that {name} learned the trade from {value}.",
    ),
    "school": (
        "{name} was educated at the {value}.",
        "{name} attended the {value} on a small grant.",
        "After a year of hesitation {name} enrolled at the {value}.",
        "{name} graduated from the {value} with a modest mark.",
        "{name} studied at the {value}, where lectures began before sunrise.",
        "Four years of {name}'s life went by at the {value}.",
    ),
    "town": (
        "{name} lived in {value}, close to the river.",
        "{name} moved to {value} one autumn.",
        "For most of the year {name} lived in {value}.",
        "{name} settled in {value} and was seldom seen elsewhere.",
        "{name} kept a house in {value}.",
        "Letters to {name} were sent to {value}, where {she} lived.",
    ),
    "prize": (
        "{name} received the {value} on a rainy evening.",
        "{name} was awarded the {value}.",
        "To general surprise {name} won the {value}.",
        "Late in life {name} was honoured with the {value}.",
        "That winter the {value} went to {name}.",
        "{name} was a winner of the {value}, and gave the money away.",
    ),
    "company": (
        "{name} worked for the {value}.",
        "{name} joined the {value} without much thought.",
        "{name} was employed by the {value} on a yearly contract.",
        "{name} was a member of the {value}.",
        "Every morning {name} went to work at the {value}.",
        "{name} entered the service of the {value}.",
    ),
}
_ASIDES = (
    "{She} rarely spoke of it afterwards.",
    "A neighbour remembered that {she} always carried an umbrella.",
    "The accounts of those years are lost.",
    "{She} wrote a long letter about it, which nobody answered.",
    "It cost {her} family a good deal of money.",
    "{She} was then twenty-six years old.",
    "The days were short and the rooms were cold.",
    "There is a drawing of {her} desk, and of the cat that slept on it.",
    "Some say that {she} would rather have gone to sea.",
    "{Her} diary is silent on the reasons.",
    "{She} kept bees, and talked about them to whoever would listen.",
    "What {she} thought of it can only be guessed.",
    "Those who met {her} brother took the two for strangers.",
    "{She} disliked music and loved bells.",
    "The weather that season was the worst in memory.",
    "{She} paid {her} debts slowly but in full.",
    "Bread was dear, and {she} learned to cook with barley.",
    "{Her} handwriting from that time is hard to read.",
)
SHARED = {
    "teacher": "{who} studied under {value}.",
    "school": "{who} studied at the {value}.",
    "town": "{who} lived in {value}.",
    "prize": "{who} won the {value}.",
    "company": "{who} worked for the {value}.",
}
"""How a gold answer says that people share a group."""
GROUP = {
    "teacher": "the pupils of {value}",
    "school": "the people who studied at the {value}",
    "town": "the people who lived in {value}",
    "prize": "the winners of the {value}",
    "company": "the people who worked for the {value}",
}
"""How a question calls the members of a group."""


def passage(person: Person, kind: str, rng: Random) -> str:
    """Write what is told of a person in one kind of thing, among asides that say nothing of anybody else."""
    she, her, woman = person.pronouns
    words = {"name": person.name, "value": person.groups[kind], "woman": woman, "she": she, "her": her}
    words |= {"She": she.capitalize(), "Her": her.capitalize()}
    asides = [aside.format(**words) for aside in rng.sample(_ASIDES, rng.randint(3, 5))]
    return " ".join([rng.choice(_TELLING[kind]).format(**words), *asides])
