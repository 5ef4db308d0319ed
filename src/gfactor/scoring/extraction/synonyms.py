"""Other words for the two options of a question that is answered by yes or no, true or false."""

from __future__ import annotations

from collections.abc import Mapping

_TRUE = (
    "true/correct/right/vrai/vraie/juste/exact/exacte/verdadero/verdadera/cierto/cierta/correcto"
    "/correcta/verdadeiro/verdadeira/correto/correta/certo/certa"
    "/正确/正確/对/對/对的/是对的/√/✓/✔"
    "/참/맞다/맞음/맞습니다/옳다/옳음/it is true/that is true/it's true/that's true/this is true"
    "/this is correct/that is correct/it is correct/that's correct/es verdad/es cierto/es correcto"
    "/es verdadero/c'est vrai/c'est exact/c'est juste/é verdade/é verdadeiro/está certo/é correto"
    "/참입니다/참이다/옳습니다"
)
_FALSE = (
    "false/incorrect/wrong/untrue/not true/not correct/faux/fausse/inexact/inexacte/pas vrai/falso"
    "/falsa/incorrecto/incorrecta/errada/incorreta"
    "/no es cierto/errado/incorreto/não é verdade/错误/錯誤/错/錯/错的/不对/不對"
    "/不正确/不正確/×/✗/✘"
    "/거짓/틀리다/틀림/틀렸습니다/틀렸다/옳지 않다/it is false/that is false/it's false"
    "/that's false/this is false"
    "/it is not true/it's not true/that's not true/this is not true/that is not true/that is wrong"
    "/that is incorrect/this is incorrect/it is incorrect/no es verdad/es falso/no es correcto"
    "/es incorrecto/c'est faux/ce n'est pas vrai/ce n'est pas exact/ce n'est pas juste/é falso"
    "/não é verdadeiro/está errado/não é correto/거짓입니다/거짓이다/옳지 않습니다/맞지 않습니다"
    "/맞지 않다"
)
_YES = "yes/yep/yeah/oui/sí/si/sim/是/是的/会/能/有/可以/예/네/그렇다/그렇습니다"
_NO = "no/nope/nah/non/não/nao/否/不/不是/不会/不能/没有/不可以/아니요/아니오/아니다/아닙니다"

_PAIRS = tuple(
    (frozenset(one.split("/")), frozenset(other.split("/")))
    for one, other in ((_TRUE, _FALSE), (_FALSE, _TRUE), (_YES, _NO), (_NO, _YES))
)


def synonyms(label_of: Mapping[str, str]) -> dict[str, str]:
    """Further texts (in lower case) of an item with two options, one the opposite of the other.

    Parameters
    ----------
    label_of: text (in lower case) to label, for each option.
    """
    if len(label_of) != 2:
        return {}
    first, second = label_of
    for one, other in _PAIRS:
        if first in one and second in other:
            return dict.fromkeys(one, label_of[first]) | dict.fromkeys(other, label_of[second])
    return {}


def truth(label_of: Mapping[str, str]) -> tuple[str, str] | None:
    """The labels of "true" and "false" where these, in some words, are an item's two options."""
    if len(label_of) != 2:
        return None
    first, second = label_of
    true, false = _PAIRS[0]
    if first in true and second in false:
        return label_of[first], label_of[second]
    if first in false and second in true:
        return label_of[second], label_of[first]
    return None
