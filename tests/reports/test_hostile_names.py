"""Names that a terminal, a browser or a formula would obey are written out in figures and pages."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.reports import read_error_labels, read_model_facts
from gfactor.reports.drawing.canvas import bars, drawing_style, legible, rendered
from gfactor.reports.figure_registry import Figure
from gfactor.reports.pages.analysis import AnalysisReport, write_analysis

NAMES = ("a\x1b[31mb", "\u202egpt", "模型", "$\\frac$", "costs $5 or $6", "x\x00y", "plain")
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


def hostile_bars() -> Figure:
    """Hostile names at ticks, in the legend and as the axis' label."""
    rows = pd.DataFrame(
        [
            {"group": group, "kind": kind, "share": 0.5, "share_low": 0.4, "share_high": 0.6}
            for group in NAMES
            for kind in NAMES
        ]
    )
    drawing = bars(rows, "group", "kind", "share", NAMES[0])
    drawing.axes[0].set_title(NAMES[1])
    drawing.axes[0].annotate(NAMES[3], (0.5, 1))
    return Figure(f"Bars of {NAMES[1]}", f"bars of {NAMES[0]}", ("table",), drawing, (NAMES[1],))


def test_texts_of_drawings_are_in_letters_of_their_font() -> None:
    assert legible(NAMES) == [
        "a\\x1b[31mb", "\\u202egpt", "\\u6a21\\u578b", "\\$\\frac\\$",
        "costs \\$5 or \\$6", "x\\x00y", "plain",
    ]  # fmt: skip
    assert legible(["two\nlines", "\U0001f9ff", "é"]) == ["two\nlines", "\\U0001f9ff", "é"]
    assert legible(legible(NAMES)) == legible(NAMES)


@pytest.mark.thorough
def test_hostile_names_are_drawn_and_leave_a_whole_file() -> None:
    with drawing_style():
        drawing = hostile_bars().drawing
        files = rendered(drawing)
        assert rendered(drawing) == files, "drawn again, the same"
    text = files["svg"].decode("utf-8")
    ElementTree.fromstring(text)
    assert not OBEYED.search(text)
    for written in ("a\\x1b[31mb", "\\u202egpt", "\\u6a21\\u578b", "costs $5 or $6"):
        assert f"<!-- {written} -->" in text
    assert [label.get_text() for label in drawing.axes[0].get_yticklabels()] == legible(NAMES)


def test_a_page_writes_out_what_a_browser_would_obey(tmp_path: Path) -> None:
    with drawing_style():
        report = AnalysisReport(
            f"Title {NAMES[1]}", ((NAMES[0], NAMES[1]),), figures={"bars": hostile_bars()}
        )
    text = write_analysis(report, tmp_path).path.read_text("utf-8")
    assert not OBEYED.search(text)
    assert "Title \\u202egpt" in text
    assert 'alt="bars of a\\x1b[31mb"' in text
    assert "{" in text.partition("<style>")[2], "the style sheet is left as it is"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b"examinee,examinee,context_window\nm,m,1\n", "two columns called 'examinee'"),
        (b"examinee,context_window\n\x81,1\n", "line 2: this is not text in UTF-8"),
        (b'examinee,context_window\n"m,1\n', "line 2: a quotation mark is opened"),
    ],
)
def test_files_of_facts_and_labels_are_read_like_every_table(
    content: bytes, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "given.csv"
    path.write_bytes(content)
    with pytest.raises(ParameterError, match=told):
        read_model_facts(path, ["m"])
    with pytest.raises(ParameterError, match=told):
        read_error_labels(path, pd.DataFrame())


def test_a_file_of_facts_may_begin_with_a_mark_as_spreadsheets_write_it(tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_text("\ufeffexaminee,context_window\nm,1000\n", "utf-8")
    assert read_model_facts(path, ["m"]).loc["m", "context_window"] == 1000
