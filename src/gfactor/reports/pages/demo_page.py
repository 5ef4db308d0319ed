"""The page that `gfactor demo` ends with: items, a leaderboard, a profile, what to type next."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.items import Image, Item
from gfactor.psychometrics.irt.anchors.placement import Placement
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.reports.answers.results import examinee_title
from gfactor.reports.writing.parts import style, template
from gfactor.reports.writing.report_folder import put

TITLES = {"mmt_bench_val": "MMT-Bench", "mmmu_dev_val": "MMMU", "ai2d_test": "AI2D"}
"""Names of benchmarks of real models, as they are published."""

NEXT = (
    (
        "Your model behind an endpoint",
        "gfactor run {bank} --sample 1 --examinee openai:MODEL \\\n"
        "    --base-url http://HOST:PORT/v1 --journal mine.db\n"
        "gfactor score mine.db\ngfactor report mine.db -o report/",
    ),
    (
        "Your table of scores or of right and wrong answers",
        'gfactor analyze cfa scores.csv --model "ability =~ test1 + test2 + test3"\n'
        "gfactor analyze irt answers.csv --model rasch\n"
        "gfactor place answers.csv",
    ),
    (
        "Your prediction files (MODEL/MODEL_DATASET.xlsx)",
        "gfactor import vlmevalkit outputs/ --journal board.db\n"
        "gfactor leaderboard board.db -o site/",
    ),
)
"""Next steps of a visitor, as (heading, commands)."""


@dataclass(frozen=True)
class PlacedModels:
    """Real models placed by a few of their recorded answers, with their scores from all answers.

    Parameters
    ----------
    predictions : DataFrame
        `model`, `benchmark`, predicted `accuracy`, `ci_lower`, `ci_upper`, `asked`, and `true`,
        the share of right answers to all items.
    items : int
        Number of recorded answers of each model.
    """

    predictions: pd.DataFrame
    items: int

    @classmethod
    def of(cls, placement: Placement, recorded: pd.DataFrame) -> PlacedModels:
        """Put the true scores beside the predictions."""
        table = placement.predictions
        true = [
            float(recorded.loc[row["model"]].filter(like=f"{row['benchmark']}:").mean())
            for row in table.to_dict("records")
        ]
        return cls(table.assign(true=true), recorded.shape[1])

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each model."""
        lines = []
        for model, part in self.predictions.groupby("model", sort=False):
            scores = "; ".join(
                f"{TITLES.get(row['benchmark'], row['benchmark'])} {100 * row['accuracy']:.1f} % "
                f"[{100 * row['ci_lower']:z.1f}, {100 * row['ci_upper']:z.1f}], "
                f"true {100 * row['true']:.1f} %"
                for row in part.to_dict("records")
            )
            lines.append(
                f"{model} (a real model), predicted from {part['asked'].sum()} of its "
                f"{self.items:,} recorded answers: {scores}."
            )
        return tuple(lines)


@dataclass(frozen=True)
class DemoResults:
    """Results of the demonstration, for its page and its command.

    Parameters
    ----------
    items : int
        Number of items in the bank.
    domains : int
        Number of their domains.
    examinees : int
        Number of simulated examinees that answered.
    asked : int
        Number of items that each of them answered.
    standings : DataFrame
        Table of the leaderboard: name, role, best, worst, accuracy, low, high, chance.
    profile : Profile, optional
        Profile of one observer; None if none was made.
    placed : PlacedModels, optional
        Real models placed by recorded answers; None if none was.
    """

    items: int
    domains: int
    examinees: int
    asked: int
    standings: pd.DataFrame
    profile: Profile | None = None
    placed: PlacedModels | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The results in plain words, each with its interval."""
        rows = sorted(self.standings.to_dict("records"), key=lambda row: -row["accuracy"])
        ranked = [row for row in rows if row["best"] >= 1]
        first = ranked[0]
        blind = [row for row in rows if row["role"] == "baseline"]
        lines = [
            f"Of {len(ranked)} limited observers, {first['name']} has most right: "
            f"{_percent(first)}; with 95 % confidence its rank is {_ranks(first)}.",
        ]
        if blind:
            best = blind[0]
            lines.append(
                f"Without looking at the picture, the best rule ({best['name']}) has "
                f"{_percent(best)} right; guessing has {100 * best['chance']:.1f} %."
            )
        if self.profile is not None:
            lines.append(profile_sentence(self.profile))
        if self.placed is not None:
            lines += self.placed.sentences
        return tuple(lines)


def profile_sentence(profile: Profile) -> str:
    """Return a sentence on abilities that differ from the middle of the calibrated population.

    Parameters
    ----------
    profile : Profile

    Returns
    -------
    str
        Sentence that says only what the 95 % intervals support.
    """
    apart = [
        f"{row['name']} is {'above' if row['theta'] > 0 else 'below'} the "
        f"middle of the simulated population ({row['theta']:+z.2f} SD "
        f"[{row['ci_lower']:+z.2f}, {row['ci_upper']:+z.2f}])"
        for row in profile.abilities.to_dict("records")
        if row["ci_lower"] > 0 or row["ci_upper"] < 0
    ]
    start = f"{profile.items} items give a profile of {examinee_title(profile.examinee)}: "
    if not apart:
        return f"{start}no ability differs surely from the middle of the simulated population."
    return f"{start}{'; '.join(apart)}."


def write_demo_page(folder: Path, results: DemoResults, items: Sequence[Item], bank: str) -> Path:
    """Write `index.html` beside the report, the leaderboard and the profile.

    Parameters
    ----------
    folder : path
        Folder of the demonstration.
    results : DemoResults
        Results of the demo.
    items : list of Item
        Items to show.
    bank : str
        The file of the bank, as a command names it.

    Returns
    -------
    path
        The page.
    """
    pictured = [
        {
            "name": str(item.labels["domain"]).replace("_", " "),
            "pictures": [_uri(part) for part in item.content if isinstance(part, Image)],
            "answer": answer_text(item.target),
        }
        for item in items
    ]
    page = template("demo.html.j2").render(
        results=results,
        items=pictured,
        next=[(heading, commands.format(bank=bank)) for heading, commands in NEXT],
        style=style(),
    )
    path = folder / "index.html"
    put(path, page.encode())
    return path


def answer_text(target: Any) -> str:
    """Return a right answer as a reader would write it.

    Examples
    --------
    >>> answer_text(frozenset({3, 1})), answer_text(("Red", "Blue")), answer_text(7)
    ('1, 3', 'Red, Blue', '7')
    >>> answer_text(frozenset({(1, 2)}))
    '(1, 2)'
    """
    if isinstance(target, frozenset | set):
        return ", ".join(map(str, sorted(target)))
    if isinstance(target, tuple | list):
        return ", ".join(map(str, target))
    return str(target)


def _uri(image: Image) -> str:
    return f"data:image/png;base64,{base64.b64encode(image.data).decode()}"


def _percent(row: Mapping[Any, Any]) -> str:
    low, high = 100 * row["low"], 100 * row["high"]
    return f"{100 * row['accuracy']:.1f} % [{low:z.1f}, {high:z.1f}]"


def _ranks(row: Mapping[Any, Any]) -> str:
    best, worst = int(row["best"]), int(row["worst"])
    return str(best) if best == worst else f"from {best} to {worst}"
