"""The language of a row as the column `language` of its table has it."""

from __future__ import annotations

import re

from gfactor.benchmarks.vlmevalkit.table import Row

LANGUAGE_COLUMN = "language"

_CODES = frozenset(
    re.findall(
        "[a-z]+",
        "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu "
        "cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he "
        "hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko "
        "kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd "
        "ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se "
        "sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty "
        "ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ",
    )
)
"""The codes of languages with two letters (ISO 639-1), with which BCP 47 tags begin."""

_TAG = re.compile(r"([a-z]{2})((?:-[a-z0-9]{2,8})*)", re.IGNORECASE)


def given_language(row: Row) -> str:
    """Return the BCP 47 tag in the column `language` of a row; "" for none, and for other texts,
    which stay a label.

    Examples
    --------
    >>> given_language({"language": "FR"}), given_language({"language": "zh-Hant"})
    ('fr', 'zh-Hant')
    >>> given_language({"language": "Python"})
    ''
    """
    cell = next((v for name, v in row.items() if name.strip().casefold() == LANGUAGE_COLUMN), "")
    tag = _TAG.fullmatch(cell.strip())
    return tag[1].lower() + tag[2] if tag and tag[1].lower() in _CODES else ""
