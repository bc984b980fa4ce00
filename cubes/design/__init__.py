"""Ontologies designed from a corpus: classes with their attributes and relations, each with the evidence for it.

Two ways lead to a proposal, and both go on the same path: a language model reads batches of documents (MultiCube-RAG
A.1), or statistics over them do (`statistics`). Then entities are clustered and the clusters named (Hypercube-RAG 3.2),
classes with near-equal schemas are merged, and what few documents show is dropped (`merging`); `writing` makes an
ontology of it, and `review` lets a person decide.
"""

from .designing import Designer, DesignOptions, Namer, design
from .proposal import CandidateClass, CandidateDimension, Decision, Proposal, Quote
from .sampling import Sample, sample_documents
from .statistics import StatisticalDesigner
from .writing import read_design, write_design

__all__ = [
    "CandidateClass",
    "CandidateDimension",
    "Decision",
    "DesignOptions",
    "Designer",
    "Namer",
    "Proposal",
    "Quote",
    "Sample",
    "StatisticalDesigner",
    "design",
    "read_design",
    "sample_documents",
    "write_design",
]
