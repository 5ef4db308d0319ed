"""The figures of item response models: which there are, and the tables that they are drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import UnknownNameError
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.checks.brokenitems import BrokenItems
from gfactor.psychometrics.irt.checks.differential import DIF
from gfactor.psychometrics.irt.checks.itemfit import observed_points
from gfactor.psychometrics.irt.item_tables import ability_unit
from gfactor.psychometrics.irt.likelihood.curves import log_probabilities
from gfactor.psychometrics.irt.models.explanatory import DesignFit
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.reports.drawing.irt_figures import (
    ACROSS,
    curve_items,
    dif_effects,
    difficulty_by_design,
    information_figure,
    item_curves,
    test_curve,
)
from gfactor.reports.drawing.wright_drawing import wright_map
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.irt_tables import (
    curve_frame,
    information_table,
    person_table,
    predicted_table,
    reach_of,
    with_interval,
)
from gfactor.reports.table_registry import Table

_POINTS = 10
_MOST_LABELS = 60
_GRAVITY = {"error": 0, "warning": 1, "note": 2}


def _test_curve_table(fit: IRTFit, reach: tuple[float, float]) -> Table:
    """Expected sum of the scores along ability; of further groups where they differ."""
    theta = np.linspace(*reach, 81)
    values, parts = fit.optimum.at.values, dict[str, Any]()
    for group in fit.likelihood.model.groups:
        total = np.zeros(len(theta))
        for block in group.blocks:
            p = np.exp(
                log_probabilities(block.kind, values[block.index], theta[:, None], block.categories)
            )
            scores = np.array([fit.table.scores[at][: block.categories] for at in block.columns])
            total += einsum("ikt,ik->t", p, scores.astype(float))
        if not any(np.allclose(total, other) for other in parts.values()):
            parts[group.name] = total
    if len(parts) == 1:
        parts = dict(zip(["all"], parts.values(), strict=True))
    frame = pd.concat(
        [pd.DataFrame({"group": name, "theta": theta, "expected": total})
         for name, total in parts.items()], ignore_index=True,
    )  # fmt: skip
    return Table("Expected score on the test", frame, decimals=3, folded=True)


@dataclass(frozen=True)
class Drawn:
    """Tables from which the figures of a model are drawn; each is made when it is first needed."""

    fit: IRTFit
    broken: BrokenItems | None = None
    chosen: Sequence[str] | None = None

    @property
    def wrong(self) -> list[str]:
        """Items with a flaw."""
        return [name for name, at in gravity(self.broken).items() if at < _GRAVITY["note"]]

    @cached_property
    def order(self) -> tuple[list[str], str]:
        """Items whose curves are drawn, and a sentence about the choice."""
        if self.chosen is None:
            return curve_items(self.fit.items.drop_duplicates("item"), gravity(self.broken))
        for name in self.chosen:
            if name not in self.fit.table.items:
                raise UnknownNameError("item", str(name), map(str, self.fit.table.items))
        return list(self.chosen), ""

    @cached_property
    def persons(self) -> Table:
        return person_table(self.fit)

    @cached_property
    def reach(self) -> tuple[float, float]:
        """Abilities over which curves are drawn."""
        return reach_of(self.persons.frame)

    @cached_property
    def information(self) -> Table:
        return information_table(self.fit, self.reach)

    @cached_property
    def observed_points(self) -> Table:
        points = _POINTS if self.fit.table.categories.max() == 2 else _POINTS // 2
        return Table(
            "Observed shares and what the model expects",
            observed_points(self.fit, self.order[0], points),
            percent=("share", "expected"), folded=True,
        )  # fmt: skip

    @cached_property
    def item_curves(self) -> Table:
        frame = curve_frame(self.fit, self.order[0], np.linspace(*self.reach, 81))
        return Table("Fitted curves", frame, decimals=3, folded=True)

    @cached_property
    def test_curve(self) -> Table:
        return _test_curve_table(self.fit, self.reach)

    @property
    def examinees(self) -> pd.DataFrame:
        """The persons with their group."""
        frame = self.persons.frame
        return frame if "group" in frame else frame.assign(group="all")


def gravity(broken: BrokenItems | None) -> dict[str, int]:
    """Return items with a flaw, by severity."""
    matches: dict[str, int] = {}
    for diagnostic in broken.diagnostics if broken else ():
        for item in diagnostic.where:
            matches[item] = min(matches.get(item, 9), _GRAVITY[diagnostic.severity])
    return matches


def irt_figures(fit: IRTFit) -> Drawers:
    """Return functions that draw the figures of a model by name; none for several abilities."""
    return figures_of_model(Drawn(fit))


def figures_of_model(drawn: Drawn) -> Drawers:
    """Return functions that draw a model's figures, with the choices of the page or with others."""
    fit, before, unit = drawn.fit, drawn.broken, ability_unit(drawn.fit.likelihood.model)

    def map_of_all(broken: BrokenItems | None = before) -> Figure:
        steps = "thresholds" if len(fit.thresholds) else "items"
        wrong = replace(drawn, broken=broken).wrong
        return wright_map(drawn.examinees, _map_rows(fit), wrong, ("persons", steps), unit)

    def curves(items: Sequence[str] | None = None, broken: BrokenItems | None = before) -> Figure:
        chosen = drawn if items is None and broken is before else Drawn(fit, broken, items)
        order, note = chosen.order
        return item_curves(
            chosen.item_curves.frame, chosen.observed_points.frame, order, chosen.wrong,
            ("item_curves", "observed_points"), note, unit=unit,
            **{} if items is None else {"across": min(ACROSS, len(order))},
        )  # fmt: skip

    if fit.likelihood.model.factors > 1:
        return {}
    return {
        "wright_map": map_of_all,
        "item_curves": curves,
        "information": lambda: information_figure(
            drawn.information.frame, drawn.examinees, ("information", "persons"), unit
        ),
        "test_curve": lambda: test_curve(drawn.test_curve.frame, ("test_curve",), unit),
    }


def design_figures(explained: DesignFit) -> Drawers:
    """Return the function that draws difficulties against what a design predicts."""

    def draw() -> Figure:
        return difficulty_by_design(predicted_table(explained).frame, ("difficulty_by_design",))

    return {"difficulty_by_design": draw}


def dif_figures(dif: DIF) -> Drawers:
    """Return the function that draws the effects of differential item functioning."""
    return {"dif": lambda: _dif_figure(dif)}


def _map_rows(fit: IRTFit) -> pd.DataFrame:
    """A row for every item, or for every threshold where they are few enough to be named."""
    items = fit.items
    label = items["item"].astype(str)
    if "group" in items:
        label = label + np.where(items["group"] == "all", "", " (" + items["group"] + ")")
    rows = items[["item", "b"]].assign(label=label)
    steps = fit.thresholds
    if not len(steps):
        return rows
    plain = rows.loc[~rows["item"].isin(steps["item"]).to_numpy(bool)]
    if len(plain) + len(steps) > _MOST_LABELS:
        return rows
    label = steps["item"].astype(str) + " · " + steps["k"].astype(str)
    return pd.concat([plain, steps[["item", "b"]].assign(label=label)], ignore_index=True)


def _dif_figure(dif: DIF) -> Figure:
    frame = dif.table.reset_index()
    delta = "signed" not in frame or bool(frame["delta"].notna().all())
    name = "delta" if delta else "signed"
    rows = with_interval(frame, name, f"{name}_se").rename(columns={
        name: "effect", f"{name}_low": "effect_low", f"{name}_high": "effect_high",
    })  # fmt: skip
    if not delta:
        rows["ets_class"] = ""
    return dif_effects(rows, dif.groups, ("dif",))
