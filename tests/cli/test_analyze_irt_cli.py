"""`gfactor analyze irt` replays recorded fits of mirt, and says what data cannot carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.cli import run_cli
from support.irt_oracles import Fit, case
from support.oracles import oracle
from support.tiers import few, slow

from gfactor.cli.analyses.irt import command
from gfactor.frames import pick

I18 = [f"i{k:02d}" for k in range(1, 19)]
REPLAYS: dict[str, dict[str, Any]] = {
    "2pl_lsat7": {"model": "2pl"},
    "rasch_lsat6_mml": {"model": "rasch"},
    "2pl_missing_booklets": {"model": "2pl", "TOL": 1e-8},
    "3pl_prior": {"model": "3pl", "priors": {"guess": ["norm", -1.5, 0.5]}},
    "4pl_prior": {
        "model": "4pl",
        "priors": {"slope": ["lnorm", 0.3, 0.3], "guess": ["norm", -1.8, 0.4],
                   "upper": ["norm", 2.5, 0.4]},
    },
    "grm_sim": {"model": "grm"},
    "gpcm_sim": {"model": "gpcm"},
    "pcm_sim_mml": {"model": "pcm"},
    "nrm_sim": {"model": "nrm"},
    "mixed_2pl_grm_gpcm": {"itemtype": ["2pl"] * 6 + ["grm"] * 4 + ["gpcm"] * 2},
    "2pl_confirmatory_2dim": {"model": "2pl", "factors": {"F1": I18[:8], "F2": I18[8:16]}},
    "2pl_bifactor": {
        "model": "2pl", "bifactor": {"S1": I18[:6], "S2": I18[6:12], "S3": I18[12:]},
    },
    "2pl_latent_regression": {"model": "2pl", "covariates": ["x1", "x2"]},
    "2pl_multigroup.scalar": {"model": "2pl", "groups": "group", "reference": "0"},
    "2pl_m3irt_24x200_prior": {
        "model": "2pl", "priors": {"slope": ["lnorm", 0, 0.5], "intercept": ["norm", 0, 2]},
    },
}  # fmt: skip
UNSIMULATED = ("--simulations", "0")
"""What is said here is not about simulated tables (psychometrics/irt/test_broken_items.py)."""
QUICK = {"2pl_lsat7", "mixed_2pl_grm_gpcm", "2pl_m3irt_24x200_prior"}
"""One model, models by item, and priors; the other fits wait for `make test-all`."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else slow) for name in REPLAYS]
)
def test_a_recorded_fit_is_replayed_from_a_file_of_options(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fit = Fit(*(*name.split("."), "")[:2])
    settings = case(fit.name)["settings"]
    grid = {"quadpts": settings["quadpts"], "theta_lim": settings["theta_lim"]}
    (tmp_path / "o.json").write_text(json.dumps({**grid, **REPLAYS[name]}))
    data = oracle(f"irt/data/{case(fit.name)['data']}")
    ran = run_cli(
        monkeypatch, capsys, "analyze", "irt", str(data), "--irt-options",
        str(tmp_path / "o.json"), "--json", *UNSIMULATED,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["converged"]
    assert found["n_free"] == fit.recorded["npar"]
    assert found["loglik"] == pytest.approx(fit.optimum["logLik"], rel=1e-10)
    assert found["aic"] == pytest.approx(2 * found["n_free"] - 2 * found["loglik"])
    assert len(found["scores"]) == found["n_persons"]
    theirs = fit.recorded.get("irt_parameters")
    if theirs and "a" in theirs:
        ours = {row["item"]: row for row in found["items"]}
        assert [ours[i]["a"] for i in theirs["item"]] == pytest.approx(theirs["a"], abs=5e-4)
        if "b" in theirs and None not in theirs["b"]:
            assert [ours[i]["b"] for i in theirs["item"]] == pytest.approx(theirs["b"], abs=5e-4)
        if "b1" in theirs:
            first = {
                i: b for i, b in zip(theirs["item"], theirs["b1"], strict=True) if b is not None
            }
            assert {i: ours[i]["b"][0] for i in first} == pytest.approx(first, abs=5e-4)


def _responses(persons: int, items: int, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=(persons, 1))
    right = rng.uniform(size=(persons, items)) < 1 / (
        1 + np.exp(-(theta - np.linspace(-1, 1, items)))
    )
    return pd.DataFrame(right.astype(int), columns=[f"q{j}" for j in range(items)])


def _run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], frame: pd.DataFrame,
    folder: Path, *words: str, index: bool = False,
) -> Any:  # fmt: skip
    frame.to_csv(folder / "d.csv", index=index)
    words = ("analyze", "irt", str(folder / "d.csv"), *UNSIMULATED, *words)
    return run_cli(monkeypatch, capsys, *words)


def test_the_document_has_the_promised_keys_and_null_where_nothing_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = _responses(200, 6)
    frame.insert(0, "examinee", [f"m{k}" for k in range(200)])
    frame.loc[:150, "q2"] = np.nan
    ran = _run(monkeypatch, capsys, frame, tmp_path, "--model", "2pl", "--json")
    found = json.loads(ran.out)
    for key in ("model", "n_persons", "n_items", "loglik", "aic", "bic", "converged", "latent"):
        assert key in found
    assert found["n_items"] == 6
    assert found["scores"][0]["examinee"] == "m0"
    assert set(found["scores"][0]) == {"examinee", "eap", "eap_se", "wle", "wle_se"}
    assert set(found["items"][0]["se"]) == {"a", "b", "c", "d", "slopes", "intercepts"}
    assert found["items"][0]["s_x2"] is None
    assert found["fit"]["m2"] is None
    codes = {entry["code"] for entry in found["diagnostics"]}
    assert {"no_m2", "no_s_x2"} <= codes


@pytest.mark.slow
def test_clusters_widen_standard_errors_of_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.concat([_responses(120, 5)] * 4, ignore_index=True)
    frame["family"] = [f"f{k % 120}" for k in range(480)]
    errors = []
    for words in (("--cluster", "family"), ()):
        given = frame if words else frame.drop(columns="family")
        ran = _run(monkeypatch, capsys, given, tmp_path, "--model", "rasch", "--json", *words)
        errors.append([row["se"]["b"] for row in json.loads(ran.out)["items"]])
    # Four copies of everybody: twice the plain errors, apart from the sandwich's own sampling.
    assert np.mean(np.array(errors[0]) / errors[1]) == pytest.approx(2.0, rel=0.1)


def test_parameters_are_fixed_and_equal_as_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"constraints": [["q0.a1", "q1.a1"]], "fixed": {"q2.d": 0.25}}
    (tmp_path / "o.json").write_text(json.dumps(options))
    ran = _run(
        monkeypatch, capsys, _responses(300, 5), tmp_path, "--model", "2pl", "--json",
        "--irt-options", str(tmp_path / "o.json"),
    )  # fmt: skip
    found = json.loads(ran.out)
    items = found["items"]
    assert items[0]["a"] == items[1]["a"] != items[3]["a"]
    assert items[2]["intercepts"] == [0.25]
    assert items[2]["se"]["intercepts"] == [None]
    assert found["n_free"] == 8


def test_a_file_of_options_takes_a_list_of_asymptotes_and_null_for_no_prior(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame, path = _responses(300, 5), tmp_path / "o.json"
    found = {}
    for name, model, options in (
        ("listed", "rasch", {"guess": [0, 0.2, 0, 0.2, 0]}),
        ("free", "3pl", {"priors": {"guess": None}}),
        ("prior", "3pl", {}),
    ):
        path.write_text(json.dumps(options))
        ran = _run(
            monkeypatch, capsys, frame, tmp_path, "--model", model, "--json", "--irt-options",
            str(path),
        )  # fmt: skip
        assert ran.code == 0, ran.err
        found[name] = json.loads(ran.out)
    assert [row["c"] for row in found["listed"]["items"]] == [0, 0.2, 0, 0.2, 0]
    assert found["free"]["log_prior"] == 0
    assert "priors" not in found["free"]
    assert found["free"]["loglik"] >= found["prior"]["loglik"]
    assert found["prior"]["priors"] == {"guess": "normal(-1.5, 0.5) of the logit"}


MISTAKES = [
    (("--model", "2pl"), _responses(12, 5), "too few for a discrimination per item"),
    (("--model", "rasch"), _responses(1, 5), "at least two persons"),
    (("--model", "rasch"), _responses(50, 4).assign(q1=["x", *[1] * 49]), "is not a number"),
    (("--model", "rasch"), _responses(50, 4) * 0 + 1, "at least two items that vary"),
    (("--model", "9pl"), _responses(50, 4), "9pl"),
    (("--model", "rasch", "--groups", "none"), _responses(50, 4), "no column 'none'"),
    (("--model", "rasch", "--guess", "format"), _responses(50, 4), "number of options"),
    ((), _responses(50, 4), "--model is missing"),
    (  # before anything is fitted: these items do not vary
        ("--model", "rasch", "--groups", "age", "--dif"),
        (_responses(50, 4) * 0 + 1).assign(age=range(50)),
        "DIF compares two groups, and 'age' has 50: 0 (1), 1 (1), 2 (1), 3 (1), 4 (1) and 45 more;",
    ),
    (
        ("--model", "rasch", "--groups", "age=old,young"),
        _responses(50, 4).assign(age=["old", "new"] * 25),
        "group of 'age'",
    ),
]


@pytest.mark.parametrize(("words", "frame", "said"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...], frame: pd.DataFrame, said: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    ran = _run(monkeypatch, capsys, frame, tmp_path, *words)
    assert ran.code != 0
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_force_fits_and_keeps_the_warning_on_top(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = _run(monkeypatch, capsys, _responses(20, 5), tmp_path, "--model", "2pl", "--force")
    assert ran.code == 0, ran.err
    assert "20 respondents are too few" in ran.out.splitlines()[0]


@pytest.mark.slow
def test_dif_between_two_groups_is_in_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = _responses(250, 5, 1), _responses(250, 5, 2)
    second["q2"] = _responses(250, 5, 3)["q4"]  # harder for them, and unrelated to the rest
    frame = pd.concat([first.assign(kind="people"), second.assign(kind="models")])
    ran = _run(
        monkeypatch, capsys, frame, tmp_path, "--model", "rasch", "--groups", "kind", "--dif",
        "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    flagged = [row["item"] for row in found["dif"]["items"] if row["p_adjusted"] < 0.05]
    assert flagged == ["q2"]
    (note,) = (one for one in found["diagnostics"] if one["code"] == "equal_in_spite_of_dif")
    assert "every item is equal in both groups, also q2" in note["sentence"]
    assert [group["group"] for group in found["latent"]["groups"]] == ["people", "models"]


def _bad(kind: str) -> pd.DataFrame:
    frame = _responses(60, 5)
    if kind == "constant_items":
        return frame.assign(always=1, never=0)
    if kind == "duplicated_items":
        return _responses(120, 5).assign(copy=_responses(120, 5)["q2"])
    if kind == "extreme_persons":
        frame.iloc[0], frame.iloc[1] = 1, 0
        return frame
    return _responses(5, 3_000)


@pytest.mark.parametrize(
    ("kind", "said"),
    few(
        [
            ("constant_items", "2 items do not vary and were left out: always, never"),
            ("duplicated_items", "identical responses throughout: q2 = copy"),
            ("extreme_persons", "have every item right"),
            (
                "few_respondents",
                "5 respondents give difficulties with standard errors of about 0.9",
            ),
        ],
        1,
    ),
)
def test_data_that_carry_little_are_fitted_and_said_so_on_the_page_too(
    kind: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    ran = _run(
        monkeypatch, capsys, _bad(kind), tmp_path, "--model", "rasch",
        *(["-o", str(tmp_path / "page")] if kind != "few_respondents" else []),
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert said in ran.out
    if kind != "few_respondents":
        page = (tmp_path / "page" / "report.html").read_text("utf-8")
        assert said in page
        assert page.index(said) < page.index("data:image/svg")


@pytest.mark.slow
def test_the_page_has_dif_and_lies_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.concat(
        [_responses(90, 4, 1).assign(kind="people"), _responses(90, 4, 2).assign(kind="models")]
    )
    ran = _run(
        monkeypatch, capsys, frame, tmp_path, "--model", "rasch", "--groups", "kind", "--dif",
        "-o", str(tmp_path / "page"),
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "report.html" in ran.out.splitlines()[-1]
    for name in ("figures/dif.svg", "figures/wright_map.png", "tables/dif.csv", "tables/dif.tex"):
        assert (tmp_path / "page" / name).exists()


def test_the_terminal_shows_the_items_that_fit_worst_and_the_persons(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    logits = 2 * random.normal(size=(300, 1)) - np.linspace(-2, 2, 12)
    right = random.uniform(size=(300, 12)) < 1 / (1 + np.exp(-logits))
    right[:, 4] = random.uniform(size=300) < 0.5
    right[0] = [False] * 6 + [True] * 6
    pd.DataFrame(right.astype(int)).add_prefix("i").to_csv(path := tmp_path / "a.csv", index=False)
    done = CliRunner().invoke(command, [str(path), "--model", "rasch", *UNSIMULATED])
    assert done.exit_code == 0, done.output
    table = done.stdout.partition("item fit (the worst 10 of 12)\n")[2].splitlines()
    assert table[0].split() == ["item", "n", "S-X2", "df", "p_adjusted", "infit", "outfit"]
    assert table[1].split()[:2] == ["i4", "300"]
    assert not table[11]
    assert table[1].split()[4:6] == ["<", ".001"]
    p = [float(row.split()[4]) for row in table[2:11]]
    assert p == sorted(p)
    assert "of 300 persons answer unexpectedly (Zh below -2), first" in table[12]


def test_dif_by_observed_scores_stands_beside_the_model(tmp_path: Path) -> None:
    frame = _responses(200, 5).assign(sex=["f", "m"] * 100)
    frame.to_csv(path := tmp_path / "a.csv", index=False)
    words = [str(path), "--model", "rasch", "--groups", "sex", "--dif-method", "mantel-haenszel"]
    done = CliRunner().invoke(command, [*words, "--dif", "-o", str(tmp_path / "page")])
    assert done.exit_code == 0, done.output
    assert "between f (reference, n = 100) and m (focal, n = 100)" in done.output
    assert "Delta: 2.35 times" in (tmp_path / "page" / "report.html").read_text("utf-8")
    refused = CliRunner().invoke(command, words)
    assert "--dif-uniform, --dif-method and --dif-anchors go with --dif" in str(refused.exception)


def test_two_models_of_the_same_responses_are_compared(tmp_path: Path) -> None:
    _responses(200, 5).to_csv(path := tmp_path / "a.csv", index=False)
    words = [str(path), "--model", "rasch", "--against", "2pl", *UNSIMULATED]
    done = CliRunner().invoke(command, [*words, "--json", "-o", str(tmp_path / "page")])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["comparison"]["df"] == 4
    assert document["comparison"]["nested"] is True
    assert "AIC" in CliRunner().invoke(command, words).stdout.upper()
    refused = CliRunner().invoke(command, [*words, "--shrink"])
    assert "--against does not go with --shrink" in str(refused.exception)
    unknown = CliRunner().invoke(command, [*words[:4], "5pl"])
    assert "'5pl'" in str(unknown.exception)


def test_a_column_of_four_groups_is_compared_in_the_two_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal names an option that works; the result is that of the rows of both groups."""
    answers = ("man", "woman", "woman", "man", "man", "other", "no answer")
    frame = _responses(300, 4).assign(sex=[answers[k % 7] for k in range(300)])
    words = ("--model", "rasch", "--dif", "--json", "--groups")
    refused = _run(monkeypatch, capsys, frame, tmp_path, *words, "sex")
    assert refused.err.rstrip().endswith("name two, such as --group sex=man,woman")
    named = _run(monkeypatch, capsys, frame, tmp_path, *words, "sex=man,woman")
    alone = pick(frame, frame["sex"].isin(["man", "woman"]))
    only = _run(monkeypatch, capsys, alone, tmp_path, *words, "sex")
    assert json.loads(named.out)["dif"] == json.loads(only.out)["dif"]
