"""The repaired route scores on the human metric, with proper models and honest intervals."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from support.m3gia_population import sample
from support.oracles import ORACLES

from gfactor.errors import ParameterError
from gfactor.replications.m3gia import (
    INDICATORS,
    POINTS,
    LanguageSample,
    RouteComparison,
    claims,
    human_scale,
    read_counts,
    read_human,
    repaired_gia,
    study,
)

GIVEN = ORACLES / "m3gia"


def persons(n: int = 80, seed: int = 1) -> pd.DataFrame:
    """Human counts: M3GIA's structure, rounded to whole points."""
    z = sample(seed, n).to_numpy()
    x = np.clip(np.rint(POINTS * (0.72 + 0.13 * z)), 0, POINTS)
    return pd.DataFrame(x, columns=list(INDICATORS))


def models(seed: int = 2) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    level = np.linspace(0.2, 0.75, 8)[:, None]
    share = np.clip(level + rng.normal(0, 0.08, (8, 18)), 0, 1)
    frame = pd.DataFrame(np.rint(share * POINTS), columns=list(INDICATORS))
    return frame.set_axis([f"m{i}" for i in range(8)], axis=0)


def test_the_human_mean_is_zero_and_a_hundred_and_persons_have_spread_one() -> None:
    x = persons().to_numpy(float)
    scale = human_scale(x)
    assert scale.model.proper
    np.testing.assert_allclose(scale.gia(x.mean(axis=0)), 0, atol=1e-12)
    np.testing.assert_allclose(scale.normalized(x.mean(axis=0)), 100)
    assert scale.gia(x).std() == pytest.approx(1)


def test_z_scores_come_back_as_counts_but_for_where_zero_is() -> None:
    x = persons()
    given = read_human((x - x.mean()) / x.std(ddof=1))
    moved = given.values - x.to_numpy()
    assert given.given == "z-scores"
    np.testing.assert_allclose(moved, np.broadcast_to(moved[0], moved.shape), atol=1e-9)
    np.testing.assert_allclose(given.values.max(axis=0), POINTS)
    assert given.diagnostics[0].code == "origin_of_counts_assumed"
    assert given.diagnostics[0].sentence.startswith("The human data are z-scores: ")


def test_counts_and_shares_are_read_as_they_are() -> None:
    x = persons()
    pd.testing.assert_frame_equal(read_human(x).counts, x.loc[:, list(INDICATORS)])
    np.testing.assert_allclose(read_human(x / POINTS).values, x.to_numpy())


@pytest.fixture(scope="module")
def spanish() -> RouteComparison:
    sample = LanguageSample("Sp", read_counts(models()), read_human(persons()))
    return study([sample], n_bootstrap=40, splits=1)


@pytest.mark.thorough
def test_scores_have_intervals_over_persons_and_items_and_name_their_limits() -> None:
    found = repaired_gia(
        read_counts(models()), read_human(persons()), "En", n_bootstrap=100, splits=5, seed=3
    )
    assert (found.scores["gia_low"].to_numpy() < found.scores["gia"].to_numpy()).all()
    assert (found.scores["gia_high"].to_numpy() > found.scores["gia"].to_numpy()).all()
    assert "80 persons resampled" in found.interval
    assert {"n_against_parameters", "correlation_is_circular"} <= {
        d.code for d in found.diagnostics
    }
    fits = found.tables["models_of_the_human_data"].set_index("model")
    assert fits.loc["second-order", "proper"]
    assert fits.loc["second-order", "difference"] == 0
    assert float(found.facts["held_out_r_other_half"]) < float(found.facts["held_out_r"])
    json.dumps(found.to_dict(), allow_nan=False)


def test_every_score_says_how_far_the_model_lies_from_the_persons() -> None:
    """The first model has no right answer, the last one the human means."""
    x = persons()
    given = models()
    given.iloc[0] = 0
    given.iloc[-1] = np.rint(x.mean())
    found = repaired_gia(read_counts(given), read_human(x), "En", n_bootstrap=40, splits=1)
    z = ((given - x.mean()) / x.std(ddof=1)).abs()
    rows = found.scores.set_index("model")
    np.testing.assert_allclose(rows["farthest"].to_numpy(float), z.max(axis=1))
    assert list(rows["farthest_on"]) == list(z.idxmax(axis=1))
    assert list(rows["extrapolated"]) == list(z.max(axis=1) > 4)
    assert rows["extrapolated"].iloc[0]
    assert not rows["extrapolated"].iloc[-1]
    line_of = {line.split(" ")[0]: line for line in found.summary().splitlines()}
    assert f"extrapolated: {z.max(axis=1).iloc[0]:.0f} human SD on" in line_of["m0"]
    assert "extrapolated" not in line_of["m7"]


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-1.66, 0.03, "undecided"),  # holds the human mean, though it lies above the floor
        (-5.0, 0.5, "undecided"),
        (-5.0, -1.0, "undecided"),  # across the floor
        (-5.0, -2.5, "survives"),
        (-1.66, -0.03, "does not survive"),
        (0.1, 0.9, "does not survive"),
    ],
)
def test_a_gap_whose_interval_holds_zero_is_undecided(
    low: float, high: float, verdict: str, spanish: RouteComparison
) -> None:
    (one,) = spanish.languages
    assert one.repaired is not None
    scores = one.repaired.scores.assign(gia=(low + high) / 2, gia_low=low, gia_high=high)
    facts = {**one.repaired.further_facts, "human_p025": -2.0}
    changed = dataclasses.replace(
        one, repaired=dataclasses.replace(one.repaired, scores=scores, further_facts=facts)
    )
    (claim,) = [c for c in claims([changed], None) if "gap to humans" in c.conclusion]
    assert claim.verdict == verdict


@pytest.mark.thorough
def test_equal_seeds_give_equal_bytes() -> None:
    made = [
        repaired_gia(
            read_counts(models()), read_human(persons()), "En", n_bootstrap=20, splits=2, seed=4
        )
        for _ in range(2)
    ]
    assert repr(made[0].to_dict()) == repr(made[1].to_dict())


@pytest.mark.slow
def test_more_persons_make_intervals_narrower() -> None:
    width = []
    for n in (60, 600):
        human = read_human(persons(n, 5))
        scores = repaired_gia(read_counts(models()), human, "En", n_bootstrap=100, splits=1).scores
        width.append(np.mean(scores["gia_high"].to_numpy() - scores["gia_low"].to_numpy()))
    assert width[1] < width[0]


def test_without_human_data_a_study_says_so_and_takes_the_published_route() -> None:
    found = study([LanguageSample("En", read_counts(models()))])
    assert found.languages[0].repaired is None
    assert found.diagnostics[0].code == "no_human_data"
    assert "--human" in found.diagnostics[0].remedy
    assert {c.verdict for c in found.claims if "lower boundary" in c.conclusion} == {"not tested"}


@pytest.mark.slow
def test_human_data_of_two_languages_that_share_persons_are_found_out() -> None:
    x = persons(70, 6)
    samples = [
        LanguageSample("En", read_counts(models()), read_human(x.iloc[:60])),
        LanguageSample("Fr", read_counts(models(3)), read_human(x.iloc[30:])),
    ]
    found = study(samples, n_bootstrap=100, splits=2)
    assert found.persons is not None
    assert found.persons.distinct == 70
    assert found.diagnostics[0].severity == "error"
    (claim,) = [c for c in found.claims if c.language == "all"]
    assert claim.verdict == "does not survive"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda x: x.drop(columns="Comic"), "lack the question type 'Comic'"),
        (lambda x: x[:10], "at least 20"),
        (lambda x: x - 30, "neither counts nor shares nor z-scores"),
        (lambda x: pd.DataFrame(np.random.default_rng(1).normal(size=(200, 18)),
                                columns=list(INDICATORS)), "does not lie on a grid"),
    ],
)  # fmt: skip
def test_human_data_that_cannot_be_used_are_refused(make: object, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        read_human(make(persons()))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("language", "chi2", "edge"),
    [("En", 214.084325, ()), ("Sp", 266.986679, ()), ("Pt", 236.371516, ()),
     ("Fr", 247.135, ("Gv~~Gv",))],
)  # fmt: skip
def test_the_second_order_model_of_the_paper_fits_as_in_lavaan(
    language: str, chi2: float, edge: tuple[str, ...]
) -> None:
    """lavaan 0.6-17, tests/oracles/m3gia; for French the bounded optimum (specs 2: 247.13)."""
    human = read_human(pd.read_csv(GIVEN / f"human_z_{language}.csv"), language)
    model = human_scale(human.values).model
    assert 2 * human.n * model.value == pytest.approx(chi2, abs=5e-4 if edge else 1e-6)
    assert model.boundary == edge
    assert model.proper


def test_the_chinese_fit_that_was_published_is_not_the_optimum() -> None:
    """Specs 2: a bounded fit of the published model has chi-square 207.09, the published 208.50."""
    counts = read_counts(pd.read_csv(GIVEN / "mllm_counts_Zh.csv", index_col=0))
    human = read_human(pd.read_csv(GIVEN / "human_z_Zh.csv"))
    found = repaired_gia(counts, human, "Zh", n_bootstrap=60, splits=2)
    (said,) = [d for d in found.diagnostics if d.code == "published_is_not_the_optimum"]
    assert said.values["ours"] < 207.10
