"""Reading a question by its syntax: which of its phrases are themselves one-hop questions (eq. 10-11).

A phrase such as "the institute that owned X", "the performer of X" or "X's birthplace" stands for something that must
be found first. It becomes a subquery of its own, and the question goes on with its answer in its place. A question word
deep inside a phrase ("a house that is based where?") turns the order round: first which house, then where it is based.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from ..vocabulary.lexicon import nouns_called
from ..vocabulary.words import written
from .inner_question import turned
from .pattern import SubqueryTemplate, sentence
from .roles import ASKING, BE, CLAUSE, NOUNS, SyntacticRoles, question_word
from .tokens import Token, Tree

__all__ = ["read_tree"]

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_WHERE = frozenset({"where", "when"})
_IMPERATIVE = re.compile(
    r"^(?:(?:name|give|find|state|identify|tell me) |(?:(?:what|who) (?:is|was|are|were) )?(?:(?:the )?names? of )?)"
    r"\{0\}\W*$",
    re.IGNORECASE,
)
"""What asks for nothing but the thing itself."""
_BARE = re.compile(
    r"^(?:(?:in|at|on|from|to|of|for|with|by|into|through|under) )?"
    r"(?:(?:who|what|which|when|where)(?: \w+){0,3}|how(?: much| many)?) "
    r"(?:is|was|are|were|did|does|do) \{0\}\W*$",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"^(?:when|how|.* (?:did|does|do) \{0\})", re.IGNORECASE)
"""What cannot be asked of a thing without another word: "when was X"."""


def read_tree(tree: Tree, relational: Iterable[str] = ()) -> SubqueryTemplate | None:
    """Return how a question is taken apart, or None where it is one hop already.

    ``relational`` are nouns of which "the ... of X" names another thing ("director", "birthplace").
    """
    return _Reader(tree, frozenset(relational)).read()


class _Reader:
    def __init__(self, tree: Tree, relational: frozenset[str]) -> None:
        self._tree = tree
        self._tokens = tree.tokens
        self._roles = SyntacticRoles(tree, relational)
        self._asked = question_word(self._tokens)
        self._free = len(self._tokens)

    def read(self) -> SubqueryTemplate | None:
        if self._asked is not None and self._asked > 1:
            found = turned(self._roles, self._asked, self._text)
            if found is not None:
                return found
        every = [t.index for t in self._tokens]
        text, parts = self._whole(every)
        if parts and _IMPERATIVE.match(text):
            return parts[0]
        whole = SubqueryTemplate(sentence(text), self._roles.plain(every), tuple(parts))
        return whole if parts and whole.question != "{0}?" else None

    def _whole(self, every: Sequence[int]) -> tuple[str, list[SubqueryTemplate]]:
        """The question with its gaps; words at the end of a phrase are given back to one that has no predicate."""
        parts: list[SubqueryTemplate] = []
        text = self._text(every, parts)
        left = {word.strip(",.?") for word in text.replace("'s", " 's").split()}
        verbs = (i for i in every if self._tokens[i].tag in _FINITE | {"VB"} and self._tokens[i].text in left)
        if next(verbs, None) is None and not _IMPERATIVE.match(text):
            return text, []  # a question without a verb is none
        if not parts or not _BARE.match(text):
            return text, parts
        for start in self._endings():
            self._free = start
            found: list[SubqueryTemplate] = []
            shorter = self._text(every, found)
            if found and not _BARE.match(shorter):
                return shorter, found
        self._free = len(self._tokens)
        return (text, []) if _UNFINISHED.match(text) else (text, parts)

    def _endings(self) -> list[int]:
        """Where the question's own predicate may begin: "... native to", "... dissolve", the last ones first."""
        found = []
        support = any(t.lower in ("did", "does", "do") for t in self._tokens)
        open_end = self._tokens[-1 if self._tokens[-1].tag != "." else -2].tag in ("IN", "TO")
        for token in reversed(self._tokens[3:]):
            before = self._tokens[token.index - 1]
            if before.tag in ("DT", "TO", "MD", "JJ", "VB", "PRP$", "CC", "RB") or before.lower in BE:
                continue
            last = self._tokens[-1].index - token.index < 2
            bare = support and (token.tag in ("VB", "VBP", "NN") or (last and token.tag == "JJ"))
            stranded = not support and (before.tag != "IN" or last) and token.tag in ("VBN", "JJ")
            role = open_end and token.tag in ("DT", "RB") and self._roles.is_anchor(before)
            if bare or stranded or role or token.lower == "worth":
                found.append(token.index)
        return found

    # -- what is asked -------------------------------------------------------------------------------------------

    def _is_asked(self, noun: Token) -> bool:
        """Whether a noun phrase is what the question asks for: beside the question word, or what it is said to be."""
        asked = self._asked
        if asked is None:
            return False
        if asked in self._tree.subtree(noun.index):
            return True
        word = self._tokens[asked]
        at = noun
        while at.dep == "pobj" and self._tokens[at.head].lower == "of":
            above = self._tokens[self._tokens[at.head].head]
            described = any(c.dep == "amod" for c in self._tree.children(above.index))
            if described or above.lower not in nouns_called("naming"):
                break  # "the former name of ..." is another thing
            at = above
        governor = self._tokens[at.head]
        copula = governor.lower in BE and governor.dep in ("ROOT", "csubj", "ccomp", "advcl")
        thing = self._tokens[word.head] if word.dep == "det" else word
        told = copula and thing.head == governor.index and at.dep in ("nsubj", "attr")
        if told and self._roles.determiner(at) in ("a", "an"):
            return True  # "what sort of tool is an adze": it is told, not found
        if at.dep in ("nsubj", "attr", "appos") and copula and word.dep in ("attr", "nsubj", "dep", "advmod"):
            return word.lower in ("who", "what", "which", "whom")
        return governor.index == asked

    # -- phrases that stand for something ------------------------------------------------------------------------

    def _text(
        self, indices: Sequence[int], parts: list[SubqueryTemplate], other: Mapping[int, str] = MappingProxyType({})
    ) -> str:
        """Write tokens, some in ``other`` words, with a gap for each phrase among them that is to be found first."""
        words: list[str] = []
        skip: set[int] = set()
        for at in indices:
            if at in skip:
                continue
            found = self._description_from(at, indices) if at not in other else None
            if found is not None:
                pattern, covered = found
                words.append(f"{{{len(parts)}}}")
                parts.append(pattern)
                skip.update(covered)
                continue
            words.append(other.get(at, self._tokens[at].text))
        return written(words)

    def _description_from(self, first: int, indices: Sequence[int]) -> tuple[SubqueryTemplate, list[int]] | None:
        """The widest phrase that begins at a token and stands for something."""
        allowed = set(indices)
        for noun in self._nouns_over(first):
            covered = self._covered(noun)
            if covered[:1] != [first] or not set(covered) <= allowed or self._asked in covered:
                continue
            if self._is_asked(noun) or self._roles.named(noun):
                continue
            pattern = self._pattern(noun, covered)
            if pattern is not None:
                return pattern, covered
        return None

    def _nouns_over(self, first: int) -> list[Token]:
        """Common nouns whose phrase may begin at a token, the widest first."""
        line = [self._tokens[first], *self._tree.ancestors(first)]
        return [t for t in reversed(line) if self._roles.is_common(t)]

    def _covered(self, noun: Token) -> list[int]:
        """A noun phrase's tokens without what hangs on it loosely: punctuation at its ends, another phrase behind."""
        found = self._tree.subtree(noun.index)
        start = end = found.index(noun.index)
        while start > 0 and found[start - 1] == found[start] - 1:
            start -= 1
        while end + 1 < len(found) and found[end + 1] == found[end] + 1:
            end += 1
        kept = [i for i in found[start : end + 1] if noun.index >= self._free or i < self._free]
        behind = self._tokens[noun.index + 1 : noun.index + 2]
        if any(c.dep == "poss" for c in self._tree.children(noun.index)) and any(t.tag == "DT" for t in behind):
            kept = [i for i in kept if i <= noun.index]  # "what party is | A's mayor | a member of"
        while kept and self._tokens[kept[-1]].tag in (",", ".", ":", "''", "``", "CC"):
            kept.pop()
        while kept and self._tokens[kept[0]].tag in (",", ".", ":"):
            kept.pop(0)
        return kept

    def _pattern(self, noun: Token, covered: list[int]) -> SubqueryTemplate | None:
        within = set(covered)
        definite = self._roles.determiner(noun) == "the"
        near = self._tokens[noun.index + 1] if definite and noun.index + 1 < len(self._tokens) else None
        clauses = (c for c in self._roles.modifiers(noun) if c.dep in CLAUSE or (c == near and c.lower == "with"))
        clause = next((c for c in clauses if self._restricts(c, within)), None)
        if clause is not None:
            return self._of_clause(noun, clause, covered)
        return self._of_relation(noun, covered)

    def _anchored(self, token: Token, within: set[int] | None = None) -> bool:
        """Whether a phrase holds a name, a number or a quotation."""
        below = self._tree.subtree(token.index)
        return self._roles.anchored(below if within is None else [i for i in below if i in within])

    def _restricts(self, clause: Token, within: set[int]) -> bool:
        """Whether a clause says which thing is meant: it holds a name, or is a full one about no name at all."""
        if self._anchored(clause, within):
            return True
        below = [i for i in self._tree.subtree(clause.index) if i in within]
        words = [i for i in below if self._tokens[i].tag[:2] in ("NN", "VB", "JJ") and self._tokens[i].lower not in BE]
        definite = self._roles.determiner(self._tokens[clause.head]) == "the"
        return clause.dep == "relcl" and definite and len(words) > 1 and self._tokens[0].text[0].isupper()

    def _of_clause(self, noun: Token, clause: Token, covered: list[int]) -> SubqueryTemplate | None:
        inside = [i for i in self._tree.subtree(clause.index) if i in set(covered)]
        if not inside or inside[0] < noun.index:
            return None
        lead = [i for i in covered if i < inside[0]]
        tail = [i for i in covered if i > inside[-1]]
        vague = nouns_called("transparent") - nouns_called("describable")
        if self._roles.determiner(noun) not in ("the", "that", "this", "a", "an") or noun.lower in vague:
            return None
        parts: list[SubqueryTemplate] = []
        label = self._text(
            [i for i in lead if self._tokens[i].tag not in ("DT", "PDT") or i > noun.index], parts
        ).rstrip(" ,")
        asked, rest = self._clause_words(noun, clause, inside)
        body = self._text(rest, parts) if not isinstance(rest, str) else rest
        ending = self._text(tail, parts)
        question = f"{asked.replace('{noun}', label)} {body} {ending}"
        return SubqueryTemplate(sentence(question), self._roles.plain(covered), tuple(parts), noun.lower)

    def _clause_words(self, noun: Token, clause: Token, inside: list[int]) -> tuple[str, list[int]]:
        """The question's opening and the clause's own tokens in the order of a question."""
        relative = next(
            (i for i in inside[:3] if self._tokens[i].lower in ASKING | {"that"} and not self._tokens[i].name), None
        )
        if relative is None or (clause.dep == "acl" and relative != inside[0]):
            if clause.tag in ("VBN", "VBD") and (clause.dep == "acl" or not self._roles.subject(clause)):
                return f"Which {{noun}} {self._roles.be(noun, past=True)}", inside
            if clause.lower in ("having", "with"):
                has = "have" if noun.tag == "NNS" else "has"
                return f"Which {{noun}} {has}", [i for i in inside if i != clause.index]
            if clause.tag == "VBG":
                return f"Which {{noun}} {self._roles.be(noun, past=False)}", inside
            return self._inverted("Which {noun}", clause, inside)
        word, before = self._tokens[relative], [i for i in inside if i < relative]
        rest = [i for i in inside if i > relative]
        subject = word.dep in ("nsubj", "nsubjpass", "csubj") or not self._roles.subject(clause, but=relative)
        if word.lower == "whose":
            return "Which {noun}'s", rest
        opening = "Who" if noun.lower in nouns_called("persons") and not before else "Which {noun}"
        if before:
            opening = " ".join(self._tokens[i].text for i in before).capitalize() + " which {noun}"
            return self._inverted(opening, clause, rest)
        if word.lower in _WHERE:
            return self._inverted("In which {noun}", clause, rest)
        return (opening, rest) if subject else self._inverted(opening, clause, rest)

    def _inverted(self, opening: str, clause: Token, rest: list[int]) -> tuple[str, list[int]]:
        """Bring the auxiliary before the subject: "in which city was X born"."""
        auxiliary = next(
            (i for i in rest if self._tokens[i].head == clause.index and self._tokens[i].dep in ("aux", "auxpass")),
            clause.index if clause.lower in BE and clause.index in rest else None,
        )
        if auxiliary is not None and self._tokens[auxiliary].tag in _FINITE:
            return f"{opening} {self._tokens[auxiliary].text}", [i for i in rest if i != auxiliary]
        return opening, rest

    def _of_relation(self, noun: Token, covered: list[int]) -> SubqueryTemplate | None:
        """ "the performer of X", "X's birthplace": only for nouns that name a thing by its relation to another."""
        if not self._roles.names_relation(noun) or self._roles.is_role(noun):
            return None
        if noun.dep == "conj" and not self._roles.determiner(noun):
            return None  # "an author and mother of X" is one person
        owners = [c for c in self._tree.children(noun.index) if self._owns(c)]
        if not owners or self._roles.determiner(noun) in ("a", "an", "any", "some", "no"):
            return None
        owner = owners[0]
        below = [i for i in self._tree.subtree(owner.index) if i in set(covered)]
        others = [i for i in covered if i not in set(below)]
        if owner.dep == "poss":
            below = [i for i in below if self._tokens[i].text not in ("'s", "’s", "'", "’")]
        else:
            below = below[1:]
        parts: list[SubqueryTemplate] = []
        label = self._text([i for i in others if self._tokens[i].tag not in ("DT", "PDT", "POS")], parts)
        if not label:
            return None
        link = "of" if owner.dep == "poss" else owner.lower
        before = len(parts)
        base = self._text(below, parts)
        if len(parts) == before and not self._anchored(owner):
            return None
        plain = self._roles.plain(covered)
        return SubqueryTemplate(sentence(f"What is the {label} {link} {base}"), plain, tuple(parts), noun.lower)

    def _owns(self, token: Token) -> bool:
        if token.dep == "poss":  # but not "the Vesk men's team"
            kind = token.tag in NOUNS and not token.name and not self._roles.determiner(token)
            return not kind or self._roles.names_relation(token) or bool(self._roles.modifiers(token)[1:])
        return token.dep == "prep" and token.lower in ("of", "behind", "for", "to")
