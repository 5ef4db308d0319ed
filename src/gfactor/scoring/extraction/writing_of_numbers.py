"""The way in which a reply writes numbers, by its language: which sign parts thousands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from gfactor.scoring.extraction.language import Language
from gfactor.scoring.extraction.markers import all_languages


@dataclass(frozen=True)
class Writing:
    """Conventions by which a text writes numbers.

    Parameters
    ----------
    languages: the languages that the text may be in; all of them if it shows none.
    is_known: True if the text shows its language.
    large: True if every key of the item is an integer of 1000 or more.
    has_decimals: True if a key has decimals.
    question: the question; a scale that it names ("in millions") multiplies no number.
    """

    languages: tuple[Language, ...]
    is_known: bool
    large: bool = False
    has_decimals: bool = False
    question: str = ""

    def groups(self, sign: str, digits: str) -> bool:
        """Return True if a sign before three digits parts thousands."""
        if digits.startswith("0"):
            return False
        if sign in " '":
            return True
        marks = "".join(language.group_marks for language in self.languages)
        if sign == ",":
            return self.large or not (self.is_known and "." in marks)
        if not self.is_known:
            return self.large
        return "." in marks and not self.has_decimals


def writing_of(
    texts: Sequence[str],
    code: str = "",
    *,
    large: bool = False,
    has_decimals: bool = False,
    question: str = "",
) -> Writing:
    """Return how numbers are written in the first text that shows its language, or in the language
    of a tag."""
    tag = code.casefold().split("-")[0].split("_")[0]
    tagged = tuple(one for one in all_languages() if one.code == tag and tag)
    candidates: tuple[Language, ...] = ()
    for text in texts:
        in_text = languages_of(text)
        shared = tuple(one for one in candidates if one in in_text)
        if candidates and in_text and not shared and _is_weak(texts[0], in_text + tagged):
            shared = in_text
        candidates = shared or candidates or in_text
        if len(candidates) == 1 and not _is_weak(text, tagged):
            break
    named = tuple(one for one in candidates or all_languages() if one.code == tag and tag)
    languages = named or candidates
    return Writing(languages or all_languages(), bool(languages), large, has_decimals, question)


def _is_weak(text: str, others: Sequence[Language]) -> bool:
    """Return True if a text shows its language by a word or two, or other ones nearly as well."""
    counts = _counts_of(text)
    most = max(counts.values(), default=0)
    rivals = [counts.get(all_languages().index(one), 0) for one in others]
    is_script = any(one.script and re.search(f"[{one.script}]", text) for one in all_languages())
    return not is_script and (most < _FEWEST or any(2 * k >= most for k in rivals))


_FEWEST = 2
"""Number of frequent words from which on a text shows its language."""


def languages_of(text: str) -> tuple[Language, ...]:
    """Return the languages whose frequent words, or script, a text has most; empty if it has
    none."""
    for language in all_languages():
        if language.script and len(re.findall(f"[{language.script}]", text)) > len(text) / 10:
            return (language,)
    counts = _counts_of(text)
    most = max(counts.values(), default=0)
    if not most:
        return ()
    return tuple(all_languages()[k] for k, count in counts.items() if count == most)


def _counts_of(text: str) -> dict[int, int]:
    """Return the number of frequent words of each language, by its place."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return {
        k: sum(word in small for word in words) for k, small in enumerate(_small_words()) if small
    }


@cache
def _small_words() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(language.small_words.split()) for language in all_languages())
