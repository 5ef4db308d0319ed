"""`hf`: results for model repositories of the Hugging Face hub, `.eval_results/NAME.yaml`.

One file per model and condition, a list with an entry for every benchmark and domain. The files
belong into the model's repository; the value is the share right in percent, and `notes` holds n,
the interval and the condition, for which the format has no fields.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import text_hash
from gfactor.items.files import replacing
from gfactor.reports.exchange.base import EXCHANGES, LEVEL, ExportFacts, JournalRuns, Run, model_of
from gfactor.reports.exchange.yaml_writing import yaml_text


@EXCHANGES.register("hf")
def write(runs: JournalRuns, facts: ExportFacts, folder: Path) -> tuple[list[Path], int]:
    """Write Hugging Face's DEVELOPER/MODEL/.eval_results/BENCHMARK[-CONDITION].yaml."""
    if not facts.dataset:
        raise ParameterError(
            "results of the Hugging Face hub need the name of the data set's repository; give it "
            "with --dataset ORGANIZATION/NAME"
        )
    written: list[Path] = []
    answers = 0
    for run in runs:
        developer, model, _ = model_of(run.examinee, facts)
        variant = "" if run.condition == "default" else f"-{text_hash(run.condition)[:8]}"
        name = f"{run.benchmark.replace('/', '-')}{variant}.yaml"
        path = Path(developer) / model / ".eval_results" / name
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        entries = [_entry(run, facts, one) for one in run.accuracies()]
        if path in written:
            # Examinees that differ in their seed only are one model for the hub.
            path = path.with_name(f"{path.stem}-{text_hash(run.examinee)[:8]}.yaml")
        with replacing(folder / path) as temporary:
            temporary.write_text(yaml_text(entries), encoding="utf-8")
        written.append(path)
        answers += len(run.answers)
    return written, answers


def _entry(run: Run, facts: ExportFacts, one: dict[str, Any]) -> dict[str, Any]:
    low, high = 100 * float(one["low"]), 100 * float(one["high"])
    notes = [
        f"{one['metric'].replace('_', ' ')} in percent",
        f"n = {int(one['n'])}",
        f"{LEVEL:.0%} interval {low:.1f} to {high:.1f}",
        f"condition {run.condition}",
    ]
    entry: dict[str, Any] = {
        "dataset": {"id": facts.dataset, "task_id": f"{one['name']}:{one['metric']}"},
        "value": round(100 * float(one["value"]), 4),
        "date": run.moment.date().isoformat(),
        "notes": "; ".join(notes),
    }
    if facts.organization:
        entry["source"] = {"name": facts.organization}
    return entry
