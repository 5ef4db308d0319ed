"""The last resort for a reply that claims nothing: a last sentence whose predicate is the answer.

"The process labeled X is (a)." names one label in brackets; "Los planetas gaseosos son D y E."
and "Les conifères sont le pin et le sapin." list several labels or options' texts.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.candidates import Task, Value
from gfactor.scoring.extraction.claims import HINTED, Claim
from gfactor.scoring.extraction.factuality import REJECTED, Sentences
from gfactor.scoring.extraction.labels import Group
from gfactor.scoring.extraction.markers import finder
from gfactor.scoring.extraction.values import read_whole
from gfactor.scoring.extraction.verdicts import groups_in

_LONGEST = 1500
_ENDS = re.compile(r"[.!?](?=\s)|[。!?\n]")
_COPULA = re.compile(
    r"\b(?:is|are|est|sont|es|son|é|são|seraient|serían|seriam)\s*:?\s+|(?<![不还可])(?:是"
    r"|为|有)\s*"
    r"|(?<=[가-힣])(?:은|는)\s+",
    re.IGNORECASE,
)
_INVERTED = re.compile(r"\s*(?:sont|son|são)\s+(\w{4,20})\s+(?=\S)", re.IGNORECASE)
_COLON = re.compile(r"(?<=\w)\s?:\s*(?=\S)")
_BRACKETED = re.compile(r"(?:the |la |el |l'|a |o |option )?[(\[]\s?\w{1,2}\s?[)\]]")
_CONCLUDED = re.compile(
    r"^[^,;:]{1,200}[,;:]\s(?=(?:so|thus|therefore|hence|donc|ainsi|alors|así que"
    r"|por (?:lo )?tanto"
    r"|portanto|logo|então|assim)\b)|^[^,;:]{1,200}[,;:]\s?(?=所以|因此|따라서)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"\w+\s+\S+\s+\S+|[一-鿿가-힣]\s?[一-鿿가-힣]\s?[一-鿿가-힣]")
_BARE = re.compile(r"(?:(?:la|el|le|a|o) )?[A-Z]\.?")
_NO_ANSWER = re.compile(
    r"\b(?:worst|poorest|weakest|second[- ]best|pire|moins bonne|peor|pior|segunda mejor"
    r"|segunda melhor) (?:match|fit|answer|guess|correspondance|coincidencia|respuesta"
    r"|correspond[eê]ncia|resposta)\b"
    r"|\b(?:first|shown(?! in| by| at)|above|below|looked|considered|options?|choices?"
    r"|labels?|points?"
    r"|candidat\w*|possib\w*|contend\w*|remain\w*"
    r"|left|unsure|letters?|vert(?:ex|ices)|close\w*|similar\w*|parecid\w*|semblab\w*"
    r"|opciones|op[cç][oõ]es|posib\w*"
    r"|lettres?|letras?|puntos?|pontos?|sommets?|choix|restant\w*|quedan|restam|propositions"
    r"|alternativas?)\b|选项|选择|字母|点|第一|首先|左|右|候选|可能|剩|보기|선택지|후보"
    r"|남은|비슷|(?<![가-힣])[점변각]",
    re.IGNORECASE,
)
"""Subjects whose predicate is no answer: "the remaining options are B and C"."""
_PARTS = re.compile(r"\s*,?\s*\b(?:and|et|y|e)\b\s*|\s*[,、;&]\s*|\s*[和与及]\s*")
_TAIL = re.compile(r"\s*(?:입니다|이다|이에요|예요)?[\s.!。)]*$")


def find_closing(text: str, task: Task) -> Claim | None:
    """The answer that the last sentence's predicate is; None where it is none, or in doubt."""
    body = text.rstrip()
    if not body or len(body) > _LONGEST or finder("refusal").search(body):
        return None
    ends = [m.end() for m in _ENDS.finditer(body[:-1])]
    begin = ends[-1] if ends else 0
    copulas = [m for m in _COPULA.finditer(body, begin) if m.end() < len(body)]
    if not copulas and task.many and begin == 0:
        copulas = list(_COLON.finditer(body))
    if task.many and (listed := _behind_colon(body, begin, task)):
        return listed
    if not copulas:
        return None
    chosen = copulas[0] if task.many else copulas[-1]
    inverted = _INVERTED.match(body, begin) if task.many else None
    chosen = inverted or chosen
    subject = inverted[1] if inverted else body[begin : chosen.start()]
    sentences = Sentences(body)
    subject = sentences.affirmed(subject)
    if not task.many:
        subject = _CONCLUDED.sub("", subject)
    if (
        not subject.strip()
        or _NO_ANSWER.search(subject)
        or REJECTED.search(subject)
        or finder("unreal").search(subject)
        or finder("not_before").search(subject)
        or sentences.is_asked(chosen.end())
    ):
        return None
    tail = _TAIL.search(body, chosen.end())
    stop = tail.start() if tail else len(body)
    if any(_is_named(group, chosen.start()) for group in groups_in(body[:stop], task)):
        return None
    predicate = body[chosen.end() : stop]
    if task.many:
        labels = _listed(predicate, body, chosen.end(), task)
    else:
        labels = _alone(predicate, subject, body, chosen.end(), task)
    if not labels:
        return None
    value = Value(labels, "", chosen.end(), stop)
    return Claim(value, HINTED, "closing", chosen.end())


def _behind_colon(body: str, begin: int, task: Task) -> Claim | None:
    """Labels alone behind the last sentence's colon, where none is named before it."""
    colons = list(_COLON.finditer(body, begin))
    sentence = body[begin:]
    if not colons or _NO_ANSWER.search(sentence) or REJECTED.search(sentence):
        return None
    group = task.grammar.group_at(body, colons[-1].end())
    if (
        group is None
        or group.outside
        or group.joined == "or"
        or len(group.labels) == len(task.grammar.labels)
        or body[group.end :].strip(" .。!")
        or groups_in(body[: colons[-1].start()], task)
        or finder("unreal").search(sentence)
    ):
        return None
    value = Value(frozenset(group.labels), "", group.start, group.end)
    return Claim(value, HINTED, "closing", group.start)


def _is_named(group: Group, before: int) -> bool:
    """Whether a label of the item is named before the predicate."""
    return group.start < before and not group.outside


def _alone(predicate: str, subject: str, body: str, start: int, task: Task) -> frozenset[str]:
    if body[start + len(predicate) :].startswith(")"):
        predicate += ")"
    set_off = _BRACKETED.fullmatch(predicate)
    if not set_off and not (_BARE.fullmatch(predicate) and _SUBJECT.search(subject)):
        return frozenset()
    value = read_whole(predicate, task, strict=True)
    return value.labels if value and not value.trouble else frozenset()


def _listed(predicate: str, body: str, start: int, task: Task) -> frozenset[str]:
    """The labels of a list in which every part is one option, and some option is left out."""
    one = Task(task.grammar, task.texts, many=False)
    if body[start + len(predicate) :].startswith(")"):
        predicate += ")"
    labels: list[str] = []
    for part in _PARTS.split(predicate):
        value = read_whole(part, one, strict=True) if part.strip() else None
        if value is None or value.trouble or len(value.labels) != 1:
            return frozenset()
        labels += value.labels
    named = frozenset(labels)
    is_whole = len(named) == len(labels) and 1 < len(named) < len(task.grammar.labels)
    return named if is_whole else frozenset()
