"""The kinds of questions of HiQA's table 4, each over several documents that look alike."""

from __future__ import annotations

import pytest
from multicube.agent.engines.embedded.reasoner import EmbeddedReasoner

from .conftest import Asking

TABLES = [
    ("What is the maximum supply voltage of the HX-210?", "15 V"),
    ("What is the supply current at full load of the HX-340?", "1300 mA"),
    ("How heavy is the HX-340?", "1.1 kg"),
    ("What is the operating temperature range of the HX-340?", "-40 to 70 °C"),
    ("What is the max. transmit power of the HX-120?", "18 dBm"),
    ("Which port of the HX-210 connects to the modem?", "1"),
    ("What was the net income of Ostermill Foods in 2022?", "41.0 million euros"),
    ("How many employees of Ostermill Foods work in North America?", "880"),
    ("What is the daily dose of Entavir?", "0.5 mg"),
    ("For how many weeks is Tenovir given?", "48 weeks"),
    ("Which medicine has depression as its main side effect?", "Peginterol"),
    ("Which medicines are recommended for chronic hepatitis?", "Tenovir, Entavir, Peginterol"),
]
FORMS = [
    ("Single choice: The weight of the HX-340 is (). A: 420 g B: 95 g C: 1.1 kg D: 2 kg", "C: 1.1 kg"),
    ("Single choice: The weight of the HX-340 is (). A: 420 g B: 95 g C: 1100 g D: 2 kg", "C: 1100 g"),
    ("Multiple choice: Applications of the HX-340 are (). A: Factory floors B: Hotel rooms C: Warehouses",
     "A: Factory floors; C: Warehouses"),
    ("Multiple choice: Which statements about the HX-120 are right? A: The weight is 95 g B: The width is 212 mm"
     " C: The depth is 82 mm", "A: The weight is 95 g; C: The depth is 82 mm"),
    ("Single choice: Which of the following has the largest depth? A: HX-120 B: HX-210 C: HX-340", "C: HX-340"),
    ("Multiple choice: Which of these routers have a guest network? A: HX-120 B: HX-210 C: HX-340",
     "B: HX-210; C: HX-340"),
    ("Fill the blank: The weight of the HX-340 is () g.", "1100"),
    ("Fill the blanks: The supply voltage of the HX-210 ranges from () V to () V.", "9, 15"),
    ("Fill the blanks: The minimum supply voltage of the HX-340 is () and the maximum is ().", "18 V, 30 V"),
    ("Fill the blanks: The HX-210 is () mm wide and () mm deep.", "212, 145"),
    ("Fill the blanks: The features of the HX-120 are (), (), ().",
     "Single-band Wi-Fi on 2.4 GHz, Two Fast Ethernet LAN ports, Powered over USB"),
]  # fmt: skip
JUDGEMENTS = [
    ("Statement: The HX-120 weighs 95 g. True or False?", "True"),
    ("Statement: The HX-120 weighs 0.095 kg. True or False?", "True"),
    ("Statement: The HX-120 weighs 420 g. True or False?", "False"),
    ("Statement: The HX-340 weighs more than 1 kg. True or False?", "True"),
    ("Is it correct that the housing of the HX-340 is made of aluminium?", "True"),
    ("Does the HX-120 support a guest network with its own password?", "No"),
    ("Is damage by lightning covered by the warranty of the HX-210?", "No"),
    ("True or false: The HX-210 is heavier than the HX-340.", "False"),
    ("Statement: The biopsy of the HX-120 is not covered by 7 lamps. True or False?", "False"),
    ("Do the HX-120 and the HX-210 have the same width?", "No"),
    ("Statement: In chronic hepatitis, a biopsy is required when elastography gives a clear result. True or false?",
     "False"),
]  # fmt: skip
SEVERAL = [
    ("Which has the higher maximum supply voltage, the HX-210 or the HX-340?", "HX-340"),
    ("Which of the three routers HX-120, HX-210 and HX-340 is the lightest?", "HX-120"),
    ("Which company had the higher revenue in 2023, Ostermill Foods or Brackwater Textiles?", "Ostermill Foods"),
    ("Which router has the highest typical supply voltage?", "HX-340"),
    ("Which router operates over the widest temperature range?", "HX-340"),
    ("How many of the routers have a maximum supply voltage above 10 V?", "2"),
    ("Which routers have a guest network?", "HX-210, HX-340"),
    ("What is the weight of the HX-120 and the HX-210?", "HX-120: 95 g; HX-210: 420 g"),
]
CALCULATIONS = [
    ("What is the difference between the maximum and the minimum supply voltage of the HX-210?", "6 V"),
    ("By how much does the weight of the HX-340 exceed that of the HX-210?", "680 g"),
    ("How much heavier is the HX-340 than the HX-210?", "680 g"),
    ("What is the sum of employees in Northern Europe and Southern Europe at Ostermill Foods?", "2600"),
    ("By what percentage did the revenue of Ostermill Foods grow from 2022 to 2023?", "11.15%"),
    ("Fill the blank: The revenue of Ostermill Foods in 2023 is () times that of Brackwater Textiles.", "3"),
    ("What area in cm² does the HX-120 cover (width times depth)?", "80.36 cm²"),
    ("What is the ratio of total liabilities to total assets of Brackwater Textiles in 2023?", "0.477"),
]
PROSE = [
    ("What are the applications of the HX-120?", "Hotel rooms, Trains, Holiday flats"),
    ("What are the main risks of Ostermill Foods?",
     "harvest failures, energy prices, changes of exchange rates"),
    ("Which figure shows the block diagram of the HX-340?", "Figure 1: Block diagram of the HX-340"),
    ("Describe the business model of Brackwater Textiles.",
     "Brackwater Textiles weaves technical fabrics to order. The company produces only what customers have ordered, "
     "and keeps no stock of finished fabric. It sells directly to carmakers and makers of sails."),
]  # fmt: skip


@pytest.mark.parametrize(
    "asked", [TABLES, FORMS, JUDGEMENTS, SEVERAL, CALCULATIONS, PROSE],
    ids=["tables", "forms", "judgements", "several", "calculations", "prose"],
)  # fmt: skip
def test_answers(ask: Asking, asked: list[tuple[str, str]]) -> None:
    assert [(question, ask(question)[0].text) for question, _ in asked] == asked


def test_a_comparison_takes_one_hop_for_each_document(ask: Asking) -> None:
    _, hops = ask("Which is heavier, the HX-210 or the HX-340?")
    assert [(hop.subquery, hop.answer) for hop in hops] == [
        ("What is the weight of HX-210?", "420 g"),
        ("What is the weight of HX-340?", "1.1 kg"),
    ]


def test_two_documents_are_compared_in_their_own_words(ask: Asking) -> None:
    text = ask("Please compare the business models of Ostermill Foods and Brackwater Textiles.")[0].text
    one, _, other = text.partition("; Brackwater Textiles: ")
    assert "contract farmers" in one
    assert "to order" in other


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("What is the weight of the HX-999?", "No section that was found speaks of 'HX-999'."),
        ("What is the battery capacity of the HX-210?", "Nothing was found"),
        ("Which is heavier, the HX-210 or the HX-999?", "HX-999"),
    ],
)
def test_what_no_document_says_is_refused(ask: Asking, question: str, note: str) -> None:
    final, _ = ask(question)
    assert final.text == ""
    assert note in final.note


def test_an_edited_hop_is_followed(ask: Asking, engine: EmbeddedReasoner) -> None:
    question = "Which is heavier, the HX-210 or the HX-340?"
    _, hops = ask(question)
    edited = hops[0].model_copy(update={"answer": "5 kg", "answers": ("5 kg",), "status": "edited"})
    assert engine.finalize(question, [edited, hops[1]]).text == "HX-210"


def test_a_calculation_that_lacks_a_hop_is_not_made(ask: Asking, engine: EmbeddedReasoner) -> None:
    question = "What is the difference between the maximum and the minimum supply voltage of the HX-210?"
    _, hops = ask(question)
    assert engine.finalize(question, hops[:1]).text == "maximum supply voltage: 15 V"
