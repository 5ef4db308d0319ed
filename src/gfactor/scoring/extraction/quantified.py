"""Claims about all options but some: "all of the above", "all except B", "all but C are wrong"."""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.extraction.candidates import Task, Value
from gfactor.scoring.extraction.claims import STATED, Claim
from gfactor.scoring.extraction.factuality import Sentences
from gfactor.scoring.extraction.labels import Group
from gfactor.scoring.extraction.markers import finder, phrases


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
        position = predicate.end() if predicate else end
        if except_for and finder("wrong").match(text, position):
            labels = except_for
        elif end != match.end() and not (
            _ENDS.match(text, position)
            or finder("right").match(text, position)
            or _PREDICATE.search(match[0])
        ):
            continue
        if task.many or len(labels) == 1:
            claims.append(
                Claim(Value(labels, "", match.start(), end), STATED, "all", match.start())
            )
    told = {claim.end for claim in claims}
    return claims + [c for c in _find_exceptions(text, task) if c.end not in told]


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


def _find_exceptions(text: str, task: Task) -> list[Claim]:
    """Sentences with an exception: "all are wrong except B", "à part D, aucune ne convient".

    Where the others are denied, the labels excepted are the answer; where they are affirmed, the
    others are. Nothing where a sentence says both, or neither.
    """
    sentences = Sentences(text)
    claims: list[Claim] = []
    for match in [*_EXCEPT.finditer(text)][-20:]:
        group = task.grammar.group_at(text, match.end())
        if group is None or group.outside or group.joined == "or":
            continue
        start, end = match.start(), group.end
        behind = _AFTERWARDS.match(text, end)
        claims += _of_exception(
            text, group, start, behind.end() if behind else end, task, sentences
        )
    for match in [*_AFTERWARDS.finditer(text)][-20:]:
        before = [g for g in _groups_before(text, match.start(), task)]
        if before:
            claims += _of_exception(
                text, before[-1], before[-1].start, match.end(), task, sentences
            )
    return claims


def _groups_before(text: str, stop: int, task: Task) -> list[Group]:
    begin = max(0, stop - 40)
    groups = (
        task.grammar.group_at(text, m.start())
        for m in task.grammar.mention.finditer(text, begin, stop)
    )
    return sorted(
        (g for g in groups if g and not g.outside and not text[g.end : stop].strip(" 选项項번")),
        key=lambda g: -g.start,
    )


def _of_exception(
    text: str, group: Group, start: int, end: int, task: Task, sentences: Sentences
) -> list[Claim]:
    before = sentences.sentence_before(start)
    stop = _SENTENCE_END.search(text, end)
    behind = text[end : stop.end() if stop else len(text)]
    rest = f"{before} \n{behind}"
    if (
        sentences.is_asked(end)
        or _OPEN.search(rest)
        or not _QUANTIFIED.search(rest)
        or any(not g.outside for g in _labels_in(behind, task))
    ):
        return []
    is_wrong = bool(_WRONG.search(rest))
    denied = bool(_DENIED.search(rest))
    is_right = bool(_RIGHT.search(rest))
    labels = frozenset(group.labels)
    if (is_wrong and denied) or (is_wrong and is_right):
        return []
    if is_wrong or (denied and (is_right or _NONE.search(rest))):
        named = labels
    elif (is_right and not denied) or (task.many and not re.search(r"\w", _FILL.sub("", rest))):
        named = frozenset(task.grammar.labels) - labels
    else:
        return []
    if not named or (len(named) > 1 and not task.many):
        return []
    return [Claim(Value(named, "", start, end), STATED, "all", start)]


def _labels_in(text: str, task: Task) -> list[Group]:
    groups = (task.grammar.group_at(text, m.start()) for m in task.grammar.mention.finditer(text))
    return [g for g in groups if g]


_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。!?\n]")
_EXCEPT = re.compile(
    r"(?:(?<![A-Za-zÀ-ɏ])(?:except(?: for)?|with the exception of|apart from|other than|besides|but"
    r"|save(?: for)?|sauf|except[ée]|hormis|à part|(?:à|a) l'exception d[eu]|en dehors d[eu]"
    r"|excepto"
    r"|salvo|menos|quitando|(?:a|con(?: la)?) excepci[oó]n de|exceto|tirando"
    r"|(?:com|à) exce[cç][aã]o d[eoa]s?|fora)\s+(?:(?:for|the|la|las|les|le|el|los|as?|os?)\s+)?"
    r"(?:(?:options?|choices?|statements?|opci[oó]n|opciones|alternativas?|letras?|op[cç][aã]o"
    r"|propositions?|réponses?|lettres?)\s+)?|除了?(?:选项)?\s?)",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"\s*(?:选项|项)?(?:以外|之外|外)(?:的)?|번?\s*(?:을|를|만)?\s*(?:제외하(?:고는?|면)|제외한|빼고는?|빼면|말고는?|이외에?는?)"
)
_QUANTIFIED = re.compile(
    r"\b(?:all|every\w*|each|the (?:rest|others?)|other (?:options|choices|statements)|any|none|no"
    r"|neither|nothing|tout\w*|tous|aucune?|autres?|rien|tod[ao]s?|ningun[ao]|ninguno|nada|demás"
    r"|otr[ao]s|resto|demais|outr[ao]s|nenhum[ao]?)\b|其他|其它|其余|都|均|全|没有|나머지|모두|전부|다른|없|(?<![가-힣])다(?=\s[틀맞옳])",
    re.IGNORECASE,
)
_FILL = re.compile(
    rf"{_QUANTIFIED.pattern}|(?:of (?:the|them)|los|las|les|le|입니다|이다)\b", re.IGNORECASE
)
_NONE = re.compile(
    r"\b(?:none|no (?:option|choice|statement|answer|other)|neither|nothing|aucune?|rien|ningun[ao]"
    r"|ninguno|nada|nenhum[ao]?)\b|没有|없",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:wrong|incorrect\w*|false|invalid|out|eliminated|excluded|ruled out|discarded|impossible"
    r"|fail\w*|fauss?e?s?|inexacte?s?|erroné\w*|éliminé\w*|exclu\w*|écarté\w*|fals[ao]s?|errad[ao]s?"
    r"|err[oó]ne[ao]s?|descartad[ao]s?|eliminad[ao]s?|inválid[ao]s?|incorret[ao]s?)\b"
    r"|错|錯|有误|틀[리렸립린]|오답|거짓",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    r"\b(?:correct|right|true|valid|fits?|match(?:es)?|works?|holds?|possible|apply|applies|convien\w+"
    r"|correcte?s?|justes?|exacte?s?|vraie?s?|bonne?s?|valides?|v[aá]lid[ao]s?|verdader[ao]s?"
    r"|ciert[ao]s?|adecuad[ao]s?|encajan?|sirven?|cumplen?|correct[ao]s?|corret[ao]s?|cert[ao]s?"
    r"|verdadeir[ao]s?|adequad[ao]s?|servem?|correspond\w*)\b"
    r"|正确|正確|[对對]|符合|成立|合适|满足|맞|옳|정답|올바|해당|적절",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|no|none|neither|never|nothing|cannot|ne|aucune?|rien|ningun[ao]|ninguno|nada|nenhum[ao]?"
    r"|n[aã]o|nem|lacks?|miss\w*)\b|n't|\bn'|[不没無无]|없|않|못|아니|아닙",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:if|might|may|could|perhaps|maybe|unless|si|peut-être|pourrai\w*|quiz[aá]s?|tal vez"
    r"|podr[ií]an?"
    r"|talvez|poderiam?|se)\b|如果|可能|也许|만약|아마|수도",
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
