"""The results as a page of tables, beside the paper's figures where it has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...reports.tables import between, number, table

__all__ = ["markdown"]

_TABLE_2 = {
    "HCA": "0.98 / 0.90 / 0.95",
    "No Hierarchy": "0.97 / 0.78 / 0.79",
    "Original RAG": "0.95 / 0.61 / 0.75",
    "Fixed Chunk": "0.92 / 0.66 / 0.68",
    "Vec retrieval": "– / – / 0.88",
}

Results = Mapping[str, Any]


def markdown(results: Results) -> str:
    """Return the report."""
    parts = [
        _intro(results),
        _ablation(results["arms"]),
        _whole(results["whole"]),
        _kinds(results["arms"]),
        _growth(results["growth"]),
        _budgets(results["budgets"]),
        _tables(results["tables"]),
        _cohesion(results["cohesion"]),
    ]
    return "\n\n".join(parts) + "\n"


def _intro(results: Results) -> str:
    formats = ", ".join(f"{count} {suffix.lstrip('.').upper()}" for suffix, count in results["formats"].items())
    ingest = results["ingest"] or {}
    return (
        f"{results['documents']} datasheets of one product family ({formats}), {results['questions']} questions; "
        f"ingested in {ingest.get('seconds', '–')} s. α = {results['alpha']}, β = {results['beta']} (the collection's "
        f"defaults), encoder {results['encoder']}, embedded engine, context of 2,000 tokens.\n\n"
        "Log-Rank Index: equation 3 over the full ranking, N = all segments of the variant, γ = 1; a gold segment that "
        "is not ranked has rank N; gold is mapped by span. Accuracy 0, 0.5 or 1 a question. Intervals: 95 %, "
        "bootstrap over questions."
    )


def _ablation(arms: Results) -> str:
    columns = (
        "variant", "segments", "LRI mean", "LRI of gold first", "LRI max", "LRI min", "LRI std",
        "LRI min of documents", "gold first, %", "accuracy, %", "unanswered", "adequacy",
        "paper: mean / min / accuracy",
    )  # fmt: skip
    rows = [
        [
            name,
            str(arm["segments"]),
            between(lri["mean"], lri["mean_ci95"], 3),
            *(number(lri[key], 3) for key in ("ideal", "max", "min", "std", "document_min")),
            number(lri["first@1"]),
            between(arm["accuracy"], arm["accuracy_ci95"]),
            str(arm["abstained"]),
            number(arm["adequacy"], 2),
            _TABLE_2.get(arm["paper"], "–"),
        ]
        for name, arm in arms.items()
        for lri in (arm["lri"],)
    ]
    lost = sum(arm["lri"]["lost"] for arm in arms.values())
    lowest = ", ".join(next(iter(arms.values()))["lri"]["lowest"])
    return (
        "## Ablation (Table 2)\n\n"
        f"{table(columns, rows)}\n\n"
        f"Gold places that ingestion lost, over all variants: {lost}. HCA's lowest: {lowest}. The minimum is over "
        "questions; \"of documents\" is that of the documents' mean over their questions. \"Of gold first\" is what a "
        "perfect ranking would have: less than 1 where a question has several gold segments. Adequacy is (K + 1) − "
        "rank of the answers, ranked by accuracy and then by word F1 with the gold answer in place of annotators.\n\n"
        f"{_gammas(arms)}"
    )


def _whole(whole: Results) -> str:
    kinds = ", ".join(f"{kind} {number(value)}" for kind, value in whole["by_type"].items())
    return (
        "The variants share one reader that is given their ranking alone. The product itself, `MultiCube.ask`, whose "
        f"router may ask the cubes as well: accuracy {between(whole['accuracy'], whole['accuracy_ci95'])}, "
        f"{whole['abstained']} unanswered ({kinds})."
    )


def _gammas(arms: Results) -> str:
    gammas = list(next(iter(arms.values()))["lri"]["gammas"])
    rows = [
        [name, *(" / ".join(number(value, 3) for value in arm["lri"]["gammas"][gamma]) for gamma in gammas)]
        for name, arm in arms.items()
    ]
    return table(["LRI mean / min", *(f"γ = {gamma}" for gamma in gammas)], rows)


def _kinds(arms: Results) -> str:
    names = list(arms)
    kinds = list(next(iter(arms.values()))["by_type"])
    accuracy = [[kind, *(number(arms[name]["by_type"][kind]) for name in names)] for kind in kinds]
    index = [[kind, *(number(arms[name]["lri"]["by_type"][kind], 3) for name in names)] for kind in kinds]
    named = next(iter(arms.values()))["lri"]["by_named"]
    by_name = [[how, *(number(arms[name]["lri"]["by_named"][how], 3) for name in names)] for how in named]
    return (
        f"## By kind of question\n\nAccuracy, %:\n\n{table(['kind', *names], accuracy)}\n\n"
        f"Log-Rank Index:\n\n{table(['kind', *names], index)}\n\n"
        "Log-Rank Index by how the question names its product:\n\n"
        f"{table(['named by', *names], by_name)}"
    )


def _growth(growth: Results) -> str:
    methods = [name for name in growth if name != "questions"]
    columns = ["documents"] + [f"{name}: {what}" for name in methods for what in ("LRI mean", "LRI min", "accuracy, %")]
    rows = [
        [
            size,
            *(
                cell
                for name in methods
                for found in (growth[name][size],)
                for cell in (
                    number(found["lri"]["mean"], 3),
                    number(found["lri"]["min"], 3),
                    between(found["accuracy"], found["accuracy_ci95"]),
                )
            ),
        ]
        for size in growth[methods[0]]
    ]
    return (
        "## More and more look-alikes (Figure 2)\n\n"
        f"{growth['questions']} questions about one document, asked among that document and others drawn by chance; "
        "words are weighed as in the whole collection.\n\n"
        f"{table(columns, rows)}"
    )


def _budgets(budgets: Results) -> str:
    sizes = list(next(iter(budgets.values())))
    rows = [
        [name, *(between(found[size]["accuracy"], found[size]["accuracy_ci95"]) for size in sizes)]
        for name, found in budgets.items()
    ]
    columns = ["accuracy, %", *(f"{int(size):,} tokens" for size in sizes)]
    return f"## Context budgets (Table 7)\n\n{table(columns, rows)}"


def _tables(tables: Results) -> str:
    rows = [
        [name, number(found["inner_product"], 3), number(found["margin"], 2)]
        for name, found in tables.items()
        if isinstance(found, Mapping)
    ]
    columns = ("what is embedded", "inner product with the question", "standard deviations above all tables")
    return (
        "## Tables without their data (A.4, Table 3)\n\n"
        f"{tables['questions']} questions about a row of a table, {tables['segments']} segments with tables. The "
        "paper: 0.879 with whole tables, 0.913 with the data removed.\n\n"
        f"{table(columns, rows)}"
    )


def _cohesion(cohesion: Results) -> str:
    said = {
        "document_within": "cosine within a document (C.2)",
        "document_between": "cosine between documents",
        "document_silhouette": "silhouette of documents (C.3)",
        "chapter_within": "cosine within chapters of one name (C.4)",
        "chapter_between": "cosine between chapters of other names",
        "chapter_silhouette": "silhouette of chapters of one name",
        "context_distance": "distance of a question to its gold segments (C.5)",
        "context_margin": "the same, in standard deviations nearer than all segments",
    }
    rows = [[text, *(number(found[key], 3) for found in cohesion.values())] for key, text in said.items()]
    return f"## Cohesion (appendix C)\n\n{table(['', *cohesion], rows)}"
