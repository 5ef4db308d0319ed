"""Whether a sentence means what it says: denied, conditional, asked, or told as a mistake."""

from __future__ import annotations

import bisect
import re
from typing import Protocol

from gfactor.scoring.extraction.candidates import Value
from gfactor.scoring.extraction.markers import finder


class Placed(Protocol):
    """What stands somewhere in a text: where it begins, and its answer's place."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def value(self) -> Value: ...


class Sentences:
    """Where the sentences and clauses of a text begin and end."""

    _END = re.compile(r"[.!?](?=[\s\"')\]]|$)|[。!?\n]|\.\.\.")
    _CLAUSE = re.compile(
        r"[.!?,;:](?=[\s\"')\]]|$)|[。!?;,、:\n—…]|\.\.\."
        r"|\s(?=(?:but|sino|mais|mas|pero|rather|e sim) )|(?=而是)|(?<=지만|므로|으나|는데|니까)\s"
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self._portuguese = bool(_PORTUGUESE.search(text[:2000]))
        self._ends = [m.end() for m in self._END.finditer(text)]
        self._clauses = [m.end() for m in self._CLAUSE.finditer(text)]

    def clause_before(self, at: int) -> str:
        """The beginning of the clause in which `at` lies, at most 120 characters."""
        k = bisect.bisect_right(self._clauses, at)
        start = self._clauses[k - 1] if k else 0
        clause = self.text[max(start, at - 120) : at]
        return self.affirmed(clause)

    def affirmed(self, words: str) -> str:
        """The words without a Portuguese "no", which is "in the" and denies nothing."""
        return _IN_THE.sub(" ", words) if self._portuguese else words

    def sentence_before(self, at: int) -> str:
        """The beginning of the sentence in which `at` lies, at most 240 characters."""
        k = bisect.bisect_right(self._ends, at)
        start = self._ends[k - 1] if k else 0
        return self.text[start:at] if at - start <= 240 else ""

    def is_asked(self, at: int) -> bool:
        """Whether the sentence in which `at` lies is a question."""
        k = bisect.bisect_left(self._ends, max(at, 1))
        end = self._ends[k] if k < len(self._ends) else len(self.text)
        sentence = self.text[max(at, end - 12) : end].rstrip()
        return sentence.endswith("?") or bool(
            re.search(r"吗[?。]?$|嗎$|(?:까|나)요?\??$", sentence)
        )


_PORTUGUESE = re.compile(
    r"[ãõ]|\b(?:é|uma|foi|meu|minha|resposta|alternativas?|figura que|ou seja)\b", re.IGNORECASE
)
_IN_THE = re.compile(r"\bno\b", re.IGNORECASE)


def is_real(claim: Placed, sentences: Sentences) -> bool:
    """Whether a claim is neither denied, nor conditional, nor asked, nor told as a mistake."""
    before = sentences.clause_before(claim.start)
    if finder("unreal").search(before) or sentences.is_asked(claim.end):
        return False
    before = sentences.sentence_before(claim.start)
    trap = _TRAP.search(before)
    if trap and not _TURNED.search(before, trap.end()):
        return False
    if _SAID_WRONG.match(sentences.text, claim.end - (sentences.text[claim.end - 1] in "\"'")):
        return False
    if _WAS.search(sentences.text, claim.start, claim.value.start) and _ELSEWHERE.search(
        before + sentences.text[claim.end : claim.end + 60]
    ):
        return False
    if REJECTED.search(sentences.text, claim.start, claim.value.start):
        return False
    if _SAID_BY.match(sentences.text, claim.end):
        return False
    if _CHOOSING.match(sentences.text, claim.start) and _WOULD.match(sentences.text, claim.end):
        return False
    whole = before + sentences.text[claim.start : claim.value.start]
    supposed = _SUPPOSED.match(whole)
    if supposed and not _DRAWN.search(whole, supposed.end()):
        return False
    return not is_conditional(sentences.text, claim.end)


def is_conditional(text: str, end: int) -> bool:
    """Whether a condition follows what ends at `end`: "B, if the rows are read downwards"."""
    return bool(_CONDITION.match(text, end))


_WAS = re.compile(r"\b(?:was|était|era|fue|foi)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:last|previous|yesterday|another|other|(?:question|problem|item|exercise|picture) \d+"
    r"|dernière?"
    r"|précédente?|hier|autre|anterior|pasad[ao]|ayer|otr[ao]|passad[ao]|ontem|outr[ao])\b",
    re.IGNORECASE,
)
"""What was the answer to another question: "for question 1 the answer was B"."""
_TURNED = re.compile(
    r"(?<![A-Za-zÀ-ɏ])[A-J]{1,5}(?![A-Za-zÀ-ɏ'])[^,;:.]{0,40}(?:[,;:，；—]|\b(?:but|mais|pero|mas)\b|但)"
)
"""Behind a trap that names its own label, a new clause: "the common mistake is C; it is D"."""
_SAID_BY = re.compile(
    r"[,.!]?\s?[\"']\s?,?\s?(?:(?:[^\W\d_]{1,12}\s){0,2}?(?:says?|said|claims?|claimed|wrote|writes?|dit"
    r"|affirme|prétend|écrit|dice|dijo|afirma|escribe|disse|diz|escreve)\b|[一-鿿]{0,6}[说道]"
    r"|라고\s(?:\S{1,8}\s)?(?:말|했|썼|주장))",
    re.IGNORECASE,
)
"""Behind a claim in quotes, who says so: '"It is B," says the student'."""
_CHOOSING = re.compile(
    r"(?:choosing|picking|selecting|going|opting|choisir|prendre|elegir|escoger|marcar|escolher|选|選)",
    re.IGNORECASE,
)
_WOULD = re.compile(
    r"\s(?:would|ignores|overlooks|misses|forgets|contradicts|serait|sería|seria"
    r"|ignorer\w+|ignora\w*)\b"
    r"|\s?(?:is|est|es|é)\s(?:an? |une |un |una |uma? )?(?:\w+ )?(?:mistake|error|trap|wrong|hasty"
    r"|tempting|erreur|piège|trampa|erro|armadilha)\b|(?:就会|就忽略|的(?:同学|人)|是错)",
    re.IGNORECASE,
)
"""What is said of a choice that is not made: "choosing A would be hasty"."""
_SAID_WRONG = re.compile(
    r"\s?[\"'”」]\s?,?\s?(?:这种|这个|的)?(?:说法|答案|观点|看法)?(?:是|就是)?(?:错误|不正确|不对|错)"
    r"|\s?[\"'”]\s?(?:is|was|est|es|é)\s(?:\w+\s)?(?:wrong|incorrect|false|a mistake|mistaken"
    r"|faux|fausse"
    r"|incorrect[oae]?|fals[oa]|errad[oa]|incorret[oa])"
    r"|\s?[\"'”]\s?(?:라는|이라는)\s?(?:주장|설명|답|말)?[은는이가]?\s?(?:틀|잘못)",
    re.IGNORECASE,
)
"""Behind a claim in quotes, that it is wrong."""
_DRAWN = re.compile(
    r"\b(?:therefore|thus|hence|consequently|in conclusion|so (?!that)|donc|ainsi|par conséquent"
    r"|por (?:lo )?tanto|así que|portanto|por isso|logo)\b"
    r"|所以|因此|故(?=[选應应答])|따라서|그러므로",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"[\s\"'(]*(?:(?:but|and|mais|et|pero|y|mas|e|但是?)\s*)?(?:if (?:so|not)\b|if(?! (?:we|you"
    r"|one|i|it's"
    r"|it is)\b)"
    r"|if (?:we|you|one|i|it)\b.{0,80}\bwould be\b|had (?:the|it|they)|were (?:the|it)"
    r"|si (?!on|nous|vous|l'on|\w+mos\b)|se (?:a|o|for|for[ae]m|\w+ss?em?)\b|如果(?!我们|仔细)"
    r"|若(?!仔细)|假如|假设"
    r"|assuming|supposing|provided|in case|dans le cas où|au cas où|de (?:ser|haber|tener|estar"
    r"|existir)\b"
    r"|en caso de|caso (?!contr)"
    r"|만약|만일)",
    re.IGNORECASE,
)
"""A sentence that begins with a condition; "if you look closely" is none."""


REJECTED = re.compile(
    r"\b(?<!by )(?<!par )(?<!por )(?<!process of )(?:eliminat|rul(?:e|ed|ing) out|exclu(?:d"
    r"|s|í|i)|discard|reject|dismiss|crossed out|wrong"
    r"|incorrect|invalid|unlikely|doesn't|does not|not\b|never|élimin|écart|descart|elimin"
    r"|mauvais|ne (?:convient|correspond)|no (?:encaja|corresponde|cumple)|errad)"
    r"|错误|排除|不(?:正确|对|符|可能)|틀린|제외|오답|아닌",
    re.IGNORECASE,
)
"""Inside an announcement: "the option that I eliminated is"."""

_TRAP = re.compile(
    r"(?:common|typical|frequent|usual|easy|classic)\s+(?:mistake|error|trap|pitfall|wrong)"
    r"|distractor|\bin (?:the|that|this|an) (?:\w+ )?example|dans l'exemple|en el ejemplo"
    r"|no exemplo"
    r"|例[题子]中|예[시제]에서"
    r"|erreur (?:courante|fréquente|classique)|piège|error (?:com[uú]n|frecuente"
    r"|t[ií]pico)|trampa"
    r"|erro (?:comum|frequente|t[ií]pico)|常见错误|易错|陷阱|흔한\s*(?:실수|오류)|함정",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:번)?일\s*(?:수도|지도?\s*모)"
    r"|[)\]}\"']*\s*,?\s*(?:only (?:in|on|for|under|during|when)|(?:only )?if|unless|provided"
    r"|supposing|assuming|in case"
    r"|de (?:ser|haber|tener|existir)|si|à moins que|à condition|a menos que|siempre que"
    r"|a no ser que|caso|desde que"
    r"|se (?:a|o|for|fosse|for[ae]m))\b",
    re.IGNORECASE,
)
