"""How a question is taken apart by its syntax: the stream of one-hop subqueries of questions about made-up things.

``#1`` stands for the answer of the first subquery, as in the data sets that come with decompositions.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.agent.engines.embedded.plan import OpenStep, Term
from multicube.agent.engines.embedded.syntax.decompose import Decomposer
from multicube.agent.engines.embedded.syntax.tree import Parser, subtree
from multicube.agent.engines.embedded.vocabulary.lexicon import QuestionLexicon
from multicube.agent.engines.embedded.vocabulary.words import WordReader
from multicube.cubes.core.folding import fold
from multicube.cubes.model.ontology import load_ontology

NAMES = frozenset(
    fold(name)
    for name in (
        "The Salt Lantern", "The Tin Kettle", "A Night in the Mill", "Who Goes Where", "Harbour of Ash", "Blue Heron",
        "Anselm Torvik", "Mirren Tal", "Oren Vass", "Kestrel House", "Vesk University", "Dorvale", "Port Sorrel",
        "Lower Brenn",
    )
)  # fmt: skip


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser(WordReader(lambda name: fold(name) in NAMES))


@pytest.fixture(scope="module")
def relational() -> frozenset[str]:
    lexicon = QuestionLexicon(load_ontology("default"))
    return frozenset(lexicon.asks) | frozenset(lexicon.kin)


def stream(plan: Term | OpenStep | None) -> list[str]:
    """The subqueries in the order in which they are asked."""
    asked: list[str] = []

    def ask(step: Term | OpenStep) -> str:
        assert isinstance(step, OpenStep)
        asked.append(step.filled([ask(part) for part in step.parts]))
        return f"#{len(asked)}"

    if plan is not None:
        ask(plan)
    return asked


RELATIVE_CLAUSES = {
    "Where was the engineer who built Dorvale Bridge born?":
        ["Which engineer built Dorvale Bridge?", "Where was #1 born?"],
    "Who founded the company that printed The Salt Lantern?":
        ["Which company printed The Salt Lantern?", "Who founded #1?"],
    "What country is the institute that owns Harbour of Ash located in?":
        ["Which institute owns Harbour of Ash?", "What country is #1 located in?"],
    "What is the population of the hamlet where Oren Vass was born?":
        ["In which hamlet was Oren Vass born?", "What is the population of #1?"],
    "Who leads the party to which Mirren Tal belongs?":
        ["To which party does Mirren Tal belong?", "Who leads #1?"],
    "What is the occupation of the glazier whose wife founded Kestrel House?":
        ["Which glazier's wife founded Kestrel House?", "What is the occupation of #1?"],
}  # fmt: skip
REDUCED_CLAUSES = {
    "When was the bridge designed by Anselm Torvik opened?":
        ["Which bridge was designed by Anselm Torvik?", "When was #1 opened?"],
    "Who owns the newspaper founded in Port Sorrel by Oren Vass?":
        ["Which newspaper was founded in Port Sorrel by Oren Vass?", "Who owns #1?"],
    "How many families live in the town lying south of Lower Brenn?":
        ["Which town is lying south of Lower Brenn?", "How many families live in #1?"],
    "Who was the king of the country Mirren Tal is from?":
        ["Which country is Mirren Tal from?", "Who was the king of #1?"],
    "Which league does the club that Oren Vass coached play in?":
        ["Which club did Oren Vass coach?", "Which league does #1 play in?"],
}  # fmt: skip
BARE_CLAUSES = {
    "What coin was used in the country Mirren Tal is from?":
        ["Which country is Mirren Tal from?", "What coin was used in #1?"],
    "What year did the company Kestrel House is part of dissolve?":
        ["Which company is Kestrel House part of?", "What year did #1 dissolve?"],
    "When did the country Oren Vass comes from join the League?":
        ["Which country does Oren Vass come from?", "When did #1 join the League?"],
    "To which chain of hills does the ridge that Lower Brenn is part of belong?":
        ["Which ridge is Lower Brenn part of?", "To which chain of hills does #1 belong?"],
}  # fmt: skip
NAMES_IN_PLACE = {
    "Who made the record produced by a keeper born in Port Sorrel, Ohio?":
        ["Which keeper was born in Port Sorrel, Ohio?", "Which record was produced by #1?", "Who made #2?"],
    'Where was the actor who played the king in the series "Nine Doors" born?':
        ['Which actor played the king in the series "Nine Doors"?', "Where was #1 born?"],
    "Name the company that printed The Salt Lantern.":
        ["Which company printed The Salt Lantern?"],
}  # fmt: skip
POSSESSIVES = {
    "When did Mirren Tal's husband die?":
        ["What is the husband of Mirren Tal?", "When did #1 die?"],
    "Where did Anselm Torvik's employer have its headquarters?":
        ["What is the employer of Anselm Torvik?", "Where did #1 have its headquarters?"],
    "Who is the spouse of the director of The Salt Lantern?":
        ["What is the director of The Salt Lantern?", "Who is the spouse of #1?"],
}  # fmt: skip
NESTED = {
    "What county is the birthplace of the lyricist of A Night in the Mill located in?":
        ["What is the lyricist of A Night in the Mill?", "What is the birthplace of #1?",
         "What county is #2 located in?"],
    "Where is the mill of the company that owns the brand that made Blue Heron?":
        ["Which brand made Blue Heron?", "Which company owns #1?", "Where is the mill of #2?"],
    "When did the state where the birthplace of the lyricist of The Tin Kettle is located become independent?":
        ["What is the lyricist of The Tin Kettle?", "What is the birthplace of #1?", "In which state is #2 located?",
         "When did #3 become independent?"],
}  # fmt: skip
ASKED_INSIDE = {
    "The Tin Kettle was published by a house that is based where?":
        ["The Tin Kettle was published by which house?", "#1 is based where?"],
    "The Tin Kettle was written by an author who was born in which town?":
        ["The Tin Kettle was written by which author?", "#1 was born in which town?"],
    "Mirren Tal attended a school founded by whom?":
        ["Mirren Tal attended which school?", "#1 was founded by whom?"],
    "Oren Vass is a mason who once quarrelled over a wall with the provost of which town?":
        ["Oren Vass once quarrelled over a wall with the provost of which town?"],
}  # fmt: skip
TITLES = {
    "When was the singer of Who Goes Where born?":
        ["What is the singer of Who Goes Where?", "When was #1 born?"],
    "When was the painter of \"The Man Who Sold the Rain\" born?":
        ["What is the painter of \"The Man Who Sold the Rain\"?", "When was #1 born?"],
}  # fmt: skip
CLAUSES_IN_TURN = {
    "Oren Vass is a painter from a guild having ties with which northern temple?":
        ["Oren Vass is a painter from which guild?", "#1 is having ties with which northern temple?"],
    "The Tin Kettle included music by the composer best known for the songs by what printer?":
        ["The Tin Kettle included music by which composer?", "#1 was best known for the songs by what printer?"],
    "The Tin Kettle was recorded in the village in which county?":
        ["The Tin Kettle was recorded in which village?", "#1 is in which county?"],
    "Blue Heron was built in a yard with a staff of how many smiths?":
        ["Blue Heron was built in which yard?", "#1 has a staff of how many smiths?"],
}  # fmt: skip
WITHOUT_NAMES = {
    "What is the weight of the lamp that lights the quay?":
        ["Which lamp lights the quay?", "What is the weight of #1?"],
    "Which language does the tool that replaced krellpy use?":
        ["Which tool replaced krellpy?", "Which language does #1 use?"],
}  # fmt: skip
SAID_OF_A_NAME = {
    "Blue Heron is a boat steered by which captain?":
        ["Blue Heron was steered by which captain?"],
    "Oren Vass lived in Dorvale, a town that lies on which river?":
        ["Dorvale lies on which river?"],
    "Mirren Tal wrote for the newspaper Beacon that was founded in what year?":
        ["Beacon was founded in what year?"],
}  # fmt: skip
OWN_PREDICATES = {
    "When was the clerk born who sold Blue Heron?":
        ["Which clerk sold Blue Heron?", "When was #1 born?"],
    "Where is the press based that was founded by Mirren Tal?":
        ["Which press was founded by Mirren Tal?", "Where is #1 based?"],
    "Oren Vass lost in 1906 to a Dorvale Mayor who in 1912 won which prize?":
        ["Oren Vass lost in 1906 to which Dorvale Mayor?", "#1 in 1912 won which prize?"],
    "How many films did the clerk who made Blue Heron and Harbour of Ash direct?":
        ["Which clerk made Blue Heron and Harbour of Ash?", "How many films did #1 direct?"],
    'The singer who released the solo album "Long Lamp" is the lead singer of what choir?':
        ['Which singer released the solo album "Long Lamp"?', "#1 is the lead singer of what choir?"],
    "What was the year founded of the football team that Oren Vass is currently a part of?":
        ["Which football team is Oren Vass currently a part of?", "What was the year founded of #1?"],
}  # fmt: skip
WHOLE_WORDS = {
    "When was the producer that produced Rain Has Come for You born?":
        ["Which producer produced Rain Has Come for You?", "When was #1 born?"],
    "Who printed the ballad that sold 1,400 copies in Dorvale?":
        ["Which ballad sold 1,400 copies in Dorvale?", "Who printed #1?"],
    "In what month did the player with 9 silver cups die?":
        ["Which player has 9 silver cups?", "In what month did #1 die?"],
}  # fmt: skip
TABLES = [
    *(RELATIVE_CLAUSES, REDUCED_CLAUSES, BARE_CLAUSES, NAMES_IN_PLACE),
    *(POSSESSIVES, NESTED, ASKED_INSIDE, TITLES, WITHOUT_NAMES),
    *(CLAUSES_IN_TURN, SAID_OF_A_NAME, OWN_PREDICATES, WHOLE_WORDS),
]


@pytest.mark.parametrize(("question", "subqueries"), [pair for table in TABLES for pair in table.items()])
def test_a_question_becomes_a_stream_of_subqueries(
    parser: Parser, relational: frozenset[str], question: str, subqueries: list[str]
) -> None:
    assert stream(Decomposer(parser, relational).plan(question)) == subqueries


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote A Night in the Mill?",
        "When was Vesk University founded?",
        "How many pages does The Tin Kettle have?",
        'Which band recorded "House of Sparrows"?',
        'Who wrote the song "Who Goes Where"?',
        "Which actor who played in Harbour of Ash was born in Port Sorrel?",
        "The Tin Kettle, is a ballad by which northern poet, mason and piper?",
        "Oren Vass, a glazier and poet from Dorvale, lives where?",
        "Who tends a goat called Blue Heron that lives in Dorvale?",
        "What road leads to the Vass family of Dorvale?",
        "Where was the northern actress Mirren Tal born?",
        "What is the date of death of Oren Vass?",
    ],
)
def test_a_question_of_one_hop_is_left_alone(parser: Parser, relational: frozenset[str], question: str) -> None:
    assert Decomposer(parser, relational).plan(question) is None


@pytest.mark.parametrize("question", [question for table in TABLES if table is not WITHOUT_NAMES for question in table])
def test_each_subquery_asks_one_thing_of_something(parser: Parser, relational: frozenset[str], question: str) -> None:
    """No subquery has two question words, and each holds a name, a number, a quotation or an answer before it."""
    for subquery in stream(Decomposer(parser, relational).plan(question)):
        plain = re.sub(r'"[^"]*"|Who Goes Where', "X", subquery)
        assert len(re.findall(r"\b(?:who|whom|whose|which|what|when|where|how)\b", plain, re.IGNORECASE)) == 1
        assert re.search(r"\d|[A-Z]", re.sub(r"^(?:\w+ which|W\w+|How) ", "", plain))


def test_the_full_name_of_what_is_described_is_what_is_found_first(parser: Parser, relational: frozenset[str]) -> None:
    plan = Decomposer(parser, relational).plan("Give the full name of the company that printed The Salt Lantern.")
    assert isinstance(plan, OpenStep)
    assert plan.template == "Which company printed The Salt Lantern?"


def test_a_row_that_is_told_of_is_the_answer_where_nothing_else_is_asked(parser: Parser) -> None:
    plan = Decomposer(parser, (), calls_rows={"node"}.__contains__).plan("One node at Velm woke up. What is that node?")
    assert isinstance(plan, OpenStep)
    assert (plan.template, plan.parts) == ("Which node at Velm woke up?", ())


def test_a_part_remembers_the_words_it_stands_for(parser: Parser, relational: frozenset[str]) -> None:
    pattern = Decomposer(parser, relational).plan("Who founded the company that printed The Salt Lantern?")
    assert isinstance(pattern, OpenStep)
    assert pattern.words == ("the company that printed The Salt Lantern",)


@pytest.mark.parametrize(
    ("question", "asked", "left"),
    [
        ("Who keeps the lamp that burns oil?", "What is the name of the lamp that burns oil?", "Who keeps {0}?"),
        ("Which oil does Tal's lamp want?", "What is the name of Tal's lamp?", "Which oil does {0} want?"),
        ("When does the pass of the cook with the geese run out?", "What is the name of the cook with the geese?",
         "When does the pass of {0} run out?"),
        ("The lamp of Vass: who drew its wheel?", "What is the name of the lamp of Vass?", "Who drew {0}'s wheel?"),
        ("whoever broke the lamp, where did they go", "Who broke the lamp?", "Where did {0} go?"),
        ("Which oil does whoever keeps the lamp buy?", "Who keeps the lamp?", "Which oil does {0} buy?"),
        ("What is the head cook's wife called?", "What is the name of the head cook?", "What is {0}'s wife called?"),
        ("There is a lamp on oil. Who keeps it?", "There is a lamp on oil. What is that?", "Who keeps {0}?"),
        ("A cook fell ill. When did she come back?", "A cook fell ill. Who is that?", "When did {0} come back?"),
        ("We lent a lamp to Pell. Who made that lamp?", "We lent a lamp to Pell. Which lamp is that?", "Who made {0}?"),
        ("When was the lamp of Oren Vass lit?", "What is the name of the lamp of Oren Vass?", "When was {0} lit?"),
    ],
)  # fmt: skip
def test_what_describes_the_thing_asked_about(
    parser: Parser, relational: frozenset[str], question: str, asked: str, left: str
) -> None:
    described = Decomposer(parser, relational).description(question)
    assert described is not None
    assert (described.asked, described.left) == (asked, left)


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote Blue Heron?",
        "What is the longest net that it mends?",
        "If nothing is set, which port is used?",
        "When was the lamp lit by Oren Vass?",
        "Which is older, the lamp of the north or the bell?",
    ],
)
def test_nothing_is_described(parser: Parser, relational: frozenset[str], question: str) -> None:
    assert Decomposer(parser, relational).description(question) is None


def test_only_nouns_that_name_a_thing_by_another_are_asked_for(parser: Parser) -> None:
    asked = "Where was the director of The Salt Lantern born?"
    subqueries = ["What is the director of The Salt Lantern?", "Where was #1 born?"]
    assert stream(Decomposer(parser, ["director"]).plan(asked)) == subqueries
    assert Decomposer(parser, ["capital"]).plan(asked) is None
    who = ["Who is the director of The Salt Lantern?", "Where was #1 born?"]
    assert stream(Decomposer(parser, ["director"], persons=["director"]).plan(asked)) == who


@pytest.mark.parametrize(
    "asked",
    [
        "What walled town is the birthplace of Oren Vass?",
        "Vesk University lies in the hills, but what is the birthplace of Oren Vass?",
    ],
)
def test_what_is_said_to_be_the_phrase_is_its_answer(parser: Parser, asked: str) -> None:
    plan = Decomposer(parser, ["birthplace"]).plan(asked)
    assert plan == OpenStep("What is the birthplace of Oren Vass?")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Who sang Who Goes Where in 1931?", "Who Goes Where"),
        ("Who sang 'The Owl, and Who Heard It' first?", "'The Owl, and Who Heard It'"),
        ("Was Vesk University's chapel built of stone?", "Vesk University"),
        ("Who lives in Port Sorrel?", "Port Sorrel"),
        ("What is made in Port Sorrel, of all places?", "Port Sorrel"),
    ],
)
def test_a_name_is_one_token(parser: Parser, text: str, name: str) -> None:
    assert [word.text for word in parser.words(text) if word.tells] == [name]


def test_the_first_word_of_a_question_is_a_name_only_where_the_corpus_knows_it(parser: Parser) -> None:
    assert parser.words("Dorvale lies where?")[0].tells
    assert not parser.words("Harbours lie where?")[0].tells


@settings(max_examples=40)
@given(st.text(alphabet=st.sampled_from("abWhoTheof 's\"'?,.()éß1-"), max_size=40))
def test_any_text_gives_a_tree(text: str) -> None:
    """Every token has a governor, following governors ends at a root, and reading the tree does not fail."""
    words = ANY.words(text)
    if not words:
        assert not text.strip()
        return
    tree = ANY.parse(words)
    assert tree is not None
    for token in tree:
        above = list(token.ancestors)
        assert len(above) < len(tree)
        assert all(token in subtree(governor) for governor in above)
    Decomposer(ANY, ["director"]).plan(text)


ANY = Parser(WordReader(lambda name: False))
