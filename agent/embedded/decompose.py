"""Reading a question by its syntax: which of its phrases are themselves one-hop questions (eq. 10-11).

A phrase such as "the institute that owned X", "the performer of X" or "X's birthplace" stands for something that must
be found first. It becomes a subquery of its own, and the question goes on with its answer in its place. A question word
deep inside a phrase ("a house that is based where?") turns the order round: first which house, then where it is based.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .asking import ASKING, question_word
from .lexicon import nouns_called
from .pattern import Pattern, same_as, sentence, written
from .syntax import Token, Tree

__all__ = ["read_tree"]

_CLAUSE = frozenset({"relcl", "acl"})
_NOUNS = frozenset({"NN", "NNS"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_BE = frozenset({"is", "are", "was", "were", "'s", "be"})
_WHERE = frozenset({"where", "when"})
_IMPERATIVE = re.compile(
    r"^(?:(?:name|give|find|state|identify|tell me) |(?:what (?:is|was|are|were) )?(?:the )?names? of )\{0\}\W*$",
    re.IGNORECASE,
)
"""What asks for nothing but the thing itself."""
_BARE = re.compile(
    r"^(?:(?:in |at |on |from |to |of |for |with |by )?(?:who|what|which|when|where)(?: \w+){0,3} )"
    r"(?:is|was|are|were|did|does|do) \{0\}\W*$",
    re.I,
)


def read_tree(tree: Tree, relational: Iterable[str] = ()) -> Pattern | None:
    """Return how a question is taken apart, or None where it is one hop already.

    ``relational`` are nouns of which "the ... of X" names another thing ("director", "birthplace").
    """
    return _Reader(tree, frozenset(relational)).read()


class _Reader:
    def __init__(self, tree: Tree, relational: frozenset[str]) -> None:
        self._tree = tree
        self._tokens = tree.tokens
        self._relational = relational
        self._asked = question_word(self._tokens)
        self._free = len(self._tokens)

    def read(self) -> Pattern | None:
        every = [t.index for t in self._tokens]
        turned = self._turned()
        if turned is not None:
            return turned
        parts: list[Pattern] = []
        text = self._text(every, parts)
        if parts and _BARE.match(text) and self._release(text):
            parts = []
            text = self._text(every, parts)
        if parts and _IMPERATIVE.match(text):
            return parts[0]
        return Pattern(sentence(text), self._plain(every), tuple(parts)) if parts and sentence(text) != "{0}?" else None

    def _release(self, text: str) -> bool:
        """Give the last verb of a phrase back to the question, which has no predicate without it."""
        support = text.split(" {0}")[0].rsplit(" ", 1)[-1] in ("did", "does", "do")
        tags = ("VB", "VBP", "NN") if support else ("VBN",)
        for token in reversed(self._tokens[2:]):
            before = self._tokens[token.index - 1]
            bare = token.tag == "VB" or (token.tag == "NN" and self._ends(token))
            if support and bare and before.tag == "IN":
                self._free = token.index  # "did the company that X is part of dissolve"
                return True
            if (
                token.tag not in tags
                or before.tag in ("DT", "TO", "MD", "JJ", "VB", "IN", "PRP$")
                or before.lower in _BE
            ):
                continue
            after = self._tokens[token.index + 1] if token.index + 1 < len(self._tokens) else None
            if support or after is None or after.tag in ("IN", ".", "TO", "CD", "RB"):
                self._free = token.index
                return True
        return False

    def _ends(self, token: Token) -> bool:
        """Whether a question ends with a token."""
        return all(after.tag == "." for after in self._tokens[token.index + 1 :])

    # -- what is asked -------------------------------------------------------------------------------------------

    def _is_asked(self, noun: Token) -> bool:
        """Whether a noun phrase is what the question asks for: beside the question word, or what it is said to be."""
        asked = self._asked
        if asked is None:
            return False
        if asked in self._tree.subtree(noun.index) and not self._inside_clause(asked, noun.index):
            return True
        word = self._tokens[asked]
        at = noun
        while at.dep == "pobj" and self._tokens[at.head].lower == "of":
            above = self._tokens[self._tokens[at.head].head]
            if above.lower not in nouns_called("transparent"):
                break
            at = above
        governor = self._tokens[at.head]
        copula = governor.lower in _BE and governor.dep in ("ROOT", "csubj", "ccomp", "advcl")
        if at.dep in ("nsubj", "attr", "appos") and copula and word.dep in ("attr", "nsubj", "dep", "advmod"):
            return word.lower in ("who", "what", "which", "whom") and not self._has_predicate(governor, at, word)
        return governor.index == asked

    def _has_predicate(self, verb: Token, noun: Token, word: Token) -> bool:
        """ "When was X a member of Y": the copula has another complement than the question word."""
        return any(
            c.dep in ("attr", "acomp") and c.index not in (noun.index, word.index) and word.head == verb.index
            for c in self._tree.children(verb.index)
        )

    def _inside_clause(self, index: int, top: int) -> bool:
        """Whether a token stands in a clause below ``top``."""
        for token in (self._tokens[index], *self._tree.ancestors(index)):
            if token.index == top:
                return False
            if token.dep in _CLAUSE:
                return True
        return False

    # -- phrases that stand for something ------------------------------------------------------------------------

    def _text(self, indices: Sequence[int], parts: list[Pattern], but: int = -1) -> str:
        """Write tokens, with a gap for each phrase among them (``but`` the one of a noun) that is to be found first."""
        words: list[str] = []
        skip: set[int] = set()
        for at in indices:
            if at in skip:
                continue
            found = self._description_from(at, indices, but)
            if found is not None:
                pattern, covered = found
                words.append(f"{{{len(parts)}}}")
                parts.append(pattern)
                skip.update(covered)
                continue
            words.append(self._tokens[at].text)
        return written(words)

    def _plain(self, indices: Sequence[int]) -> str:
        return written([self._tokens[i].text for i in indices])

    def _description_from(self, first: int, indices: Sequence[int], but: int) -> tuple[Pattern, list[int]] | None:
        """The widest phrase that begins at a token and stands for something."""
        allowed = set(indices)
        for noun in self._nouns_over(first):
            covered = self._covered(noun)
            if noun.index == but or covered[:1] != [first] or not set(covered) <= allowed:
                continue
            if self._asked in covered or self._is_asked(noun):
                continue
            pattern = self._pattern(noun, covered)
            if pattern is not None:
                return pattern, covered
        return None

    def _nouns_over(self, first: int) -> list[Token]:
        """Common nouns whose phrase may begin at a token, the widest first."""
        line = [self._tokens[first], *self._tree.ancestors(first)]
        return [t for t in reversed(line) if t.tag in _NOUNS and not t.name]

    def _covered(self, noun: Token) -> list[int]:
        """A noun phrase's tokens without what hangs on it loosely: punctuation at the ends, what comes after a gap."""
        found = self._tree.subtree(noun.index)
        low = found.index(noun.index)
        start = low
        while start > 0 and found[start - 1] == found[start] - 1:
            start -= 1
        end = low
        while end + 1 < len(found) and found[end + 1] == found[end] + 1:
            end += 1
        kept = [i for i in found[start : end + 1] if noun.index >= self._free or i < self._free]
        for child in self._tree.children(noun.index):
            if child.dep == "appos" and child.tag in _NOUNS and self._tokens[child.index - 1].tag == "DT":
                first = self._tree.subtree(child.index)[0]
                if first > noun.index and self._tokens[first - 1].tag != ",":
                    kept = [i for i in kept if i < first]
        while kept and self._tokens[kept[-1]].tag in (",", ".", ":", "''", "``"):
            kept.pop()
        while kept and self._tokens[kept[0]].tag in (",", ".", ":"):
            kept.pop(0)
        return kept

    def _pattern(self, noun: Token, covered: list[int]) -> Pattern | None:
        alike = self._of_same(noun, covered)
        if alike is not None:
            return alike
        clause = next((c for c in self._modifiers(noun) if c.dep in _CLAUSE and self._restricts(c)), None)
        if clause is not None:
            return self._of_clause(noun, clause, covered)
        return self._of_relation(noun, covered)

    def _modifiers(self, noun: Token) -> tuple[Token, ...]:
        return tuple(c for c in self._tree.children(noun.index) if c.index > noun.index)

    def _restricts(self, clause: Token) -> bool:
        """Whether a clause says which thing is meant: it has a name in it, or is a full relative clause."""
        return self._anchored(clause) or (clause.dep == "relcl" and len(self._tree.subtree(clause.index)) > 3)

    def _anchored(self, token: Token) -> bool:
        """Whether a phrase holds a name, a number or a quotation."""
        return any(self._is_anchor(self._tokens[i]) for i in self._tree.subtree(token.index))

    def _is_anchor(self, token: Token) -> bool:
        return token.name or token.tag in ("NNP", "NNPS", "CD") or (token.text[0].isupper() and token.index > 0)

    def _of_clause(self, noun: Token, clause: Token, covered: list[int]) -> Pattern | None:
        inside = [i for i in self._tree.subtree(clause.index) if i in set(covered)]
        if not inside or inside[0] < noun.index:
            return None
        lead = [i for i in covered if i < inside[0]]
        tail = [i for i in covered if i > inside[-1]]
        vague = nouns_called("transparent") - nouns_called("describable")
        if self._determiner(noun) not in ("the", "that", "this", "a", "an") or noun.lower in vague:
            return None
        parts: list[Pattern] = []
        label = self._text(
            [i for i in lead if self._tokens[i].tag not in ("DT", "PDT") or i > noun.index], parts
        ).rstrip(" ,")
        asked, rest = self._clause_words(noun, clause, inside)
        body = self._text(rest, parts) if not isinstance(rest, str) else rest
        ending = self._text(tail, parts)
        question = f"{asked.replace('{noun}', label)} {body} {ending}"
        return Pattern(sentence(question), self._plain(covered), tuple(parts), noun.lower)

    def _clause_words(self, noun: Token, clause: Token, inside: list[int]) -> tuple[str, list[int]]:
        """The question's opening and the clause's own tokens in the order of a question."""
        relative = next(
            (i for i in inside[:3] if self._tokens[i].lower in ASKING | {"that"} and not self._tokens[i].name), None
        )
        if relative is None or (clause.dep == "acl" and relative != inside[0]):
            if clause.tag in ("VBN", "VBD") and (clause.dep == "acl" or not self._subject(clause)):
                return "Which {noun} was", inside
            if clause.tag == "VBG":
                return "Which {noun} is", inside
            return self._inverted("Which {noun}", clause, inside)
        word, before = self._tokens[relative], [i for i in inside if i < relative]
        rest = [i for i in inside if i > relative]
        subject = word.dep in ("nsubj", "nsubjpass", "csubj") or not self._subject(clause, but=relative)
        if word.lower == "whose":
            return "Which {noun}'s", rest
        opening = "Who" if noun.lower in nouns_called("persons") and not before else "Which {noun}"
        if before:
            opening = " ".join(self._tokens[i].text for i in before).capitalize() + " which {noun}"
            return self._inverted(opening, clause, rest)
        if word.lower in _WHERE:
            return self._inverted("In which {noun}", clause, rest)
        return (opening, rest) if subject else self._inverted(opening, clause, rest)

    def _of_same(self, noun: Token, covered: list[int]) -> Pattern | None:
        """ "from the same book as X": which book is X from?"""
        link = next((c for c in self._modifiers(noun) if c.lower == "as" and self._anchored(c)), None)
        verb, preposition = self._tokens[noun.head], ""
        if link is None or self._asked is None or all(c.lower != "same" for c in self._tree.children(noun.index)):
            return None
        if noun.dep == "pobj":
            verb, preposition = self._tokens[verb.head], verb.lower
        label = self._plain([i for i in covered if i < link.index and self._tokens[i].lower not in ("the", "same")])
        parts: list[Pattern] = []
        other = self._text([i for i in covered if i > link.index], parts)
        done = verb.lower if verb.tag == "VBN" or (verb.tag == "VBD" and not preposition) else ""
        question = sentence(same_as(label, other, done, preposition))
        return Pattern(question, self._plain(covered), tuple(parts), noun.lower)

    def _subject(self, clause: Token, but: int | None = None) -> Token | None:
        found = (c for c in self._tree.children(clause.index) if c.dep in ("nsubj", "nsubjpass") and c.index != but)
        return next(found, None)

    def _inverted(self, opening: str, clause: Token, rest: list[int]) -> tuple[str, list[int]]:
        """Bring the auxiliary before the subject: "in which city was X born"."""
        auxiliary = next(
            (i for i in rest if self._tokens[i].head == clause.index and self._tokens[i].dep in ("aux", "auxpass")),
            clause.index if clause.lower in _BE and clause.index in rest else None,
        )
        if auxiliary is not None and self._tokens[auxiliary].tag in _FINITE:
            return f"{opening} {self._tokens[auxiliary].text}", [i for i in rest if i != auxiliary]
        return opening, rest

    def _of_relation(self, noun: Token, covered: list[int]) -> Pattern | None:
        """ "the performer of X", "X's birthplace": only for nouns that name a thing by its relation to another."""
        if not self._names_relation(noun) or self._is_role(noun):
            return None
        owners = [c for c in self._tree.children(noun.index) if self._owns(c) and self._anchored(c)]
        if not owners or self._determiner(noun) in ("a", "an", "any", "some", "no"):
            return None
        owner = owners[0]
        below = [i for i in self._tree.subtree(owner.index) if i in set(covered)]
        others = [i for i in covered if i not in set(below)]
        if owner.dep == "poss":
            below = [i for i in below if self._tokens[i].text not in ("'s", "’s", "'", "’")]
        else:
            below = below[1:]
        parts: list[Pattern] = []
        label = self._text([i for i in others if self._tokens[i].tag not in ("DT", "PDT", "POS")], parts)
        if not label:
            return None
        link = "of" if owner.dep == "poss" else owner.lower
        base = self._text(below, parts)
        plain = self._plain(covered)
        return Pattern(sentence(f"What is the {label} {link} {base}"), plain, tuple(parts), noun.lower)

    def _owns(self, token: Token) -> bool:
        return token.dep == "poss" or (token.dep == "prep" and token.lower in ("of", "behind", "for", "to"))

    def _names_relation(self, noun: Token) -> bool:
        word = noun.lower
        if word in nouns_called("transparent"):
            return False
        compound = [
            t.lower for t in self._tree.children(noun.index) if t.dep in ("compound", "amod") and t.index < noun.index
        ]
        phrases = {word, *(f"{c} {word}" for c in compound)}
        return bool(phrases & self._relational)

    def _is_role(self, noun: Token) -> bool:
        """ "resigned as the president of X": what somebody was, not who."""
        governor = self._tokens[noun.head]
        return governor.lower in ("as", "become", "became", "becoming") or (
            noun.dep == "attr" and governor.dep in _CLAUSE | {"advcl"}
        )

    def _determiner(self, noun: Token) -> str:
        children = self._tree.children(noun.index)
        return next((c.lower for c in children if c.dep == "det" and c.index < noun.index), "")

    # -- the question word stands inside a phrase ----------------------------------------------------------------

    def _turned(self) -> Pattern | None:
        """ "X was published by a house that is based where?": first which house, then where it is based."""
        if self._asked is None or self._asked < 2:
            return None
        clause = next((t for t in self._tree.ancestors(self._asked) if self._splits(t)), None)
        if clause is None:
            return None
        noun = self._tokens[clause.head]
        inside = self._tree.subtree(clause.index)
        kept = [t.index for t in self._tokens if t.index not in set(inside)]
        low = self._tree.subtree(noun.index)[0]
        first = self._which(noun, kept, low)
        second = [i for i in inside if i != self._relative_in(clause, inside)]
        parts: list[Pattern] = []
        rest = self._text(second, parts)
        if parts:
            return None
        link = "" if clause.dep == "relcl" else "was " if clause.tag == "VBN" else "is "
        possessive = "'s" if self._possessive_in(inside) else ""
        subject = self._said_to_be(noun)
        if subject:
            return Pattern(sentence(f"{subject}{possessive} {link}{rest}"), self._plain(kept))
        base = Pattern(sentence(first), first, (), noun.lower)
        return Pattern(sentence(f"{{0}}{possessive} {link}{rest}"), self._plain(kept), (base,))

    def _said_to_be(self, noun: Token) -> str:
        """The name before "is a consultant who ...": the clause is about that name."""
        verb = self._tokens[noun.head]
        if noun.dep != "attr" or verb.lower not in _BE or self._determiner(noun) not in ("a", "an"):
            return ""
        subject = self._subject(verb)
        if subject is None or subject.tag not in ("NNP", "NNPS"):
            return ""
        return self._plain([i for i in self._tree.subtree(subject.index) if i < verb.index])

    def _splits(self, token: Token) -> bool:
        """Whether a clause, or a phrase such as "from what state", hangs on a noun that can be asked for first."""
        noun = self._tokens[token.head]
        if noun.tag not in _NOUNS or noun.index >= token.index or noun.index == token.index:
            return False
        if token.dep in _CLAUSE:
            return True
        return token.dep == "prep" and token.lower in ("from", "in") and self._determiner(noun) in ("a", "an")

    def _relative_in(self, clause: Token, inside: Sequence[int]) -> int | None:
        first = self._tokens[inside[0]]
        if clause.dep != "relcl" or first.index == self._asked:
            return None
        return first.index if first.lower in ("that", "which", "who", "whose") else None

    def _possessive_in(self, inside: Sequence[int]) -> bool:
        return self._tokens[inside[0]].lower == "whose"

    def _which(self, noun: Token, kept: Sequence[int], low: int) -> str:
        """The rest of the sentence with "which" for the noun's article."""
        words: list[str] = []
        placed = False
        for i in kept:
            token = self._tokens[i]
            if low <= i <= noun.index and not placed:
                placed = True
                words.append("which")
                if token.dep in ("det", "poss") and token.lower in ("a", "an", "the", "one", "his", "her", "its"):
                    continue
            words.append(token.text)
        return written(words)
