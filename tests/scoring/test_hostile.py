"""Replies with hostile content are stored as they came, and shown and exported safely."""

from __future__ import annotations

import csv
import json
import unicodedata
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import answered
from support.banks import make_item
from support.cli import Ran, run_cli
from support.exam import BLANKS, question

from gfactor.administration.storing.rows import without_nul
from gfactor.cli.common import put_json, say
from gfactor.errors import ParameterError
from gfactor.escaping import spreadsheet_safe, visible, visible_json
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.formatting import to_csv, to_latex, to_markdown
from gfactor.scoring import matrix, scored, write_answers
from gfactor.scoring.questions import question_about
from gfactor.scoring.replies import read_reply

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u200b\x00\x08\x7f"
NASTY = f'{ESCAPES}<script>alert(1)</script>\r\n=HYPERLINK("http://x")\nAnswer: B'
OBEYED = {sign for sign in ESCAPES if not sign.isprintable()}


def clean(text: str) -> bool:
    """Whether nothing in a text would be obeyed by a terminal."""
    return not OBEYED & set(text)


@pytest.mark.slow
def test_megabytes_are_stored_whole_and_scored(tmp_path: Path) -> None:
    huge = "B? C? " * (3 * 2**20 // 6) + "\nAnswer: B"
    items = [
        question("q1"), question("m1", answer_type="choices", target=("A", "B")),
        question("f1", **BLANKS), make_item("v1", labels={"domain": "d"}),
        question("o1", answer_type="open", target="a dog", choices=()),
    ]  # fmt: skip
    # A second; reading that grew with the square of the length would take hours.
    with answered(tmp_path, items, [("t:a", item.id, 0, huge) for item in items]) as journal:
        table = scored(journal).set_index("item_id")
        assert set(journal.responses()["text"]) == {huge}
    assert (table.loc["q1", "correct"], table.loc["m1", "points"]) == (1, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("sign", ["(", "{", "[", "$", "\\", "<", "*", "\n", " ", '{"a":', "A "])
def test_a_long_run_of_signs_is_read_to_its_end_and_holds_no_answer(sign: str) -> None:
    """A tenth of a second; rules that tried every pair of signs would take hours."""
    reply = sign * (30_000 // len(sign))
    for item in (question(), question(**BLANKS), question(answer_type="open", target="x")):
        found = read_reply(reply, "ok", question_about(item, "default"))
        assert item.answer_type == "open" or not found.lenient.has_answer


@pytest.mark.thorough
def test_what_came_is_stored_and_what_leaves_is_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> Ran:
        return run_cli(monkeypatch, capsys, *words)

    who = f"t:{ESCAPES}"
    item = question("q1", labels={"domain": f"d{ESCAPES}<b>"})
    with answered(tmp_path, [item], [(who, "q1", 0, NASTY)]) as journal:
        assert journal.responses()["text"].tolist() == [NASTY]
        name = journal.name
    csv_file, parquet = str(tmp_path / "a.csv"), str(tmp_path / "a.parquet")
    for words in (
        ("score", name), ("score", name, "--json"), ("matrix", name), ("matrix", name, "--json"),
        ("score", name, "-o", csv_file), ("score", name, "-o", parquet),
        ("matrix", name, "-o", str(tmp_path / "m.csv")),
        ("score", name, "--examinee", f"t:{ESCAPES}x"), ("score", f"{name}\x1b[2J"),
    ):  # fmt: skip
        ran = run(*words)
        assert clean(ran.out + ran.err), words
    shown = json.loads(run("matrix", name, "--json").out)
    assert shown["examinees"] == [who]
    for file in (csv_file, tmp_path / "m.csv"):
        assert clean(Path(file).read_text(encoding="utf-8"))
    assert pd.read_parquet(parquet)["text"].tolist() == [NASTY]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", " =1", "\n=1", "＝1+1",
     "'=1", '"=1'],
)  # fmt: skip
def test_no_cell_is_a_formula(text: str) -> None:
    assert spreadsheet_safe(text).startswith("'")


@pytest.mark.parametrize("text", ["-3", "+1.5", "-1e-9", "B", "", "a=b", "1-2", "(=1)"])
def test_what_is_no_formula_stays_as_it_is(text: str) -> None:
    assert spreadsheet_safe(text) == text


@given(st.text())
def test_escaping_leaves_nothing_to_obey_and_plain_text_alone(text: str) -> None:
    shown = visible(text)
    assert clean(shown)
    assert not any(
        unicodedata.category(sign) in ("Cc", "Cs") for sign in shown if sign not in "\n\t"
    )
    assert visible(shown) == shown


@given(st.text(st.characters()))
def test_json_means_the_same_after_escaping(text: str) -> None:
    document = visible_json(json.dumps({text: text}, ensure_ascii=False))
    assert json.loads(document) == {text: text}
    assert clean(document)


def test_json_on_the_terminal_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    put_json({"said": NASTY + "\ud800"})
    out = capsys.readouterr().out
    assert clean(out)
    assert json.loads(out)["said"] == NASTY + "\ud800"


def test_answers_in_csv_are_one_record_each_and_no_formulas(tmp_path: Path) -> None:
    said = ["=1+1", "+1", 'a "quoted", cell\nof two lines', NASTY, "-2", "@x"]
    items = [question(f"q{k}") for k in range(len(said))]
    attempts = [("t:a", item.id, 0, text) for item, text in zip(items, said, strict=True)]
    with answered(tmp_path, items, attempts) as journal:
        table = scored(journal)
        path = write_answers(table, tmp_path / "a.csv")
        with pytest.raises(ParameterError, match=r"NAME.csv or NAME.parquet, not 'a.xlsx'"):
            write_answers(table, tmp_path / "a.xlsx")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows][:3] == ["'=1+1", "+1", said[2]]
    assert [row["text"] for row in rows][4:] == ["-2", "'@x"]
    assert rows[0]["knowledge"] == "k1; k2"
    cells = [cell for row in rows for cell in row.values()]
    assert not any(cell[:1] in ("=", "@") for cell in cells)


def test_the_score_matrix_in_csv_holds_no_formula(tmp_path: Path) -> None:
    item = question("q1", labels={"domain": "=1+1"})
    with answered(tmp_path, [item], [("@t:a", "q1", 0, "B")]) as journal:
        scores, counts = matrix(scored(journal)).to_csv(tmp_path / "s.csv")
    for path in (scores, counts):
        assert path.read_text().splitlines()[0] == "examinee,'=1+1"
        assert path.read_text().splitlines()[1].startswith("'@t:a,")


def test_a_reports_tables_hold_no_formula_no_escape_and_no_markup() -> None:
    frame = pd.DataFrame({"domain": ["=1+1", f"{ESCAPES}<script>x</script>|y"], "n": [-1, 2]})
    made = Table("T", frame)
    assert to_csv(made).splitlines()[1] == "'=1+1,-1"
    assert "<script>" not in to_markdown(made)
    for text in (to_csv(made), to_markdown(made), to_latex(made)):
        assert clean(text)


def test_postgresql_gets_no_nul() -> None:
    assert without_nul({"text": "a\0b", "occasion": 1}) == {"text": "a\\x00b", "occasion": 1}


def test_a_line_of_a_result_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    say(NASTY)
    out = capsys.readouterr().out
    assert clean(out)
    assert out.startswith("\\x1b[2J")
