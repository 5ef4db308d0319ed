"""Two laboratories calibrate 20 simulated models over HTTP, and their calibrations are merged.

    python benchmarks/laboratories.py --replications 20 \
        --write docs/evidence/benchmarks.md

20 models of four families, with abilities, testlet effects and clones drawn as the shipped
calibration says, are served by a chat-completions server on this machine. Each laboratory has half
of the models of every family. It plans its campaign (`gfactor calibrate --plan`), runs it, and has
a journal. Both journals are calibrated together; and each by itself, so that the two files are
merged by the link of their cells. Then the abilities of all 20 models are compared with the truth.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from pages import replace_section
from support import simulated_models as simulated
from support.chat_server import Body, chat_server, pictures

import gfactor as gf
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.scales.calibrated import entries_of
from gfactor.api.scales.irt_data import ItemResponses, item_responses
from gfactor.api.scales.laboratories import pooled_responses
from gfactor.items import Item, ItemBank
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scores.calibrated_scores import CalibratedScores, score_responses
from gfactor.scoring.policies import BENCHMARKS_POLICY

ITEM_FAMILIES = ("balance_puzzles", "bills_and_plans", "number_series", "syllogisms")
MODEL_FAMILIES = ("alpha", "beta", "gamma", "delta")
LABORATORIES = ("north", "south")
ICC, SE, ABILITY = 0.3, 0.5, "Gf"
FIRST = 3400
"""First seed of worlds; those of development were below 100."""
TITLE = "Calibrations of two laboratories: coverage"
Floats = NDArray[np.float64]


def members(laboratory: str, each: int) -> list[str]:
    """The models of a laboratory: `each` of every family, and one more of two families."""
    first = LABORATORIES.index(laboratory)
    names = [f"{f}-{k}" for f in MODEL_FAMILIES for k in range(first * each, first * each + each)]
    return names + [f"{f}-9{first}" for f in MODEL_FAMILIES[2 * first : 2 * first + 2]]


def planned(folder: Path, address: str, each: int, families: Sequence[str], seed: int) -> Path:
    """Write the campaign of a laboratory, as `gfactor calibrate models.toml --plan` does."""
    folder.mkdir()
    models = [f'[servers.lab]\nbase_url = "{address}"\n']
    models += [
        f'[[models]]\nspec = "openai:{name}"\nserver = "lab"\n'
        for name in members(folder.name, each)
    ]
    (folder / "models.toml").write_text("\n".join(models))
    path = folder / f"{folder.name}.toml"
    gf.plan_calibration(
        folder / "models.toml", path, item_families=families, se=SE, family_icc=ICC, seed=seed
    )
    return path


def world_of(seed: int) -> simulated.World:
    """A world as the shipped calibration describes it."""
    known = gf.shipped_calibrations([ABILITY])[ABILITY]
    b = dict(zip(known.table["entry"], known.table["b"], strict=True))
    spread = {entry.name: entry.clone_sd for entry in known.entries}
    return simulated.World(seed, b, spread, known.variance, known.testlet_variance, ICC)


class Served:
    """Replies of the models of a world to items, which are found by their pictures."""

    def __init__(self) -> None:
        self.items: dict[str, Item] = {}
        self.world: simulated.World | None = None

    def add(self, bank: ItemBank) -> None:
        for item in bank:
            self.items[_digest([image.decode() for image in item.images])] = item

    def reply(self, body: Body) -> str:
        assert self.world is not None
        return simulated.reply_of(self.world, body["model"], self.items[_digest(pictures(body))])


def _digest(pixels: Sequence[Any]) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(p).tobytes() for p in pixels)).hexdigest()


class Laboratories(NamedTuple):
    """Two laboratories with their campaigns; `run` asks their models in a world."""

    folder: Path
    run: Callable[[simulated.World], list[Path]]


@contextmanager
def laboratories(each: int, families: Sequence[str], *, same: bool) -> Iterator[Laboratories]:
    """Plan the campaigns of both laboratories, on the same items or on others of the same cells."""
    served = Served()
    folder = Path(tempfile.mkdtemp())
    with chat_server(served.reply, keep=False) as server:
        campaigns = [
            planned(folder / name, server.url, each, families, 1 if same else 1 + number)
            for number, name in enumerate(LABORATORIES)
        ]
        for campaign in campaigns:
            # The plan has built the bank.
            served.add(ItemBank.open(campaign.with_name(f"{campaign.stem}-{ABILITY}.parquet")))

        def run(world: simulated.World) -> list[Path]:
            served.world = world
            journals = [campaign.with_suffix(".db") for campaign in campaigns]
            for campaign, journal in zip(campaigns, journals, strict=True):
                for file in journal.parent.glob(f"{journal.name}*"):
                    file.unlink()
                done = gf.campaign.run(campaign)
                assert not done.facts["failed"], done.summary()
            return journals

        yield Laboratories(folder, run)
    shutil.rmtree(folder)


def scored(known: Calibration, responses: ItemResponses) -> CalibratedScores:
    """Abilities of the models of both laboratories."""
    return score_responses(known, responses.scores, entries_of(known, responses.items))


def compared(world: simulated.World, scores: CalibratedScores) -> Mapping[str, float]:
    """Errors of the abilities of models in SD of ability, and shares that intervals hold."""
    names = [str(name).removeprefix("openai:").partition("?")[0] for name in scores.table.index]
    assert set(names) == {name for one in LABORATORIES for name in members(one, _each(len(names)))}
    truth = np.array([simulated.ability(world, name) for name in names])
    away = scores.table["theta"].to_numpy(float) - truth
    size = len(names)
    centered = np.eye(size) - 1 / size
    error = np.sqrt(np.diag(centered @ scores.covariance @ centered))
    south = np.array([name in members("south", _each(size)) for name in names])
    between = south / south.sum() - ~south / (~south).sum()
    half = stats.norm.ppf(0.975)
    sd = world.variance**0.5
    return {
        "place": float(np.mean(np.abs(away) < half * scores.table["se"].to_numpy(float))),
        "relative": float(np.mean(np.abs(centered @ away) < half * error)),
        "rmse": float(np.sqrt(np.mean((centered @ away) ** 2))) / sd,
        "se": float(np.sqrt(np.mean(error**2))) / sd,
        "slope": float(np.polyfit(centered @ truth, centered @ away, 1)[0]),
        "link": float(between @ away) / sd,
        "link_se": float(np.sqrt(between @ scores.covariance @ between)) / sd,
    }


def _each(size: int) -> int:
    return (size // 2 - 2) // len(MODEL_FAMILIES)


def replication(made: Laboratories, seed: int) -> dict[str, Mapping[str, float]]:
    """One world: its models are asked, calibrated in both ways, and compared with the truth."""
    world = world_of(seed)
    journals = made.run(world)
    options: dict[str, Any] = {"by": "design", "design": "~ 1", "guess": "format", "cluster": None}
    parts = {journal.stem: _responses(journal) for journal in journals}
    responses = pooled_responses(parts)
    together = gf.calibrate(journals, **options)
    files = [made.folder / f"{journal.stem}.json" for journal in journals]
    for journal, file in zip(journals, files, strict=True):
        gf.calibrate(journal, path=file, **options)
    linked = gf.merge_calibrations(files)[""]
    assert together.about["respondents"]["n"] == linked.about["respondents"]["n"]
    found: dict[str, Mapping[str, float]] = {}
    for name, known in (("together", together), ("linked", linked)):
        row = dict(compared(world, scored(known, responses)))
        row["drifted"] = float(sum(len(d.where) for d in known.diagnostics
                                   if d.code == "drifted_cells"))  # fmt: skip
        row["testlets"] = float(known.testlet_variance)
        found[name] = row
    return found


def _responses(journal: Path) -> ItemResponses:
    scoring = scoring_of((), None, None, BENCHMARKS_POLICY, {})
    with gf.open_journal(journal) as opened:
        return item_responses(opened, scoring, counting="whole")


def share(values: Sequence[float]) -> str:
    """A percentage over replications with its 95 % interval."""
    mean, error = np.mean(values), np.std(values, ddof=1) / len(values) ** 0.5
    reach = float(stats.t.ppf(0.975, len(values) - 1)) * float(error)
    return f"{100 * mean:.1f} [{100 * (mean - reach):.1f}, {min(100.0, 100 * (mean + reach)):.1f}]"


def row(items: str, name: str, found: Sequence[Mapping[str, float]]) -> str:
    """A line of the table."""
    every = {key: np.array([one[key] for one in found]) for key in found[0]}
    slope, error = every["slope"].mean(), every["slope"].std(ddof=1) / len(found) ** 0.5
    return (
        f"| {items} | {name} | {len(found)} | {share(list(every['relative']))} | "
        f"{share(list(every['place']))} | {every['rmse'].mean():.2f} / {every['se'].mean():.2f} | "
        f"{slope:+.2f} ± {error:.2f} | {every['link'].mean():+.2f} | "
        f"{np.sqrt(np.mean(every['link'] ** 2)):.2f} / "
        f"{np.sqrt(np.mean(every['link_se'] ** 2)):.2f} | {every['drifted'].sum():.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--seed", type=int, default=FIRST)
    parser.add_argument("--items", nargs="*", default=["others", "same"])
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    lines = [
        "20 models of four families (share of the variance between families "
        f"{ICC}), ten in each laboratory, {len(ITEM_FAMILIES)} families of items, asked over HTTP. "
        "Percentage of 95 % intervals that hold a model's true ability, with its interval over "
        "replications: relative to the mean of the 20 models, and in the population that they are "
        "a sample of. Then in SD of ability: error of abilities relative to the mean and its "
        "standard error; slope of this error on the truth; the difference between the mean "
        "abilities of the laboratories (error: mean; root mean square, and the standard error that "
        "is reported); cells that were said to have drifted, of which none had.",
        "",
        "| items of the laboratories | calibrated | replications | relative | in the population | "
        "error / se | slope | between laboratories | link error / se | drifted |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for items in given.items:
        found: list[dict[str, Mapping[str, float]]] = []
        with laboratories(2, ITEM_FAMILIES, same=items == "same") as made:
            for number in range(given.replications):
                found.append(replication(made, given.seed + number))
                print(items, number, found[-1], flush=True)
        for name in found[0]:
            lines.append(row(items, name, [one[name] for one in found]))
            print(lines[-1], flush=True)
    command = (
        f"python benchmarks/laboratories.py --replications {given.replications} "
        f"--seed {given.seed} --items {' '.join(given.items)}"
    )
    text = "\n".join([f"## {TITLE}", "", f"`{command}`.", "", *lines, ""])
    if given.write:
        replace_section(given.write, f"## {TITLE}", text)
    print(text)


if __name__ == "__main__":
    main()
