"""Keys and options of VLMEvalKit's data sets that are written in ways of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.vlmevalkit import imported, predictions, row, write

from gfactor.errors import ParameterError
from gfactor.scoring import scored

NO_OPTIONS: dict[str, Any] = {"A": None, "B": None}


def test_a_key_that_is_a_list_has_alternatives(tmp_path: Path) -> None:
    asked = [
        row(1, "24/7", answer="['24/7', '3.429']", **NO_OPTIONS),
        row(2, "3.429", answer="['24/7', '3.429']", **NO_OPTIONS),
        row(3, "Center", answer="CENTRE<OR>Center", **NO_OPTIONS),
        row(4, "[1, 2", answer="[1, 2", **NO_OPTIONS),
    ]
    _, journal = imported(predictions(tmp_path, asked, "xlsx"))
    table = scored(journal)
    assert table["correct"].tolist() == [1.0, 1.0, 1.0, 1.0]


def test_options_in_one_column_are_options(tmp_path: Path) -> None:
    shown = {"choices": "['135°', '145°']", **NO_OPTIONS}
    asked = [
        row(1, "B", answer="145°", answer_option="B", **shown),
        row(2, "135°", answer="145°", answer_option="B", **shown),
        row(3, "1.2", answer=1.2, answer_option=None, **{**shown, "choices": None}),
    ]
    _, journal = imported(predictions(tmp_path, asked, "xlsx"))
    table = scored(journal).set_index("item_id")
    assert table["answer_type"].tolist() == ["choice", "choice", "blanks"]
    assert table["correct"].tolist() == [1.0, 0.0, 1.0]


def test_a_key_that_only_a_judge_can_read_is_told_and_not_scored_as_wrong(tmp_path: Path) -> None:
    result, _ = imported(predictions(tmp_path, [row(1, answer="a<AND>b", **NO_OPTIONS), row(2)]))
    (flaw,) = result.flaws
    assert "row 2: its key names parts that must all occur" in flaw
    assert result.added == 1


@pytest.mark.parametrize("more", [{"hit": 1}, {"log": "ok", "score": 0.5}])
def test_a_file_of_verdicts_is_not_taken_for_another_data_set(
    more: dict[str, Any], tmp_path: Path
) -> None:
    path = write(tmp_path / "GPT_4o" / "GPT_4o_MMBench_result.xlsx", [row(1, **more)])
    with pytest.raises(ParameterError, match="holds the verdicts of a judge"):
        imported(path)
