"""VLMEvalKit's readings of a reply: the letter of an option, yes or no, a count."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gfactor.scoring.text_rules import NUMBER_WORDS, without_punctuation

_REFUSALS = (
    "Sorry, I can't help with images of people yet.",
    "I can't process this file.",
    "I'm sorry, but without the image provided",
    "Cannot determine the answer",
)
_NONE = "Z"
"""VLMEvalKit's letter for "none of the options"."""

_APART = str.maketrans(dict.fromkeys(".()[],:;!*#{}", " "))
_ANNOUNCED = re.compile(r"answer\s+is\s+\**([ABCD])", re.IGNORECASE)
_BOX_EDGE = re.compile(r"\\boxed\{|[^\\]\}")
_LETTERS = "ABCD"
_ANNOUNCEMENTS = (
    "answer:",
    *("the final answer is:", "the answer is option:", "the answer is:"),
    *("the correct answer is option:", "the correct answer is:", "the answer should be:"),
    *("the final answer is", "the answer is option", "the answer is"),
    *("the correct answer is option", "the correct answer is", "the answer should be"),
)
_COUNT = re.compile(r"\b(?:[0-9]|1[0-9]|20|" + "|".join(NUMBER_WORDS) + r")\b")


def option_in(reply: str, options: Mapping[str, str]) -> str | None:
    """Return the label of the option that a reply names by VLMEvalKit's exact matching; "Z" for
    none.

    First, a label counts if it is the only one among the reply's words and one of the last four
    words. Otherwise "answer is X" (A to D) counts, and then the text of exactly one option, in a
    reply at most twice as long as all option texts.

    >>> option_in("The answer is (B).", {"A": "cat", "B": "dog"})
    'B'
    >>> option_in("It is a dog.", {"A": "cat", "B": "dog"}) is None
    True
    """
    if "Failed to obtain answer via API" in reply:
        return None
    if any(refusal in reply for refusal in _REFUSALS):
        return _NONE
    words = reply.translate(_APART).split()
    mentioned = [label for label in options if label in words]
    if len(mentioned) == 1 and words.index(mentioned[0]) > len(words) - 5:
        return mentioned[0]
    if not mentioned and _NONE in words:
        return _NONE
    announced = _ANNOUNCED.search(reply)
    if announced and announced[1].upper() in options:
        return announced[1].upper()
    return _option_by_text(reply.lower(), options)


def boxed_letter(reply: str) -> str | None:
    """Return the letter A to D in the last box, or else after an announcement; None if there is
    none."""
    boxed = _last_box(reply).strip()
    if boxed in _LETTERS and boxed:
        return boxed
    for letter in _LETTERS:
        ends = (f" {letter}.", f" ({letter}).")
        if reply.endswith(ends) or reply.startswith((f"{letter}\n", f"({letter})\n")):
            return letter
    rest = reply.lower()
    for announcement in _ANNOUNCEMENTS:
        if announcement in rest:
            rest = rest.split(announcement)[-1].strip().split("\n")[0].split(".")[0]
            if len(rest) == 1 and rest.upper() in _LETTERS:
                return rest.upper()
    return reply if len(reply) == 1 and reply in _LETTERS else None


def yes_or_no(reply: str) -> str | None:
    """Return "Yes" or "No" if a reply contains only one of these words, else None."""
    words = without_punctuation(reply.lower()).split()
    if ("yes" in words) == ("no" in words):
        return None
    return "Yes" if "yes" in words else "No"


def count_in(reply: str) -> int | None:
    """Return the first whole number from 0 to 20 in a reply, in digits or in words."""
    match = _COUNT.search(reply.lower())
    if not match:
        return None
    return int(match[0]) if match[0].isdigit() else NUMBER_WORDS.index(match[0])


def _option_by_text(reply: str, options: Mapping[str, str]) -> str | None:
    if len(reply) > 2 * sum(len(text) for text in options.values()):
        return None
    named = [label for label, text in options.items() if text.lower() in reply]
    return named[0] if len(named) == 1 else None


def _last_box(text: str) -> str:
    if len(text) < 3:
        return text
    starts: list[int] = []
    content = None
    for edge in _BOX_EDGE.finditer(text):
        if edge[0].endswith("{"):
            starts.append(edge.end())
        elif starts:
            start = starts.pop()
            if not starts:
                content = text[start : edge.start() + 1]
    if content is None:
        return text
    for dress in ("\\text{", "\\rm{", "\\mathbf{", "$", "}"):
        content = content.replace(dress, "")
    unclear = "letter" in content.lower() or "or" in content or len(content) > 2
    return text if unclear else content
