"""Notes on a bank for its builder: rules that were chosen, questions without words, labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gfactor.benchmarks.latin_languages import function_words, words_of
from gfactor.benchmarks.vlmevalkit.given_languages import ASSUMED_LANGUAGE
from gfactor.items.formats import RULE_LABEL, TOLERANCE_LABEL
from gfactor.listing import first_few

_OF_ALL_BANKS = {"domain", "image_type", RULE_LABEL, TOLERANCE_LABEL}
"""Labels that are not news."""
_MOST_NAMES = 3
_MOST_LABELS = 12


def notes_on(
    rows: Iterable[Mapping[str, Any]],
    ruled: frozenset[str],
    both: frozenset[str],
    assumed: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """Yield sentences about the items of a bank.

    Parameters
    ----------
    rows: id, language, content and labels of each item.
    ruled: data sets whose numbers are scored as numbers although no column says so.
    both: data sets with a column `domain` and a column `category`.
    assumed: data sets whose language nobody named.
    """
    numbers, items, wordless, labels = 0, 0, list[str](), dict[str, None]()
    latin: dict[str, dict[str, int]] = {}
    languages: set[str] = set()
    for row in rows:
        items += 1
        present = {name for name, value in row["labels"].items() if value is not None}
        labels.update(dict.fromkeys(n for n in row["labels"] if n in present - _OF_ALL_BANKS))
        dataset = row["id"].partition("/")[0]
        numbers += dataset in ruled and row["labels"].get(RULE_LABEL) == "number"
        text = " ".join(segment["text"] or "" for segment in row["content"])
        if not text.strip():
            wordless.append(row["id"])
        languages.add(row["language"])
        nothing_says = dataset in assumed and row["language"] == ASSUMED_LANGUAGE
        if nothing_says and len(words_of(text)) >= _FEWEST_WORDS:
            latin[row["id"]] = function_words(text)
    if numbers:
        one = numbers == 1
        yield (
            f"{numbers:,} {'key is a number' if one else 'keys are numbers'}: an answer is right "
            "by its only number (scoring_rule number), with or without a unit. A column "
            "scoring_rule with 'exact text' compares texts; a column tolerance allows a distance"
        )
    if sentence := _on_language(latin):
        yield sentence
    if wordless:
        yield (
            f"{len(wordless):,} of {items:,} items have no question, only a picture "
            f"({first_few(wordless, _MOST_NAMES)})"
        )
    if both:
        yield "the domain is the column domain; the column category is a label"
    groups = [*(["language"] if len(languages) > 1 else []), *labels]
    if groups:
        yield f"labels for --by, besides domain: {first_few(groups, _MOST_LABELS)}"


_FEWEST_WORDS = 3
"""Smallest number of words of a text whose language may be told."""

_FEWEST_OTHER = 3
"""Smallest number of items that look like another language, for a note."""


def _on_language(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Return a sentence about items whose language was assumed, "" if all seems well.

    Parameters
    ----------
    counts: number of function words of each language in each item.
    """
    others: dict[str, list[str]] = {}
    totals = Counter[str]()
    for words in counts.values():
        totals.update(words)
    for item, words in counts.items():
        # Related languages share words, so that of several the most frequent one is meant.
        most = max(words, key=lambda name: (words[name], totals[name]))
        if words[most] >= 2 and words[most] > words[ASSUMED_LANGUAGE]:
            others.setdefault(most, []).append(item)
    remedy = "A column language (or lang), or --language TAG, names another"
    count = f"{len(counts):,} {'item has' if len(counts) == 1 else 'items have'}"
    if sum(map(len, others.values())) >= _FEWEST_OTHER:
        listed = "; ".join(
            f"{len(items):,} with more words of {name} ({first_few(items, _MOST_NAMES)})"
            for name, items in sorted(others.items(), key=lambda pair: -len(pair[1]))
        )
        return f"{count} the language {ASSUMED_LANGUAGE}, which nothing names: {listed}. {remedy}"
    if counts and not any(words[ASSUMED_LANGUAGE] for words in counts.values()):
        return (
            f"{count} the language {ASSUMED_LANGUAGE}, which nothing names and no word shows. "
            f"{remedy}"
        )
    return ""
