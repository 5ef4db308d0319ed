"""False alarms, power and coverage of `gf.inflation` on real models with planted leaks.

    nice python benchmarks/inflation.py [--null-draws 300] [--draws 60] [--seed 2041]

Needs nothing but the example data set `vlm_items`; some minutes of one idle core (set
OPENBLAS_NUM_THREADS=1, since small matrices gain nothing from threads). Writes the tables
of docs/evidence/inflation-evidence.md and docs/evidence/coverage.md between their markers (`--dry`
prints them). `--rows FILE` keeps the draws of each pair of forms as soon as it is done; a run that
was interrupted goes on.

A draw is an examinee, references of other families, 400 public items and 400 fresh ones. Both forms
are of one benchmark, the public one easier or harder than the fresh one, or of two benchmarks. All
draws are examined as they are, the first `--draws` of them also with 5, 10, 20 and 40 % of the
examinee's wrong public answers made right, and with the 20 % of them that fewest references have
right. ConStat's test (constat.py) sees the first `--constat-draws`, as they are and with 20 %.

Wrong keys are 20 items among the public ones that abler models miss more often; leaks make the
examinee agree with 78 % of them.

The last part corrects scores of judges with errors that differ by model (`gf.correct_scores`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from constat import constat
from numpy.typing import NDArray

from gfactor.api.datasets.loading import load
from gfactor.psychometrics.inference.inflation import inflation_of
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.inference.judged import corrected_score

DOCS = Path(__file__).parents[1] / "docs" / "evidence"
ITEMS = 400
REFERENCES = (10, 20, 60)
LEAKS = {"none": 0.0, "5 %": 0.05, "10 %": 0.1, "20 %": 0.2, "40 %": 0.4, "hardest 20 %": 0.2}
TESTS = ("t", "rank", "fit", "items")
WRONG_KEYS, AGREEING = 20, 0.78
BENCHMARKS = {"ai2d_test": "AI2D", "mmmu_dev_val": "MMMU", "mmt_bench_val": "MMT-Bench"}
EASIER, HARDER = "of one benchmark, public easier", "of one benchmark, public harder"
OTHER = "of two benchmarks"
KINDS = (EASIER, HARDER, OTHER)

Floats = NDArray[np.float64]


def draw(
    rng: np.random.Generator, public: Floats, fresh: Floats | None, family: Any, count: int,
    easier: float,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Return answers of an examinee (first row) and of references to a public and a fresh form."""
    examinee = int(rng.integers(len(public)))
    others = np.flatnonzero(family != family[examinee])
    rows = [examinee, *rng.choice(others, count, replace=False)]
    if fresh is None:
        keys = easier * public.mean(axis=0) + rng.gumbel(size=public.shape[1])
        order = np.argsort(-keys, kind="stable")
        chosen, rest = order[:ITEMS], order[ITEMS:]
        return public[rows][:, chosen], public[rows][:, rng.choice(rest, ITEMS, replace=False)]
    chosen = rng.choice(public.shape[1], ITEMS, replace=False)
    other = rng.choice(fresh.shape[1], ITEMS, replace=False)
    return public[rows][:, chosen], fresh[rows][:, other]


def leaked(rng: np.random.Generator, form: Floats, leak: str) -> tuple[Floats, float]:
    """Return the public form with wrong answers made right, and what that gains in points."""
    new, wrong = form.copy(), np.flatnonzero(form[0] == 0)
    if leak.startswith("hardest"):
        hardest = wrong[np.argsort(form[1:, wrong].mean(axis=0), kind="stable")]
        learned = hardest[: round(LEAKS[leak] * len(wrong))]
    else:
        learned = wrong[rng.random(len(wrong)) < LEAKS[leak]]
    new[0, learned] = 1
    return new, 100 * float(new[0].mean() - form[0].mean())


def examined(form: Floats, other: Floats, truth: float) -> dict[str, float]:
    """Return which tests reject (NaN: not offered), and whether the interval holds the truth."""
    public, fresh = ([f"{name}{k}" for k in range(ITEMS)] for name in "pf")
    rows = [f"m{k}" for k in range(len(form))]
    table = pd.DataFrame(np.hstack([form, other]), rows, [*public, *fresh])
    found = inflation_of(table, examinee="m0", public=public, fresh=fresh)
    p = dict(zip(found.tests["test"], found.tests["p"].to_numpy(float), strict=True))
    return {
        **{test: float(p[test] <= 0.05) if np.isfinite(p[test]) else np.nan for test in TESTS},
        "covered": float(found.ci_lower <= truth <= found.ci_upper),
        "width": found.ci_upper - found.ci_lower,
    }


def cases() -> Iterable[tuple[str, str, Floats, Floats | None, Any, float]]:
    """Yield kind of forms, their names, answers to both, families, and the weight of easiness."""
    data = load("vlm_items")
    forms = {
        short: data.answers.filter(like=f"{name}:").dropna() for name, short in BENCHMARKS.items()
    }
    family: Any = data.models["family"]
    for name, form in forms.items():
        groups = family.loc[form.index].to_numpy(object)
        yield EASIER, name, form.to_numpy(), None, groups, 1.0
        yield HARDER, name, form.to_numpy(), None, groups, -1.0
    for name, form in forms.items():
        for second, fresh in forms.items():
            if second != name:
                both = form.index.intersection(fresh.index)
                groups = family.loc[both].to_numpy(object)
                values = form.loc[both].to_numpy(), fresh.loc[both].to_numpy()
                yield OTHER, f"{name} after {second}", *values, groups, 0.0


def measured(
    null_draws: int, draws: int, constat_draws: int, seed: int, stored: Path | None
) -> pd.DataFrame:
    """Return a row per draw and leak; those in the file are not drawn again."""
    parts = [pd.read_csv(stored)] if stored is not None and stored.is_file() else []
    done = {key for part in parts for key in zip(part["forms"], part["kind"], part["references"],
                                                 strict=True)}  # fmt: skip
    for number, (kind, forms, public, fresh, family, easier) in enumerate(cases()):
        for count in REFERENCES:
            if (forms, kind, count) in done:
                continue
            rows: list[dict[str, Any]] = []
            rng = np.random.default_rng([seed, number, count])
            for k in range(null_draws):
                form, other = draw(rng, public, fresh, family, count, easier)
                for leak in LEAKS if k < draws else ("none",):
                    new, truth = leaked(rng, form, leak)
                    row = {"kind": kind, "forms": forms, "references": count, "leak": leak}
                    row |= examined(new, other, truth)
                    if k < constat_draws and leak in ("none", "20 %"):
                        row["ConStat"] = float(constat(new, other, rng)[1] <= 0.05)
                    rows.append(row | {"gain": truth})
            parts.append(pd.DataFrame(rows))
            if stored is not None:
                pd.concat(parts).to_csv(stored, index=False)
            print(f"{kind}, {forms}, {count} references", file=sys.stderr, flush=True)
    return pd.concat(parts, ignore_index=True)


def tables_of_inflation(table: Any) -> list[str]:
    """Return the tables of false alarms, power and coverage in Markdown."""
    null = table.loc[table["leak"] == "none"]
    groups = [(kind, count) for kind in KINDS for count in REFERENCES]

    def of(part: pd.DataFrame, kind: str, count: int, column: str) -> Any:
        chosen = (part["kind"] == kind) & (part["references"] == count)
        return part.loc[chosen, column].dropna()

    false = [["forms", "references", *(f"`{test}`" for test in TESTS), "offered", "ConStat"]]
    for kind, count in groups:
        cells = [share(of(null, kind, count, test)) for test in TESTS]
        offered = of(null.assign(offered=null["items"].notna()), kind, count, "offered")
        constats = share(of(null, kind, count, "ConStat"))
        false.append([kind, str(count), *cells, f"{offered.mean():.2f}", constats])
    single = null.groupby(["kind", "forms", "references"])[["t", "rank", "fit"]].mean()
    draws = len(null) // len(single)
    ends = ", ".join(
        f"`{name}` in {single[name].min():.3f} to {single[name].max():.3f}" for name in single
    )
    lines = [
        "Share of honest draws in which a test alarms at .05 (Monte Carlo standard error in "
        "parentheses). `items` is counted where it is offered; how often that is stands beside it.",
        "", *markdown(false, 2), "",
        f"In single pairs of forms {ends} of the draws ({len(single)} pairs and numbers of "
        f"references, {draws:,} draws and an error of {np.sqrt(0.05 * 0.95 / draws):.3f} each: "
        "most of this is chance, as [more draws of each pair](#every-pair-of-forms) show).",
        "",
    ]  # fmt: skip
    power = [["forms", "references", "test", *list(LEAKS)[1:]]]
    for kind, count in groups:
        for test in ("t", *(["rank", "fit"] if count >= 19 else []), "ConStat"):
            cells = [of(table.loc[table["leak"] == leak], kind, count, test) for leak in LEAKS]
            shown = ["" if cell.empty else f"{cell.mean():.2f}" for cell in cells[1:]]
            label = test if test == "ConStat" else f"`{test}`"
            power.append([kind, str(count), label, *shown])
    least = int(table.loc[table["leak"] == "5 %"].groupby(["kind", "references"]).size().min())
    gains = table.groupby("leak")["gain"].mean()
    lines += [
        "Share of draws in which a leak is found at .05 (Monte Carlo standard error at most "
        f"{np.sqrt(0.25 / least):.3f}). The leaks are worth "
        + ", ".join(f"{gains.loc[leak]:.1f}" for leak in list(LEAKS)[1:]) + " points on average.",
        "", *markdown(power, 3), "",
    ]  # fmt: skip
    covered = [["forms", "references", "interval holds the truth", "mean width, points"]]
    for kind, count in groups:
        width = of(null, kind, count, "width").mean()
        covered.append([kind, str(count), share(of(null, kind, count, "covered")), f"{width:.1f}"])
    low, high = wilson(null["covered"].sum(), len(null))
    lines += [
        f"The 95 % interval holds the truth in {null['covered'].mean():.3f} of all {len(null):,} "
        f"draws (95 % Monte Carlo interval {float(low):.3f} to {float(high):.3f}). A leak changes "
        "nothing about that, since an examinee's public answers are not used for its prediction.",
        "", *markdown(covered, 2),
    ]  # fmt: skip
    return lines


def keyed(draws: int, seed: int) -> list[str]:
    """Return the table of the test of wrong keys in Markdown."""
    rows = [["public items of", "references", "honest, alarms", "78 % of the keys learned, found"]]
    for number, (kind, forms, public, _, family, _) in enumerate(cases()):
        if kind != EASIER:
            continue
        rest = public.mean(axis=1, keepdims=True) - public / public.shape[1]
        apart, others = public - public.mean(axis=0), rest - rest.mean(axis=0)
        order = np.argsort((apart * others).sum(axis=0) / np.sqrt((apart**2).sum(axis=0) + 1e-9))
        for count in REFERENCES:
            rng, hits = np.random.default_rng([seed, 99, number, count]), []
            for _ in range(draws):
                wrong = rng.choice(order[: 3 * WRONG_KEYS], WRONG_KEYS, replace=False)
                right = rng.choice(order[3 * WRONG_KEYS :], 2 * ITEMS - WRONG_KEYS, replace=False)
                examinee = int(rng.integers(len(public)))
                others_of = rng.choice(np.flatnonzero(family != family[examinee]), count, False)
                form = public[np.ix_([examinee, *others_of], [*wrong, *right])]
                learned = form.copy()
                learned[0, :WRONG_KEYS] = np.maximum(
                    form[0, :WRONG_KEYS], rng.random(WRONG_KEYS) < AGREEING
                )
                hits.append([rejects(one) for one in (form, learned)])
            rows.append([forms, str(count), *(share(found) for found in np.transpose(hits))])
    return [
        f"Test of wrong keys (`keys`), {draws:,} draws of {WRONG_KEYS} items that abler models "
        "miss more often among 400 public ones: share of draws that alarm at .05.",
        "", *markdown(rows, 2), "",
    ]  # fmt: skip


def rejects(form: Floats) -> float:
    """Return 1 if the test of wrong keys, the first columns of the public half, rejects."""
    names = [f"i{k}" for k in range(2 * ITEMS)]
    table = pd.DataFrame(form, [f"m{k}" for k in range(len(form))], names)
    found = inflation_of(table, examinee="m0", public=names[:ITEMS], fresh=names[ITEMS:],
                         wrong_keys=names[:WRONG_KEYS])  # fmt: skip
    return float(found.tests.set_index("test")["p"].to_dict()["keys"] <= 0.05)


ACCURACIES = (0.3, 0.6, 0.85)
JUDGES: Mapping[float, tuple[float, ...]] = {
    0.7: (0.9, 0.95), 0.8: (0.85, 0.95), 0.9: (0.8, 0.95), 0.95: (0.8, 0.95)
}  # fmt: skip
"""Specificities by sensitivity."""
MARKED = ((200, 30), (500, 100), (1000, 200))
"""Answers, and those of them that people mark."""


def corrected(draws: int, seed: int) -> list[str]:
    """Return the table of corrected scores in Markdown; a judge errs more with long replies."""
    shown = [["sensitivity", "answers", "marked by people", "bias of the judge, points",
              "judge alone", "other items", "these items", "width"]]  # fmt: skip
    pooled: list[Floats] = []
    for sensitivity, specificities in JUDGES.items():
        for answers, marked in MARKED:
            rng = np.random.default_rng([seed, round(100 * sensitivity), answers])
            rows = [
                one_judge(rng, accuracy, sensitivity, specificity, answers, marked)
                for accuracy in ACCURACIES
                for specificity in specificities
                for _ in range(draws)
            ]
            found = np.array(rows)
            pooled.append(found)
            alone, new, same = (share(found[:, k]) for k in range(3))
            shown.append([
                f"{sensitivity}", f"{answers:,}", f"{marked}", f"{found[:, 4].mean():+.1f}",
                alone, new, same, f"{found[:, 3].mean():.2f}",
            ])  # fmt: skip
    every = np.vstack(pooled)
    ends = [wilson(every[:, k].sum(), len(every)) for k in (1, 2)]
    words = [
        f"{every[:, k].mean():.3f} ({float(low):.3f} to {float(high):.3f})"
        for k, (low, high) in zip((1, 2), ends, strict=True)
    ]
    return [
        "### Scores corrected by people", "",
        "Prediction-powered scores (`gf.correct_scores`) of models with .30, .60 and .85 of the "
        "answers right, whose judge has the sensitivity shown and two specificities (.8 to .95), "
        "each with other errors. Share of draws whose interval holds the truth: the accuracy on "
        "other items of the kind, or on these items. `width` is that of the corrected interval "
        "for other items over that of people's marks alone, and `judge alone` is Wilson's interval "
        f"of the judge's marks. Over all {len(every):,} draws the intervals hold the truth in "
        f"{words[0]} and {words[1]}.",
        "", *markdown(shown, 1),
    ]  # fmt: skip


def one_judge(
    rng: np.random.Generator, accuracy: float, sensitivity: float, specificity: float,
    answers: int, marked: int,
) -> tuple[float, ...]:  # fmt: skip
    """Return what holds the truth (judge, other items, these items), ratio of widths, and bias."""
    right = rng.random(answers) < accuracy
    # Of two halves of the replies one is judged better than the other.
    better = np.where(rng.random(answers) < 0.5, 0.04, -0.04)
    as_people = rng.random(answers) < np.where(right, sensitivity, specificity) + better
    judge = np.where(as_people, right, ~right) * 1.0
    people = np.full(answers, np.nan)
    chosen = rng.choice(answers, marked, replace=False)
    people[chosen] = right[chosen]
    new = corrected_score(judge, people)
    same = corrected_score(judge, people, these_items=True)
    low, high = wilson(judge.sum(), answers)
    return (
        float(low <= accuracy <= high),
        float(new.ci_lower <= accuracy <= new.ci_upper),
        float(same.ci_lower <= right.mean() <= same.ci_upper),
        (new.ci_upper - new.ci_lower) / (new.people_upper - new.people_lower),
        100 * float(judge.mean() - right.mean()),
    )


def share(values: Any) -> str:
    """Return a mean of zeros and ones with its standard error."""
    given = np.asarray(values, float)
    if not given.size:
        return ""
    mean = float(given.mean())
    return f"{mean:.3f} ({np.sqrt(mean * (1 - mean) / given.size):.3f})"


def markdown(rows: list[list[str]], words: int) -> list[str]:
    """Return a table in Markdown whose first columns hold words."""
    head, *body = rows
    line = "|" + "---|" * words + "---:|" * (len(head) - words)
    return ["| " + " | ".join(head) + " |", line, *("| " + " | ".join(r) + " |" for r in body)]


def show(lines: list[str], page: Path | None, marker: str) -> None:
    """Put lines between two markers of a page, or print them."""
    if page is None:
        print("\n".join([*lines, ""]), flush=True)
        return
    start, end = f"<!-- {marker} -->", f"<!-- end {marker} -->"
    head, _, rest = page.read_text("utf-8").partition(start)
    _, found, tail = rest.partition(end)
    if not found:
        raise SystemExit(f"{page.name} has no markers {start} and {end}")
    page.write_text(head + "\n".join([start, *lines, end]) + tail, "utf-8")


def main() -> None:
    """Measure, and write or print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--null-draws", type=int, default=300)
    parser.add_argument("--draws", type=int, default=60, help="with leaks, of each pair of forms")
    parser.add_argument("--constat-draws", type=int, default=60, help="that ConStat sees, too")
    parser.add_argument("--judge-draws", type=int, default=120, help="of each judge and accuracy")
    parser.add_argument("--key-draws", type=int, default=200, help="of each bank with wrong keys")
    parser.add_argument("--seed", type=int, default=2041)
    parser.add_argument("--rows", type=Path, help="file of draws, continued if it is there")
    parser.add_argument("--dry", action="store_true", help="print the tables and write nothing")
    given = parser.parse_args()
    judged = corrected(given.judge_draws, given.seed)
    page = None if given.dry else DOCS
    show(judged, page and page / "coverage.md", "corrected")
    table = measured(given.null_draws, given.draws, given.constat_draws, given.seed, given.rows)
    options = " ".join(
        f"--{name.replace('_', '-')} {getattr(given, name)}"
        for name in ("null_draws", "draws", "constat_draws", "key_draws", "seed")
    )
    lines = [f"Written by `python benchmarks/inflation.py {options}`.", ""]
    lines += [*tables_of_inflation(table), "", *keyed(given.key_draws, given.seed)]
    show(lines, page and page / "inflation-evidence.md", "inflation")


if __name__ == "__main__":
    main()
