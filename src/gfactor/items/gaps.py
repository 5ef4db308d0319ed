"""Gaps in the text of a question, and questions that have one free answer and no gap."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gfactor.items.item import Item

BLANK = re.compile(r"\[MASK\]|_{2,}|[(（][ \u3000]*[)）]")
"""A blank: [MASK], a line, or empty brackets."""


def asks_one_answer(item: Item) -> bool:
    """Return True if the item is a question with one free answer: a single blank without a mark.

    Parameters
    ----------
    item : Item
        The item. One whose content is only pictures may have its gap there.
    """
    texts = (part for part in item.content if isinstance(part, str))
    targets = len(item.target) if isinstance(item.target, tuple) else 1
    return is_question(item.answer_type, targets, texts)


def is_question(answer_type: str, targets: int, texts: Iterable[str]) -> bool:
    """Return True for one blank that no text marks, if there is a text.

    Parameters
    ----------
    answer_type : str
        Answer type of the item.
    targets : int
        Number of its blanks.
    texts : iterable of str
        Texts of its content.
    """
    if answer_type != "blanks" or targets != 1:
        return False
    filled = [text for text in texts if text.strip()]
    return bool(filled) and not any(BLANK.search(text) for text in filled)
