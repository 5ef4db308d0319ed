"""Where something was computed cannot be seen in the result."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli
from support.tiers import few

import gfactor as gf
from gfactor import computing
from gfactor.api.inputs.backend_options import backend_settings
from gfactor.errors import MissingExtraError, ParameterError, UnknownNameError
from gfactor.psychometrics import bootstrap_pls, fit_pls, parse_pls, predict_pls, sem
from gfactor.psychometrics.inference.resampling import bootstrap
from gfactor.psychometrics.sem.batches.moments import AT_ONCE

OPTIONS = "temp_folder=x,inner_max_num_threads=5"
MODEL = "f =~ x1 + x2 + x3 + x4"
PATHS = "A =~ x1 + x2; B =~ x3 + x4; B ~ A"


def cases(n: int = 80) -> pd.DataFrame:
    random = np.random.default_rng(1)
    f = random.normal(size=n)
    return pd.DataFrame({f"x{k}": f + random.normal(size=n) for k in range(1, 5)})


def tasks(n: int = 60) -> pd.DataFrame:
    """Scores of models on six tasks, so like each other that some of them are redundant."""
    random = np.random.default_rng(4)
    f = random.normal(size=(n, 2))
    names = [f"Bench.{'AB'[k // 3]}.t{k}" for k in range(6)]
    scores = {name: f[:, k // 3] + 0.4 * random.normal(size=n) for k, name in enumerate(names)}
    return pd.DataFrame(scores, index=[f"m{k}" for k in range(n)])


def everything(folder: Path) -> dict[str, Any]:
    """What is computed in parallel, as bytes."""
    folder.mkdir()
    bank = gf.build(
        "percept-v", domains=["change_colour", "counting_circles"], sizes=[1], seed=3,
        path=folder / "b.parquet",
    )  # fmt: skip
    journal = gf.run(bank, ["observer:limited?seed=2"], journal=folder / "c.db")
    replies = journal.responses().sort_values("item_hash")
    audited = gf.audit(bank).to_dict()
    data = cases()
    holes = data.mask(np.random.default_rng(2).random(data.shape) < 0.1)
    many = sem.bootstrap(sem.fit(MODEL, data), AT_ONCE + 20, seed=4)
    few = sem.bootstrap(sem.fit(MODEL, holes, missing="ml"), 6, seed=4)
    known = "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3 + 0.7*x4"
    study = sem.simulation_study(known, 60, replications=AT_ONCE + 20, seed=5)
    robust = sem.simulation_study(known, 60, replications=3, seed=5, estimator="MLR")
    path = fit_pls(parse_pls(PATHS), data)
    predicted = predict_pls(path, repeats=3, seed=8)
    pruned = gf.prune(None, tasks(), n_bootstrap=60, seed=9)
    assert pruned.stability is not None

    def reach(data: pd.DataFrame) -> dict[str, float]:
        """A statistic that has no value in some resamples."""
        values = data.to_numpy()
        low = float(values[:, 0].min())
        return {"low": low if low > -2.5 else float("nan"), "mean": float(values.mean())}

    drawn = bootstrap(reach, data, n_bootstrap=60, seed=6)
    assert 0 < drawn.failures["a statistic has no value"] < 60
    return {
        # Not the file: ISA-L seldom compresses the same pixels to other bytes.
        "bank": bank.metadata,
        "items": bank.frame().to_csv(),
        "replies": replies[["item_hash", "text"]].to_csv(index=False),
        "audit": audited,
        "sem": (many.fits.theta.tobytes(), many.fits.values.tobytes(), many.fits.reason.tolist()),
        "one by one": (few.fits.theta.tobytes(), few.fits.chisq.tobytes()),
        "study": (study.runs.theta.tobytes(), study.runs.errors.tobytes()),
        "robust": (robust.runs.theta.tobytes(), robust.runs.errors.tobytes()),
        "pls": bootstrap_pls(path, 300, seed=7).draws.tobytes(),
        "predicted": (predicted.table.to_csv(), predicted.errors.to_numpy().tobytes()),
        "pruned": (pruned.stability.tasks.to_csv(), pruned.stability.to_dict()),
        "bootstrap": (drawn.draws.tobytes(), dict(drawn.failures)),
    }


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return everything(tmp_path_factory.mktemp("serial") / "here")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "jobs"), few([("loky", 2), ("loky", 4), ("dask", 2), ("ray", 2)], 1)
)
def test_every_backend_gives_the_bytes_of_one_process(
    serial: dict[str, Any], tmp_path: Path, name: Any, jobs: int
) -> None:
    if name == "ray":
        pytest.importorskip("ray", reason="Ray is not installed: pip install 'gfactor[ray]'")
    with gf.backend(name, jobs=jobs) as place:
        assert place.jobs == jobs
        there = set(computing.each(os.getpid, [()] * 40))
        assert os.getpid() not in there
        found = everything(tmp_path / name)
    for key, value in serial.items():
        assert found[key] == value, key
    assert computing.executor() is None
    assert set(computing.each(os.getpid, [()])) == {os.getpid()}


@pytest.mark.slow
def test_results_come_in_order_or_as_they_are_done_and_errors_arrive() -> None:
    def fail(k: int) -> int:
        if k == 3:
            raise ParameterError("three is none")
        return k

    for jobs in (1, 2):
        assert list(computing.each(abs, [(-k,) for k in range(9)], jobs=jobs)) == list(range(9))
        done = computing.each(abs, [(-k,) for k in range(9)], jobs=jobs, ordered=False)
        assert set(done) == set(range(9))
        with pytest.raises(ParameterError, match="three is none"):
            list(computing.each(fail, [(k,) for k in range(9)], jobs=jobs))


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("analyze", "cfa", "cases.csv", "--model", MODEL, "--bootstrap", "40"),
        ("analyze", "pls", "cases.csv", "--model", PATHS, "--predict", "loo"),
        ("prune", "tasks.csv", "--stability", "40"),
    ],
    ids=lambda words: words[1],
)
def test_the_command_line_computes_there_too(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    cases().to_csv(tmp_path / "cases.csv", index=False)
    tasks().rename_axis("model").to_csv(tmp_path / "tasks.csv")
    words = [str(tmp_path / one) if one.endswith(".csv") else one for one in command]
    seen = []
    entered = computing.backend

    def watched(name: Any, jobs: int | None, **options: Any) -> Any:
        seen.append((name, jobs, options))
        return entered(name, jobs)

    monkeypatch.setattr("gfactor.cli.backends.backend", watched)
    said = [
        run_cli(monkeypatch, capsys, *words, "--json", *more)
        for more in ((), ("--jobs", "2"),
                     ("--backend", "loky", "--backend-options", OPTIONS))
    ]  # fmt: skip
    assert [one.code for one in said] == [0, 0, 0], said
    assert said[0].out == said[1].out == said[2].out
    assert seen == [("loky", 2, {}), ("loky", 1, {"temp_folder": "x", "inner_max_num_threads": 5})]


def test_options_are_read_as_they_are_written() -> None:
    assert backend_settings("address=tcp://h:8786, timeout=2.5,n=3,tls=false") == {
        "address": "tcp://h:8786", "timeout": 2.5, "n": 3, "tls": False,
    }  # fmt: skip
    assert backend_settings("") == {}
    with pytest.raises(ParameterError, match="'address' is not KEY=VALUE"):
        backend_settings("address")


def test_mistakes_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def enter(name: Any, jobs: int | None = None, **options: Any) -> None:
        with gf.backend(name, jobs, **options):
            raise AssertionError

    with pytest.raises(UnknownNameError, match="did you mean 'dask'"):
        enter("dusk")
    with pytest.raises(ParameterError, match="must be 1 or more, not 0"):
        enter("loky", 0)
    with pytest.raises(UnknownNameError, match="did you mean 'temp_folder'"):
        enter("loky", 2, temp_foldr="x")
    for wrong, sentence in (
        ({"scheduler_file": "/nowhere.json"}, "cluster '/nowhere.json': there is no such file"),
        ({"address": "head"}, "cluster 'head': the address has no port"),
        ({"address": "tcp://127.0.0.1:9", "timeout": "x"}, "Invalid time unit: x"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            enter("dask", None, **wrong)
    with pytest.raises(ParameterError, match=r"cannot use the cluster 'tcp://127\.0\.0\.1:9'"):
        enter("dask", address="tcp://127.0.0.1:9", timeout=0.2)
    for name, module in (("dask", "distributed"), ("ray", "ray")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtraError, match=rf"gfactor\[{name}\]"):
            enter(name)
