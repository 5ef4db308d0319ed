"""Prompt packs: complete in six languages, replaceable, and readable by the rules of extraction."""

from __future__ import annotations

import json
from pathlib import Path
from string import Formatter

import pytest
from support.banks import make_items
from support.cli import run_cli
from support.exam import BLANKS, question

import gfactor as gf
from gfactor.administration import Condition, Journal, Materials, Packs, read_condition
from gfactor.administration.asking.registration import packs_used, register_bank
from gfactor.administration.packs import KEYS, shipped
from gfactor.administration.presenting.rendering import render
from gfactor.errors import GfactorError, JournalError
from gfactor.items import ItemBank, write_bank
from gfactor.scoring.extraction import extract

LANGUAGES = ("en", "zh", "fr", "es", "pt", "ko")

HASHES = {
    "generic/en": "d9ffb2e2cab7",
    "generic/zh": "34e970e59861",
    "generic/fr": "389a5d8776a2",
    "generic/es": "bcb27ebc7720",
    "generic/pt": "ed184f70bf0a",
    "generic/ko": "3053cdf2aff4",
    "percept-v/en": "29eff6e61b90",
    "m3gia/en": "5040d997d7a3",
    "m3gia/es": "302117e2c2f5",
    "m3gia/fr": "60a11f4639f2",
    "m3gia/ko": "42b4e1735c14",
    "m3gia/pt": "b39e38f2d7a4",
    "m3gia/zh": "5d70639727d9",
    "mm-iq/en": "6761db1867a0",
    "mm-iq/zh": "73d5661b5ccc",
    "multi/en": "176664d733fe",
    "multi/zh": "193986e27a22",
}
"""A changed sentence is another measurement: a changed hash deserves a line in the changelog."""


@pytest.mark.parametrize("name", HASHES)
def test_the_shipped_prompts_are_those_that_were_measured_with(name: str) -> None:
    pack = Packs().find(*name.split("/"))
    assert (pack.name, pack.hash) == (name, HASHES[name])
    assert {f"{layer.benchmark}/{layer.language}" for layer in shipped()} == set(HASHES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything_in_its_own_words(language: str) -> None:
    pack, english = Packs().find("any", language), Packs().find("any", "en")
    for table, keys in KEYS.items():
        for key, fields in keys.items():
            sentence = pack.tables[table][key]
            used = {name for _, name, _, _ in Formatter().parse(sentence) if name}
            assert used == set(fields), f"{table}.{key} of {language}"
            assert sentence.strip()
            assert language == "en" or sentence != english.tables[table][key], f"{table}.{key}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "said", "answer"),
    [
        ("choice", "C", "C"),
        ("choices", "A, C", frozenset("AC")),
        ("blanks", "\n10\n20", ("10", "20")),
    ],
)
def test_an_answer_as_the_pack_asks_for_it_is_read(
    language: str, kind: str, said: str, answer: object
) -> None:
    line = Packs().find("any", language).say("sentences", "answer_line", answer=said)
    options = dict(zip("ABCD", ("eins", "zwei", "drei", "vier"), strict=True))
    for reply in (line, f"1 + 1 = 2.\n\n{line}"):
        assert extract(reply, kind, options, blanks=2).answer == answer, reply


@pytest.mark.parametrize("tag", ["zh-Hans", "zh-Hant-TW", "ZH", "pt-BR"])
def test_a_regional_language_is_served_by_its_language(tag: str) -> None:
    assert Packs().find("exam", tag).language == tag.lower().split("-")[0]


def test_a_benchmarks_pack_lies_over_the_generic_one() -> None:
    own, generic = Packs().find("percept-v", "en"), Packs().find("other", "en")
    assert own.name == "percept-v/en"
    assert own.tables["reasoned"]["formatted"] != generic.tables["reasoned"]["formatted"]
    assert own.tables["task"] == generic.tables["task"]


def test_a_users_pack_replaces_single_sentences_and_marks_the_condition(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('language = "en"\n[task]\nchoice = "Pick one."\n')
    materials = Materials(packs=Packs.of([path]))
    shown = render(question(), Condition(), materials).content
    assert str(shown[0]).startswith("Pick one.")
    plain = render(question(), Condition()).content
    assert str(shown[-1]) == str(plain[-1])
    key = materials.stamped(Condition()).key
    assert key == f"pack={materials.packs.hash}"
    path.write_text(path.read_text().replace("one", "1"))
    assert Materials(packs=Packs.of([path])).stamped(Condition()).key != key


def test_the_first_pack_given_counts_most(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.toml", "b.toml")]
    for path in paths:
        path.write_text(f'language = "en"\n[task]\nchoice = "{path.stem}"\n')
    assert Packs.of(paths).find("exam", "en").tables["task"]["choice"] == "a"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[task]\nchoice = 'x'", "must say its language"),
        ("language = 'en'\n[tsk]\nchoice = 'x'", "did you mean 'task'?"),
        (
            "language = 'en'\n[task]\nchoise = 'x'",
            "did you mean 'choice'? [task] may have choice, choices, blanks, open",
        ),
        ("language = 'en'\n[task]\nchoice = 3", "must be a text in quotation marks"),
        ("language = 'en'\ntask = 3", "is a table"),
        ("language = 'en'\nbackground = 3", "must be a text"),
        ("language = 'en'\n[sentences]\ncaption = '{words}'", "it may have {number} and {text}"),
        ("language = 'en'\n[sentences]\ncaption = '{text.__class__}'", "plain name"),
        ("language = 'en'\n[sentences]\ncaption = '{text!r:>9}'", "plain name"),
        ("language = 'en'\n[sentences]\ncot = '{'", "write a brace of the text as {{"),
        ("language = ", "is not TOML"),
        ("\xff", "is not"),
    ],
)
def test_a_wrong_pack_is_refused_in_one_sentence(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(GfactorError) as refused:
        Packs.of([path])
    assert said in str(refused.value)


def test_a_language_without_a_pack_is_missed_only_when_a_sentence_is_needed(tmp_path: Path) -> None:
    (formatted,) = make_items("a", 1, 1)
    german = question(language="de")
    assert render(formatted.__class__(**{**vars(formatted), "language": "de"}), Condition())
    with pytest.raises(GfactorError, match="there is no prompt pack for language 'de'"):
        render(german, Condition())
    assert render(german, read_condition("prompt_language=en"))
    path = tmp_path / "de.toml"
    path.write_text('language = "de"\n[task]\nchoice = "Waehle."\n')
    with pytest.raises(GfactorError, match=r"has no task\.choices"):
        render(german, Condition(), Materials(packs=Packs.of([path])))


def test_a_journal_knows_the_packs_of_its_answers_and_refuses_changed_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [question("q1"), question("q2", language="zh-Hans", **BLANKS)]
    bank = ItemBank.open(write_bank(items, tmp_path / "b.parquet"))
    used = packs_used(bank.frame(), Condition(), Materials())
    assert used == {name: HASHES[name] for name in ("generic/en", "generic/zh")}
    with Journal.open(tmp_path / "c.db") as journal:
        register_bank(journal, bank, "a:b", Condition(), 1)
        (campaign,) = journal.meta()["campaigns"]
        assert campaign["packs"].count("generic/") == 2
        register_bank(journal, bank, "a:c", Condition(), 1)
        english = next(layer for layer in shipped() if layer.language == "en")
        monkeypatch.setitem(english.tables["task"], "choice", "Choose.")  # type: ignore[arg-type]
        with pytest.raises(JournalError, match=r"prompt pack generic/en was d9ffb2e2cab7"):
            register_bank(journal, bank, "a:b", Condition(), 1)


def test_items_that_say_everything_themselves_depend_on_no_pack(tmp_path: Path) -> None:
    bank = ItemBank.open(write_bank(make_items(), tmp_path / "b.parquet"))
    for text in ("default", "images=removed", "images=blank", "presentation=image-per-turn"):
        assert packs_used(bank.frame(), read_condition(text), Materials()) == {}
    assert packs_used(bank.frame(), read_condition("cot=on"), Materials()) == {
        "generic/en": HASHES["generic/en"]
    }


def test_a_pack_without_the_sentence_that_asks_to_decline_serves_all_other_conditions(
    tmp_path: Path,
) -> None:
    english = next(a for a in shipped() if (a.benchmark, a.language) == ("generic", "en"))
    lines = ['language = "de"']
    for table, keys in english.tables.items():
        said = {key: text for key, text in keys.items() if key != "decline"}
        lines += [f"[{table}]", *(f"{key} = '''{text}'''" for key, text in said.items())]
    path = tmp_path / "de.toml"
    path.write_text("\n".join(lines), "utf-8")
    materials = Materials(packs=Packs.of([path]))
    item = question(language="de")
    assert render(item, read_condition("cot=on"), materials).content
    with pytest.raises(GfactorError, match=r"no sentences\.decline, which decline=on needs"):
        render(item, read_condition("decline=on"), materials)


def test_multi_in_english_names_subject_and_level_in_english() -> None:
    labels = {"subject": "物理", "stage": "高中", "knowledge": ("浮力",)}
    item = question(benchmark="multi", language="zh", labels=labels)
    said = str(render(item, read_condition("background=on,prompt_language=en")).content[0])
    assert "Level: senior high school; subject: physics; topics: 浮力." in said
    own = str(render(item, read_condition("background=on")).content[0])
    assert "高中物理题" in own


def test_journals_asked_with_untranslated_subjects_are_not_gone_on_with(tmp_path: Path) -> None:
    item = question(benchmark="multi", language="zh")
    bank = ItemBank.open(write_bank([item], tmp_path / "b.parquet"))
    condition = read_condition("background=on,prompt_language=en")
    used = packs_used(bank.frame(), condition, Materials())
    assert set(used) == {"multi/en", "multi/en words"}
    with Journal.open(tmp_path / "c.db") as journal:
        journal.register([dict(
            bank="b", digest="x", items=1, examinee="t:a", condition=condition.key, occasions=1,
            packs=json.dumps({"multi/en": used["multi/en"]}), version="0", started="",
        )])  # fmt: skip
        with pytest.raises(JournalError, match="subjects and levels untranslated"):
            register_bank(journal, bank, "t:a", condition, 1)
        register_bank(journal, bank, "t:a", read_condition("prompt_language=en"), 1)


def test_an_unfit_table_of_words_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text('language = "en"\n[words]\nx = 1\n')
    with pytest.raises(GfactorError, match="words must be a table of texts"):
        Packs.of([path])


def test_the_printed_template_is_a_pack_that_serves_a_language_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run_cli(monkeypatch, capsys, "list", "prompt-pack")
    path = tmp_path / "de.toml"
    path.write_text(printed.out.replace('language = "en"', 'language = "de"'), encoding="utf-8")
    german = Packs.of([path]).find("own", "de")
    assert german.tables == Packs().find("own", "en").tables
    names = [f"{table}.{key}" for table, keys in KEYS.items() for key in keys]
    assert gf.available("prompt-pack")["name"].tolist() == names
    with pytest.raises(GfactorError, match="gfactor list prompt-pack"):
        Packs().find("own", "de")


@pytest.mark.parametrize(("language", "noted"), [("de", True), ("fr", False), ("zh-Hant", False)])
def test_a_build_notes_a_language_without_a_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    language: str, noted: bool,
) -> None:  # fmt: skip
    table, bank = tmp_path / "own.tsv", tmp_path / "bank.parquet"
    table.write_text("index\tquestion\tA\tB\tanswer\n1\tWelche?\tx\ty\tA\n")
    words = ("--from", table, "--language", language, "-o", bank)
    ran = run_cli(monkeypatch, capsys, "build", "vlmevalkit", *map(str, words))
    assert ("no prompt pack is shipped in de" in ran.out) is noted
    gf.build("vlmevalkit", source=table, language=language, path=tmp_path / "again.parquet")
    assert ("note: no prompt pack is shipped in de" in capsys.readouterr().err) is noted
