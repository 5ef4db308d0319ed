"""The language of a row as the column `language` or `lang` of its table has it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from gfactor.benchmarks.vlmevalkit.known_sets import is_known
from gfactor.benchmarks.vlmevalkit.table import Row

LANGUAGE_COLUMNS = ("language", "lang")
"""Columns that say the language, in any case; the first that does counts."""

LANGUAGE_SPELLINGS = tuple(
    spelled for name in LANGUAGE_COLUMNS for spelled in (name, name.capitalize(), name.upper())
)

ASSUMED_LANGUAGE = "en"
"""The language of a text that nothing names, and whose script tells none."""

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

_NAMES = {
    name: tag
    for tag, *names in map(
        str.split,
        """
        ar arabic ara العربية
        bg bulgarian bul български
        bn bengali ben bangla বাংলা
        ca catalan cat català
        cs czech ces cze čeština
        da danish dan dansk
        de german deu ger deutsch
        el greek ell gre ελληνικά
        en english eng
        es spanish spa español castellano
        et estonian est eesti
        fa persian fas per farsi فارسی
        fi finnish fin suomi
        fr french fra fre français
        he hebrew heb עברית
        hi hindi hin हिन्दी
        hr croatian hrv hrvatski
        hu hungarian hun magyar
        id indonesian ind
        it italian ita italiano
        ja japanese jpn 日本語
        ko korean kor 한국어
        lt lithuanian lit lietuvių
        lv latvian lav latviešu
        ms malay msa may
        nl dutch nld dut nederlands
        no norwegian nor norsk
        pl polish pol polski
        pt portuguese por português
        ro romanian ron rum română
        ru russian rus русский
        sk slovak slk slo slovenčina
        sl slovenian slovene slv slovenščina
        sr serbian srp српски
        sv swedish swe svenska
        sw swahili swa kiswahili
        ta tamil tam தமிழ்
        th thai tha ไทย
        tr turkish tur türkçe
        uk ukrainian ukr українська
        ur urdu urd اردو
        vi vietnamese vie
        zh chinese zho chi mandarin 中文
        """.strip().splitlines(),
    )
    for name in names
}
"""Names of languages in English and in themselves, and codes with three letters, as tags."""

_TAG = re.compile(r"([a-z]{2})((?:[-_][a-z0-9]{2,8})*)", re.IGNORECASE)


def language_in(cell: str, *, names: bool = True) -> str:
    """Return the BCP 47 tag of a cell with a language; "" for none, and for other texts.

    Without `names` only tags count.

    Examples
    --------
    >>> language_in("FR"), language_in("pt_BR"), language_in("Português"), language_in("Python")
    ('fr', 'pt-BR', 'pt', '')
    """
    tag = _TAG.fullmatch(cell.strip())
    if tag and tag[1].lower() in _CODES:
        return tag[1].lower() + tag[2].replace("_", "-")
    return _NAMES.get(cell.strip().casefold(), "") if names else ""


def columns_of_languages(rows: Iterable[Row], dataset: str) -> frozenset[str]:
    """Return the columns of a data set, in lower case, whose cells are languages or empty.

    In a data set that VLMEvalKit knows by name, the column `lang` and names of languages are facts
    about the items, as published.
    """
    is_published = is_known(dataset)
    columns: dict[str, bool] = {}
    for row in rows:
        for name, cell in row.items():
            column = name.strip().casefold()
            if column in LANGUAGE_COLUMNS[: 1 if is_published else 2]:
                is_language = not cell.strip() or bool(language_in(cell, names=not is_published))
                columns[column] = columns.get(column, True) and is_language
    return frozenset(column for column, is_language in columns.items() if is_language)


def given_language(row: Row, dataset: str, columns: Collection[str]) -> tuple[str, str]:
    """Return the tag of a row's language and the column, in lower case, that says it; "" for none.

    The column `language` says it in every row whose cell is a language, `lang` only if it is among
    the `columns_of_languages` of the table.
    """
    cells = {name.strip().casefold(): cell for name, cell in row.items()}
    for column in LANGUAGE_COLUMNS:
        if column == LANGUAGE_COLUMNS[0] or column in columns:
            tag = language_in(cells.get(column, ""), names=not is_known(dataset))
            if tag:
                return tag, column
    return "", ""
