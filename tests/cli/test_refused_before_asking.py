"""What contradicts itself, does not exist or cannot be written is refused before any question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.banks import make_items
from support.cli import Ran, run_cli
from support.profiles import calibrations

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.examinees import EXAMINEES, RenderedItem, Reply
from gfactor.items import write_bank
from gfactor.psychometrics.irt.scales.calibration_files import write_calibrations


class Counting:
    """An examinee that counts its questions; options of models over HTTP apply to it."""

    deterministic = True
    reads = True
    in_flight = 8
    asked: int = 0

    def __init__(self, name: str) -> None:
        self.name = name

    async def __call__(self, item: RenderedItem) -> Reply:
        Counting.asked += 1
        return Reply("COUNT:1")

    async def close(self) -> None:
        """Nothing is open."""


def counting(
    spec: Any, bank: Any = None, jobs: int = 1, endpoint: Any = None, budget: Any = None,
    deadline_s: Any = None,
) -> Counting:  # fmt: skip
    return Counting(f"counting:{spec.argument}")


@pytest.fixture
def gfactor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(EXAMINEES._things, "counting", counting)  # pyright: ignore
    monkeypatch.setattr(Counting, "asked", 0)
    write_bank(make_items(), tmp_path / "b.parquet")
    write_calibrations(calibrations(("running_span", "number_series"), real=False), Path("known"))
    Path("file").write_text("x")
    Path("empty.toml").write_text("")

    def call(words: str) -> Ran:
        return run_cli(monkeypatch, capsys, *words.split())

    return call


PROFILE = "profile counting:m --calibration known --max-items 4"
RANK = "profile counting:m counting:n --rank --calibration known --max-items"
RUN = "run b.parquet --journal j.db --examinee counting:m"
DESCRIBED = f"{RUN} --condition images=captioned --captions-by counting:c --captions"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"{PROFILE} --min-items 3", "3 answers for each of the 2 abilities (Gf, Gwm) need 6 "
         "items, but at most 4 are asked: raise --max-items or lower --min-items, or measure fewer "
         "abilities (--abilities)"),
        (f"{PROFILE} --abilities Gf --min-items 5", "5 answers need 5 items, but at most 4 are "
         "asked: raise --max-items or lower --min-items\n"),
        (f"{RANK} 1", "the largest number of items, 1, is less than a question for each of the 2 "
         "abilities (Gf, Gwm): raise --max-items"),
        (f"{PROFILE} --cut nan", "cut of a stop rule must be a finite number, got nan"),
        (f"{PROFILE} --cut inf", "cut of a stop rule must be a finite number, got inf"),
        (f"{PROFILE} --people nowhere.db", "journal 'nowhere.db' does not exist"),
        (f"{PROFILE} --norms nowhere", "norms 'nowhere' cannot be read"),
        (f"{PROFILE} -o file", "'file' is a file; name a folder"),
        (f"{PROFILE} --journal file/j.db", "'file' cannot be used"),
        (f"{PROFILE} --prices empty.toml", "price file 'empty.toml' names no model"),
        (f"{RUN} --prices empty.toml", "price file 'empty.toml' names no model"),
        (f"{RUN} --order-seed 3", "--order-seed is the order of the items under --until"),
        (f"{RUN} --examinee observer:idael", "unknown observer 'idael'"),
        (f"{DESCRIBED} nowhere/c.jsonl", "caption cache 'nowhere/c.jsonl' cannot be used: its "
         "folder does not exist; name another with --captions"),
        (f"{DESCRIBED} file/c.jsonl", "caption cache 'file/c.jsonl' cannot be used"),
    ],
)  # fmt: skip
def test_a_mistake_costs_no_question(gfactor: Any, words: str, said: str) -> None:
    done = gfactor(words)
    assert (done.code, done.out, Counting.asked) == (2, "", 0)
    assert done.err.startswith("gfactor: ")
    assert done.err.count("\n") == 1
    assert said in done.err
    assert not Path("profile").exists()
    assert not Path("j.db").exists()


def test_the_same_commands_without_the_mistakes_ask(gfactor: Any) -> None:
    assert gfactor(f"{PROFILE} --min-items 2 --cut 0").code == 0
    assert Counting.asked == 4
    assert gfactor(f"{DESCRIBED} c.jsonl").code == 0
    images = len(gf.open_bank("b.parquet").frame())
    assert Counting.asked > 4 + images


def test_in_python_the_same_options_have_their_names_there(gfactor: Any) -> None:
    known = calibrations(("running_span", "number_series"))
    with pytest.raises(ParameterError, match="raise max_items or lower min_items, or measure"):
        gf.profile("counting:m", calibration=known, max_items=4, min_items=3)
    assert Counting.asked == 0
