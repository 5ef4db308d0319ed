"""Sentences on groups compared by permutation, and on prediction out of sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gfactor.numbers_in_text import fixed, p_value, share
from gfactor.psychometrics.pls.ability import ALL, AVERAGES, REGRESSION, PLSPredictiveAbility
from gfactor.psychometrics.pls.permutation import PLSGroups
from gfactor.reports.paragraphs.wording import MOST_LISTED, limits_of, listed, software
from gfactor.results import number_of


def sentences_on_pls_groups(result: PLSGroups) -> Iterable[str]:
    first, second = result.groups
    sizes = " and ".join(
        f"{name} ({number_of(size, 'case')})"
        for name, size in zip(result.groups, result.sizes, strict=True)
    )
    alpha = 1 - result.level
    yield (
        f"The groups {sizes} were compared in a partial least squares path model by "
        f"{number_of(result.permutations, 'permutation')} of the cases (seed {result.seed}) with "
        f"{software()}; p-values are not adjusted for the number of tests."
    )
    rows = result.composites.to_dict("records")
    yield (
        "Measurement invariance of composites (MICOM; indicators and settings are those of one "
        f"model): {_joined(rows, _composite)}."
    )
    for title, column in (
        ("Weights", "p_composition"), ("Means", "p_mean"), ("Variances", "p_variance"),
    ):  # fmt: skip
        differ = [str(row["construct"]) for row in rows if row[column] < alpha]
        verdict = f"differ for {listed(differ)}" if differ else (
            "were not found to differ, which does not show them to be equal"
        )  # fmt: skip
        yield f"{title} of composites {verdict} (level {share(alpha, 2)})."
    yield from _paths(result, first, second, alpha)


def _paths(result: PLSGroups, first: str, second: str, alpha: float) -> Iterable[str]:
    paths = result.paths.to_dict("records")
    if not paths:
        return

    broken = {row["construct"] for row in result.composites.to_dict("records")
              if row["invariance"] == "none"}  # fmt: skip

    def path(row: dict[Any, Any]) -> str:
        text = (
            f"{row['source']} to {row['target']} {share(row[first], 2)} in {first} and "
            f"{share(row[second], 2)} in {second}"
        )
        if {row["source"], row["target"]} & broken:
            return text
        return f"{text}, difference {share(row['difference'], 2)}, p {p_value(row['p'], '= ')}"

    if broken:
        yield (
            f"Paths of {listed(sorted(broken))} are not comparable, as the weights of the groups "
            "differ."
        )
    yield f"Standardized paths: {_joined(paths, path)}."
    differ = [f"{row['source']} to {row['target']}" for row in paths
              if row["p"] < alpha and not {row["source"], row["target"]} & broken]  # fmt: skip
    if differ:
        yield f"At level {share(alpha, 2)} the groups differ in {listed(differ)}."
    elif not broken:
        yield "No path was found to differ, which does not show the paths to be equal."


def _composite(row: dict[Any, Any]) -> str:
    return (
        f"{row['construct']} correlation of the scores by both groups' weights "
        f"{share(row['correlation'])} (limit {share(row['limit'])}, p "
        f"{p_value(row['p_composition'], '= ')}), difference of means "
        f"{fixed(row['mean_difference'])} SD (p {p_value(row['p_mean'], '= ')}), logarithm of the "
        f"ratio of variances {fixed(row['log_variance_ratio'])} (p "
        f"{p_value(row['p_variance'], '= ')})"
    )


def _joined(rows: list[dict[Any, Any]], text: Callable[[dict[Any, Any]], str]) -> str:
    left = len(rows) - MOST_LISTED
    more = [f"and {left} more in the table"] if left > 0 else []
    return "; ".join([*(text(row) for row in rows[:MOST_LISTED]), *more])


_BENCHMARKS = {
    AVERAGES: "the averages of the indicators",
    REGRESSION: "a linear model of the indicators",
}


def sentences_on_predictive_ability(result: PLSPredictiveAbility) -> Iterable[str]:
    times = "" if result.repeats == 1 else f", repeated {result.repeats} times"
    yield (
        "The prediction of a partial least squares path model out of sample was tested by "
        f"cross-validation ({number_of(result.folds, 'fold')}{times}; CVPAT) in "
        f"{number_of(result.n, 'case')} with {software()}; the loss is the mean squared error of "
        "the indicators."
    )
    for against, part in result.table.groupby("against", sort=False):
        named = _BENCHMARKS.get(str(against), "the other model")
        rows = [_loss(row, result.level) for row in part.to_dict("records")]
        yield f"Against {named}: {'; '.join(rows)}."


def _loss(row: dict[Any, Any], level: float) -> str:
    verdict = {
        "better": "the model predicts better", "worse": "the model predicts worse",
        "not decided": "which of both predicts better is open", "-": "the losses do not vary",
    }[row["verdict"]]  # fmt: skip
    what = "all constructs" if row["construct"] == ALL else row["construct"]
    interval = limits_of(row["ci_lower"], row["ci_upper"], level, lambda end: fixed(end, 3))
    return (
        f"{what}, loss {fixed(row['loss'], 3)} and {fixed(row['loss_against'], 3)}, difference "
        f"{fixed(row['difference'], 3)}, {interval}, p {p_value(row['p'], '= ')}: {verdict}"
    )
