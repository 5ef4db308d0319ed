"""VLMEvalKit's figure, ours under its policy, and ours: for every data set of a folder of outputs.

    python benchmarks/vlmevalkit_figures.py FOLDER [--write docs/evidence/vlmevalkit-figures.md]

FOLDER holds runs as VLMEvalKit writes them, RUN/MODEL/T*/MODEL_DATASET.xlsx with its _acc and
_score files beside it. Each run is imported into a journal of its own (predictions and verdicts of
judges), scored under both policies, and every figure of every _acc and _score file is compared
with ours to nine decimals. With --write the tables replace what stands between the marks in the
page.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.imports import import_file
from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.scoring import scored
from gfactor.scoring.vlmevalkit import compared, counted, differences
from gfactor.scoring.vlmevalkit.rules import dataset_of

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"

_FIGURES = re.compile(r"_(acc|acc_all|score)$")
_JUDGED = re.compile(r"_(gpt-?4o-mini|exact_matching|cotpost)$")
_ROW_NAMES = ("split", "Task&Skill", "category", "Category")
_EQUAL = 1e-9

Cell = tuple[str, str]
"""Row ("" where a file has one) and name of a figure."""


@dataclass(frozen=True)
class Run:
    """What one run of VLMEvalKit comes to.

    Parameters
    ----------
    name: its folder.
    published: data set to VLMEvalKit's figures.
    figures: `gfactor.scoring.vlmevalkit.compared`, one examinee.
    replies: `gfactor.scoring.vlmevalkit.comparing`.
    datasets: those of the predictions, with or without figures.
    """

    name: str
    published: dict[str, dict[Cell, float]]
    figures: pd.DataFrame
    replies: pd.DataFrame
    datasets: tuple[str, ...]

    @property
    def ours(self) -> dict[str, dict[Cell, tuple[float, float, bool]]]:
        """Data set to ours under VLMEvalKit's policy, ours, and whether it is a headline."""
        found: dict[str, dict[Cell, tuple[float, float, bool]]] = {}
        for row in self.figures.to_dict("records"):
            cell = (row["row"], row["figure"])
            values = (row["vlmevalkit"], row["own"], row["headline"])
            found.setdefault(row["dataset"], {})[cell] = values
        return found

    def misses(self) -> list[tuple[str, Cell, float, float | None]]:
        """The figures that ours under VLMEvalKit's policy is not."""
        missed = []
        for dataset, cells in self.published.items():
            ours = self.ours.get(dataset, {})
            for cell, value in cells.items():
                got = ours[cell][0] if cell in ours else None
                if got is None or abs(got - value) > _EQUAL:
                    missed.append((dataset, cell, value, got))
        return missed


def runs(folder: Path) -> Iterator[Run]:
    """Every run of a folder that has predictions."""
    for place in sorted(folder.glob("*/*/T*")):
        run = _run(place)
        if run.datasets:
            yield run


def published(path: Path) -> dict[Cell, float]:
    """The figures of an _acc or _score file."""
    if path.suffix == ".json":
        found = json.loads(path.read_text(encoding="utf-8"))
        frame = pd.DataFrame(found if isinstance(found, list) else [found])
    else:
        frame = pd.read_csv(path, keep_default_na=False)
    rows = frame.columns[0] if frame.columns[0] in _ROW_NAMES else None
    return {
        (str(record[rows]) if rows else "", str(name)): float(value)
        for record in frame.to_dict("records")
        for name, value in record.items()
        if name != rows and value != ""
    }


def _run(place: Path) -> Run:
    model = place.parent.name
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "c.db") as journal:
        for path in sorted(place.iterdir()):
            kind = path.suffix in (".xlsx", ".tsv", ".json") and path.stem.startswith(f"{model}_")
            if kind and not _FIGURES.search(path.stem):
                import_file("vlmevalkit", path, journal)
        own, ruled, items = scored(journal), scored(journal, policy="vlmevalkit"), journal.items()
    known: dict[str, dict[Cell, float]] = {}
    for path in sorted(place.glob("*_acc*")) + sorted(place.glob("*_score*")):
        stem = _FIGURES.sub("", path.stem.removeprefix(f"{model}_"))
        known.setdefault(_JUDGED.sub("", stem), {}).update(published(path))
    names = tuple(sorted({dataset_of(name) for name in own["item_id"]}))
    return Run(
        place.parent.parent.name,
        known,
        compared(own, ruled, items),
        differences(own, ruled),
        names,
    )


def tables(found: list[Run]) -> str:
    """Both tables in Markdown: by run, and by data set."""
    lines = ["| run | data sets with figures | figures | reproduced |", "|---|---|---|---|"]
    for run in found:
        figures = sum(map(len, run.published.values()))
        made = figures - len(run.misses())
        lines.append(f"| {run.name} | {len(run.published)} | {figures} | {made} |")
    head = "| data set (run) | figure | VLMEvalKit's | ours, its policy | ours | why they differ |"
    lines += ["", head, "|---|---|---|---|---|---|"]
    told: set[tuple[str, str]] = set()
    known = {dataset for run in found for dataset in run.published}
    for run in sorted(found, key=lambda run: (run.name != "xlsx", run.name)):
        for dataset in run.datasets:
            rows = _rows(run, dataset)
            without = dataset in known and dataset not in run.published
            if not without and (dataset, rows) not in told:
                told.add((dataset, rows))
                lines.append(rows.replace(dataset, f"{dataset} ({run.name})", 1))
    return "\n".join(lines)


def _rows(run: Run, dataset: str) -> str:
    why = counted(pick(run.replies, run.replies["dataset"] == dataset))
    cells = run.published.get(dataset, {})
    heads = {c: v for c, v in run.ours.get(dataset, {}).items() if v[2] and c in cells}
    if not heads:
        ours = run.ours.get(dataset, {}).get(("Overall", "acc"))
        shown = f"{_shown(ours[0])} | {_shown(ours[1])}" if ours else "- | -"
        return f"| {dataset} | - | none | {shown} | {why if ours else 'VLMEvalKit has no rule'} |"
    lines = []
    for (row, figure), (ruled, own, _) in sorted(heads.items()):
        name = f"{figure}, {row}" if row not in ("", "none", "Overall") else figure
        values = " | ".join(_shown(value) for value in (cells[row, figure], ruled, own))
        lines.append(f"| {dataset} | {name} | {values} | {why} |")
    return "\n".join(lines)


def _shown(value: float) -> str:
    return f"{value:.4g}"


def main() -> None:
    """Print the tables, or put them into a page; fail where a figure is not reproduced."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    given = parser.parse_args()
    found = list(runs(given.folder))
    if not found:
        raise ParameterError(
            f"{str(given.folder)!r} holds no runs, RUN/MODEL/T*/MODEL_DATASET.xlsx"
        )
    made = tables(found)
    if given.write:
        page = given.write.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        given.write.write_text(f"{before}{BEGIN}\n{made}\n{END}{rest.partition(END)[2]}")
    else:
        print(made)
    missed = [miss for run in found for miss in run.misses()]
    if missed:
        raise SystemExit("\n".join(map(str, missed)))


if __name__ == "__main__":
    main()
