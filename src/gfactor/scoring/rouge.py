"""ROUGE-L (Lin 2004): the agreement of an answer with a reference in the order of their words.
Google's `rouge-score` computes it; words are split here, because its own tokenizer drops all
characters except a-z and 0-9. Chinese has no spaces between words: its runs are split by `rjieba`,
a dictionary and hidden Markov model (jieba's, in Rust). Both are in the extra `gfactor[open]`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from gfactor.errors import MissingExtraError

MOST_WORDS = 5_000
"""Largest number of words of an answer that are compared, because time grows with the product of
both lengths. An answer of that length has an F below 0.1 against any reference of 250 words."""

_MOST_CHARACTERS = 20 * MOST_WORDS
_WORD = re.compile(r"(?P<han>[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)|[^\W_]+")


def rouge_l(answer: str, reference: str) -> float:
    """Return the F measure of the longest common subsequence of words, 0 to 1.

    Parameters
    ----------
    answer, reference: texts in any language; case, width and marks do not matter.

    Raises MissingExtraError if the extra `open` is not installed.
    """
    return float(_scorer().score(reference, answer)["rougeL"].fmeasure)


def words(text: str) -> list[str]:
    """Return the words of a text, at most `MOST_WORDS`.

    Runs of Chinese characters are cut into words; elsewhere a word is a run of letters and digits.

    Raises MissingExtraError if the extra `open` is not installed.
    """
    tokens: list[str] = []
    plain = unicodedata.normalize("NFKC", text[:_MOST_CHARACTERS]).casefold()
    # No repetition contains another one, so that the time for a long run of marks is linear in its
    # length.
    for match in _WORD.finditer(plain):
        tokens += _chinese().cut(match[0]) if match["han"] else [match[0]]
        if len(tokens) >= MOST_WORDS:
            break
    return tokens[:MOST_WORDS]


class _Words:
    """`words` as a tokenizer for `rouge-score`."""

    def tokenize(self, text: str) -> list[str]:
        return words(text)


@cache
def _scorer() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("scoring open answers", "open") from error
    return RougeScorer(["rougeL"], tokenizer=_Words())


@cache
def _chinese() -> Any:
    try:
        import rjieba  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("scoring open answers in Chinese", "open") from error
    return rjieba.Jieba()
