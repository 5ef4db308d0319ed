"""A language of replies is one file: no other module of extraction holds a word of it."""

from __future__ import annotations

import ast
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gfactor import scoring
from gfactor.scoring import extraction
from gfactor.scoring.extraction import markers, signs
from gfactor.scoring.extraction.language import Language

ROOT = Path(extraction.__file__).parent
MODULES = sorted(ROOT.glob("*.py"))
EQUALITY = ROOT.parent / "quantities.py"
"""The rule that compares numbers with units, which needs words of languages too."""
LANGUAGES = {
    path.stem: import_module(f"{extraction.__name__}.languages.{path.stem}").LANGUAGE
    for path in sorted((ROOT / "languages").glob("[a-z]*.py"))
}
MARKUP = {
    "blank_texts": "text",  # LaTeX
    "cases": "single last one line none or",  # the formats of cases
    "cleaning": "to text",  # LaTeX
    "mentions": "sin",  # a function
    "options": "sin",  # a function
    "normalize": "think thought thoughts reasoning reflection analysis begin end strike li tr p "
    "body del em font mark small sub table text ce underline left right bold",  # tags and LaTeX
    "structured": "text times triangle",  # LaTeX
    "turns": "final assistant conclusion user analysis",  # marks of model families
}
"""Module -> words of its expressions that belong to a markup or a format, in any language."""
REGEX = re.compile(r"\(\?|\||\\[bsw]")
NO_WORDS = re.compile(r"\(\?P<\w+>|\(\?[a-z-]+[:)]|\\u[0-9a-f]{4}|\\+[a-zA-Z]|\[[^\]]*\]")


def words(text: str) -> set[str]:
    """The words of two letters or more in an expression."""
    return set(re.findall(r"(?<![\w'])[a-z]{2,}(?![\w'])", NO_WORDS.sub(" ", text).lower()))


def expressions(source: str) -> Iterator[str]:
    """The texts of a module that are regular expressions, or parts of one, and no docstrings."""
    tree = ast.parse(source)
    described = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in described
            and REGEX.search(node.value)
        ):
            yield node.value


@cache
def vocabulary() -> set[str]:
    texts = [
        re.sub("[^,=]+=", "", text) if field.name == "unit_names" else text
        for language in LANGUAGES.values()
        for field in fields(Language)
        if isinstance(text := getattr(language, field.name), str)
    ]
    return set().union(*map(words, texts))


ESCAPE = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})", re.IGNORECASE)
RANGE = re.compile(r"[^\x00-\x7f]-[^\x00-\x7f]")
"""A range of letters in a class: it says which letters a script has, and no word."""
OTHER_CASES = set("\u0130\u0131\u017f\u1e9e\u212a\u212b\u2c7e\u2c7f")
"""Letters whose other case lies in another block of Unicode; `scanning` looks for these as such."""


def spelled_out(source: str) -> str:
    """A source with the characters that its escapes stand for."""
    return ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)), source)


def foreign(source: str) -> set[str]:
    """The characters of a source that are not ASCII."""
    return {c for c in spelled_out(source) if not c.isascii()}


def of_a_language(character: str) -> bool:
    """Whether a character belongs to words: a letter, also one in a circle.

    Signs are none: quotes, dashes, numbers in circles, raised letters, and the Greek letters of
    formulas and units.
    """
    name = unicodedata.name(character, "")
    letter = unicodedata.category(character) in ("Lo", "Ll", "Lu") or " HANGUL " in name
    return letter and not name.startswith("GREEK ")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_other_module_holds_a_letter_that_is_not_ascii(path: Path) -> None:
    source = path.read_text("utf-8")
    held = foreign(RANGE.sub("", spelled_out(source)))
    assert not {c for c in held if of_a_language(c)} - OTHER_CASES
    assert path.stem == "signs" or source.isascii()


@pytest.mark.thorough
def test_a_sign_of_a_kind_is_read_like_the_others() -> None:
    options = {"A": "red", "B": "blue", "C": "green", "D": "white"}
    for cross in signs.CROSSES:
        listed = extraction.extract(f"{cross} A\n\u2713 B\n{cross} C\n\u2713 D", "choices", options)
        assert listed.answer == {"B", "D"}, cross
    for tick in signs.ROUND_MARKS:
        row = extraction.extract(f"{tick}\u2717{tick}\u2717", "choices", options)
        assert row.answer == {"A", "C"}, tick
    for bullet in signs.BULLETS:
        assert extraction.extract(f"{bullet} B", "choice", options).answer == "B", bullet


MADE_UP = """
from gfactor.scoring.extraction.language import Language

LANGUAGE = Language(
    spaced=True, heading="talvo", announce="talvo zor", weak="ke", points="mirta", filler="nur",
    option="opsa", right="korva", wrong="malkorva", not_before="nenu", unreal="sevo",
    correction="atenu", retraction="atenu", conclusion="dokva", both="kaj", either="auk",
    until="gisto", every="cioj", none="nenioj", excluding="krumo", excluding_after="", only="nurne",
    denied="malne", affirmed="jesne", others="aliaj", refusal="nepovu", declines="mankasu",
    stop="\u0589",
)
"""


def read_anew(folder: Path, replies: list[str], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the rules read that are imported with the languages of a folder, too."""
    package = extraction.__name__
    before = [name for name in sys.modules if name.partition(f"{package}.")[0] in ("", package)]
    languages = ModuleType(f"{package}.languages")
    languages.__path__ = [str(ROOT / "languages"), str(folder)]
    with monkeypatch.context() as patch:
        patch.setattr(scoring, "extraction", extraction)
        for name in before:
            patch.delitem(sys.modules, name)
        patch.setitem(sys.modules, languages.__name__, languages)
        anew = import_module(package)
        options = {"A": "red", "B": "blue", "C": "green"}
        found = [anew.extract(reply, "choice", options).answer for reply in replies]
    sys.modules.pop(f"{package}.languages.madeup", None)
    return found


@pytest.mark.thorough
def test_a_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "madeup.py").write_text(MADE_UP, "utf-8")
    replies = [
        "Talvo: B",
        "Vorda trinu rondoj. Ra talvo zor C.",
        "Talvo zor A. Atenu, talvo zor B.",
        "Korva estas: C korva\u0589",
        "Nepovu vidi",
    ]
    assert read_anew(tmp_path, replies, monkeypatch) == ["B", "C", "B", "C", None]
    shipped = extraction.extract(replies[2], "choice", {"A": "red", "B": "blue"})
    assert shipped.answer is None


@pytest.mark.thorough
@pytest.mark.parametrize("path", [*MODULES, EQUALITY], ids=lambda path: path.stem)
def test_no_other_module_holds_a_word_of_a_language(path: Path) -> None:
    spelled = set().union(*map(words, expressions(path.read_text("utf-8"))))
    assert not (spelled & vocabulary()) - set(MARKUP.get(path.stem, "").split())


NAMES = ("same_things", "true_texts", "false_texts", "yes_texts", "no_texts")
"""Kinds of words that are lists of names, and no expressions."""
SPACED_NAMES = ("color_names", "shape_names", "format_words")
FORMATS = {"true", "false", "yes", "no"}
"""Names that an answer format or JSON spells, in any language."""


@pytest.mark.thorough
@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_other_module_holds_a_name_of_a_color_or_of_a_truth(path: Path) -> None:
    parts = [(kind, "[/,]") for kind in NAMES] + [(kind, " ") for kind in SPACED_NAMES]
    names = (
        {
            name
            for language in LANGUAGES.values()
            for kind, between in parts
            for name in re.split(between, getattr(language, kind))
            if name
        }
        - FORMATS
        - {field.name for field in fields(Language)}
    )
    assert {"grey", "rhombus", "nope"} <= names
    held = {
        node.value.casefold()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value
    }
    assert not held & names - set(MARKUP.get(path.stem, "").split())


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_word_of_each_language_would_be_noticed_elsewhere(name: str) -> None:
    announced = LANGUAGES[name].announce
    assert foreign(announced) or words(announced) & vocabulary()


def test_every_kind_of_word_is_asked_for_by_a_rule() -> None:
    rules = [*(path for path in MODULES if path.stem != "language"), EQUALITY]
    sources = "".join(path.read_text("utf-8") for path in rules)
    asked = {found[0] or found[1] for found in re.findall(r"[\"'](\w+)[\"']|\.(\w+)", sources)}
    assert {field.name for field in fields(Language)} <= asked


@pytest.mark.thorough
@pytest.mark.parametrize("name", LANGUAGES)
def test_every_kind_of_word_of_a_language_compiles_alone(name: str) -> None:
    for field in fields(Language):
        text = getattr(LANGUAGES[name], field.name)
        if isinstance(text, str) and text:
            re.compile(re.sub(r"\(\?P<\w+>", "(", f"[{text}]" if field.name == "script" else text))


def test_groups_of_several_languages_have_different_names() -> None:
    pattern = re.compile(markers.expressions("nth"), re.IGNORECASE)
    english, french = pattern.search("the second option"), pattern.search("la deuxième option")
    assert english
    assert markers.group_named(english, "second") == "second"
    assert french
    assert markers.group_named(french, "second") == "deuxième"
    assert markers.group_named(french, "first") is None


def test_a_kind_that_no_language_has_matches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markers, "all_languages", tuple)
    assert not re.search(markers.expressions.__wrapped__("and_word"), "A and B")
    with pytest.raises(KeyError):
        markers.expressions("adverbs")


PAGES = ("README.md", "docs/extraction.md", "docs/scoring.md", "docs/tutorials/own-benchmark.md")


@pytest.mark.parametrize("page", PAGES)
def test_no_page_counts_the_languages(page: str) -> None:
    """A further language would make it wrong; the page of extraction names them."""
    text = (ROOT.parents[3] / page).read_text("utf-8")
    assert not re.search(r"\b(?:[6-9]|1\d|seven|eight|nine|ten|eleven|twelve)\s+languages", text)


def test_the_page_of_extraction_names_every_language() -> None:
    text = " ".join((ROOT.parents[3] / "docs/extraction.md").read_text("utf-8").split())
    names = ", ".join(sorted(name.capitalize() for name in LANGUAGES))
    assert f"({names})" in text
