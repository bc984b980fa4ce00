"""Each published format, in a few hand-made records. All of them tell of Ada, who was born in Rome, in Italy."""

import csv
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ADA, ROME, MOON = "Ada was born in Rome.", "Rome is the capital of Italy.", "The moon is far away."
QUESTION = "In which country was Ada born?"


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def write_json(path: Path, value: Any) -> Path:
    return write(path, json.dumps(value))


def write_lines(path: Path, rows: Iterable[Any]) -> Path:
    return write(path, "".join(json.dumps(row) + "\n" for row in rows))


def hotpot_row(**other: Any) -> dict[str, Any]:
    return {
        "_id": "h1",
        "question": QUESTION,
        "answer": "Italy",
        "type": "bridge",
        "level": "hard",
        "supporting_facts": [["Ada", 0], ["Rome", 0]],
        "context": [["Ada", [ADA]], ["Moon", ["The moon is", " far away."]], ["Rome", [ROME]]],
        **other,
    }


def wiki2_row(**other: Any) -> dict[str, Any]:
    chain = [["Ada", "place of birth", "Rome"], ["Rome", "country", "Italy"]]
    return hotpot_row(**{"_id": "w1", "type": "compositional", "evidences": chain, "answer_id": "Q38", **other})


def musique_row(**other: Any) -> dict[str, Any]:
    texts = [("Moon", MOON, False), ("Ada", ADA, True), ("Rome", ROME, True)]
    return {
        "id": "2hop__1_2",
        "paragraphs": [
            {"idx": n, "title": title, "paragraph_text": text, "is_supporting": gold}
            for n, (title, text, gold) in enumerate(texts)
        ],
        "question": QUESTION,
        "question_decomposition": [
            {"id": 1, "question": "Ada >> place of birth", "answer": "Rome", "paragraph_support_idx": 1},
            {"id": 2, "question": "country of #1", "answer": "Italy", "paragraph_support_idx": 2},
        ],
        "answer": "Italy",
        "answer_aliases": ["Italia"],
        "answerable": True,
        **other,
    }


def lveval_row(**other: Any) -> dict[str, Any]:
    return {
        "input": QUESTION,
        "context": f"### Passage 1\nAda\n{ADA}\n\n### Passage 2\nRome\n{ROME}\n\n### Passage 3\n{MOON}",
        "answers": ["Italy"],
        "answer_keywords": "Italy",
        "confusing_facts": ["Ada was born in Oslo."],
        "length": 20,
        "dataset": "hotpotwikiqa_mixup_16k",
        "language": "en",
        **other,
    }


def hotpotqa(root: Path) -> Path:
    other = hotpot_row(_id="h2", question="What is far away?", answer="The moon", supporting_facts=[["Moon", 0]])
    write_json(root / "hotpot_dev_distractor_v1.json", [hotpot_row(), other])
    return root


def hotpotqa_columns(root: Path) -> Path:
    context = {"title": ["Ada", "Moon", "Rome"], "sentences": [[ADA], [MOON], [ROME]]}
    facts = {"title": ["Ada", "Rome"], "sent_id": [0, 0]}
    row = hotpot_row(id="h1", context=context, supporting_facts=facts)
    del row["_id"]
    write_lines(root / "validation.jsonl", [row])
    return root


def wiki2(root: Path) -> Path:
    write_json(root / "dev.json", [wiki2_row()])
    write_lines(root / "id_aliases.json", [{"Q_id": "Q38", "aliases": ["Italia"], "demonyms": []}])
    return root


def musique(root: Path) -> Path:
    write_lines(root / "musique_ans_v1.0_dev.jsonl", [musique_row()])
    return root


def lveval(root: Path) -> Path:
    write_lines(root / "hotpotwikiqa_mixup_16k.jsonl", [lveval_row()])
    return root


def hipporag(root: Path) -> Path:
    corpus = [{"title": "Moon", "text": MOON, "idx": 0}, {"title": "Ada", "text": ADA}, {"title": "Rome", "text": ROME}]
    write_json(root / "musique_corpus.json", corpus)
    write_json(root / "musique.json", [musique_row()])
    return root


def hipporag_hotpotqa(root: Path) -> Path:
    write_json(root / "hotpotqa_corpus.json", {"Moon": [MOON], "Ada": [ADA], "Rome": [ROME]})
    write_json(root / "hotpotqa.json", [hotpot_row()])
    return root


def multihop_rag(root: Path) -> Path:
    texts = {"Ada": ADA, "Rome": ROME, "Moon": MOON}
    corpus = [
        {"title": title, "author": "A", "source": "S", "category": "c", "published_at": "2023", "url": f"u/{title}",
         "body": text}
        for title, text in texts.items()
    ]  # fmt: skip
    evidence = [{"title": title, "url": f"u/{title}", "fact": texts[title]} for title in ("Ada", "Rome")]
    write_json(root / "corpus.json", corpus)
    write_json(
        root / "MultiHopRAG.json",
        [
            {"query": QUESTION, "answer": "Italy", "question_type": "inference_query", "evidence_list": evidence},
            {"query": "Who is Bob?", "answer": "Insufficient information.", "question_type": "null_query",
             "evidence_list": []},
        ],
    )  # fmt: skip
    return root


def triviaqa(root: Path) -> Path:
    pages = [{"DocSource": "TagMe", "Filename": "Ada.txt", "Title": "Ada"}, {"Filename": "Rome.txt", "Title": "Rome"}]
    answer = {"Value": "Italy", "Aliases": ["Italy", "Italia"], "NormalizedAliases": ["italy"]}
    row = {"Question": QUESTION, "QuestionId": "tc_1", "Answer": answer, "EntityPages": pages, "SearchResults": []}
    write_json(root / "qa" / "wikipedia-dev.json", {"Data": [row], "Domain": "Wikipedia", "Version": 1.0})
    write(root / "evidence" / "wikipedia" / "Ada.txt", ADA)
    write(root / "evidence" / "wikipedia" / "Rome.txt", ROME)
    return root


def nq(root: Path) -> Path:
    row = {
        "dataset": "nq_dev_psgs_w100",
        "question": QUESTION,
        "answers": ["Italy", "Italia"],
        "positive_ctxs": [{"title": "Rome", "text": ROME, "score": 1000, "passage_id": "7"},
                          {"title": "Ada", "text": ADA, "score": 12.5, "passage_id": "8"}],
        "negative_ctxs": [{"title": "Moon", "text": MOON, "score": 0, "passage_id": "9"}],
        "hard_negative_ctxs": [],
    }  # fmt: skip
    write(root / "biencoder-nq-dev.json.gz", gzip.compress(json.dumps([row]).encode()))
    return root


def nq_simplified(root: Path) -> Path:
    text = f"Rome - wikipedia <H1> Rome </H1> <P> {ROME} </P> <P> {MOON} </P>"
    tokens = text.split(" ")
    first, second = tokens.index("<P>"), len(tokens) - tokens[::-1].index("<P>") - 1
    candidates = [{"start_token": first, "end_token": second, "top_level": True},
                  {"start_token": second, "end_token": len(tokens), "top_level": True}]  # fmt: skip
    italy = tokens.index("Italy.")
    note = {"long_answer": {"start_token": first, "end_token": second, "candidate_index": 0},
            "short_answers": [{"start_token": italy, "end_token": italy + 1}], "yes_no_answer": "NONE"}  # fmt: skip
    row = {"example_id": 17, "question_text": "where is rome", "document_text": text, "annotations": [note],
           "document_url": "https://en.wikipedia.org//w/index.php?title=Rome&oldid=1",
           "long_answer_candidates": candidates}  # fmt: skip
    write_lines(root / "v1.0-simplified_nq-dev.jsonl", [row])
    return root


def nq_open(root: Path) -> Path:
    write(root / "psgs_w100.tsv", f'id\ttext\ttitle\n1\t"{ADA}"\tAda\n2\t{ROME}\tRome\n')
    write(root / "nq-test.qa.csv", f"{QUESTION}\t['Italy', \"Italia\"]\n")
    return root


def scifact(root: Path) -> Path:
    corpus = [{"doc_id": 4, "title": "Ada", "abstract": [ADA, "She lived."], "structured": False},
              {"doc_id": 9, "title": "Moon", "abstract": [MOON], "structured": False}]  # fmt: skip
    claims = [
        {"id": 1, "claim": "Ada was born in Rome.", "cited_doc_ids": [4],
         "evidence": {"4": [{"sentences": [0], "label": "SUPPORT"}]}},
        {"id": 2, "claim": "The moon is near.", "cited_doc_ids": [9],
         "evidence": {"9": [{"sentences": [0], "label": "CONTRADICT"}]}},
        {"id": 3, "claim": "Bob sings.", "cited_doc_ids": [4], "evidence": {}},
    ]  # fmt: skip
    write_lines(root / "corpus.jsonl", corpus)
    write_lines(root / "claims_dev.jsonl", claims)
    return root


def legalbench_rag(root: Path) -> Path:
    text = f"§ 1. {ADA}\r\n§ 2. {ROME}\n"
    write(root / "corpus" / "contractnli" / "ada.txt", text)
    write(root / "corpus" / "contractnli" / "moon.txt", MOON)
    write(root / "corpus" / "cuad" / "other.txt", MOON)
    start = text.replace("\r\n", "\n").index(ROME)
    snippet = {"file_path": "contractnli/ada.txt", "span": [start, start + len(ROME)], "answer": ROME}
    write_json(root / "benchmarks" / "contractnli.json", {"tests": [{"query": QUESTION, "snippets": [snippet]}]})
    return root


def scidcc(root: Path) -> Path:
    write_lines(root / "data" / "corpus" / "hurricane.jsonl",
                [{"doc_id": "h_0", "content": ADA}, {"doc_id": "h_1", "content": ROME}])  # fmt: skip
    write_lines(root / "data" / "query" / "hurricane.jsonl",
                [{"query_id": "q_0", "content": QUESTION, "answer_list": ["Italy"],
                  "relevant_doc_list": ["h_0", "h_1"]}])  # fmt: skip
    return root


def scidcc_first(root: Path) -> Path:
    write(root / "corpus" / "hurricane" / "SciDCC-Hurricane.txt", f"{ADA}\n{ROME}\n")
    write_json(root / "QA" / "hurricane" / "synthetic_qa.json",
               [{"index": 1, "question": QUESTION, "answers": ["Italy"], "relevant_doc": [2]}])  # fmt: skip
    write(root / "hypercube" / "hurricane" / "location.txt", '{"Rome": 1}\n{"Rome": 1, "Italy": 1}\n')
    write(root / "hypercube" / "hurricane" / "person.txt", '{"Ada": 1}\n')
    return root


def scidcc_csv(root: Path) -> Path:
    with (root / "SciDCC.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["Date", "Link", "Title", "Summary", "Body", "Category"])
        rows.writerow(["2020", "http://x", "Ada", "On Ada.", f"{ADA}\n\nAnd more.", "Hurricane"])
    write_json(root / "qa.json", [{"question": QUESTION, "answer": "Italy"}])
    return root


def muisqa(root: Path) -> Path:
    rows = [{"person": "Ada", "city": ["Rome", "Roma"]}, {"person": "Bob", "city": "Oslo"}]
    write_lines(root / "questions.jsonl",
                [{"id": "m1", "question": "Who was born where?", "domain": "biology", "answers": rows,
                  "documents": ["ada.md"]}])  # fmt: skip
    write(root / "documents" / "ada.md", f"# Ada\n\n{ADA}\n")
    write(root / "documents" / "bob.txt", "Bob was born in Oslo.")
    return root


def masqa(root: Path) -> Path:
    write_json(root / "questions.json",
               [{"id": "x1", "question": "Where was Ada born?", "options": {"A": "Rome", "B": "Oslo"}, "answer": "A",
                 "type": "single_choice", "document": "ada"}])  # fmt: skip
    write(root / "documents" / "ada.md", f"# Ada\n\n{ADA}\n")
    write(root / "documents" / "rome.html", f"<html><title>Rome</title><body><p>{ROME}</p></body></html>")
    return root


def multi_perspective(root: Path) -> Path:
    documents = [{"title": "Ada", "text": ADA}, {"title": "Rome", "text": ROME}]
    write_json(root / "perspectives.json",
               [{"question": QUESTION, "answer": "Ada was born in Rome, which is in Italy.",
                 "perspectives": ["birth", "geography"], "documents": documents}])  # fmt: skip
    return root


def beir(root: Path) -> Path:
    write_lines(root / "corpus.jsonl",
                [{"_id": "a", "title": "Ada", "text": ADA, "metadata": {}}, {"_id": "r", "title": "", "text": ROME}])
    write_lines(root / "queries.jsonl", [{"_id": "1", "text": QUESTION}, {"_id": "2", "text": "Not judged?"}])
    write(root / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tr\t2\n1\tz\t0\n")
    return root


SAMPLES: dict[str, tuple[str, Callable[[Path], Path]]] = {
    maker.__name__: (format, maker)
    for format, makers in {
        "hotpotqa": (hotpotqa, hotpotqa_columns),
        "2wikimultihopqa": (wiki2,),
        "musique": (musique,),
        "lveval": (lveval,),
        "hipporag": (hipporag, hipporag_hotpotqa),
        "multihop-rag": (multihop_rag,),
        "triviaqa": (triviaqa,),
        "nq": (nq, nq_simplified, nq_open),
        "scifact": (scifact,),
        "legalbench-rag": (legalbench_rag,),
        "scidcc": (scidcc, scidcc_first, scidcc_csv),
        "muisqa": (muisqa,),
        "masqa": (masqa, multi_perspective),
        "beir": (beir,),
    }.items()
    for maker in makers
}
"""Sample -> the name of its format, and what writes it into a folder and returns it."""
