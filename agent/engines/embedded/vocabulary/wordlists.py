"""Small closed classes of English words that the reading of questions turns on."""

from __future__ import annotations

__all__ = [
    "ARTICLES", "AUXILIARIES", "BEING", "CLAUSAL", "COMMANDS", "LYING", "NAMING", "PREPOSITIONS", "QUESTIONING",
    "RELATIVE", "TIMES", "YES_NO",
]  # fmt: skip

# fmt: off
BEING = frozenset({"is", "are", "was", "were"})
YES_NO = BEING | {"do", "doe", "did", "has", "have", "had"}
AUXILIARIES = YES_NO | {
    "been", "be", "being", "also", "ever", "currently", "originally", "later", "finally", "can", "could", "would",
    "will", "first", "himself", "herself", "itself", "one",
}
"""Verbs and adverbs around a main verb, folded ("does" is "doe")."""
PREPOSITIONS = frozenset({
    "in", "on", "at", "by", "from", "to", "of", "for", "with", "into", "through", "under", "after", "near", "as",
    "over", "along", "off", "onto", "upon", "about", "behind",
})
RELATIVE = frozenset({"that", "which", "who", "whom", "whose", "where", "when"})
QUESTIONING = RELATIVE - {"that"} | {"what", "how", "why"}
COMMANDS = frozenset({
    "tell", "name", "give", "list", "find", "show", "say", "count", "explain", "describe", "compare",
})
"""Verbs that ask, as a question does."""
ARTICLES = frozenset({"the", "a", "an", "its", "his", "her", "their", "both", "this"})
CLAUSAL = RELATIVE | AUXILIARIES | PREPOSITIONS
"""Words that no plain description holds: where one stands, a clause or another phrase begins."""
LYING = frozenset({
    "belong", "based", "located", "situated", "assigned", "listed", "work", "working", "live", "living", "stationed",
    "kept", "held", "housed", "stored", "registered", "found", "lie", "stand", "done",
})
"""Verbs that say of a row that it has a cell, and not which."""
NAMING = frozenset({"version", "adaptation", "edition", "city", "town", "village", "state", "island", "kingdom"})
"""Nouns whose "of" comes before the thing's own name: "the city of X"."""
TIMES = frozenset({"year", "month", "day", "date"})
"""Nouns that ask for a time."""
# fmt: on
