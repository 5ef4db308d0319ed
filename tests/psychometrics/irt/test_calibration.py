"""Calibrations: what is known of items or cells, in a file, and abilities on their scale."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.models.clonevariance import clone_spreads
from gfactor.psychometrics.irt.models.family_modes import modes, without_priors
from gfactor.psychometrics.irt.models.itemfamilies import (
    FamilyFit,
    _check_informed,
    _quadratic,
    fit_families,
)
from gfactor.psychometrics.irt.scales.calibration import (
    Calibration,
    Entry,
    calibrate_cells,
    calibrate_items,
)
from gfactor.psychometrics.irt.scales.calibration_files import (
    calibration_digest,
    from_document,
    read_calibration,
    read_calibrations,
    to_document,
    write_calibration,
    write_calibrations,
)
from gfactor.psychometrics.irt.scales.calibration_linking import link_calibration
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses

MEANS = np.array([-1.5, -0.5, 0.5, 1.5])
CELLS = [f"size={k}" for k in range(1, 5)]
CLONE_SD = 0.7


def draw(
    rng: np.random.Generator, theta: np.ndarray, b: np.ndarray, a: float = 1.0, c: float = 0.0
) -> pd.DataFrame:
    p = c + (1 - c) / (1 + np.exp(-a * (theta[:, None] - b)))
    right = (rng.uniform(size=p.shape) < p).astype(int)
    return pd.DataFrame(right, columns=[f"i{j}" for j in range(len(b))])


def clones(rng: np.random.Generator, each: int) -> tuple[list[str], np.ndarray]:
    return [c for c in CELLS for _ in range(each)], np.repeat(MEANS, each) + CLONE_SD * rng.normal(
        size=4 * each
    )


@pytest.fixture(scope="module")
def by_item() -> tuple[pd.DataFrame, Calibration]:
    rng = np.random.default_rng(3)
    data = draw(rng, rng.normal(0, 1.3, 150), np.linspace(-2, 2, 12), a=1.2)
    return data, calibrate_items(fit_irt("2pl", data), {}, {"population": "made up"})


@pytest.fixture(scope="module")
def families() -> FamilyFit:
    rng = np.random.default_rng(5)
    names, b = clones(rng, 12)
    return fit_families(draw(rng, rng.normal(size=250), b), names)


@pytest.fixture(scope="module")
def by_design(families: FamilyFit) -> Calibration:
    labels = {name: {"size": int(name[-1])} for name in CELLS}
    return calibrate_cells(families, labels, {}, {})


def test_scores_of_the_calibrated_are_those_of_the_fit(
    by_item: tuple[pd.DataFrame, Calibration],
) -> None:
    data, known = by_item
    found = score_responses(known, data, {i: i for i in data})
    fit = fit_irt("2pl", data)
    eap = fit.scores("eap")
    assert np.allclose(found.table["theta"], eap["theta"], atol=1e-6)
    assert np.allclose(found.table["se_measurement"], eap["se"], atol=1e-6)
    assert np.allclose(
        found.table["se"] ** 2,
        found.table["se_measurement"] ** 2 + found.table["se_calibration"] ** 2,
    )
    assert np.allclose(np.sqrt(np.diag(found.covariance)), found.table["se"])


@pytest.mark.thorough
def test_the_calibrations_error_is_what_drawn_parameters_do_to_scores(
    by_item: tuple[pd.DataFrame, Calibration],
) -> None:
    data, known = by_item
    few = data.iloc[:40]
    entries = {i: i for i in data}
    said = score_responses(known, few, entries).table["se_calibration"].to_numpy()
    rng = np.random.default_rng(1)
    draws = rng.multivariate_normal(np.zeros(len(known.labels)), known.covariance, 150)
    theta = np.array([
        score_responses(_moved(known, move), few, entries).table["theta"] for move in draws
    ])  # fmt: skip
    assert np.median(theta.std(axis=0) / said) == pytest.approx(1, abs=0.1)
    assert np.corrcoef(theta.std(axis=0), said)[0, 1] > 0.9


def _moved(known: Calibration, move: np.ndarray) -> Calibration:
    """The calibration with other parameters."""
    away = dict(zip(known.labels, move, strict=True))
    entries = tuple(
        replace(e, values=tuple(
            v + away[f"{e.name}.{name}"] for v, name in zip(e.values, ("a1", "d"), strict=True)
        ))
        for e in known.entries
    )  # fmt: skip
    return replace(known, entries=entries)


@pytest.mark.thorough
def test_a_file_is_read_as_it_was_written_and_has_the_same_bytes(
    by_item: tuple[pd.DataFrame, Calibration], by_design: Calibration, tmp_path: Path
) -> None:
    for known in (by_item[1], by_design):
        path = write_calibration(known, tmp_path / "a.json")
        again = read_calibration(path)
        assert again.entries == known.entries
        assert again.labels == known.labels
        assert np.allclose(again.covariance, known.covariance, rtol=1e-11)
        assert (again.by, again.variance) == (known.by, known.variance)
        second = write_calibration(again, tmp_path / "b.json")
        assert second.read_bytes() == path.read_bytes()


def test_every_kind_of_item_is_kept_with_its_asymptotes(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    theta = rng.normal(size=300)
    data = draw(rng, theta, np.linspace(-1, 1, 5), c=0.25)
    data["g"] = np.digitize(theta + rng.normal(size=300), [-0.5, 0.5])
    data["p"] = np.digitize(theta + rng.normal(size=300), [-0.5, 0.5]) * 0.5
    guess = {**dict.fromkeys(data, 0.25), "g": 0.0, "p": 0.0}
    fit = fit_irt({**dict.fromkeys(data, "rasch"), "g": "grm", "p": "gpcm"}, data, guess=guess)
    known = calibrate_items(fit, {}, {})
    again = read_calibration(write_calibration(known, tmp_path / "k.json"))
    assert [e.kind for e in again.entries] == ["4pl"] * 5 + ["graded", "gpcm"]
    assert again.entries[6].scores == (0, 0.5, 1)
    assert json.loads((tmp_path / "k.json").read_text())["entries"][0]["parameters"]["g"] == 0.25
    found = score_responses(again, data, {i: i for i in data}).table
    assert np.allclose(found["theta"], fit.scores("eap")["theta"], atol=1e-6)


def test_unknown_items_and_scores_are_named_and_left_out(
    by_item: tuple[pd.DataFrame, Calibration],
) -> None:
    data, known = by_item
    given = data.head(5).assign(new=1, i3=[1, 0, 2, 1, 0])
    found = score_responses(known, given, {i: i for i in data})
    assert found.unknown == ("new",)
    assert list(found.table["left_out"]) == [1, 1, 2, 1, 1]
    said = {entry.code: entry for entry in found.diagnostics}
    assert said["unknown_items"].values == {"items": 1, "responses": 5}
    assert said["unknown_score"].where == ("i3",)
    with pytest.raises(ParameterError, match="contains none of the 1 items"):
        score_responses(known, pd.DataFrame({"new": [1, 0]}), {})


def test_where_guessing_hides_an_item_its_likelihood_still_has_a_curvature() -> None:
    """Two items solved by 60 % whose cells say that they are far too hard for that: guessing makes
    their likelihood convex there, and a parabola with that curvature has no maximum."""
    rng = np.random.default_rng(0)
    theta = rng.normal(size=60)
    p = np.column_stack([1 / (1 + np.exp(-theta))] * 2 + [np.full(60, 0.6)] * 2)
    data = pd.DataFrame((rng.random(p.shape) < p).astype(float)).add_prefix("i")
    mean, sd = np.array([0, 0, 4.0, 4.0]), np.array([2, 2, 0.1, 0.1])
    fit = modes(data, mean, sd, 0.25, 1.0, None)
    found = _quadratic(fit, without_priors(fit), mean, sd, 0.2, None)
    assert (found.a.diagonal() > 0.05).all()
    assert np.linalg.eigvalsh(found.a).min() > -1e-10


def test_a_cell_of_which_nothing_is_known_is_named_and_its_clones_are_as_the_prior_says() -> None:
    z = np.repeat(np.eye(2), 2, axis=0)
    a = np.diag([3.0, 3.0, 0.0, 0.0])
    sd, limits, _ = clone_spreads(a, np.array([3.0, -3.0, 0, 0]), np.array([1.0, -1.0, 0, 0]), z)
    assert np.isfinite(sd).all()
    assert limits[1, 1] - limits[0, 1] > 1
    with pytest.raises(ParameterError, match="difficulty of the cell 'far' cannot be estimated"):
        _check_informed(a, z, ["near", "far"])
    _check_informed(a + np.eye(4), z, ["near", "far"])


def test_cell_means_and_the_spread_of_clones_are_recovered(families: FamilyFit) -> None:
    cells: Any = families.cells
    assert (np.abs(cells["b"] - MEANS) < 2.5 * cells["se_b"]).all()
    # Twelve clones alone give an error of .7 / sqrt(12) = .20, so cells cannot be surer than that.
    assert cells["se_b"].between(0.15, 0.35).all()
    assert (cells["clone_sd_low"] < CLONE_SD).all()
    assert (cells["clone_sd_high"] > CLONE_SD).all()
    assert cells["clone_sd"].mean() == pytest.approx(CLONE_SD, abs=0.2)


@pytest.mark.slow
def test_items_that_everybody_solves_count_in_their_cell() -> None:
    rng = np.random.default_rng(4)
    names, b = clones(rng, 4)
    data = draw(rng, rng.normal(size=60), b)
    easy = [f"i{j}" for j in range(4)]
    data[easy[:2]] = 1
    found = fit_families(data, names)
    assert len(found.items) == 16
    assert found.items["b"].iloc[:2].max() < found.items["b"].iloc[2:4].min()
    without = fit_families(data.drop(columns=easy[:2]), names[2:])
    assert found.cells["b"].iloc[0] < without.cells["b"].iloc[0] - 0.3
    assert "constant_items" not in {entry.code for entry in found.diagnostics}


@pytest.mark.thorough
def test_a_design_predicts_a_cell_that_nobody_answered() -> None:
    rng = np.random.default_rng(6)
    names, b = clones(rng, 6)
    kept = [j for j, name in enumerate(names) if name != "size=3"]
    data = draw(rng, rng.normal(size=150), b).iloc[:, kept]
    design = pd.DataFrame({"one": 1.0, "size": [1.0, 2, 3, 4]}, index=CELLS)
    found = fit_families(data, [names[j] for j in kept], design=design)
    assert found.cells.loc["size=3", "n"] == 0
    assert abs(found.cells.loc["size=3", "b"] - 0.5) < 2.5 * found.cells.loc["size=3", "se_b"]
    assert found.cell_sd >= 0


@pytest.mark.slow
def test_intervals_for_new_clones_cover_where_plain_ones_do_not() -> None:
    rng = np.random.default_rng(11)
    labels = {name: {"size": int(name[-1])} for name in CELLS}
    whole, plain = [], []
    for _ in range(8):
        names, b = clones(rng, 6)
        families = fit_families(draw(rng, rng.normal(size=80), b), names)
        known = calibrate_cells(families, labels, {}, {})
        theta = rng.normal(size=80)
        # Every examinee is asked new items of the cells.
        answers = np.vstack([draw(rng, theta[[k]], clones(rng, 10)[1]) for k in range(80)])
        data = pd.DataFrame(answers, columns=[f"n{j}" for j in range(40)])
        entries = dict(zip(data, clones(rng, 10)[0], strict=True))
        table = score_responses(known, data, entries).table
        whole += list((table["low"] < theta) & (theta < table["high"]))
        sure = replace(known, entries=tuple(replace(e, clone_sd=0.0) for e in known.entries))
        table = score_responses(sure, data, entries).table
        plain += list(np.abs(table["theta"] - theta) < 1.96 * table["se_measurement"])
    assert 0.92 < np.mean(whole) < 0.98
    assert np.mean(plain) < np.mean(whole) - 0.02


def test_a_clones_curve_is_the_integral_over_its_family() -> None:
    entry = Entry("cell", "4pl", (0.0, 1.0), (1.0, -0.4, np.log(0.2 / 0.8), np.inf), 0.9)
    known = Calibration("design", "rasch", (entry,), (), np.zeros((0, 0)))
    theta = np.linspace(-3, 3, 7)
    drawn = 0.4 + 0.9 * np.random.default_rng(1).normal(size=400_000)
    curve = [0.2 + 0.8 * np.mean(1 / (1 + np.exp(drawn - t))) for t in theta]
    assert known.probabilities(theta)[0] == pytest.approx(curve, abs=2e-3)
    step = 1e-4
    p = known.probabilities(theta)[0]
    slope = (known.probabilities(theta + step)[0] - known.probabilities(theta - step)[0]) / 2 / step
    assert known.information(theta)[0] == pytest.approx(slope**2 / (p * (1 - p)), rel=1e-5)
    plug_in = replace(known, entries=(replace(entry, clone_sd=0.0),))
    assert known.information([0.5])[0, 0] < plug_in.information([0.5])[0, 0]
    first = known.curves("cell", theta).first
    for place, name in enumerate(entry.parameters):
        if name in ("logit_g", "logit_u"):
            continue
        up, down = (
            replace(entry, clone_sd=entry.clone_sd * np.exp(s)) if name == "log_clone_sd"
            else replace(entry, values=tuple(
                v + s * (k == place) for k, v in enumerate(entry.values)
            ))
            for s in (1e-5, -1e-5)
        )  # fmt: skip
        ends = [replace(known, entries=(e,)).curves("cell", theta).value for e in (up, down)]
        assert first[:, :, place] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-6), name


def _set(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        *way, last = [int(p) if p.isdigit() else p for p in path.split("/")]
        at: Any = document
        for step in way:
            at = at[step]
        at[last] = value

    return change


MISTAKES = [
    ("format", "something", "is not a calibration"),
    ("version", 9, "of version 9; this program reads 1"),
    ("by", "cell", "'by' must be one of item, design"),
    ("latent/variance", -1, "variance must be positive"),
    ("entries", [], "has no entries"),
    ("entries/1/name", "i0", "entry 'i0' occurs twice"),
    ("entries/0/kind", "5pl", "entry 1 ('i0'): 'kind' must be one of"),
    ("entries/0/scores", [1, 0], "scores must be two or more numbers that ascend"),
    ("entries/2/parameters/d", None, "entry 3 ('i2'), parameters, d: None is not a finite number"),
    ("entries/0/clone_sd", 0.5, "clone_sd must be positive"),
    ("covariance/parameters/0", "i99.d", "'i99.d' is not a parameter of an entry"),
    ("covariance/lower/1", [1.0], "the lower triangle of a 24 x 24 matrix"),
    ("covariance/lower/0", [-1.0], "the variance of 'i0.a1' is negative"),
    ("covariance/lower/0", ["x"], "row 1: 'x' is not a finite number"),
    ("diagnostics", [{"code": "x"}], "a diagnostic lacks code"),
]


@pytest.mark.parametrize(("path", "value", "said"), MISTAKES, ids=[m[2][:30] for m in MISTAKES])
def test_what_is_wrong_with_a_file_is_one_sentence(
    path: str, value: Any, said: str, by_item: tuple[pd.DataFrame, Calibration]
) -> None:
    document = copy.deepcopy(to_document(by_item[1]))
    _set(path, value)(document)
    with pytest.raises(ParameterError) as caught:
        from_document(document, "calibration 'f.json'")
    assert said in str(caught.value)
    assert str(caught.value).startswith("calibration 'f.json'")


def test_a_file_that_is_no_json_or_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    for name, said in (("x.json", "is not JSON"), ("y.json", "cannot be read")):
        with pytest.raises(ParameterError, match=said):
            read_calibration(tmp_path / name)


def _sample(rng: np.random.Generator, model: str, mean: float, sd: float) -> Calibration:
    """A calibration by 400 respondents of items that are the same in every call."""
    b, a = np.linspace(-1.5, 1.5, 12), np.tile([0.8, 1.2, 1.6], 4)
    theta = rng.normal(mean, sd, 400)
    p = 1 / (1 + np.exp(-(a if model == "2pl" else 1.0) * (theta[:, None] - b)))
    data = pd.DataFrame((rng.uniform(size=p.shape) < p).astype(int)).add_prefix("i")
    return calibrate_items(fit_irt(model, data), {}, {"bank": {"digest": "d"}})


@pytest.mark.slow
@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_a_linked_calibration_is_on_the_old_scale_with_the_links_error(model: str) -> None:
    rng = np.random.default_rng(21)
    away, errors, line = [], [], []
    for _ in range(6):
        old, new = _sample(rng, model, 0, 1), _sample(rng, model, 0.7, 1.2)
        linked = link_calibration(new, old)
        line.append([linked.about["linking"][name] for name in ("slope", "intercept")])
        errors.append([linked.about["linking"][f"{n}_se"] for n in ("slope", "intercept")])
        away.append(linked.table["b"] - np.linspace(-1.5, 1.5, 12))
        assert np.all(linked.table["se_b"].to_numpy() > 0)
        assert linked.mean == pytest.approx(linked.about["linking"]["intercept"])
    slope, intercept = np.mean(line, axis=0)
    assert slope == pytest.approx(1.0 if model == "rasch" else 1.2, abs=0.08)
    assert intercept == pytest.approx(0.7, abs=0.08)
    # The standard error is the scatter over samples, as far as six of them show it.
    assert 0.4 < np.std(np.array(line)[:, 1], ddof=1) / np.mean(np.array(errors)[:, 1]) < 2.5
    assert np.mean(away) == pytest.approx(0, abs=0.1)


@pytest.mark.thorough
def test_linking_to_itself_changes_nothing_but_the_errors(
    by_item: tuple[pd.DataFrame, Calibration],
) -> None:
    known = by_item[1]
    linked = link_calibration(known, known)
    assert linked.about["linking"]["slope"] == pytest.approx(1, abs=1e-8)
    for first, second in zip(linked.entries, known.entries, strict=True):
        assert first.values == pytest.approx(second.values, abs=1e-7)
    assert {d.code for d in linked.diagnostics} == {d.code for d in known.diagnostics}


def test_what_cannot_be_linked_and_what_drifted_is_said(
    by_item: tuple[pd.DataFrame, Calibration], by_design: Calibration
) -> None:
    known = by_item[1]
    with pytest.raises(ParameterError, match="by item cannot be linked to one by design"):
        link_calibration(known, by_design)
    with pytest.raises(ParameterError, match="two common items of two categories, got 1"):
        link_calibration(known, replace(known, entries=known.entries[:1]))
    with pytest.raises(ParameterError, match="linked by mean-mean"):
        link_calibration(by_design, by_design, "haebara")
    moved = replace(known.entries[3], values=(known.entries[3].values[0], 9.0))
    changed = replace(known, entries=(*known.entries[:3], moved, *known.entries[4:]))
    said = {d.code: d for d in link_calibration(changed, known, "haebara").diagnostics}
    assert "i3" in said["drifted_items"].where


def calibration(**more: Any) -> Calibration:
    entries = (
        Entry("x", "2pl", (0.0, 1.0), (1.2, -0.6)), Entry("y", "2pl", (0.0, 1.0), (0.8, 0.4)),
    )  # fmt: skip
    names = ("x.a1", "x.d", "y.a1", "y.d")
    covariance = np.diag([0.01, 0.02, 0.03, 0.04]) + 0.001
    return replace(Calibration("item", "2pl", entries, names, covariance, 0.1, 1.5), **more)


def test_calibrations_of_abilities_are_files_of_a_folder(tmp_path: Path) -> None:
    folder = write_calibrations(
        {"Gv": calibration(), "Gf": calibration(mean=0.5)}, tmp_path / "a/b"
    )
    assert sorted(p.name for p in folder.iterdir()) == ["Gf.json", "Gv.json"]
    write_calibrations({"Gv": calibration()}, folder)  # The folder may be there.
    found = read_calibrations(folder)
    assert list(found) == ["Gf", "Gv"]
    assert found["Gf"].mean == 0.5
    assert found["Gv"].about["ability"] == "Gv"
    assert list(read_calibrations(folder / "Gf.json")) == ["Gf"]
    for name in ("", "a/b", "a\\b", ".a", "a\0"):
        with pytest.raises(ParameterError, match="cannot be the name of a file; rename the label"):
            write_calibrations({name: calibration()}, folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match=r"the folder .* cannot be created"):
        write_calibrations({"Gv": calibration()}, tmp_path / "file")
    with pytest.raises(ParameterError, match="has no calibration"):
        read_calibrations(tmp_path)
    (folder / "Other.json").write_text((folder / "Gf.json").read_text("utf-8"), "utf-8")
    with pytest.raises(ParameterError, match=r"Other.json': 'Gf' has another file, too"):
        read_calibrations(folder)
    for ability in (None, "", 3):
        alone = write_calibration(calibration(), tmp_path / "alone.json")
        document = {**json.loads(alone.read_text("utf-8")), "ability": ability}
        alone.write_text(json.dumps(document), "utf-8")
        with pytest.raises(ParameterError, match='does not name its "ability"'):
            read_calibrations(alone)


def test_a_calibrations_file_is_readable_and_its_digest_that_of_its_document(
    tmp_path: Path,
) -> None:
    known = calibration(about={"population": "grüne", "ability": "Gf"})
    path = write_calibration(known, tmp_path / "a.json")
    text = path.read_text("utf-8")
    assert text.startswith('{\n "format"')
    assert text.endswith("}\n")
    assert "grüne" in text
    assert list(json.loads(text))[4:6] == ["ability", "population"]
    again = read_calibration(path)
    assert to_document(again) == to_document(known)
    plain = json.dumps(to_document(known), sort_keys=True, separators=(",", ":"))
    assert calibration_digest(again) == hashlib.sha256(plain.encode()).hexdigest()
    lower = to_document(known)["covariance"]["lower"]
    assert [len(row) for row in lower] == [1, 2, 3, 4]
    assert lower[3] == [0.001, 0.001, 0.001, 0.041]
    third = 1 / 3
    rounded = to_document(calibration(covariance=np.full((4, 4), third) + np.eye(4)))
    assert rounded["covariance"]["lower"][1][0] == float(f"{third:.12g}") != third


def test_scores_that_are_no_category_are_left_out_and_shown() -> None:
    data = pd.DataFrame({"x": [1.0, 0.0, 0.5, 2.0], "y": [0, 1.0, 1.0, np.nan],
                         **{f"z{k}": [1.0, 1, 1, np.nan] for k in range(6)}})  # fmt: skip
    found = score_responses(calibration(), data, {"x": "x", "y": "y"})
    said = {d.code: d for d in found.diagnostics}
    assert said["unknown_score"].sentence.startswith(
        "2 scores of item 'x' (such as 0.5) are no category"
    )
    assert said["unknown_score"].where == ("x",)
    assert said["unknown_items"].sentence == (
        "The calibration does not know 6 of 8 items (z0, z1, z2, z3, z4 and 1 more); 18 responses "
        "were left out."
    )
    five = score_responses(calibration(), data.drop(columns="z5"), {"x": "x", "y": "y"})
    (other,) = [d for d in five.diagnostics if d.code == "unknown_items"]
    assert "5 of 7 items (z0, z1, z2, z3, z4); 15 responses" in other.sentence


def test_a_calibration_of_unnamed_respondents_is_shown_and_read_again() -> None:
    known = calibration()
    read = from_document(to_document(known))
    for one in (known, read):
        assert one.facts["respondents"] is None
        assert one.facts["bank"] is None
        assert "by an unknown number of respondents: an unnamed population" in one.summary()
    with pytest.raises(ParameterError, match="calibration: 'respondents' must be an object"):
        from_document({**to_document(known), "respondents": 12})
