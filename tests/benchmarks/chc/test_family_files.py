"""What a family says and which levels it has stands in a file that needs no Python to be read."""

from __future__ import annotations

import ast
import contextlib
import re
from pathlib import Path

import pytest

from gfactor.benchmarks import chc
from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family_files import declared, texts_beside
from gfactor.benchmarks.templates import brace_flaw
from gfactor.benchmarks.texts import LANGUAGES, Say, say
from gfactor.errors import ParameterError
from gfactor.examinees.observer import domains as observer_domains

MODULES = sorted(Path(chc.__file__).parent.rglob("*.py"))

FILE = """
ability = "Gs"
origin = "nobody"
literature = ["Nowhere."]

[radicals]
size = [2, 3]
order = ["sorted", "mixed"]

[presets.easy]
size = [2]

[texts]
speck = "({x}, {y})"

[texts.ask]
en = "How many?"
ko = "몇 개?"

[words.thing]
dot = "o"

[words.thing.star]
en = ["star", "stars", "n"]
ko = "별"
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "dots.toml").write_text(FILE, "utf-8")
    return tmp_path / "dots.py"


@pytest.mark.thorough
@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_of_families_holds_a_sentence_of_a_language(path: Path) -> None:
    source = path.read_text("utf-8")
    assert not re.search("[\u3040-\u9fff\uac00-\ud7a3]", source)
    assert not any(f'"{tag}":' in source for tag in LANGUAGES)


def test_a_file_gives_the_arguments_of_its_family(module: Path) -> None:
    given = declared(str(module), COMMON)
    assert (given["name"], given["ability"], given["mm_iq"]) == ("dots", "Gs", ())
    assert given["radicals"] == {"size": (2, 3), "order": ("sorted", "mixed")}
    assert given["presets"] == {"easy": {"size": (2,)}}
    assert given["extreme"] == {}


def test_one_string_is_the_template_and_the_word_of_every_language(module: Path) -> None:
    texts = declared(str(module))["texts"]
    assert [texts.write(say("speck", x=1, y=2), tag) for tag in LANGUAGES] == 6 * ["(1, 2)"]
    assert texts.templates["ask"] == {"en": "How many?", "ko": "몇 개?"}
    assert texts.words["thing"]["dot"] == dict.fromkeys(LANGUAGES, ("o",))
    assert texts.words["thing"]["star"] == {"en": ("star", "stars", "n"), "ko": ("별",)}


def test_a_family_s_own_sentence_replaces_the_shared_one(module: Path) -> None:
    module.with_suffix(".toml").write_text(FILE + '\n[texts.reply_ok]\nen = "Say OK."\n', "utf-8")
    texts = declared(str(module), COMMON)["texts"]
    assert texts.templates["reply_ok"] == {"en": "Say OK."}
    assert texts.templates["in_words"] == COMMON.templates["in_words"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('origin = "nobody"\n', "", "dots.toml lacks origin; a family needs "),
        ("[radicals]", "[radical]", "dots.toml lacks radicals"),
        ("[words.thing]", "[word.thing]", "dots.toml has the key 'word'; there are ability"),
        (
            "presets.easy",
            "presets.simple",
            "dots.toml, presets has the key 'simple'; there are easy, medium",
        ),
        ('"Gs"', '"Gx"', "dots.toml: ability 'Gx' is none of Gf-I, Gf-RG"),
        ("size = [2]", "size = [2", "dots.toml is no TOML: "),
    ],
)
def test_a_mistake_in_a_file_is_one_sentence(
    module: Path, old: str, new: str, sentence: str
) -> None:
    module.with_suffix(".toml").write_text(FILE.replace(old, new), "utf-8")
    with pytest.raises(ParameterError) as caught:
        declared(str(module))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('["Nowhere."]', '"Nowhere."', "literature: give a list of texts, ["),
        ('"nobody"', "3", 'origin: give a text, "...", not 3'),
        ("size = [2, 3]", "size = 2", "radicals.size: give a list of levels, whole numbers or"),
        ('["sorted", "mixed"]', '"sorted"', "radicals.order: give a list of levels"),
        ("size = [2, 3]", "size = [true, false]", "radicals.size: give a list of levels"),
        ("size = [2]", "sise = [2]", "presets.easy: there is no radical 'sise'; did you mean"),
        ("size = [2]", "size = [7]", "presets.easy.size: 7 is no level; radicals.size has 2, 3"),
        ('"How many?"', "3", 'texts.ask, en: give a text, "...", not 3'),
        ("[texts.ask]", "ask = 3\n[texts.aske]", "texts.ask: give a text or a table, [texts.ask]"),
        ('ko = "별"', 'de = "Stern"', "words.thing.star has the language 'de'; there are en, zh"),
        ('ko = "별"', "ko = 3", 'words.thing.star, ko: give one form, "...", a noun\'s'),
        ('"stars", "n"', '"stars", "x"', "words.thing.star, en: give one form"),
        ("many?", "many {row : {things}?", "texts.ask, en: '{row : {things}' is no field; write {"),
        ("many?", "many {form:>10}?", "texts.ask, en: '{form:>10}' is no field"),
        ("many?", "many {form.x}?", "texts.ask, en: '{form.x}' is no field"),
        ("many?", "many form}?", "texts.ask, en: 'How many form}' is no field"),
        ("many?", "many {form?", "texts.ask, en: '{form?' is no field"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_named_with_its_key_and_what_to_write(
    module: Path, old: str, new: str, sentence: str
) -> None:
    assert old in FILE
    module.with_suffix(".toml").write_text(FILE.replace(old, new), "utf-8")
    with pytest.raises(ParameterError) as caught:
        declared(str(module))
    assert f"dots.toml, {sentence}" in str(caught.value)


def test_every_form_of_a_field_is_well_formed() -> None:
    fields = "{count} {form2} {form:n=count} {size:of=form} {size:of=form,n=count} {{x}}"
    assert brace_flaw(fields) == ""


def test_a_file_in_another_encoding_names_the_line(module: Path) -> None:
    module.with_suffix(".toml").write_bytes(FILE.encode("utf-8") + "\n# Où\n".encode("latin-1"))
    line = FILE.count("\n") + 2
    with pytest.raises(ParameterError, match=rf"not in UTF-8 \(line {line}\); save it as UTF-8"):
        declared(str(module))


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (say("aske"), "the module says 'aske', and there is no texts.aske; add it, or rename "
         "dots.toml, texts.ask"),
        (say("speck", x=1, z=2), "dots.toml, texts.speck, en: {y} has no value; the module gives "
         "{x}, {z}"),
        (say("speck", x="dot", y=2), "dots.toml, texts.speck, en: {x} is to be 'dot'; add "
         "words.x.dot"),
    ],
)  # fmt: skip
def test_what_the_module_says_and_the_file_lacks_is_one_sentence(
    module: Path, one: Say, sentence: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        declared(str(module))["texts"].write(one, "en")
    assert str(caught.value) == sentence


def test_a_field_that_the_module_reads_and_no_template_has_is_named() -> None:
    with pytest.raises(ParameterError, match=r"texts.row: .* reads \{row\} .* has \{line\}; write"):
        say("row", line=1)["row"]


def test_a_module_without_its_file_says_where_to_put_it(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"lost\.toml cannot be read .*beside the module"):
        declared(str(tmp_path / "lost.py"))


def test_the_file_of_a_shared_module_holds_sentences_and_words_alone(module: Path) -> None:
    with pytest.raises(ParameterError, match="has the key 'ability'; there are texts, words"):
        texts_beside(str(module))
    assert set(COMMON.words) == {"form", "definite", "size", "shade", "way", "spot"}


def constants(path: Path) -> dict[str, object]:
    """Literal values of the constants of a module."""
    found: dict[str, object] = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            pairs = (
                zip(target.elts, node.value.elts, strict=True)
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                else [(target, node.value)]
            )
            for name, value in pairs:
                with contextlib.suppress(ValueError):
                    found[ast.unparse(name)] = ast.literal_eval(value)
    return found


@pytest.mark.thorough
def test_drawing_and_observer_have_no_constant_of_one_name_and_value() -> None:
    """They share them through `gfactor.imaging.measures`."""
    observers = Path(observer_domains.__file__).parent
    families = Path(chc.__file__).parent / "families"
    twice = []
    for path in sorted(families.glob("[a-z]*.py")):
        if (observer := observers / path.name).exists():
            drawn, read = constants(path), constants(observer)
            twice += [(path.stem, name) for name in drawn if drawn[name] == read.get(name)]
    assert constants(families / "tower_planning.py") | constants(families / "matrices.py")
    assert not twice
