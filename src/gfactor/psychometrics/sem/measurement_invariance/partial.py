"""Which equality to release next, and which releases one level hands to the next."""

from __future__ import annotations

from scipy.special import chdtrc

from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.measurement_invariance.steps import Level
from gfactor.psychometrics.sem.modification import indices_of, releases_of
from gfactor.psychometrics.sem.parameters import Parameter

FEWEST = 2
"""Indicators of a factor that must stay equal, or groups have nothing in common (Byrne,
Shavelson and Muthen 1989)."""


def release(
    fit: Fit, level: Level, released: tuple[str, ...]
) -> tuple[str, float, int, float] | None:
    """The equality of this level with the largest score test: its name, score, df and p; None
    where none may be released any more."""
    by_label = {row.plabel: row for row in fit.table.rows if row.plabel}
    found: list[tuple[float, str, int, float]] = []
    for lhs, _, rhs, chisq, df, pvalue in releases_of(fit.estimated, fit.table).itertuples(
        index=False
    ):
        row, other = by_label.get(str(lhs)), by_label.get(str(rhs))
        if row is None or other is None or row.group == other.group or not df > 0:
            continue
        if _kind(row, fit) in level.new and _may_go(row, fit, level, released):
            found.append((float(chisq), name_of(row), int(df), float(pvalue)))
    if not found and "intercepts" in level.new:
        return _fixed_intercept(fit, level, released)
    if not found:
        return None
    score, name, df, pvalue = max(found, key=lambda one: (one[0], one[1]))
    return name, score, df, pvalue


def name_of(row: Parameter) -> str:
    """As `group_partial` has it."""
    return f"{row.lhs}{row.op}{row.rhs}"


def _kind(row: Parameter, fit: Fit) -> str:
    latent = set(fit.table.latent)
    if row.op == "=~":
        return "loadings"
    if row.op == "|":
        return "thresholds"
    if row.op == "~1":
        return "means" if row.lhs in latent else "intercepts"
    if row.op == "~~" and row.lhs == row.rhs and row.lhs not in latent:
        return "residuals"
    return ""


def _indicator(row: Parameter) -> str:
    return row.rhs if row.op == "=~" else row.lhs


def _may_go(row: Parameter, fit: Fit, level: Level, released: tuple[str, ...]) -> bool:
    """Whether every factor of the indicator keeps enough equal ones, of loadings and intercepts;
    residuals may all differ."""
    if level.new == ("residuals",):
        return True
    gone = {name.replace("=~", " ").replace("|", " ").replace("~", " ") for name in released}
    free = {part for name in gone for part in name.split()} | {_indicator(row)}
    loads = [one for one in fit.table.rows if one.op == "=~" and one.group == 1]
    for factor in {one.lhs for one in loads if one.rhs == _indicator(row)}:
        own = {one.rhs for one in loads if one.lhs == factor}
        if len(own - free) < FEWEST:
            return False
    return True


def _fixed_intercept(
    fit: Fit, level: Level, released: tuple[str, ...]
) -> tuple[str, float, int, float] | None:
    """Intercepts of ordinal variables are fixed, not tied: modification indices tell of them,
    summed over the groups."""
    frame = indices_of(fit.estimated, fit.table)
    latent = set(fit.table.latent)
    sums: dict[str, tuple[float, int]] = {}
    for row in frame.to_dict("records"):
        name = str(row["lhs"])
        if row["op"] == "~1" and name not in latent and row["group"] > 1:
            score, df = sums.get(name, (0.0, 0))
            sums[name] = score + float(row["mi"]), df + 1
    allowed = {
        name: value
        for name, value in sums.items()
        if f"{name}~1" not in released and _may_go(Parameter(name, "~1", ""), fit, level, released)
    }
    if not allowed:
        return None
    name = max(allowed, key=lambda one: (allowed[one][0], one))
    score, df = allowed[name]
    return f"{name}~1", score, df, float(chdtrc(df, score))


def still_equal(fit: Fit, released: tuple[str, ...], level: Level) -> tuple[str, ...]:
    """What a level must leave free because of earlier releases: those themselves, and the
    intercepts (then residuals) of indicators whose loadings, thresholds or intercepts differ; they
    have no common scale to be compared on."""
    carried = list(released)
    indicators = [
        name.split("=~")[1] if "=~" in name else name.split("|")[0].split("~")[0]
        for name in released
    ]
    for indicator in dict.fromkeys(indicators):
        for kind in level.new:
            if kind == "intercepts":
                carried.append(f"{indicator}~1")
            elif kind == "residuals":
                carried.append(f"{indicator}~~{indicator}")
            elif kind == "loadings":
                carried += [
                    f"{row.lhs}=~{indicator}"
                    for row in fit.table.rows
                    if row.op == "=~" and row.rhs == indicator and row.group == 1
                ]
    return tuple(dict.fromkeys(carried))
