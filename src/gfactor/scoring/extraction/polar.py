"""Items whose two options are true and false: sentences that judge the statement in question.

"The statement is false.", "L'affirmation n'est pas exacte.", "该说法是错误的。": the subject is the
statement, the predicate one of the two options in other words.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.candidates import Task, Value
from gfactor.scoring.extraction.claims import STATED, Claim
from gfactor.scoring.extraction.factuality import Sentences, is_real

_END = (
    r"(?=\s*(?:[.,;:!)\n—–。、-]|$)"
    r"|\s(?:because|since|as|for|given|car|puisque|porque|pues|pois)\b)"
)
_JUDGED = re.compile(
    r"\b(?:statement|claim|assertion|proposition|sentence|description)\b[^.,;:!?\n]{0,60}?"
    r"\bis\s+(?P<n1>not\s+)?(?:(?:therefore|thus|clearly|indeed|definitely|also|hence"
    r"|actually)\s+)?"
    rf"(?:(?P<t1>true|correct|right|accurate)|(?P<f1>false|incorrect|wrong|untrue"
    rf"|inaccurate)){_END}"
    r"|\b(?:affirmation|énoncé|proposition|phrase|assertion|déclaration)\b[^.,;:!?\n]{0,60}?"
    r"\b(?:n'(?P<n2>est (?:donc )?pas)|est)\s+(?:(?:donc|bien|clairement)\s+)?"
    r"(?:(?P<t2>vraie?|justes?|correcte?|exacte?)|(?P<f2>fausse|faux|incorrecte?|inexacte?"
    rf"|erronée?)){_END}"
    r"|\b(?:afirmaci[oó]n|enunciado|frase|proposici[oó]n|declaraci[oó]n|oraci[oó]n|afirma[cç][aã]o"
    r"|afirmativa|assertiva|proposi[cç][aã]o|declara[cç][aã]o|senten[cç]a"
    r"|item)\b[^.,;:!?\n]{0,60}?"
    r"\b(?P<n3>(?:no|n[aã]o)\s+)?(?:es|é|está)\s+(?:(?:claramente|portanto|entonces)\s+)?"
    r"(?:(?P<t3>verdad(?:er|eir)[ao]|ciert[ao]|cert[ao]|corr?ec?t[ao])"
    rf"|(?P<f3>fals[ao]|errad[ao]|incorr?ec?t[ao]|err[oóô]ne[ao])){_END}"
    r"|(?:说法|命题|陈述|描述|叙述|观点|句话|论述|說法|命題)(?:显然|明显|因此|就|都)?是?"
    r"(?:(?P<f4>不(?:正确|对|成立|正確|對)|错误|错|有误|錯誤|錯)|(?P<t4>正确|对|成立|正確|對))的?"
    r"(?=[。,;!、\s]|$|因为)"
    r"|(?:설명|진술|명제|문장|주장|서술)(?:은|는|이|가)\s*"
    r"(?:(?P<f5>거짓|틀[리렸립린]|(?:옳|맞|올바르)지\s*않|사실이\s*아)"
    r"|(?P<t5>참(?=이|입)|옳[다습]|맞[다습는]|올바[르른릅]|사실(?=이다|입니다)))",
    re.IGNORECASE,
)


def find_judgments(text: str, task: Task) -> list[Claim]:
    """Claims of sentences that call the statement true or false; none where the options differ."""
    pair = task.texts.truth
    if pair is None:
        return []
    sentences = Sentences(text)
    claims: list[Claim] = []
    for match in list(_JUDGED.finditer(text))[-100:]:
        named = {name[0]: value for name, value in match.groupdict().items() if value}
        is_true = ("t" in named) != ("n" in named)
        label = pair[0] if is_true else pair[1]
        value = Value(frozenset({label}), "", *match.span())
        claim = Claim(value, STATED, "judgement", match.start())
        if is_real(claim, sentences):
            claims.append(claim)
    return claims
