"""Write the data that the pages analyze; all but `vlm-answers.csv` are simulated.

    python docs/examples/make.py [FOLDER]

`scores.csv`: nine test scores of 300 people, three each of three correlated abilities.
`answers.csv`: right (1) and wrong (0) answers of 60 models to 24 items.
`vlm-answers.csv`: right and wrong answers of 127 real models to 42 items of MMMU, every 25th, from
the example data set `vlm_items` (IMNearth/AutoJudger, Apache-2.0).
`new-answers.csv`, `new-families.csv`: right and wrong answers of 12 simulated models of 6 families
to the 1,050 items of MMMU, by their curves in `real-vlm-2025`; 40 hard items have leaked.
`predictions/`: prediction files of four models in VLMEvalKit's form, 80 items of mental arithmetic.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import NormalDist

HERE = Path(__file__).parent
ABILITIES = {"spatial": ("cubes", "maps", "turns"), "verbal": ("reading", "synonyms", "stories"),
             "speed": ("coding", "search", "naming")}  # fmt: skip
MODELS = {"alder-70b": 2.0, "birch-32b": 1.2, "cedar-8b": 1.0, "elm-2b": -0.8}
"""Simulated models and their abilities in logits."""
REPLIES = ("{}", "The answer is {}.", "{}. {text}", "I compute step by step and get {text}, so {}.")


def normal(random: Random) -> float:
    """Return a draw of a standard normal variable."""
    return NormalDist().inv_cdf(min(max(random.random(), 1e-12), 1 - 1e-12))


def scores(random: Random) -> list[list[object]]:
    """Return scores of people whose abilities share a general factor; loadings are 0.7."""
    rows: list[list[object]] = [
        ["person", *(name for names in ABILITIES.values() for name in names)]
    ]
    for person in range(1, 301):
        general = normal(random)
        row: list[object] = [f"p{person:03}"]
        for names in ABILITIES.values():
            ability = 0.6 * general + 0.8 * normal(random)
            for _ in names:
                value = 50 + 10 * (0.7 * ability + math.sqrt(0.51) * normal(random))
                row.append(f"{value:.1f}")
        rows.append(row)
    return rows


def answers(random: Random) -> list[list[object]]:
    """Return answers by a Rasch model with difficulties from -2 to 2 logits."""
    difficulties = [-2 + 4 * k / 23 for k in range(24)]
    rows: list[list[object]] = [["model", *(f"item{k:02}" for k in range(1, 25))]]
    for model in range(1, 61):
        ability = normal(random)
        right = [random.random() < 1 / (1 + math.exp(d - ability)) for d in difficulties]
        rows.append([f"model{model:02}", *map(int, right)])
    return rows


def real_answers() -> list[list[object]]:
    """Return answers of real models to every 25th item of MMMU."""
    from gfactor.api.datasets import load  # noqa: PLC0415  (the other files need no gfactor)

    table = load("vlm_items").answers.filter(like="mmmu_dev_val:").iloc[:, ::25].dropna()
    rows: list[list[object]] = [["model", *table.columns]]
    rows += [[who, *map(int, row)] for who, row in zip(table.index, table.to_numpy(), strict=True)]
    return rows


def predictions(random: Random) -> dict[str, list[list[object]]]:
    """Return the rows of one prediction file per model."""
    header: list[object] = [
        "index",
        "question",
        "A",
        "B",
        "C",
        "D",
        "answer",
        "category",
        "prediction",
    ]
    tables: dict[str, list[list[object]]] = {name: [header] for name in MODELS}
    for index in range(1, 81):
        category = ("addition", "subtraction", "multiplication", "division")[index % 4]
        first, second = 11 + int(random.random() * 80), 3 + int(random.random() * 7)
        sign, value = {"addition": ("+", first + second), "subtraction": ("-", first - second),
                       "multiplication": ("x", first * second),
                       "division": (":", first)}[category]  # fmt: skip
        shown = first * second if category == "division" else first
        question = f"What is {shown} {sign} {second}?"
        place = int(random.random() * 4)
        options = [str(value + step) for step in (-10, -1, 1, 10)]
        options[place] = str(value)
        difficulty = normal(random)
        for name, ability in MODELS.items():
            right = random.random() < 1 / (1 + math.exp(difficulty - ability))
            chosen = place if right else (place + 1 + int(random.random() * 3)) % 4
            form = REPLIES[int(random.random() * len(REPLIES))]
            reply = form.format("ABCD"[chosen], text=options[chosen])
            tables[name].append([index, question, *options, "ABCD"[place], category, reply])
    return tables


def new_models(random: Random) -> tuple[list[list[object]], list[list[object]]]:
    """Answers and families of simulated models of next year; they know 40 hard items by heart."""
    from gfactor.benchmarks.vlmevalkit.shipped import read_anchor_set  # noqa: PLC0415

    table = read_anchor_set("real-vlm-2025").items
    items = [row for row in table.to_dict("records") if row["benchmark"] == "mmmu_dev_val"]
    hard = [row["item"] for row in items if row["status"] == "" and row["d"] < -0.8][::5][:40]
    answers: list[list[object]] = [["model", *(f"mmmu_dev_val:{row['item']}" for row in items)]]
    families: list[list[object]] = [["model", "family"]]
    for k in range(12):
        ability = 0.5 + normal(random)
        name, family = f"new-{k // 2 + 1}{'ab'[k % 2]}", f"new-{k // 2 + 1}"
        chance = [
            0.95 if row["item"] in hard else 1 / (1 + math.exp(-row["a"] * ability - row["d"]))
            for row in items
        ]
        answers.append([name, *(int(random.random() < p) for p in chance)])
        families.append([name, family])
    return answers, families


def write(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write rows as CSV; make the folder if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def main(folder: Path) -> None:
    """Write all files into a folder."""
    write(folder / "scores.csv", scores(Random(1)))
    write(folder / "answers.csv", answers(Random(2)))
    write(folder / "vlm-answers.csv", real_answers())
    for name, table in zip(("answers", "families"), new_models(Random(4)), strict=True):
        write(folder / f"new-{name}.csv", table)
    for name, rows in predictions(Random(3)).items():
        write(folder / "predictions" / name / f"{name}_Arithmetic.csv", rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
