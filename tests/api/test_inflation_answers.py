"""What `gf.inflation` takes: logs of other harnesses, and items named in a text file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli
from support.logs import lines
from support.paper_runs import answer

import gfactor as gf
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import Item

DATE = "2026-11-26T21-38-57.408973"
ITEMS = 20
"""Items of a task."""


def log(folder: Path, model: int, task: str, right: Any, examples: int = 0) -> Path:
    """A log of lm-evaluation-harness, and the results beside it that hold the task's settings."""
    samples = [
        {
            "doc_id": k, "doc": {}, "target": "B", "filter": "none", "metrics": ["exact_match"],
            "arguments": {"gen_args_0": {"arg_0": f"{task} {k}: what barks?\nA. cat\nB. dog"}},
            "resps": [["B" if right[k] else "A"]], "doc_hash": f"{task}{k}",
        }
        for k in range(ITEMS)
    ]  # fmt: skip
    home = folder / f"{examples}" / f"org__m{model}"
    path = lines(home / f"samples_{task}_{DATE}.jsonl", samples)
    settings = {name: {"task": name, "doc_to_text": name, "num_fewshot": examples}
                for name in ("old", "new")}  # fmt: skip
    lines(home / f"results_{DATE}.json", [{"model_name": f"org/m{model}", "configs": settings}])
    return path


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of two tasks that seven models answered; m0 has learned the keys of the old one."""
    folder = tmp_path_factory.mktemp("logs")
    rng = np.random.default_rng(1)
    for model in range(7):
        for task in ("old", "new"):
            right = rng.random(ITEMS) < 0.2 + 0.08 * model
            right |= (model, task) == (0, "old")
            log(folder, model, task, right)
    gf.import_logs("lm-eval", [folder / "0"], journal=folder / "c.db")
    return folder / "c.db"


def test_the_tasks_of_a_log_are_forms_though_each_has_a_condition_of_its_own(logs: Path) -> None:
    found = gf.inflation(logs, examinee="lm-eval:org/m0", public="old/*", fresh="new/*")
    assert (len(found.references), found.public) == (6, 1.0)
    assert found.ci_lower > 0
    with pytest.raises(ParameterError, match="2 conditions"):
        gf.matrix(logs, by="item")


def test_an_item_that_was_asked_under_two_conditions_needs_the_name_of_one(
    logs: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "c.db"
    journal.write_bytes(logs.read_bytes())
    gf.import_logs("lm-eval", [log(tmp_path, 1, "old", [True] * ITEMS, 5)], journal=journal)
    with pytest.raises(ParameterError, match=r"3 conditions.*choose one with --condition"):
        gf.inflation(journal, examinee="lm-eval:org/m0", public="old/*", fresh="new/*")


def test_examinees_are_named_in_full_or_with_some_of_their_parameters(tmp_path: Path) -> None:
    """As in `score`; references of such a name are those that are not examined."""
    bank = gf.build("percept-v", domains=["counting_circles"], sizes=[1, 2], instances=20, seed=1,
                    path=tmp_path / "b.parquet")  # fmt: skip
    journal = tmp_path / "c.db"
    for k in range(1, 7):

        def reply(item: Item, share: int = k) -> str:
            right = int(item.id.rpartition("-")[2]) % 7 < share
            return f"COUNT:{item.target if right else 0}"

        answer(journal, bank, f"openai:m?seed={k}&temperature=0.{k}", reply)
    forms: dict[str, Any] = {"public": "*-01-*", "fresh": "*-02-*"}
    found = gf.inflation(journal, examinee="openai:m?seed=2", references=["openai:m"], **forms)
    assert found.examinee == "openai:m?seed=2&temperature=0.2"
    assert len(found.references) == 5
    with pytest.raises(ParameterError, match="stands for 6 examinees"):
        gf.inflation(journal, examinee="openai:m", **forms)
    with pytest.raises(UnknownNameError, match="unknown examinee"):
        gf.inflation(journal, examinee="openai:n", **forms)
    each = gf.inflation_each(journal, examinees=["openai:m?seed=2"], **forms)
    assert list(each.results) == [found.examinee]


def table() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    names = [f"{form}{k}" for form in ("public", "fresh") for k in range(40)]
    right = rng.random((12, 80)) < np.linspace(0.3, 0.8, 12)[:, None]
    return pd.DataFrame(right * 1.0, [f"m{k}" for k in range(12)], names)


def test_items_are_named_by_a_text_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = table()
    answers.to_csv(tmp_path / "answers.csv")
    for form in ("public", "fresh"):
        named = "\n".join(f"{form}{k}" for k in range(30))
        (tmp_path / f"{form}.txt").write_text(f"{named}\n\n")
    (tmp_path / "wrong.txt").write_text("\n".join(f"public{k}" for k in range(10)))
    monkeypatch.chdir(tmp_path)
    words = ("--public", "public.txt", "--fresh", "fresh.txt", "--wrong-keys", "wrong.txt")
    done = run_cli(monkeypatch, capsys, "inflation", "answers.csv", "--examinee", "m3", *words)
    named = [[f"{form}{k}" for k in range(n)]
             for form, n in (("public", 30), ("fresh", 30), ("public", 10))]  # fmt: skip
    found = gf.inflation(
        answers, examinee="m3", public=named[0], fresh=named[1], wrong_keys=named[2]
    )
    assert found.sentence in done.out
    assert found.tests.set_index("test").loc["keys", "offered"]
    of_file = gf.inflation(
        answers, examinee="m3", public="public.txt", fresh=Path("fresh.txt"), wrong_keys="public?"
    )
    assert of_file.estimate == found.estimate


@pytest.mark.parametrize(
    ("text", "words"), [(None, "cannot be read as a list of names"), ("\n", "names no item")]
)
def test_a_text_file_without_names_is_refused(text: str | None, words: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "p.txt").write_text(text)
    with pytest.raises(ParameterError, match=words):
        gf.inflation(table(), examinee="m3", public=str(tmp_path / "p.txt"), fresh="fresh*")


def test_wrong_keys_that_no_item_has_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"'x\*' \(wrong keys\)"):
        gf.inflation(table(), examinee="m3", public="public*", fresh="fresh*", wrong_keys="x*")
