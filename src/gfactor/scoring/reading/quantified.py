"""Claims about all options but some: "all of the above", "all except B", "all but C are wrong"."""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.reading.claims import STATED, Claim
from gfactor.scoring.reading.labels import Group
from gfactor.scoring.reading.markers import finder, phrases
from gfactor.scoring.reading.reality import Sentences
from gfactor.scoring.reading.values import Task, Value


def find_quantified(text: str, task: Task) -> list[Claim]:
    """What "all", with its exceptions, says of the options: the rest, or the exceptions."""
    sentences = Sentences(text)
    claims: list[Claim] = []
    everything = frozenset(task.grammar.labels)
    for match in list(finder("every").finditer(text))[-20:]:
        before = sentences.clause_before(match.start())
        unreal = finder("unreal").search(before) or finder("none").search(before)
        if unreal or sentences.is_asked(match.end()):
            continue
        except_for, end = _exceptions(text, match.start(), match.end(), task)
        if except_for is None:
            continue
        labels = everything - except_for
        predicate = re.compile(r"\s*").match(text, end)
        place = predicate.end() if predicate else end
        if except_for and finder("wrong").match(text, place):
            labels = except_for
        elif end != match.end() and not (
            _ENDS.match(text, place)
            or finder("right").match(text, place)
            or _PREDICATE.search(match[0])
        ):
            continue
        if task.many or len(labels) == 1:
            claims.append(
                Claim(Value(labels, "", match.start(), end), STATED, "all", match.start())
            )
    return claims


def find_rest(text: str, wrong: dict[str, int], task: Task) -> list[Claim]:
    """ "B and D are wrong, the rest are right": all options but those called wrong before."""
    match = _REST.search(text)
    refused = frozenset(label for label, at in wrong.items() if match and at < match.start())
    labels = frozenset(task.grammar.labels) - refused
    if match is None or not refused or not labels or Sentences(text).is_asked(match.end()):
        return []
    return [Claim(Value(labels, "", *match.span()), STATED, "all", match.start())]


_REST = re.compile(
    r"\b(?:the (?:rest|others?|other ones|remaining (?:ones|options|statements))"
    r"|all (?:the )?others)"
    r" (?:are|is) (?:all )?(?:right|correct|true)"
    r"|\b(?:les autres|toutes les autres) sont (?:toutes )?(?:correctes|justes|vraies|exactes)"
    r"|\b(?:l[ao]s (?:demás|otras|otros)|el resto) (?:son|es|están) (?:correct|verdader"
    r"|ciert)[ao]s?"
    r"|\b[ao]s (?:demais|outr[ao]s) (?:s[aã]o|est[aã]o) (?:corret|verdadeir|cert)[ao]s"
    r"|(?:其余|其他|其它)(?:选项|各项|的)?(?:都|均|皆|全)?(?:是)?(?:正确|对)"
    r"|나머지는 (?:모두 )?(?:맞|옳)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.,;:!)\n。、]|$")
_PREDICATE = re.compile(
    r"correct|right|true|valid|exact|just|vrai|verd|ciert|cert|[对對正]|맞|정답|옳|올"
)


def _exceptions(text: str, start: int, end: int, task: Task) -> tuple[frozenset[str] | None, int]:
    """The labels excepted before or behind "all"; None where an exception cannot be read."""
    behind = _excluding().match(text, end)
    if behind:
        group = task.grammar.group_at(text, behind.end())
        return (frozenset(group.labels), group.end) if group else (None, end)
    before = text[max(0, start - 30) : start]
    for match in task.grammar.mention.finditer(before):
        group = task.grammar.group_at(before, match.start())
        if group and _is_excluded(before, group):
            return frozenset(group.labels), end
        if group:
            return None, end
    return frozenset(), end


@cache
def _excluding() -> re.Pattern[str]:
    option = rf"(?:(?:the|la|le|el|a|o|l')\s*)?(?:{phrases('option')})?"
    return re.compile(
        rf"\s*(?:(?:are|is) (?:correct|right|true))?,?\s*{phrases('excluding')}\s*{option}\s*"
    )


def _is_excluded(before: str, group: Group) -> bool:
    """Whether a group before "all" is excepted: "除C以外", "except B,", "C를 제외하고"."""
    behind = re.match(
        rf"\s*(?:选项|项)?\s*{phrases('excluding_after')}(?:하고|고)?", before[group.end :]
    )
    in_front = re.search(
        rf"{phrases('excluding')}\s*(?:{phrases('option')})?\s*$", before[: group.start]
    )
    return bool(behind or in_front)
