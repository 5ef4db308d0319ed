"""Function words of languages in Latin script, which tell the language of a text."""

from __future__ import annotations

import re

FUNCTION_WORDS = {
    "en": "the of and is are was were that this which what with from for how following have has be "
    "it by not an on you your does do can will there their they if when",
    "fr": "le la les des une est et dans que qui sur pour pas avec sont ce cette du au aux ne il "
    "elle nous vous quel quelle quels suivant suivante combien plus ou",
    "es": "el la los las una es y en que del con por para se son como más su al cuál qué está este "
    "esta siguiente siguientes hay lo un pero cuántos si",
    "pt": "o os as uma é e em que do da dos das com por para se são como mais sua ao qual não no "
    "na está este esta seguinte seguintes há um mas quantos ou",
    "de": "der die das und ist ein eine nicht mit von zu den dem des sich auf für im welche "
    "welcher welches sind wie wird auch es an folgenden bei oder",
    "it": "il lo gli una è e che di del della dei con per si sono come più su quale non nel nella "
    "questo questa seguente seguenti un ma quanti alla",
}
"""Function words of languages in Latin script; a shared word counts for each language."""

_WORD_SETS = {language: frozenset(words.split()) for language, words in FUNCTION_WORDS.items()}
_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]|\\[a-zA-Z]+|\[MASK\]", re.DOTALL)
_TOKEN = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """Return the words of a text, formulas left out."""
    return _TOKEN.findall(_MATH.sub(" ", text))


def function_words(text: str) -> dict[str, int]:
    """Return the number of function words of each language in a text.

    Examples
    --------
    >>> function_words("Quantos barcos azuis há no porto?")["pt"]
    3
    """
    words = [word.casefold() for word in words_of(text)]
    return {name: sum(w in word_set for w in words) for name, word_set in _WORD_SETS.items()}
