"""Single choice among combinations ("①②", "A and C") to multiple choice among the combined
statements or options.

"Lots of single-choice questions have a list of options and the choices are presented as the
combination of those options where only one is correct. We transform those questions into
multiple-choice questions where the options become new choices and the correct answer corresponds
to the combinations" (MULTI, appendix E.3).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from gfactor.benchmarks.loading import LETTERS
from gfactor.benchmarks.postprocess.marks import STATEMENT, number_of
from gfactor.benchmarks.postprocess.transformation import register, revised
from gfactor.items import Choice, Image, Item, Segment

_BETWEEN = re.compile(r"(?i)\band\b|\bonly\b|[、,，;；.。&\s和与及仅只有]")
_LABELS = re.compile(
    r"(?i)^(?:both\s+)?([A-Z])((?:\s*(?:,|，|、|&|\band\b|和|与|及)\s*(?:and\s+)?[A-Z])+)"
    r"\s*(?:都|均|皆)?(?:对|正确|是)?[.。]?$"
)
_ALL = re.compile(
    r"(?i)^(?:all (?:of )?(?:the |these )?(?:above|options)|"
    r"(?:以上|上述)?(?:选项|说法)?(?:都|全|均|皆)(?:对|是|正确|选))[.。]?$"
)
_NONE = re.compile(
    r"(?i)^(?:none (?:of )?(?:the )?above|neither|(?:以上|上述).*(?:都|均|皆)(?:不|错)).*$"
)
_END = re.compile(r"[\n。]")
_TRAILING = " \t\u3000；;，,、。.\n"


@register("combination-to-choices", "Turn options that combine others into a choice of several.")
def combination_to_choices(item: Item) -> Sequence[Item]:
    """Return the item as a choice of several right options; none if its options are no
    combinations.

    It applies if every option is a set of marks in the question (in ascending order, because
    another order may itself be the answer), or if some options combine others by their labels.
    Statements that the question lists become the options; if they cannot be separated from the rest
    of the text, the question stays unchanged and the marks are the options.
    """
    if item.answer_type != "choice" or not isinstance(item.target, str) or item.accepted:
        return ()
    if any(isinstance(c.content, Image) or not c.content.strip() for c in item.choices):
        return ()
    offered = {c.label: str(c.content).strip() for c in item.choices}
    return _of_marks(item, offered) or _of_labels(item, offered)


def _of_marks(item: Item, offered: Mapping[str, str]) -> Sequence[Item]:
    sets = {label: _marks(text) for label, text in offered.items()}
    if any(not marks for marks in sets.values()) or all(len(m) == 1 for m in sets.values()):
        return ()
    if len({frozenset(m) for m in sets.values()}) < len(sets):
        return ()
    (kind, *others) = {kind for marks in sets.values() for kind, _ in marks}
    numbers = {number for marks in sets.values() for _, number in marks}
    listed = _listed(item.content, kind)
    if others or not listed or not numbers <= set(listed):
        return ()
    last = max(listed)
    if set(listed) != set(range(1, last + 1)):
        return ()
    content, statements = _extracted(item.content, kind, last) or (
        item.content,
        [listed[k] for k in range(1, last + 1)],
    )
    choices = tuple(Choice(LETTERS[k], text) for k, text in enumerate(statements))
    target = tuple(LETTERS[number - 1] for _, number in sets[str(item.target)])
    return (revised(item, content=content, choices=choices, answer_type="choices", target=target),)


def _marks(text: str) -> list[tuple[str, int]]:
    """The marks that an option consists of; none if it holds anything else."""
    marks = [number_of(m[0]) for m in STATEMENT.finditer(text)]
    rest = _BETWEEN.sub("", STATEMENT.sub("", text))
    numbers = [number for _, number in marks]
    ascending = all(a < b for a, b in itertools.pairwise(numbers))
    return marks if marks and not rest and ascending else []


def _listed(content: Sequence[Segment], kind: str) -> dict[int, str]:
    """The marks of a kind in the question: number -> as it is written."""
    return {
        number_of(m[0])[1]: m[0]
        for segment in content
        if isinstance(segment, str)
        for m in STATEMENT.finditer(segment)
        if number_of(m[0])[0] == kind
    }


def _extracted(
    content: Sequence[Segment], kind: str, last: int
) -> tuple[tuple[Segment, ...], list[str]] | None:
    """Split a question into its text and its statements; None if they cannot be separated."""
    holders = [k for k, s in enumerate(content) if isinstance(s, str) and _listed([s], kind)]
    if len(holders) != 1:
        return None
    text = str(content[holders[0]])
    marks = [m for m in STATEMENT.finditer(text) if number_of(m[0])[0] == kind]
    if [number_of(m[0])[1] for m in marks] != list(range(1, last + 1)):
        return None
    ends = [m.start() for m in marks[1:]]
    stop = _END.search(text, marks[-1].end())
    ends.append(stop.start() if stop else len(text))
    statements = [
        text[m.end() : end].strip(_TRAILING + ".．:：)") for m, end in zip(marks, ends, strict=True)
    ]
    if any(not words or len(words) > 200 or "[MASK]" in words for words in statements):
        return None
    if re.search(r"其中|以上|上述|[(（][ \u3000]*[)）]", statements[-1]):
        return None
    before, after = text[: marks[0].start()].rstrip(), text[ends[-1] :].strip(_TRAILING)
    rest = "\n".join(filter(None, (before, after)))
    if not rest:
        return None
    return (*content[: holders[0]], rest, *content[holders[0] + 1 :]), statements


def _of_labels(item: Item, offered: Mapping[str, str]) -> Sequence[Item]:
    if any(_NONE.match(text) for text in offered.values()):
        return ()
    combined = {label: _members(label, text, offered) for label, text in offered.items()}
    simple = [label for label, members in combined.items() if members is None]
    if len(simple) < 2 or len(simple) == len(offered):
        return ()
    sets = {label: members or (label,) for label, members in combined.items()}
    if any(set(members) - set(simple) for members in sets.values()):
        return ()
    names = dict(zip(simple, LETTERS, strict=False))
    choices = tuple(Choice(names[c.label], c.content) for c in item.choices if c.label in names)
    target = tuple(sorted(names[label] for label in sets[str(item.target)]))
    return (revised(item, choices=choices, answer_type="choices", target=target),)


def _members(label: str, text: str, offered: Mapping[str, str]) -> tuple[str, ...] | None:
    """The options that an option combines; None if it has content of its own."""
    match = _LABELS.match(text)
    if match:
        letters = tuple(dict.fromkeys(re.findall(r"\b[A-Z]\b|[A-Z](?=\W|[和与及]|$)", text)))
        labels = [x for x in letters if x in offered and x != label]
        return tuple(labels) if len(labels) == len(letters) > 1 else None
    if _ALL.match(text):
        others = (x for x in offered if x != label and not _LABELS.match(offered[x]))
        return tuple(x for x in others if not _ALL.match(offered[x]))
    return None
