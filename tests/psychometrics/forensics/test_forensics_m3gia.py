"""The six human samples of M3GIA (z-scored per language): who is in which, found unprompted."""

from __future__ import annotations

import pandas as pd
import pytest
from support.oracles import ORACLES

from gfactor.psychometrics.respondents import Forensics, forensics

GIVEN = ORACLES / "m3gia"
LANGUAGES = ("En", "Zh", "Fr", "Sp", "Pt", "Ko")


@pytest.fixture(scope="module")
def found() -> Forensics:
    return forensics({lang: pd.read_csv(GIVEN / f"human_z_{lang}.csv") for lang in LANGUAGES})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "exact"),
    [("En", "Fr", 52), ("En", "Sp", 52), ("En", "Pt", 52), ("Sp", "Pt", 57), ("Fr", "Sp", 60),
     ("Fr", "Pt", 55)],
)  # fmt: skip
def test_persons_equal_on_all_eighteen_columns(
    found: Forensics, first: str, second: str, exact: int
) -> None:
    row = found.overlaps.query(f"first == '{first}' and second == '{second}'")
    assert row["exact"].tolist() == [exact]


@pytest.mark.thorough
def test_every_chinese_person_has_a_partner_in_korean(found: Forensics) -> None:
    pairs = found.matches.query("first == 'Zh' and second == 'Ko'")
    assert len(pairs) == 58
    assert min(pairs["agree"]) >= 13
    assert sum(agree >= 17 for agree in pairs["agree"]) == 53


def test_the_french_sample_holds_near_copies_of_most_chinese_persons(found: Forensics) -> None:
    row = found.overlaps.query("first == 'Zh' and second == 'Fr'")
    assert row["first_shared"].item() >= 50


def test_the_near_constant_column_is_named_in_every_language(found: Forensics) -> None:
    named = {d.values["sample"]: d.where for d in found.diagnostics
             if d.code == "near_constant_column"}  # fmt: skip
    assert named == dict.fromkeys(LANGUAGES, ("Pic_Recog",))
    distinct = found.columns.query("column == 'Pic_Recog'").set_index("sample")["distinct"]
    assert distinct[["En", "Zh"]].tolist() == [2, 2]


def test_426_rows_are_about_140_persons(found: Forensics) -> None:
    assert found.total == 426
    assert 121 < found.distinct < 160
    assert found.diagnostics[0].severity == "error"
