"""Conclusions of the paper, beside the numbers of both routes, and whether they survive."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.respondents import Forensics
from gfactor.replications.m3gia.published import LANGUAGES
from gfactor.replications.m3gia.result import Gia
from gfactor.replications.m3gia.totals import size_trend

if TYPE_CHECKING:
    from gfactor.replications.m3gia.both_routes import LanguageRoutes

Verdict = Literal["survives", "does not survive", "undecided", "not tested"]


@dataclass(frozen=True)
class ConclusionCheck:
    """One conclusion in one language (or over all).

    Parameters
    ----------
    conclusion: conclusion of the paper, in one sentence. section: its section there.
    language: name of the language, or "all".
    published, repaired: results of the routes, with numbers; "" if the route has none.
    verdict: statement of whether the conclusion survives the repaired numbers (the published ones
        if only those exist).
    """

    conclusion: str
    section: str
    language: str
    published: str
    repaired: str
    verdict: Verdict

    def __str__(self) -> str:
        texts = [t for t in (self.published, self.repaired) if t]
        return (
            f"{self.conclusion} (paper, {self.section}; {self.language}): {self.verdict}. "
            + " ".join(texts)
        )


def claims(
    languages: Sequence[LanguageRoutes], persons: Forensics | None
) -> tuple[ConclusionCheck, ...]:
    """Return every conclusion of the paper that the given data can test, with a verdict."""
    every: list[ConclusionCheck] = []
    for make in (
        _reach_humans, _follows_total, _validated, _winner_takes_all, _grows, _threshold, _table2,
        _acceptable,
    ):  # fmt: skip
        every += [claim for one in languages for claim in make(one)]
    return (*every, *_six_samples(persons))


def _name(one: LanguageRoutes) -> str:
    return LANGUAGES[one.language]


def _reach_humans(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    best = max(one.published.scores.to_dict("records"), key=lambda row: row["gia"])
    published = f"Published: {best['model']} has {best['normalized']:.1f} % of the human figure."
    repaired = ""
    verdict: Verdict = "not tested"
    english = one.language == "En"
    if one.repaired is not None:
        rows = one.repaired.scores.to_dict("records")
        best = max(rows, key=lambda row: row["gia"])
        floor = float(one.repaired.further_facts["human_p025"])
        repaired = (
            f"Repaired: {best['model']} lies {best['gia']:+z.2f} human SD from the human mean "
            f"[{best['gia_low']:z.2f}, {best['gia_high']:z.2f}], above "
            f"{best['below_humans']:.0%} of the persons; the lowest 2.5 % of humans begin at "
            f"{floor:+z.2f}."
        )
        low, high = float(best["gia_low"]), float(best["gia_high"])
        verdict = _reaches(low, high, floor) if english else _gap_remains(low, high, floor)
        if best["extrapolated"]:
            repaired += (
                f" Extrapolated: {best['farthest']:.0f} human SD from the mean on "
                f"{best['farthest_on']}."
            )
    conclusion = (
        "The best models reach the lower boundary of human intelligence in English."
        if english
        else "A pronounced gap to humans remains outside English."
    )
    yield ConclusionCheck(conclusion, "4.2", _name(one), published, repaired, verdict)


def _reaches(low: float, high: float, floor: float) -> Verdict:
    """Return the verdict from the best model's interval and the 2.5 % quantile of persons."""
    return "survives" if low > floor else "does not survive" if high < floor else "undecided"


def _gap_remains(low: float, high: float, floor: float) -> Verdict:
    """Return the verdict on the gap between the best model and persons.

    An interval that contains the human mean (0) shows neither a gap nor its absence.
    """
    if low <= 0 <= high:
        return "undecided"
    return "survives" if high < floor else "does not survive" if low > floor else "undecided"


def _yes(holds: bool) -> Verdict:
    return "survives" if holds else "does not survive"


def _follows_total(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    if one.published.total is None:
        return
    last = (one.repaired or one.published).total
    assert last is not None
    yield ConclusionCheck(
        "GIA follows total accuracy (cor > 0.93), so models and humans share a cognitive "
        "structure.",
        "4.2",
        _name(one),
        _total(one.published, "Published"),
        _total(one.repaired, "Repaired"),
        _yes(last.percentile >= 95),
    )


def _validated(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    if one.repaired is None:
        return
    f = {name: float(v) for name, v in one.repaired.further_facts.items() if not isinstance(v, str)}
    text = (
        f"Repaired: r {f['held_out_r']:.3f} in {f['held_out_persons']:.0f} persons left out (mean "
        f"of {f['held_out_splits']:.0f} divisions; random weights {f['held_out_r_random']:.3f}), "
        f"which is circular; with the total of other question types "
        f"{f['held_out_r_other_half']:.3f} against {f['held_out_r_other_half_sum']:.3f} of a plain "
        f"sum (difference {f['held_out_gain']:+z.3f} [{f['held_out_gain_low']:+z.3f}, "
        f"{f['held_out_gain_high']:+z.3f}])."
    )
    verdict: Verdict = "undecided"
    if f["held_out_gain_high"] <= 0:
        verdict = "does not survive"
    elif f["held_out_gain_low"] > 0:
        verdict = "survives"
    yield ConclusionCheck(
        "The correlation of GIA with accuracy in people held out validates the model.",
        "E.2", _name(one), "", text, verdict,
    )  # fmt: skip


def _total(gia: Gia | None, route: str) -> str:
    if gia is None or gia.total is None:
        return ""
    t = gia.total
    return (
        f"{route}: r {t.r:.3f} [{t.low:z.3f}, {t.high:z.3f}], n {t.n}, percentile "
        f"{t.percentile:.0f} of {t.draws:,} random positive weightings (median "
        f"{t.random_median:.3f})."
    )


def _winner_takes_all(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    best = one.published.winners
    if best is None:
        return
    text = (
        f"The five rankings of {best.n} models agree with Kendall's W {best.w:.2f} (by chance "
        f"{best.w_chance:.2f}, p {p_value(best.p, '= ')}); the best model leads on {best.led} of 5 "
        f"factors and the best two take {best.led_two} of 10 places."
    )
    yield ConclusionCheck(
        "Winner takes all: the same models lead on all five factors.",
        "4.1", _name(one), text, "", _yes(best.p < 0.05),
    )  # fmt: skip
    yield ConclusionCheck(
        "Winner takes all shows that general intelligence has emerged.",
        "4.1",
        _name(one),
        "Rankings agree wherever models differ in overall level; the agreement does not tell a "
        "general factor from a difference in training effort.",
        _structure(one.repaired),
        "not tested",
    )


def _structure(gia: Gia | None) -> str:
    if gia is None or "general_share" not in gia.further_facts:
        return ""
    return (
        f"Repaired: in humans the general factor explains "
        f"{float(gia.further_facts['general_share']):.0%} of the variance of the sum (omega "
        "hierarchical)."
    )


def _steps(gia: Gia | None) -> pd.DataFrame | None:
    return gia.sizes if gia is not None and len(gia.sizes) > 2 else None


def _grows(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    yield from _sized(
        one,
        "GIA rises with the size of the language model.",
        _trend,
        _rises,
    )


def _rises(table: pd.DataFrame) -> Verdict:
    tau, p = size_trend(table)
    if p < 0.05:
        return _yes(tau > 0)
    return "undecided" if tau > 0 else "does not survive"


def _trend(table: pd.DataFrame) -> str:
    tau, p = size_trend(table)
    return f"Kendall's tau {tau:.2f} (p {p_value(p, '= ')}, {len(table)} sizes)."


def _threshold(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    yield from _sized(
        one,
        "No gain from 7B to 14B, then a threshold before 32B.",
        lambda table: "; ".join(_step(row) for row in _around(table)) + ".",
        _is_threshold,
    )


def _around(table: pd.DataFrame) -> list[dict[Any, Any]]:
    return [row for row in table.to_dict("records") if 10 <= row["size"] <= 40]


def _step(row: dict[Any, Any]) -> str:
    low, high = row["step_low"], row["step_high"]
    return f"to {row['size']:g}B {row['step']:+z.2f} [{low:z.2f}, {high:z.2f}]"


def _is_threshold(table: pd.DataFrame) -> Verdict:
    around = _around(table)
    if len(around) != 2:
        return "not tested"
    flat, jump = around
    if flat["step_low"] > 0:
        return "does not survive"
    return "survives" if jump["step_low"] > 0 else "undecided"


def _sized(
    one: LanguageRoutes,
    conclusion: str,
    show: Callable[[pd.DataFrame], str],
    judge: Callable[[pd.DataFrame], Verdict],
) -> Iterator[ConclusionCheck]:
    published, repaired = _steps(one.published), _steps(one.repaired)
    if published is None:
        return
    last = published if repaired is None else repaired
    yield ConclusionCheck(
        conclusion, "4.2, G.1", _name(one), f"Published weights: {show(published)}",
        "" if repaired is None else f"Repaired: {show(repaired)}", judge(last),
    )  # fmt: skip


def _table2(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    table = one.published.table2
    if len(table):
        right = sum(bool(value) for value in table["agrees"])
        worst = max(abs(value) for value in table["difference"])
        yield ConclusionCheck(
            "Table 2 holds the scores that the published models give.", "Table 2", _name(one),
            f"{right} of {len(table)} cells agree to two decimals; the largest difference is "
            f"{worst:.2f}.", "", _yes(right == len(table)),
        )  # fmt: skip


def _acceptable(one: LanguageRoutes) -> Iterator[ConclusionCheck]:
    codes = {d.code: d for d in one.published.diagnostics}
    against = [codes[c].sentence for c in ("heywood_case", "fit_beyond_own_limit") if c in codes]
    repaired = str(one.repaired.further_facts.get("fit", "")) if one.repaired else ""
    yield ConclusionCheck(
        "A CFA model with acceptable fit was established.", "E.2", _name(one),
        " ".join(against) or "The published solution is proper and within the limits set.",
        f"Repaired: {repaired}" if repaired else "", _yes(not against),
    )  # fmt: skip


def _six_samples(persons: Forensics | None) -> Iterator[ConclusionCheck]:
    if persons is not None and len(persons.samples) > 1:
        yield ConclusionCheck(
            "People of every language were tested, 80 each.", "4", "all",
            f"{persons.total} rows in {len(persons.samples)} samples are {persons.distinct} "
            "distinct persons.", "", _yes(persons.distinct == persons.total),
        )  # fmt: skip
