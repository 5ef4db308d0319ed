"""What is printed after a run and a calibration is about this run and these respondents."""

from __future__ import annotations

import pandas as pd

from gfactor.administration.asking.runner import RunResult
from gfactor.api.asking.run_reports import RunReport
from gfactor.api.scales.response_calibration import _count
from gfactor.api.scores.answer_tokens import COLUMNS


def test_a_run_prints_the_tokens_of_its_own_condition_alone() -> None:
    rows = [("m", condition, 5, 10, 20, float("nan")) for condition in ("default", "cot=on")]
    result = RunResult("m", asked=5, failed=0, known=0, seconds=0.5, condition="cot=on")
    report = RunReport("c.db", [result], None, {}, (), pd.DataFrame(rows, columns=list(COLUMNS)))
    lines = [line for line in report.summary().splitlines() if "tokens" in line]
    assert len(lines) == 1
    assert "cot=on" in lines[0]


def test_respondents_of_one_family_count_as_one_family() -> None:
    who = pd.DataFrame({"family": ["f"] * 30, "examinee": [f"m{k}" for k in range(30)]})
    assert (_count(who, "family"), _count(who, "examinee"), _count(who, None)) == (1, 30, 30)
