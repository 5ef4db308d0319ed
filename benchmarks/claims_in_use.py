"""Does what `gf.score`, `compare`, `plan` and their neighbors say under a claim hold?

Journals of simulated answers, whose true values are known, go through the public functions. An
item i of a domain d is solved by a model m with probability Phi(a_m + u_d + v_md + w_i): domains
are harder or easier for all (u) or for one model (v), items within them too (w). True values are
those of exactly these items, of all items of these domains, and of all domains, in this order for
the claims `these-items`, `same-domains` and `other-domains`.

    python benchmarks/claims_in_use.py [--sets 100] [--seed 1] [--jobs 1] [--only WORD ...] [--page]

`--only` names studies: score, table, items, explain, gap, norms, plan, sequential; `--page` writes
the tables into docs/evidence/coverage.md. A line is a share in percent, with its Monte Carlo
standard error over data sets.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray
from pages import replace_between
from scipy import special

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.inputs.item_answers import journal_of_items
from gfactor.errors import ParameterError
from gfactor.scoring.score_matrix import ScoreMatrix

Floats = NDArray[np.float64]
SAME, OTHER, THESE = "same-domains", "other-domains", "these-items"
PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "coverage.md"
START, END = "<!-- claims_in_use -->", "<!-- end claims_in_use -->"
TOGETHER = 10
"""Data sets in a journal, each a benchmark of its own."""
NEAR = 1e-9


@dataclass(frozen=True)
class World:
    """Domains of items and models: `accuracies` over all domains, and standard deviations of what
    is hard for all (`shared`), for one model (`own`), and of items within domains (`item`)."""

    name: str
    domains: int
    items: int
    accuracies: tuple[float, ...]
    shared: float = 0.5
    own: float = 0.3
    item: float = 0.7

    @property
    def variance(self) -> float:
        return 1 + self.shared**2 + self.own**2 + self.item**2


APART = (0.55, 0.6, 0.65, 0.75, 0.85, 0.92)
WORLDS = (
    World("6 domains of 20, models apart", 6, 20, APART),
    World("30 domains of 5, models apart", 30, 5, APART),
    World("30 domains of 5, models equal", 30, 5, (0.6,) * 6),
    World("6 domains of 20, models equal in each", 6, 20, (0.6,) * 6, own=0.0),
)


@dataclass(frozen=True)
class Drawn:
    """Probabilities of right answers (models x domains x items), and the true values."""

    world: World
    chances: Floats
    of_domains: Floats

    @property
    def truth(self) -> dict[str, Floats]:
        world = self.world
        return {
            THESE: self.chances.mean(axis=(1, 2)),
            SAME: self.of_domains.mean(axis=1),
            OTHER: np.array(world.accuracies),
        }


def draw(world: World, rng: np.random.Generator, effects: Floats | None = None) -> Drawn:
    """Draw items, and domains where their `effects` (models x domains) are not given."""
    models = len(world.accuracies)
    if effects is None:
        effects = draw_domains(world, rng)
    hard = rng.normal(0, world.item, (1, *effects.shape[1:], world.items))
    of_domains = special.ndtr(effects / np.sqrt(1 + world.item**2))
    assert len(effects) == models
    return Drawn(world, special.ndtr(effects[:, :, None] + hard), of_domains)


def draw_domains(world: World, rng: np.random.Generator) -> Floats:
    """Draw what domains ask of every model."""
    ability = special.ndtri(world.accuracies) * np.sqrt(world.variance)
    shape = len(ability), world.domains
    shared = rng.normal(0, world.shared, (1, world.domains))
    return ability[:, None] + shared + rng.normal(0, world.own, shape)


@contextmanager
def answered(
    sets: Sequence[Floats], rng: np.random.Generator, occasions: int = 1, who: str = "openai:m",
    first_item: Sequence[int] = (),
) -> Iterator[Journal]:  # fmt: skip
    """A journal of answers, a benchmark b0, b1 ... for each of several arrays of probabilities."""
    scores, labels, homes = [], [], {}
    for number, chances in enumerate(sets):
        right = rng.binomial(occasions, chances) / occasions
        from_item = first_item[number] if first_item else 0
        for d, i in np.ndindex(*chances.shape[1:]):
            name = f"b{number}:{d}-{from_item + i}"
            homes[name] = f"b{number}"
            labels.append({"item": name, "domain": f"d{d}"})
        scores.append(right.reshape(len(chances), -1))
    table = pd.DataFrame(np.hstack(scores), columns=pd.Index(homes))
    table.index = pd.Index([f"{who}{k}" for k in range(len(table))])
    one = pd.DataFrame(occasions, index=table.index, columns=table.columns)
    held = pd.DataFrame(labels).set_index("item")
    with journal_of_items(ScoreMatrix(table, one, one, "item", homes, held)) as journal:
        yield journal


@dataclass
class Tally:
    """Hits and trials by study, claim and world, and half-widths of plans, each of one data set."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    widths: list[dict[str, Any]] = field(default_factory=list)

    def add(self, what: str, claim: str, world: str, hits: Any) -> None:
        """Count the hits of one data set; None for an interval that there is not."""
        found = np.array([h for h in np.ravel(np.asarray(hits, object)) if h is not None], float)
        if found.size:
            self.rows.append({"what": what, "claim": claim, "world": world,
                              "hits": found.sum(), "n": found.size})  # fmt: skip

    def table(self) -> pd.DataFrame:
        """A row per study, claim and world: `share` and its standard error, in percent."""
        lines = []
        key: Any
        rows: Any
        for key, rows in pd.DataFrame(self.rows).groupby(["what", "claim", "world"], sort=False):
            hits, n = rows["hits"].to_numpy(float), rows["n"].to_numpy(float)
            share = hits.sum() / n.sum()
            spread = ((hits - share * n) ** 2).sum() * len(n) / max(len(n) - 1, 1)
            named: Any = dict(zip(("what", "claim", "world"), key, strict=True))
            lines.append({**named, "share": 100 * share, "se": 100 * np.sqrt(spread) / n.sum(),
                          "data sets": len(n), "n": int(n.sum())})  # fmt: skip
        return pd.DataFrame(lines)

    def plans(self) -> pd.DataFrame:
        """A row per aim and claim: half-widths that were planned and found, and their ratio."""
        lines = []
        key: Any
        rows: Any
        for key, rows in pd.DataFrame(self.widths).groupby(["aim", "claim"], sort=False):
            ratio = (rows["found"] / rows["planned"]).to_numpy(float)
            named: Any = dict(zip(("aim", "claim"), key, strict=True))
            lines.append({
                **named, "items": float(rows["items"].median()),
                "planned": float(rows["planned"].mean()), "found": float(rows["found"].mean()),
                "ratio": float(ratio.mean()), "se": float(ratio.std(ddof=1) / len(ratio) ** 0.5),
                "data sets": len(ratio),
            })  # fmt: skip
        return pd.DataFrame(lines)


def holds(interval: Any, truth: float) -> bool | None:
    """Whether the interval holds the truth; None where there is none."""
    if interval is None or not np.isfinite(interval[0]):
        return None
    return bool(interval[0] - NEAR <= truth <= interval[1] + NEAR)


def place(name: str) -> int:
    """The number at the end of a name such as b12 or openai:m3."""
    return int(name[name.rfind("m" if ":" in name else "b") + 1 :])


def score_and_compare(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """Intervals of scores, of domains and of differences, and rank sets, under both claims."""
    for world in WORLDS:
        drawn = [draw(world, rng) for _ in range(sets)]
        with answered([one.chances for one in drawn], rng) as journal:
            scores, compared = gf.score(journal), gf.compare(journal).to_dict()
        for number, one in enumerate(drawn):
            home = f"b{number}"
            _scores_of(tally, one, [r for r in scores.results if r["benchmark"] == home])
            rows = {k: [r for r in compared[k] if r["benchmark"] == home]
                    for k in ("differences", "ranks")}  # fmt: skip
            _comparison_of(tally, one, rows)


def _scores_of(tally: Tally, one: Drawn, results: Sequence[Any]) -> None:
    name, truth = one.world.name, one.truth
    who = [place(r["examinee"]) for r in results]
    both = {SAME: [r["interval"] for r in results],
            OTHER: [r["other_claim"]["interval"] for r in results]}  # fmt: skip
    for claim, found in both.items():
        hits = [holds(ends, truth[claim][m]) for ends, m in zip(found, who, strict=True)]
        tally.add("score", claim, name, hits)
    hits = [
        holds(result["by"]["domain"][f"d{d}"]["interval"], one.of_domains[m, d])
        for result, m in zip(results, who, strict=True)
        for d in range(one.world.domains)
    ]
    tally.add("score of a domain", SAME, name, hits)


def _comparison_of(tally: Tally, one: Drawn, rows: dict[str, list[Any]]) -> None:
    name = one.world.name
    for claim in (SAME, OTHER):
        truth, hits = one.truth[claim], []
        for row in rows["differences"]:
            here = row if claim == SAME else row["other_claim"]
            true = truth[place(row["first"])] - truth[place(row["second"])]
            hits.append(holds((here["low"], here["high"]), true))
        tally.add("difference", claim, name, hits)
        best = [1 + int((truth > t + NEAR).sum()) for t in truth]
        worst = [len(truth) - int((truth < t - NEAR).sum()) for t in truth]
        sets = [(row if claim == SAME else row["other_claim"], place(row["run"]))
                for row in rows["ranks"]]  # fmt: skip
        held = all(s["best"] <= best[m] and worst[m] <= s["worst"] for s, m in sets)
        tally.add("rank sets, all together", claim, name, held)


def same_in_tables(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """Whether reports and leaderboards show the intervals and rank sets of score and compare."""
    for world in WORLDS[:2]:
        for _ in range(max(1, sets // TOGETHER)):
            with (
                answered([draw(world, rng).chances], rng) as journal,
                tempfile.TemporaryDirectory() as folder,
            ):
                scores, compared = gf.score(journal), gf.compare(journal)
                for claim in (SAME, OTHER):
                    gf.report(journal, f"{folder}/r-{claim}", claim=claim)
                    gf.leaderboard(journal, f"{folder}/b-{claim}", claim=claim)
                for name, agree in _agreement(Path(folder), scores, compared).items():
                    tally.add(f"{name} as in score and compare", "both", world.name, agree)


def _agreement(folder: Path, scores: Any, compared: Any) -> dict[str, list[bool]]:
    """Whether every number of the tables is that of the functions, to the digits shown."""
    same = {r["examinee"]: r["interval"] for r in scores.results}
    other = {r["examinee"]: r["other_claim"]["interval"] for r in scores.results}
    ranks = {r["run"]: r for r in compared.to_dict()["ranks"]}
    found: dict[str, list[bool]] = {"report": [], "leaderboard": []}
    for claim, one, two in ((SAME, same, other), (OTHER, other, same)):
        rows = pd.read_csv(folder / f"r-{claim}" / "tables" / "summary.csv")
        beside = "over_domains" if claim == SAME else "same_domains"
        for row in rows.to_dict("records"):
            who = row["examinee"]
            ends = [row["accuracy_low"], row["accuracy_high"]]
            found["report"].append(bool(np.allclose(ends, one[who], atol=1e-5)))
            if f"{beside}_low" in row:
                ends = [row[f"{beside}_low"], row[f"{beside}_high"]]
                found["report"].append(bool(np.allclose(ends, two[who], atol=1e-5)))
        rows = pd.read_csv(folder / f"b-{claim}" / "tables" / "board-1.csv")
        for row in rows.to_dict("records"):
            who = f"openai:{row['name']}"
            first = ranks[who] if claim == SAME else ranks[who]["other_claim"]
            second = ranks[who]["other_claim"] if claim == SAME else ranks[who]
            found["leaderboard"] += [
                bool(np.allclose([row["low"], row["high"]], one[who], atol=1e-4)),
                bool(np.allclose([row["other_low"], row["other_high"]], two[who], atol=1e-4)),
                (row["best"], row["worst"]) == (first["best"], first["worst"]),
                (row["other_best"], row["other_worst"]) == (second["best"], second["worst"]),
            ]
    return found


def these_items(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """Intervals for exactly these items, which were answered on several occasions."""
    for items, occasions in ((10, 2), (10, 5)):
        world = World(f"6 domains of {items}, {occasions} occasions", 6, items, APART)
        drawn = [draw(world, rng) for _ in range(sets)]
        with answered([one.chances for one in drawn], rng, occasions) as journal:
            scores = gf.score(journal, claim=THESE).results
            compared = gf.compare(journal, claim=THESE).to_dict()
        for number, one in enumerate(drawn):
            home, truth = f"b{number}", one.truth[THESE]
            mine = [r for r in scores if r["benchmark"] == home]
            hits = [holds(r["interval"], truth[place(r["examinee"])]) for r in mine]
            tally.add("score", THESE, world.name, hits)
            pairs = [r for r in compared["differences"] if r["benchmark"] == home]
            hits = [
                holds((r["low"], r["high"]), truth[place(r["first"])] - truth[place(r["second"])])
                for r in pairs
            ]
            tally.add("difference", THESE, world.name, hits)


def explain(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """Shares of a difference between two models, each on items of its own and on common ones."""
    world = World("10 domains of 10, half of the items in common", 10, 10, (0.6, 0.75))
    for claim in (SAME, OTHER):
        for _ in range(sets):
            effects = draw_domains(world, rng)
            drawn = draw(replace(world, items=15), rng, effects)
            with (
                answered([drawn.chances[:1, :, :10]], rng) as first,
                answered([drawn.chances[1:, :, 5:]], rng, who="openai:n", first_item=[5]) as second,
            ):
                found = gf.explain_difference(first, second, claim=claim).shares
            truth = drawn.truth[claim]
            for cause, true in (("items", 0.0), ("unexplained", float(truth[0] - truth[1]))):
                row = found.loc[cause]
                ends = float(row["ci_lower"]), float(row["ci_upper"])
                tally.add(f"explain-difference, {cause}", claim, world.name, holds(ends, true))


def perception_gap(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """The gap between text twins and pictures of the same scenes."""
    for domains, items in ((6, 20), (30, 5)):
        world = World(f"{domains} domains of {items} scenes", domains, items, (0.6, 0.75))
        for _ in range(sets):
            drawn = draw(world, rng)
            with _twins(drawn, rng) as journal:
                for claim in (SAME, OTHER):
                    row = gf.gap(journal, guess=0.0, claim=claim).whole.gap.iloc[0]
                    truth = drawn.truth[claim]
                    ends = float(row["ci_lower"]), float(row["ci_upper"])
                    true = float(truth[0] - truth[1])
                    tally.add("gap", claim, world.name, holds(ends, true))


@contextmanager
def _twins(drawn: Drawn, rng: np.random.Generator) -> Iterator[Journal]:
    """A journal of one model: the first row of the probabilities is of pictures, the second of
    text twins."""
    right, cells, labels = rng.binomial(1, drawn.chances), {}, []
    for kind, chance in zip(("picture", "text"), right, strict=True):
        for (d, i), value in np.ndenumerate(chance):
            name = f"{d}-{i}" + ("-text" if kind == "text" else "")
            cells[name] = float(value)
            labels.append({"item": name, "domain": f"d{d}", "twin": kind, "scene": f"s{d}-{i}"})
    table = pd.DataFrame(cells, index=pd.Index(["openai:m0"]))
    one = pd.DataFrame(1, index=table.index, columns=table.columns)
    held = pd.DataFrame(labels).set_index("item")
    homes = dict.fromkeys(cells, "b0")
    with journal_of_items(ScoreMatrix(table, one, one, "item", homes, held)) as journal:
        yield journal


def norms(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """The mean of people and its interval over other people and other items."""
    persons = 40
    for domains, items in ((6, 8), (20, 3)):
        world = World(f"{persons} people, {domains} domains of {items}", domains, items,
                      (0.65,) * persons, own=0.5)  # fmt: skip
        for _ in range(sets):
            drawn = draw(world, rng)
            with answered([drawn.chances], rng, who="person:m") as journal:
                for claim in (SAME, OTHER):
                    row = gf.norms(journal, min_n=10, claim=claim).table.iloc[0]
                    ends = float(row["ci_lower"]), float(row["ci_upper"])
                    # Other people have the expected answers of the model.
                    true = _expected_mean(world, drawn) if claim == SAME else 0.65
                    tally.add("norms, mean", claim, world.name, holds(ends, true))


def _expected_mean(world: World, drawn: Drawn) -> float:
    """The mean over all people and all items of these domains: `own` effects are of people."""
    return float(drawn.of_domains.mean())


def plans(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """The half-width that a plan promises, and that of a run of its size."""
    same = World("pilot of 12 domains of 20", 12, 20, (0.6, 0.65, 0.75))
    other = replace(same, name="pilot of 80 domains of 10", domains=80, items=10)
    cases: tuple[tuple[Literal["difference", "se"], float, str], ...] = (
        ("difference", 0.1, SAME), ("difference", 0.1, OTHER), ("se", 0.02, SAME),
        ("se", 0.03, OTHER),
    )  # fmt: skip
    for aim, target, claim in cases:
        world = same if claim == SAME else other
        for _ in range(sets):
            effects = draw_domains(world, rng)
            with answered([draw(world, rng, effects).chances], rng) as pilot:
                plan: Any = gf.plan(pilot, aim=aim, target=target, claim=claim, simulations=0)
            items = int(plan.chosen["item"])
            if claim == SAME:
                size = replace(world, items=max(2, round(items / world.domains)))
            else:
                size, effects = replace(world, domains=max(2, round(items / world.items))), None
            drawn = draw(size, rng, effects)
            with answered([drawn.chances], rng) as journal:
                rows = _differences(journal, claim) if aim == "difference" else _scores(
                    journal, claim)  # fmt: skip
            found = float(np.sqrt(np.mean([((r[1] - r[0]) / 2) ** 2 for r, _ in rows])))
            tally.widths.append({"aim": aim, "claim": claim, "items": items,
                                 "planned": float(plan.half_width), "found": found})  # fmt: skip
            truth = drawn.truth[claim]
            hits = [holds(ends, float(sum(s * truth[m] for s, m in which))) for ends, which in rows]
            tally.add(f"run of the planned size, {aim}", claim, world.name, hits)


Row = tuple[tuple[float, float], list[tuple[int, int]]]
"""Ends of an interval, and the models that it is about with their signs."""


def _differences(journal: Journal, claim: str) -> list[Row]:
    table = gf.compare(journal, claim=claim).differences
    return [((float(r["ci_lower"]), float(r["ci_upper"])),
             [(1, place(r["first"])), (-1, place(r["second"]))])
            for r in table.to_dict("records")]  # fmt: skip


def _scores(journal: Journal, claim: str) -> list[Row]:
    return [((float(r["interval"][0]), float(r["interval"][1])), [(1, place(r["examinee"]))])
            for r in gf.score(journal, claim=claim).results]  # fmt: skip


def sequential(tally: Tally, sets: int, rng: np.random.Generator) -> None:
    """Whether equal models are called different at any look; other claims are refused."""
    for domains in (1, 6, 30):
        lead = np.linspace(-0.2, 0.2, domains)[None, :, None] * (domains > 1)
        chances = np.repeat(0.6 + np.vstack([lead, -lead]), 240 // domains, axis=2)
        for _ in range(sets):
            with answered([chances], rng) as journal:
                seed = int(rng.integers(1_000_000))
                pairs = gf.compare_sequentially(journal, order_seed=seed).pairs
                alarm = bool(pairs["decided_at"].notna().any())
                tally.add("sequential, false alarms", SAME, f"{domains} domains, 240 items", alarm)
    with answered([chances], rng) as journal:
        for claim in (OTHER, THESE):
            tally.add("sequential is refused", claim, "", refused(journal, claim))


def refused(journal: Journal, claim: str) -> bool:
    """Whether a claim is refused while answers come in."""
    try:
        gf.compare_sequentially(journal, claim=claim)
    except ParameterError:
        return True
    return False


STUDIES: dict[str, Callable[[Tally, int, np.random.Generator], None]] = {
    "score": score_and_compare, "table": same_in_tables, "items": these_items, "explain": explain,
    "gap": perception_gap, "norms": norms, "sequential": sequential, "plan": plans,
}  # fmt: skip


def block(study: str, seed: int, number: int, sets: int = TOGETHER) -> Tally:
    """Some data sets of a study, from a seed of their own."""
    tally = Tally()
    STUDIES[study](tally, sets, np.random.default_rng([seed, [*STUDIES].index(study), number]))
    return tally


def page_lines(whole: Tally, seed: int) -> list[str]:
    """The tables of docs/evidence/coverage.md."""
    lines = [
        f"Seed {seed}; in brackets the Monte Carlo standard error over data sets.",
        "",
        "| what | claim | data | percent | data sets |",
        "|---|---|---|---:|---:|",
    ]
    for row in whole.table().to_dict("records"):
        lines.append(f"| {row['what']} | {row['claim']} | {row['world']} | {row['share']:.1f} "
                     f"({row['se']:.1f}) | {row['data sets']} |")  # fmt: skip
    if whole.widths:
        lines += ["", "| aim | claim | items (median) | half-width planned | of the run | ratio | "
                  "pilots |", "|---|---|---:|---:|---:|---:|---:|"]  # fmt: skip
        for row in whole.plans().to_dict("records"):
            lines.append(f"| {row['aim']} | {row['claim']} | {row['items']:.0f} | "
                         f"{row['planned']:.4f} | {row['found']:.4f} | {row['ratio']:.2f} "
                         f"({row['se']:.2f}) | {row['data sets']} |")  # fmt: skip
    return lines


def main(act: Callable[[str], None] = print) -> None:
    """Print the tables, and write them into docs/evidence/coverage.md where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[*STUDIES], choices=[*STUDIES])
    parser.add_argument("--page", action="store_true", help="write docs/evidence/coverage.md, too")
    given = parser.parse_args()
    whole = Tally()
    sizes = [min(TOGETHER, given.sets - k) for k in range(0, given.sets, TOGETHER)]
    tasks = [delayed(block)(name, given.seed, k, size)
             for name in given.only for k, size in enumerate(sizes)]  # fmt: skip
    part: Any
    for part in Parallel(given.jobs)(tasks):
        whole.rows += part.rows
        whole.widths += part.widths
    lines = page_lines(whole, given.seed)
    for line in lines:
        act(line)
    if given.page:
        replace_between(PAGE, START, END, lines)


if __name__ == "__main__":
    main()
