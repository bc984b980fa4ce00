"""A made-up world of films, novels, rivers and people, told in articles, with questions that its tables answer.

Names come from a seed and are no real ones. `DEVELOPMENT` and `FRESH` differ in seed, in the wording of articles and
in the wording of the questions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["DEVELOPMENT", "FRESH", "Asked", "World", "documents", "questions"]

MONTHS = ("January", "March", "May", "June", "August", "October", "November")
GENRES = ("drama film", "comedy film", "crime film", "war film", "adventure film")
STARTS = ("Bel", "Cor", "Dun", "Fen", "Gal", "Hol", "Ister", "Jor", "Kel", "Lor", "Mar", "Nor", "Os", "Pel", "Quar",
          "Ros", "Sel", "Tor", "Ul", "Var", "Wen", "Yar", "Zel")
ENDS = ("dane", "vik", "mere", "stad", "lin", "gard", "brok", "wick", "thal", "mont", "fell", "rick")
GIVEN = ("Anton", "Berta", "Casimir", "Dora", "Egon", "Flora", "Gustav", "Hedda", "Ivar", "Jutta", "Klaus", "Lotte",
         "Magnus", "Nora", "Oskar", "Petra", "Rolf", "Sigrid", "Tilda", "Ulrich", "Vera", "Walter")
THINGS = ("Lantern", "Harvest", "Mirror", "Orchard", "Bridge", "Letter", "Winter", "Garden", "Clock", "Ferry", "Mask",
          "River", "Candle", "Station", "Shadow", "Crown", "Needle", "Harbour", "Violin", "Tower", "Compass", "Saddle")
KINDS = ("Silver", "Broken", "Silent", "Hidden", "Crimson", "Last", "Distant", "Frozen", "Golden", "Paper", "Salt")


@dataclass(frozen=True)
class Asked:
    """A question with what its tables answer: texts of which one is right, all items, or a refusal."""

    id: str
    question: str
    answers: tuple[str, ...] = ()
    items: frozenset[str] = frozenset()
    refuse: bool = False


@dataclass
class Film:
    """A film and what its article says of it."""

    title: str
    directors: tuple[str, ...]
    composer: str
    day: int
    month: str
    year: int
    genre: str
    country: str
    minutes: int


@dataclass
class World:
    """The tables of one world; ``style`` chooses the wording of its articles and questions."""

    seed: int
    style: int
    countries: dict[str, str] = field(default_factory=dict)
    provinces: dict[str, str] = field(default_factory=dict)
    towns: dict[str, tuple[str, int]] = field(default_factory=dict)
    rivers: dict[str, tuple[str, int]] = field(default_factory=dict)
    people: dict[str, tuple[str, str, int, str]] = field(default_factory=dict)
    films: list[Film] = field(default_factory=list)
    novels: dict[str, tuple[str, int]] = field(default_factory=dict)
    children: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)


def _world(seed: int, style: int) -> World:
    rng, world = random.Random(seed), World(seed, style)
    places = [start + end for start in STARTS for end in ENDS]
    rng.shuffle(places)
    take = iter(places)
    for _ in range(3):
        name = f"{next(take).removesuffix('e')}ia"
        world.countries[name] = f"{name}n"
    for country in world.countries:
        for _ in range(2):
            world.provinces[next(take)] = country
    for province in world.provinces:
        for _ in range(2):
            world.towns[next(take)] = (province, rng.randrange(5, 900) * 1000)
        world.rivers[next(take)] = (province, rng.randrange(40, 700))
    names = [f"{given} {next(take)}" for given in rng.sample(GIVEN, 14)]
    towns = list(world.towns)
    for number, name in enumerate(names):
        town = rng.choice(towns)
        job = ("film director", "film director", "composer", "novelist")[number % 4]
        country = world.provinces[world.towns[town][0]]
        world.people[name] = (town, world.countries[country], rng.randrange(1880, 1935), job)
    directors = [n for n, p in world.people.items() if p[3] == "film director"]
    composers = [n for n, p in world.people.items() if p[3] == "composer"]
    titles = [f"The {kind} {thing}" for kind in KINDS for thing in THINGS]
    rng.shuffle(titles)
    for number in range(24):
        both = rng.sample(directors, 2) if number % 6 == 0 else [rng.choice(directors)]
        world.films.append(Film(
            titles.pop(), tuple(both), rng.choice(composers), rng.randrange(1, 28), rng.choice(MONTHS),
            1930 + number, rng.choice(GENRES), rng.choice(list(world.countries.values())), 61 + number * 7 % 90,
        ))
    writers = [n for n, p in world.people.items() if p[3] == "novelist"]
    for number in range(9):
        world.novels[titles.pop()] = (writers[number % len(writers)], 1925 + number * 5)
    for _ in range(2):
        house = next(take)
        born = rng.sample(range(1801, 1840), 3)
        heirs = tuple((f"{given} of {house}", year) for given, year in zip(rng.sample(GIVEN, 3), born, strict=True))
        world.children[f"Rudolf of {house}"] = heirs
    return world


def _film(film: Film, style: int, number: int) -> str:
    who, when = " and ".join(film.directors), f"{film.day} {film.month} {film.year}"
    wordings = (
        (f"{film.title} is a {film.year} {film.country} {film.genre} directed by {who}. The music was composed by "
         f"{film.composer}. It was released on {when} and has a running time of {film.minutes} minutes.",
         f"{film.title} is a {film.country} {film.genre}. It was directed by {who} and released on {when}. "
         f"{film.composer} composed the music. The film runs for {film.minutes} minutes."),
        (f"Directed by {who}, {film.title} is a {film.country} {film.genre} that premiered on {when}. Its score was "
         f"written by {film.composer}, and its running time is {film.minutes} minutes.",
         f"{film.title} ({film.year}) is a {film.country} {film.genre} by {who}, with music by {film.composer}. It "
         f"opened on {when}. The running time of {film.minutes} minutes was unusual."),
    )
    return wordings[style][number % 2]


def documents(world: World) -> Iterator[dict[str, str]]:
    """Yield the articles of a world, as records of a corpus."""
    told: list[tuple[str, str]] = [(f.title, _film(f, world.style, n)) for n, f in enumerate(world.films)]
    other = bool(world.style)
    for name, (town, demonym, year, job) in world.people.items():
        told.append((name, f"{name} ({3 + year % 20} May {year} – {year + 70}) was a {demonym} {job}. " + (
            f"Born in {town}, {name.split()[0]} grew up there." if other
            else f"{name.split()[1]} was born in {town}.")))
    for title, (writer, year) in world.novels.items():
        told.append((title, f"{title} is a {year} novel by {writer}." if other
                     else f"{title} is a novel written by {writer} and published in {year}."))
    for river, (province, length) in world.rivers.items():
        told.append((river, f"The {river} is a river in the province of {province}, {world.provinces[province]}. "
                     + (f"It has a length of {length} kilometres." if other else f"It is {length} kilometres long.")))
    for town, (province, people) in world.towns.items():
        told.append((town, f"{town} is a town in the province of {province}, {world.provinces[province]}. "
                     + (f"Its population is {people:,}." if other else f"It has a population of {people:,}.")))
    for province, country in world.provinces.items():
        told.append((province, f"{province} is a province of {country}."))
    for father, heirs in world.children.items():
        told.append((father, f"{father} (1775 – 1850) was a duke. "))
        for heir, year in heirs:
            told.append((heir, f"{heir} (4 May {year} – {year + 60}) was a child of {father}."
                         if other else f"{heir} (born 4 May {year}) was the son of {father}."))
    for number, (title, text) in enumerate(told):
        yield {"id": f"w{number:03d}", "title": title, "text": text}


def questions(world: World) -> list[Asked]:
    """Return questions about a world with the answers that its tables give."""
    found: list[Asked] = []

    def ask(wordings: Sequence[str], *answers: str, items: Sequence[str] = (), refuse: bool = False) -> None:
        text = wordings[world.style]
        found.append(Asked(f"w{len(found):02d}", text, answers, frozenset(items), refuse))

    films, people = world.films, world.people
    directors = [n for n, p in people.items() if p[3] == "film director"]

    def of(test: Callable[[Film], bool]) -> list[str]:
        return [film.title for film in films if test(film)]

    def count(wordings: Sequence[str], items: Sequence[str]) -> None:
        ask(wordings, str(len(items)), items=items, refuse=not items)

    def listed(wordings: Sequence[str], items: Sequence[str]) -> None:
        ask(wordings, items=items, refuse=not items)

    for who in directors[:4]:
        own = of(lambda film, who=who: who in film.directors)
        count((f"How many films did {who} direct?", f"How many movies were directed by {who}?"), own)
        listed((f"Which films did {who} direct?", f"Name all the films that {who} directed."), own)
        first = min((film for film in films if who in film.directors), key=lambda film: film.year)
        ask((f"What is the earliest film directed by {who}?", f"What was {who}'s first film?"), first.title)
    who, two = directors[0], directors[1]
    listed((f"List the films directed by {who} after 1940.", f"Which of {who}'s films were released after 1940?"),
           of(lambda film: who in film.directors and film.year > 1940))
    listed((f"Which films by {who} or {two} are from 1931 and 1936?",
            f"List the films of {who} and {two} released in 1931 or 1936."),
           of(lambda film: bool({who, two} & set(film.directors)) and film.year in (1931, 1936)))
    country = next(iter(world.countries))
    demonym = world.countries[country]
    count((f"How many {demonym} films did {two} direct?", f"How many of {two}'s films are {demonym}?"),
          of(lambda film: two in film.directors and film.country == demonym))
    count(("How many films were released between 1935 and 1939?", "How many films came out from 1935 to 1939?"),
          of(lambda film: 1935 <= film.year <= 1939))
    listed(("Which comedy films were released in the 1940s?", "Which comedies are from the 1940s?"),
           of(lambda film: film.genre == "comedy film" and 1940 <= film.year <= 1949))
    longest = max(films, key=lambda film: (two in film.directors, film.minutes))
    ask((f"What is the longest film by {two}?", f"Which film directed by {two} has the longest running time?"),
        longest.title)
    start = films[3]
    count((f"How many films did the director of {start.title} direct?",
           f"How many films were made by the director of {start.title}?"),
          of(lambda film: start.directors[0] in film.directors))
    composer = start.composer
    listed((f"Which films directed by {start.directors[0]} have music by {composer}?",
            f"For which films by {start.directors[0]} did {composer} compose the music?"),
           of(lambda film: start.directors[0] in film.directors and film.composer == composer))
    last = max((film for film in films if film.composer == composer), key=lambda film: film.year)
    ask((f"What is the last film with music by {composer}?", f"Which film scored by {composer} was released last?"),
        last.title)
    town = people[directors[2]][0]
    born = [n for n, p in people.items() if p[0] == town]
    count((f"How many people were born in {town}?", f"How many persons have {town} as their place of birth?"), born)
    within = [n for n, p in people.items() if world.provinces[world.towns[p[0]][0]] == country]
    count((f"How many people were born in {country}?", f"How many people come from places in {country}?"), within)
    listed((f"Which novelists were born in {country}?", f"List the writers born in {country}."),
           [n for n in within if people[n][3] == "novelist"])
    listed((f"Which films were directed by {demonym} directors?", f"Name the films made by directors from {country}."),
           of(lambda film: any(people[n][1] == demonym for n in film.directors)))
    home = people[directors[3]][0]
    count((f"How many films were directed by people born in {home}?",
           f"How many films are by directors who were born in {home}?"),
          of(lambda film: any(people[n][0] == home for n in film.directors)))
    rivers = {r: length for r, (province, length) in world.rivers.items() if world.provinces[province] == country}
    ask((f"What is the longest river of {country}?", f"Which river of {country} is the longest?"),
        max(rivers, key=lambda name: rivers[name]))
    count((f"How many rivers are in {country}?", f"How many rivers are there in {country}?"), list(rivers))
    towns = {t: size for t, (province, size) in world.towns.items() if world.provinces[province] == country}
    ask((f"What is the largest town in {country} by population?", f"Which town in {country} has the most inhabitants?"),
        max(towns, key=lambda name: towns[name]))
    ask((f"What is the smallest town in {country} by population?", f"What is the least populous town in {country}?"),
        min(towns, key=lambda name: towns[name]))
    writer = next(n for n, p in people.items() if p[3] == "novelist")
    own = {title: year for title, (by, year) in world.novels.items() if by == writer}
    listed((f"List the novels by {writer}.", f"What novels did {writer} write?"), list(own))
    count((f"How many novels did {writer} write?", f"How many novels by {writer} are there?"), list(own))
    ask((f"What is the most recent novel by {writer}?", f"What is the latest novel {writer} wrote?"),
        max(own, key=lambda title: own[title]))
    father, heirs = next(iter(world.children.items()))
    ask((f"Who is the oldest of {father}'s children?", f"Who was the eldest child of {father}?"),
        min(heirs, key=lambda heir: heir[1])[0])
    count((f"How many children did {father} have?", f"How many children of {father} are known?"),
          [heir for heir, _ in heirs])
    ask((f"How many films did {writer} direct?", f"How many movies were directed by {writer}?"), refuse=True)
    ask((f"List the novels by {who}.", f"What novels did {who} write?"), refuse=True)
    ask((f"How many films did {composer} direct after 1900?", f"Name all the operas by {composer}."), refuse=True)
    return found


DEVELOPMENT = _world(7, 0)
FRESH = _world(2041, 1)
