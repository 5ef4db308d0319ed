"""`gf.norms` says what means generalize to: other people, and other items under the claim."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from scipy import stats
from support.answers import answered
from support.banks import make_items

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.norms import read_norms, write_norms

PERSONS, INSTANCES = 20, 4


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All answers to domain a are right, those to c wrong, half of those to every item of b."""
    folder = tmp_path_factory.mktemp("people")
    items = make_items("abc", sizes=1, instances=INSTANCES)
    attempts = []
    for k in range(PERSONS):
        for number, item in enumerate(items):
            domain = item.labels["domain"]
            right = domain == "a" or (domain == "b" and (k + number) % 2 == 0)
            said = item.target if right else 99
            attempts.append((f"person:p{k:02}", item.id, 0, f"COUNT:{said}"))
    with answered(folder, items, attempts):
        pass
    return folder / "c.db"


@pytest.mark.thorough
def test_items_that_are_all_alike_within_domains_add_nothing_under_the_default(
    people: Path,
) -> None:
    norms = gf.norms(people, min_n=10)
    (row,) = norms.table.to_dict("records")
    assert row["mean"] == pytest.approx(0.5)
    assert row["se_claim"] == pytest.approx(row["se"])
    assert "other items of these 3 domains (se_claim and the interval)" in norms.summary()
    half = stats.t.ppf(0.975, PERSONS - 1) * row["se"]
    assert row["ci_lower"] == pytest.approx(row["mean"] - half)
    assert row["ci_upper"] == pytest.approx(row["mean"] + half)


@pytest.mark.thorough
def test_domains_that_differ_widen_the_claim_about_other_domains(people: Path) -> None:
    norms = gf.norms(people, min_n=10, claim="other-domains")
    noise = 0.25 / (PERSONS * 3 * INSTANCES)  # of single answers, which se holds already
    expected = math.sqrt(0.5**2 / 3 - noise)  # domain means of 1, .5 and 0
    (facts,) = norms.scales.values()
    assert facts["se_items"] == pytest.approx(expected)
    row = norms.table.iloc[0]
    assert row["se_claim"] == pytest.approx(math.hypot(row["se"], expected))
    # Three domains leave two degrees of freedom: 1.96 standard errors would be too few.
    df = row["se_claim"] ** 4 / (row["se"] ** 4 / (PERSONS - 1) + expected**4 / 2)
    assert row["ci_upper"] - row["mean"] == pytest.approx(
        min(stats.t.ppf(0.975, df) * row["se_claim"], 1 - row["mean"])
    )
    narrow = gf.norms(people, min_n=10, claim="other-domains", level=0.5).table.iloc[0]
    half = stats.t.ppf(0.75, df) * row["se_claim"]
    assert narrow["ci_lower"] == pytest.approx(row["mean"] - half)


def test_a_file_of_norms_keeps_the_claim(people: Path, tmp_path: Path) -> None:
    norms = gf.norms(people, min_n=10, claim="other-domains")
    again = read_norms(write_norms(norms, tmp_path / "norms.json"))
    assert again.table.to_dict("records") == norms.table.to_dict("records")
    assert (
        "other domains of this kind (3 domains here) (se_claim and the interval)" in again.summary()
    )


def test_norms_of_these_items_hold_for_other_people_alone(people: Path) -> None:
    row = gf.norms(people, min_n=10, claim="these-items").table.iloc[0]
    assert row["se_claim"] == row["se"]


def test_abilities_take_no_claim_about_items(people: Path) -> None:
    with pytest.raises(ParameterError, match="leave claim or calibration out"):
        gf.norms(people, min_n=10, claim="same-domains", calibration="none.json")
