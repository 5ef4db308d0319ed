"""Answers to one family share an effect of the person: posteriors, errors, fit, files, links."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates, choose
from gfactor.psychometrics.irt.checks.profile_fit import family_fit, person_fit
from gfactor.psychometrics.irt.models.itemfamilies import FamilyFit, fit_families
from gfactor.psychometrics.irt.models.testlets import fit_testlets
from gfactor.psychometrics.irt.scales.calibration import (
    MEAN,
    TESTLETS,
    VARIANCE,
    Calibration,
    Entry,
    calibrate_cells,
)
from gfactor.psychometrics.irt.scales.calibration_files import (
    from_document,
    read_calibration,
    to_document,
    write_calibration,
)
from gfactor.psychometrics.irt.scales.calibration_linking import link_calibration
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses

NODES = np.linspace(-9, 9, 181)
FINE = np.linspace(-7, 7, 141)
GROUPS = ("maze", "fold")
SPREAD = 1.3
"""Variance of effects."""


def curve(b: float) -> np.ndarray:
    return special.expit(NODES - b)


def answered(variance: float = SPREAD) -> AbilityPosterior:
    """Three right answers to one testlet, one wrong to another, one right to none."""
    known = AbilityPosterior(NODES, 0.2, 1.5, testlet_variance=variance)
    for b in (0.0, 1.0, -0.5):
        known = known.updated(np.log(curve(b)), "maze")
    return known.updated(np.log(1 - curve(0.3)), "fold").updated(np.log(curve(0.1)))


def joint() -> np.ndarray:
    """The same by a plain sum over ability and both effects: (ability, maze, fold)."""
    theta, maze, fold = np.meshgrid(FINE, FINE, FINE, indexing="ij")
    log = -0.5 * (theta - 0.2) ** 2 / 1.5 - 0.5 * (maze**2 + fold**2) / SPREAD
    for b in (0.0, 1.0, -0.5):
        log += np.log(special.expit(theta + maze - b))
    log += np.log(special.expit(-(theta + fold - 0.3))) + np.log(special.expit(theta - 0.1))
    weights = np.exp(log - log.max())
    return weights / weights.sum()


@pytest.mark.slow
def test_a_posterior_with_testlets_is_the_integral_over_their_effects() -> None:
    weights, known = joint(), answered()
    of_theta = weights.sum(axis=(1, 2))
    theta = of_theta @ FINE
    assert known.theta == pytest.approx(theta, abs=2e-4)
    assert known.se == pytest.approx(np.sqrt(of_theta @ (FINE - theta) ** 2), abs=2e-4)
    assert known.se > answered(0.0).se + 0.05
    # The next answer to the maze is expected from what the maze has shown.
    at = FINE[:, None] + FINE
    seen = known.chances(np.stack([curve(0.5)] * 2), GROUPS) @ known.density
    for k in range(2):
        both = weights.sum(axis=2 - k)
        assert seen[k] == pytest.approx((both * special.expit(at - 0.5)).sum(), abs=2e-4)


def test_without_a_testlet_variance_testlets_change_nothing() -> None:
    plain = AbilityPosterior(NODES, 0.2, 1.5)
    for b in (0.0, 1.0, -0.5):
        plain = plain.updated(np.log(curve(b)))
    plain = plain.updated(np.log(1 - curve(0.3))).updated(np.log(curve(0.1)))
    assert np.array_equal(answered(0.0).density, plain.density)
    p = np.stack([curve(0.0)])
    assert plain.chances(p, None) is p


def test_what_a_testlet_has_said_it_says_no_more() -> None:
    """Equal items: after answers to one family the other one is asked."""
    cells = Candidates(["a", "b"], ["Gf", "Gf"], np.stack([curve(0.0)] * 2), families=["x", "y"])
    known = AbilityPosterior(NODES, testlet_variance=1.0)
    assert choose(cells, {"Gf": known}) == 0
    assert choose(cells, {"Gf": known.updated(np.log(curve(0.0)), "x")}) == 1
    assert choose(cells, {"Gf": known.updated(np.log(curve(0.0)), "y")}) == 0
    nameless = replace(cells, families=None)
    with pytest.raises(ParameterError, match="testlet of every candidate"):
        choose(nameless, {"Gf": known})
    with pytest.raises(ParameterError, match="testlet variance is 0 or positive"):
        AbilityPosterior(NODES, testlet_variance=-1.0)


def calibration(variance: float = 0.8) -> Calibration:
    entries = tuple(
        Entry(f"c{k}", "2pl", (0.0, 1.0), (1.0, 0.4 * (k - 1.5)), 0.3,
              {"labels": {"family": GROUPS[k % 2], "size": k}})
        for k in range(4)
    )  # fmt: skip
    labels = (*(f"c{k}.d" for k in range(4)), VARIANCE, TESTLETS, MEAN)
    root = np.random.default_rng(2).normal(0, 0.15, (7, 7))
    return Calibration(
        "design", "rasch", entries, labels, root @ root.T + 0.02 * np.eye(7), 0.1, 1.4,
        testlet_variance=variance, testlet="family",
    )  # fmt: skip


def moved(known: Calibration, label: str, by: float) -> Calibration:
    fields = {VARIANCE: "variance", TESTLETS: "testlet_variance", MEAN: "mean"}
    if label in fields:
        return replace(known, **{fields[label]: getattr(known, fields[label]) + by})
    entries = tuple(
        replace(e, values=(e.values[0], e.values[1] + by)) if label == f"{e.name}.d" else e
        for e in known.entries
    )
    return replace(known, entries=entries)


ANSWERS = pd.DataFrame([[1.0, 0, 1, 0], [1, 1, np.nan, 1]], columns=[f"c{k}" for k in range(4)])
ENTRIES = {name: name for name in ANSWERS}


def test_scores_with_testlets_are_those_of_their_posterior() -> None:
    known = calibration()
    nodes = np.linspace(-8, 8, 321)
    p = known.probabilities(nodes)
    prior = AbilityPosterior(nodes, known.mean, known.variance, testlet_variance=0.8)
    table = score_responses(known, ANSWERS, ENTRIES).table
    for row, scores in zip(table.to_dict("records"), ANSWERS.to_numpy(), strict=True):
        posterior = prior
        for k in np.flatnonzero(~np.isnan(scores)):
            posterior = posterior.updated(np.log(p[k] if scores[k] else 1 - p[k]), GROUPS[k % 2])
        assert row["theta"] == pytest.approx(posterior.theta, abs=1e-5)
        assert row["se_measurement"] == pytest.approx(posterior.se, abs=1e-5)


def test_no_number_of_answers_leads_below_the_least_error() -> None:
    known = calibration()
    assert known.least_se == pytest.approx((1 / 1.4 + 2 / 0.8) ** -0.5)
    assert calibration(0.0).least_se == 0.0
    posterior = AbilityPosterior(NODES, 0.1, 1.4, testlet_variance=0.8)
    for k in range(600):
        p = special.expit(NODES - (k % 5 - 2))
        posterior = posterior.updated(np.log(p if k % 2 else 1 - p), GROUPS[k // 2 % 2])
    assert known.least_se < posterior.se < known.least_se + 0.02


@pytest.mark.thorough
def test_errors_of_scores_with_testlets_are_their_delta_method() -> None:
    known = calibration()
    slopes, step = np.zeros((2, len(known.labels))), 1e-4
    for column, label in enumerate(known.labels):
        ends = [
            score_responses(moved(known, label, sign * step), ANSWERS, ENTRIES).table["theta"]
            for sign in (1, -1)
        ]
        slopes[:, column] = (ends[0] - ends[1]).to_numpy() / (2 * step)
    shared = slopes @ known.covariance @ slopes.T
    covariance = score_responses(known, ANSWERS, ENTRIES).covariance
    assert covariance[0, 1] == pytest.approx(shared[0, 1], rel=1e-3)
    assert (np.abs(slopes[:, -2]) > 1e-3).any()


def population(
    seed: int, effects: float, persons: int = 240, families: int = 8, guess: float = 0.2
) -> tuple[pd.DataFrame, FamilyFit, list[str]]:
    """Each person answers one of four clones of each of three cells of every family."""
    rng = np.random.default_rng(seed)
    means = rng.normal(0, 1.2, (families, 3, 1))
    b = means + rng.normal(0, 0.3, (families, 3, 4))
    z = (
        rng.normal(0, 1.5, (persons, 1, 1, 1))
        + rng.normal(0, np.sqrt(effects), (persons, families, 1, 1))
        - b
    )
    right = (rng.uniform(size=z.shape) < guess + (1 - guess) * special.expit(z)).astype(float)
    asked = rng.permuted(np.broadcast_to(np.arange(4), z.shape).copy(), axis=-1) == 0
    data = pd.DataFrame(np.where(asked, right, np.nan).reshape(persons, -1)).add_prefix("i")
    cells = [f"f{f}-{c}" for f in range(families) for c in range(3) for _ in range(4)]
    design = pd.DataFrame({"1": 1.0}, index=pd.Index(sorted(set(cells))))
    return data, fit_families(data, cells, design=design, guess=guess), cells


@pytest.fixture(scope="module")
def with_effects() -> tuple[pd.DataFrame, FamilyFit, list[str]]:
    return population(3, 1.0)


@pytest.mark.slow
def test_the_testlet_variance_is_estimated(
    with_effects: tuple[pd.DataFrame, FamilyFit, list[str]],
) -> None:
    data, families, cells = with_effects
    names = [cell.split("-")[0] for cell in cells]
    fitted = fit_testlets(data, families, names, 0.2)
    # Simulated: 0.90 (SD 0.18, mean standard error 0.22) in 14 samples of this kind.
    assert abs(fitted.variance - 0.9) < 2 * fitted.se < 0.6
    assert fitted.ability_variance == pytest.approx(2.25, abs=0.7)
    assert (fitted.stretch > 1.05, fitted.p < 1e-4, fitted.testlets) == (True, True, 8)
    # Where persons are given other testlets than those of their effects there is nothing left.
    rng = np.random.default_rng(1)
    shuffled = fit_testlets(data, families, list(rng.permutation(names)), 0.2)
    assert shuffled.variance < 0.25
    assert shuffled.p > 0.01
    with pytest.raises(ParameterError, match="two or more testlets"):
        fit_testlets(data, families, ["one"] * len(names))
    with pytest.raises(ParameterError, match="nobody answered two"):
        fit_testlets(data, families, list(data))


@pytest.mark.parametrize("seed", [1, 3])
def test_variances_that_the_answers_do_not_determine_are_refused(seed: int) -> None:
    # Nearly all right: the likelihood grows with the variances, or has no peak.
    rng = np.random.default_rng(seed)
    cells = list(np.repeat(["a", "b", "c"], 2))
    effects = 2 * rng.normal(size=(30, 3)).repeat(2, axis=1)
    z = rng.normal(size=(30, 1)) + effects - rng.normal(size=6) + 4.0
    data = pd.DataFrame((rng.uniform(size=z.shape) < 1 / (1 + np.exp(-z))).astype(float))
    with pytest.raises(ParameterError, match="answers do not determine the variances"):
        fit_testlets(data, fit_families(data, cells), cells)


@pytest.mark.slow
def test_a_calibration_carries_the_testlet_variance_with_its_errors(
    with_effects: tuple[pd.DataFrame, FamilyFit, list[str]], tmp_path: Path
) -> None:
    data, families, cells = with_effects
    names = [cell.split("-")[0] for cell in cells]
    fitted = fit_testlets(data, families, names, 0.2)
    labels = {c: {"family": c.split("-")[0], "level": int(c[-1])} for c in families.cells.index}
    plain = calibrate_cells(families, labels, dict.fromkeys(labels, 0.2), {})
    known = calibrate_cells(families, labels, dict.fromkeys(labels, 0.2), {}, fitted, "family")
    assert known.testlet_variance == fitted.variance
    assert known.variance == fitted.ability_variance
    assert np.allclose(known.table["b"], fitted.stretch * plain.table["b"])
    assert np.allclose(known.table["clone_sd"], fitted.stretch * plain.table["clone_sd"])
    ratio = known.table["se_b"].to_numpy(float) / plain.table["se_b"].to_numpy(float)
    assert ratio.min() > fitted.stretch
    assert np.linalg.eigvalsh(known.covariance).min() > -1e-10
    assert known.about["fit"]["testlets"]["variance_se"] == fitted.se
    assert np.sqrt(known.covariance[-1, -1]) == pytest.approx(fitted.se)
    again = read_calibration(write_calibration(known, tmp_path / "a.json"))
    assert (again.testlet, again.testlet_variance) == ("family", known.testlet_variance)
    assert again.testlet_of(again.entries[4]) == "f1"
    assert write_calibration(again, tmp_path / "b.json").read_bytes() == (
        (tmp_path / "a.json").read_bytes()
    )
    # A file of before there were testlets has none.
    document: Any = json.loads(json.dumps(to_document(plain)))
    assert "testlet" not in document["latent"]
    assert (from_document(document).testlet_variance, from_document(document).testlet) == (0, None)


@pytest.mark.slow
def test_a_link_to_a_calibration_without_testlets_says_that_units_differ(
    with_effects: tuple[pd.DataFrame, FamilyFit, list[str]],
) -> None:
    _, families, _ = with_effects
    labels = {c: {"family": c.split("-")[0], "level": int(c[-1])} for c in families.cells.index}
    plain = calibrate_cells(families, labels, dict.fromkeys(labels, 0.2), {})
    some = replace(plain, testlet="family", testlet_variance=1.5)
    none = replace(plain, testlet="family", testlet_variance=0.0)

    def said(new: Calibration, old: Calibration) -> list[str]:
        codes = link_calibration(new, old).diagnostics
        return [d.sentence.split(" in ")[1][:7] for d in codes if d.code == "other_unit"]

    assert (said(some, plain), said(plain, some)) == (["the new"], ["the old"])
    assert said(some, none) == said(none, plain) == said(some, some) == said(plain, plain) == []


@pytest.mark.parametrize(
    ("latent", "said"),
    [
        ({"testlet": 3, "testlet_variance": 1.0}, "testlet must be the name of a label"),
        ({"testlet": "family"}, "testlet_variance"),
        ({"testlet": "family", "testlet_variance": -0.1}, "must not be negative"),
    ],
)
def test_a_wrong_testlet_variance_of_a_file_is_one_sentence(latent: Any, said: str) -> None:
    document: Any = json.loads(json.dumps(to_document(calibration())))
    document["latent"] = {"mean": 0.0, "variance": 1.0, **latent}
    with pytest.raises(ParameterError, match=said):
        from_document(document)


@pytest.mark.slow
def test_intervals_cover_and_families_fit_where_persons_differ_in_families() -> None:
    """800 persons, 8 families of 6 answers, testlet variance 1: with and without it."""
    rng, families, each, persons = np.random.default_rng(7), 8, 6, 800
    b = rng.normal(0, 1, (families, each))
    theta = rng.normal(size=persons)
    z = theta[:, None, None] + rng.normal(0, 1, (persons, families, 1)) - b
    right = rng.uniform(size=z.shape) < special.expit(z)
    curves = special.expit(NODES - b[..., None])
    covers, misfits, odd = {}, {}, {}
    for variance in (0.0, 1.0):
        inside, drifting, strange = [], [], []
        for person in range(persons):
            known = AbilityPosterior(NODES, testlet_variance=variance)
            before = known
            for f in range(families):
                logs = np.where(right[person, f][:, None], np.log(curves[f]), np.log1p(-curves[f]))
                known = known.updated(logs.sum(axis=0), str(f))
            inside.append(abs(known.theta - theta[person]) < 1.96 * known.se)
            if person < 150:
                shown = {str(f): curves[f] for f in range(families)}
                scores = {str(f): right[person, f].astype(float) for f in range(families)}
                p = family_fit(shown, scores, before)["p"].to_numpy(float)
                drifting.append(float(np.mean(p < 0.05)))
                groups = np.repeat([str(f) for f in range(families)], each)
                fit = person_fit(curves.reshape(-1, len(NODES)), right[person].ravel(), known,
                                 groups.tolist())  # fmt: skip
                strange.append(fit["p"] < 0.05)
        covers[variance] = np.mean(inside)
        misfits[variance], odd[variance] = np.mean(drifting), np.mean(strange)
    assert covers[0.0] < 0.87
    assert 0.93 < covers[1.0] < 0.97
    assert misfits[0.0] > 0.09
    assert misfits[1.0] < 0.06
    assert odd[1.0] < 0.07


def test_the_error_of_a_link_reaches_scores_whole() -> None:
    """The shift moves items and the population's mean alike, and so every score by as much."""
    new = replace(calibration(), covariance=np.zeros((7, 7)))
    old = replace(calibration(), labels=calibration().labels[:4],
                  covariance=calibration().covariance[:4, :4])  # fmt: skip
    linked = link_calibration(new, old)
    scores = score_responses(linked, ANSWERS, ENTRIES)
    before = score_responses(new, ANSWERS, ENTRIES)
    line = linked.about["linking"]
    assert scores.table["theta"].to_numpy() == pytest.approx(
        before.table["theta"].to_numpy() + line["intercept"], abs=1e-6
    )
    assert line["intercept_se"] > 0.05
    assert scores.table["se_calibration"].to_numpy() == pytest.approx(
        line["intercept_se"], rel=1e-4
    )
    assert linked.labels[-1] == MEAN
    assert linked.testlet_variance == new.testlet_variance
