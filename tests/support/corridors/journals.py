"""A journal of every origin, single and mixed; kinds come from the registries."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gfactor as gf
from gfactor.administration import Journal
from gfactor.administration.imports import IMPORTS
from gfactor.benchmarks import BENCHMARKS
from gfactor.examinees import EXAMINEES
from gfactor.items import ItemBank
from support.chat_server import chat_server
from support.corridors.answering import filled
from support.corridors.banks import bank_of, built
from support.logs import eval_log, lines, sample
from support.profiles import calibrations
from support.vlmevalkit import predictions
from support.vlmevalkit import row as vlmevalkit_row

Maker = Callable[[Path], Path]

MODELS = {"openai:a": 0.9, "openai:b": 0.6, "openai:c": 0.3, "vllm:d": 0.5}
MANY = {f"openai:m{k:02d}": 0.15 + 0.065 * k for k in range(12)}
PEOPLE = {f"person:P{k}": 0.8 for k in range(3)}
LIMITED = [f"observer:limited?acuity=0.{k}&capacity={k}&seed={k}" for k in (1, 3, 5)]
COT = "cot=on"


def _bank(folder: Path, kind: str) -> ItemBank:
    return ItemBank.open(bank_of(kind, folder.parent.parent / "banks"))


def _asked(*who: str, kind: str = "percept-v", **options: Any) -> Maker:
    def make(folder: Path) -> Path:
        path = folder / "c.db"
        gf.run(_bank(folder, kind), list(who), journal=path, **options).close()
        return path

    return make


def _made(*parts: tuple[str, Mapping[str, float], Mapping[str, Any]]) -> Maker:
    """Made-up answers to banks of several kinds."""

    def make(folder: Path) -> Path:
        banks = ((_bank(folder, kind), levels, how) for kind, levels, how in parts)
        return filled(folder / "c.db", *banks)

    return make


def _http(folder: Path) -> Path:
    path = folder / "c.db"
    with chat_server(lambda body: "COUNT:3") as server:
        models = ["openai:small", "openai:large"]
        gf.run(_bank(folder, "percept-v"), models, journal=path, base_url=server.url).close()
    return path


def _profile(folder: Path) -> Path:
    path = folder / "c.db"
    known = calibrations(["running_span", "spatial_span"])
    for who in LIMITED[:2]:
        gf.profile(who, journal=path, abilities=["Gwm"], calibration=known, max_items=5)
    return path


def _adaptive(folder: Path) -> Path:
    path, bank = folder / "c.db", _bank(folder, "percept-v")
    calibrated = filled(folder / "calibrated.db", (bank, MANY, {}))
    known = gf.calibrate(calibrated)
    gf.run_adaptive(bank, LIMITED, journal=path, calibration=known, max_items=5)
    return path


def _campaign(folder: Path) -> Path:
    declared = folder / "campaign.toml"
    bank = bank_of("percept-v", folder.parent.parent / "banks")
    models = "".join(f"[[models]]\nspec = {json.dumps(who)}\n" for who in LIMITED[:2])
    declared.write_text(
        f"[[banks]]\npath = {json.dumps(str(bank))}\n{models}[conditions]\ncot = [false, true]\n",
        "utf-8",
    )
    gf.campaign.run(declared)
    return next(folder.glob("*.db"))


def _study(folder: Path) -> Path:
    bank = _bank(folder, "percept-v")
    gf.study.new(bank, folder / "study", title="Few", per_person=6)
    gf.study.simulate(folder / "study", persons=10, seed=1)
    gf.study.export(folder / "study", folder / "people")
    return folder / "people" / "journal.db"


def _inspect(folder: Path) -> Path:
    said = ["ANSWER: B", "ANSWER: A"]
    samples = [sample(k, None, output=_output(said[k % 2])) for k in range(6)]
    return eval_log(folder / "a.eval", samples)


def _output(text: str) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": text}, "stop_reason": "stop"}
    return {"model": "openai/gpt-4o", "choices": [choice], "usage": {}, "time": 0.5}


def _lmms_eval(folder: Path) -> Path:
    asked = "Which animal is it?\nA. cat\nB. dog\nAnswer with the option's letter."
    return lines(folder / "openai__gpt-4o" / "20261121_033429_samples_mmbench_en_dev.jsonl", [
        {
            "doc_id": k, "target": "B", "filtered_resps": ["BA"[k % 2]], "doc_hash": f"hash-{k}",
            "gpt_eval_score": {"category": "animals", "split": "dev"}, "input": f"{k}: {asked}",
        }
        for k in range(6)
    ])  # fmt: skip


def _vlmevalkit(folder: Path) -> Path:
    return predictions(folder, [vlmevalkit_row(k, "BA"[k % 2]) for k in range(6)])


def _replies(folder: Path) -> Path:
    """Return a file of replies; `ITEMS` beside it has the questions and keys."""
    animals = {"question": "Which animal is it?", "A": "cat", "B": "dog", "answer": "B"}
    lines(folder / ITEMS, [{"id": f"q{k}", **animals} for k in range(6)])
    replies = [{"id": f"q{k}", "reply": "BA"[k % 2]} for k in range(6)]
    return lines(folder / "model.jsonl", replies)


def _lm_eval(folder: Path) -> Path:
    """Return a log that lm-evaluation-harness itself has written."""
    logs = Path(__file__).parents[2] / "administration" / "lm_eval_logs" / "balls-model"
    (folder / logs.name).mkdir()
    for file in logs.iterdir():
        if "balls_gen" not in file.name:  # its answers are worked solutions
            shutil.copy(file, folder / logs.name)
    return folder / logs.name


def _eee(folder: Path) -> Path:
    (folder / "own").mkdir()
    own = filled(folder / "own" / "c.db", (_bank(folder, "percept-v"), MODELS, {}))
    return Path(gf.export(own, "eee", folder / "eee", organization="a lab").folder)


ITEMS = "items.jsonl"
"""The file of items of which `_replies` writes answers."""


def _journal(folder: Path) -> Path:
    path = folder / "other.db"
    gf.import_logs("inspect", _inspect(folder), journal=path)
    return path


LOGS: Mapping[str, Callable[[Path], Path]] = {
    "inspect": _inspect, "lmms-eval": _lmms_eval, "vlmevalkit": _vlmevalkit, "eee": _eee,
    "lm-eval": _lm_eval, "replies": _replies, "journal": _journal,
}  # fmt: skip
"""A log of each import format."""


def _imported(name: str) -> Maker:
    def make(folder: Path) -> Path:
        log = LOGS[name](folder)
        bank = folder / ITEMS if name == "replies" else None
        gf.import_logs(name, log, journal=folder / "c.db", bank=bank)
        return folder / "c.db"

    return make


def _import_and_own(folder: Path) -> Path:
    path = _imported("inspect")(folder)
    return filled(path, (_bank(folder, "percept-v"), {"openai:a": 0.7}, {}))


def _empty(folder: Path) -> Path:
    Journal.open(folder / "c.db").close()
    return folder / "c.db"


def _gap(folder: Path) -> Path:
    bank = ItemBank.open(built(folder, "percept-v", twin="both", instances=4))
    who = {"openai:a": 0.6}
    return filled(folder / "c.db", (bank, who, {}), (bank, who, {"condition": "images=blank"}))


def journal_kinds() -> dict[str, Maker]:
    """Every kind of journal by name."""
    kinds: dict[str, Maker] = {
        "observers": _asked("observer:ideal", *LIMITED),
        "http": _http,
        "profile": _profile,
        "adaptive": _adaptive,
        "campaign": _campaign,
        "study": _study,
        "gap": _gap,
        "empty": _empty,
    }
    if "baseline" in EXAMINEES:
        kinds["baselines"] = _asked("baseline:constant", "baseline:random")
    kinds |= {f"import {name}": _imported(name) for name in IMPORTS}
    kinds |= {f"answers to {name}": _made((name, MODELS, {})) for name in BENCHMARKS}
    return kinds | {
        "many models": _made(("percept-v", MANY, {})),
        "one model": _made(("percept-v", {"openai:a": 0.6}, {})),
        "two benchmarks": _made(("percept-v", MODELS, {}), ("mm-iq", MODELS, {})),
        "two benchmarks, not by all": _made(
            ("percept-v", MODELS, {}), ("multi", {"openai:a": 0.5, "openai:b": 0.9}, {})
        ),
        "four benchmarks": _made(
            *((name, MODELS, {}) for name in ("percept-v", "mm-iq", "multi", "chc"))
        ),
        "two conditions": _made(
            ("percept-v", MODELS, {}), ("percept-v", MODELS, {"condition": COT})
        ),
        "occasions": _made(("percept-v", MODELS, {"occasions": 3})),
        "missing": _made(
            ("percept-v", MODELS, {"failing": ["openai:a"], "skipping": ["openai:b"]})
        ),
        "people and models": _made(("percept-v", {**MODELS, **PEOPLE}, {})),
        "same ids": _made(("percept-v", MODELS, {}), ("same ids", MODELS, {})),
        "choice and formatted": _made(("choice and formatted", MODELS, {})),
        "every answer type": _made(("every answer type", MODELS, {})),
        "an import and an own run": _import_and_own,
        "benchmarks, conditions, people, missing": _made(
            ("percept-v", {**MODELS, **PEOPLE}, {"failing": ["openai:a"], "occasions": 2}),
            ("mm-iq", MODELS, {"skipping": ["openai:b"]}),
            ("percept-v", MODELS, {"condition": COT}),
        ),
    }  # fmt: skip


def journal_of(kind: str, folder: Path) -> Path:
    """The journal of a kind, made once per folder."""
    path = folder / kind
    path.mkdir(parents=True, exist_ok=True)
    marker = path / "made"
    if not marker.exists():
        marker.write_text(str(journal_kinds()[kind](path)), "utf-8")
    return Path(marker.read_text("utf-8"))
