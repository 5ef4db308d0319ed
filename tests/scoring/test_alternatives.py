"""Words of all languages are tried in one order, which is not that of the languages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from re import _parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any

import pytest
import recorded_readings as readings
from hypothesis import given
from hypothesis import strategies as st

from gfactor.scoring.extraction.alternation import alternatives, ordered

HERE = Path(__file__).parent
SRC = Path(__file__).parents[2] / "src"
LANGUAGES = SRC / "gfactor" / "scoring" / "extraction" / "languages"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("e|e tamb[eé]m", [("e", 1), ("e tamb[eé]m", 8)]),
        ("and(?: also)?|or", [("and(?: also)?", 3), ("or", 2)]),
        (r"(?<!is )i\.e\.|(?:a|bc){2}d+", [(r"(?<!is )i\.e\.", 4), ("(?:a|bc){2}d+", 3)]),
        (r"[|(]\||\bno\b(?=\s)", [(r"[|(]\|", 2), (r"\bno\b(?=\s)", 2)]),
        (r"(?P<n>[^\]a|]{2,5}?)x*|\u4e00-", [(r"(?P<n>[^\]a|]{2,5}?)x*", 2), (r"\u4e00-", 2)]),
        ("a||b", [("a", 1), ("", 0), ("b", 1)]),
    ],
)
def test_an_expression_is_parted_at_its_own_bars(
    expression: str, expected: list[tuple[str, int]]
) -> None:
    assert alternatives(expression) == expected


PIECES = ("ab", "a|b", "[|)]", r"\(", "c?", "(?:d|ef)", "(?=g|h)", "(?<!x)", "i{2}", "k{,3}", "l+?",
          r"\b", r"\s", "$", ".", "(?i:m|n(?:o|p)q)*", r"\u00e9", "(?P<x>r|st)")  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8, unique=True))
def test_the_least_length_is_that_of_the_parsed_expression(pieces: list[str]) -> None:
    expression = "".join(pieces)
    found = alternatives(expression)
    assert "|".join(text for text, _ in found) == expression
    assert min(length for _, length in found) == _parser.parse(expression).getwidth()[0]


@given(
    st.permutations(["e|bem como|e também", "e anche|e|ed", "y|e", "and|as well as", "et|ainsi"])
)
def test_the_order_is_the_same_for_languages_in_any_order(texts: list[str]) -> None:
    found = ordered(texts)
    assert found[:3] == ["as well as", "bem como", "e também"]
    assert found.index("e anche") < found.index("e")
    assert [*map(len, found)] == sorted(map(len, found), reverse=True)
    assert len(found) == len(set(found)) == 10


LANGUAGES_OF = """
import sys, types
name = "gfactor.scoring.extraction.languages"
languages = types.ModuleType(name)
languages.__path__ = sys.argv[1:2]
sys.modules[name] = languages
"""
READ = """
import json
import recorded_readings as readings
from gfactor.scoring.extraction.lexicons import NUMBER_WORDS
from gfactor.scoring.extraction.numbering import numbered
from gfactor.scoring.extraction.numerals import number_in_words
steps, signs, words, parts = json.loads(sys.argv[2])
print(json.dumps({
    "replies": {
        stem: {one.name: readings.as_text(one.read()) for one in [*readings.replies(stem)][::step]}
        for stem, step in steps.items()
    },
    "signs": [number_in_words(sign) for sign in signs],
    "words": [NUMBER_WORDS.get(word) for word in words],
    "parts": [numbered(text, 2) for text in parts],
}))
"""


def in_process_of(folder: Path, program: str, *arguments: str) -> Any:
    """Return what a program prints, as JSON, with the languages of a folder."""
    path = os.pathsep.join([str(SRC), str(HERE.parent), str(HERE)])
    done = subprocess.run(
        [sys.executable, "-c", LANGUAGES_OF + program, str(folder), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


def copy_languages(folder: Path) -> None:
    """Copy the languages under names that turn their order round."""
    files = sorted(LANGUAGES.glob("[a-z]*.py"), reverse=True)
    for number, path in enumerate(files):
        (folder / f"l{number}_{path.name}").write_text(path.read_text("utf-8"), "utf-8")


ITALIAN = """
from gfactor.scoring.extraction.language import Language

LANGUAGE = Language(
    spaced=True, heading="risposta", announce="risposta (?:giusta )?[e\u00e8]", weak="quindi",
    points="indica", filler="la", option="opzione", right="[e\u00e8] giusta",
    wrong="[e\u00e8] sbagliata", not_before="non", unreal="qualora", correction="anzi",
    retraction="aspetta", conclusion="dunque", both="e anche|e", either="o|oppure",
    until="a|fino a", every="tutte", none="nessuna", excluding="tranne",
    excluding_after="", only="solo",
    denied="no", affirmed="s[i\u00ec]", others="le altre", refusal="non posso", declines="manca",
    the="la|il", and_word="e", or_word="o", follower="e|che|per|o|non", it_is="[e\u00e8]",
)
"""


OWN_SIGNS = (
    ITALIAN.rstrip().removesuffix(")")
    + """
    digits="\\u0966\\u0967\\u0968\\u0969\\u096a\\u096b\\u096c\\u096d\\u096e\\u096f\\u0bf0",
    number_signs="[\\u0967-\\u096f]?\\u0bf0[\\u0967-\\u096f]?|[\\u0966-\\u096f]",
    letters="\\u0905\\u0906\\u0907",
    strict_units="nulla un duo tre quat cin ses set ot nov dis", strict_tens="vint",
)
"""
)
"""A language with digits, letters and numerals of its own, as Chinese, Korean and English have."""

STEPS = {stem: 1 if stem in ("pt", "es", "fr") else 20 for stem in readings.stems()}
"""Every reply in the languages that share words with Italian is read, of others each 20th."""
SIGNS = {"\u4e09": 3, "\u4e8c\u5341\u4e00": 21, "\u0969": 3, "\u0968\u0bf0\u0967": 21}
WORDS = {"zero": 0, "twenty one": 21, "nulla": 0, "vint un": 21, "vint zero": None}
PARTS = {
    "\uac00. salt\n\ub098. iron": ["salt", "iron"],
    "\u0905. salt\n\u0906. iron": ["salt", "iron"],
}


@pytest.fixture(scope="module")
def with_a_language_more(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what is read with one more language, the others in the opposite order.

    One process reads all, as compiling all words takes seconds.
    """
    folder = tmp_path_factory.mktemp("languages")
    copy_languages(folder)
    (folder / "a_first.py").write_text(OWN_SIGNS, "utf-8")
    return in_process_of(folder, READ, json.dumps([STEPS, [*SIGNS], [*WORDS], [*PARTS]]))


@pytest.mark.thorough
@pytest.mark.parametrize("step", [1, 20])
def test_neither_a_language_more_nor_the_order_of_the_files_changes_a_reading(
    with_a_language_more: dict[str, Any], step: int
) -> None:
    every = readings.recorded("whole")
    stems = [stem for stem in STEPS if STEPS[stem] == step]
    found = {stem: with_a_language_more["replies"][stem] for stem in stems}
    assert found == {
        stem: {name: every[stem][name] for name in [*every[stem]][::step]} for stem in stems
    }


def test_several_languages_may_have_digits_letters_and_numerals_of_their_own(
    with_a_language_more: dict[str, Any],
) -> None:
    found = with_a_language_more
    assert dict(zip(SIGNS, found["signs"], strict=True)) == SIGNS
    assert dict(zip(WORDS, found["words"], strict=True)) == WORDS
    assert dict(zip(PARTS, found["parts"], strict=True)) == PARTS
