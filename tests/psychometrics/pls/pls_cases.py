"""Models and simulated data of the project's own cases; a seed is the same data everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.pls import PLSModel

Paths = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    """A model, the seed of its data, and how it is estimated."""

    sizes: dict[str, int]
    paths: Paths
    n: int
    seed: int
    scheme: str = "path"
    modes: dict[str, str] = field(default_factory=dict)
    kind: str = "plain"
    parts: dict[str, list[str]] = field(default_factory=dict)
    moderation: tuple[str, str] | None = None
    effects: tuple[float, ...] = ()
    measures: bool = False

    @property
    def blocks(self) -> dict[str, list[str]]:
        return {k: [f"{k.lower()}{i + 1}" for i in range(n)] for k, n in self.sizes.items()}

    def data(self) -> pd.DataFrame:
        """Scores of a recursive model with decreasing loadings, rounded to three decimals."""
        rng = np.random.default_rng(self.seed)
        latent: dict[str, Any] = {}
        effects = iter(self.effects or (0.5,) * len(self.paths))
        for name in self.sizes:
            sources = [s for s, t in self.paths if t == name and s in latent]
            common = sum((next(effects) * latent[s] for s in sources), np.zeros(self.n))
            latent[name] = common + rng.normal(size=self.n)
            if self.moderation and name == list(self.sizes)[-1]:
                first, second = self.moderation
                latent[name] = latent[name] + 0.3 * latent[first] * latent[second]
        columns = {}
        for name, block in self.blocks.items():
            for i, column in enumerate(block):
                noise = rng.normal(size=self.n)
                columns[column] = np.round(50 + 10 * (1.2 - 0.15 * i) * latent[name] + 8 * noise, 3)
        return pd.DataFrame(columns)

    def model(self) -> PLSModel:
        modes: Any = self.modes
        return PLSModel.of({**self.blocks, **self.parts}, self.paths, modes)

    def settings(self) -> dict[str, Any]:
        """Keywords of `fit_pls`."""
        chosen: dict[str, Any] = {"scheme": self.scheme, "tolerance": 1e-13}
        if self.kind == "repeated":
            chosen["second_order"] = "repeated"
        if self.kind.startswith("moderated"):
            chosen["interaction"] = self.kind.removeprefix("moderated ")
        return chosen | {"consistent": self.kind == "consistent"}


CHAIN: Paths = (("A", "B"), ("A", "C"), ("B", "C"))
THREE = {"A": 4, "B": 4, "C": 4}
ANCHORED = {"A": 4, "B": 3, "C": 5, "H": 1}
TO_H: Paths = (("A", "H"), ("B", "H"), ("C", "H"))
WHOLE: Paths = (("X", "G"), ("G", "Y"))
PARTED = {"X": 3, "A": 3, "B": 4, "Y": 3}
PART_OF_G = {"G": ["A", "B"]}
MODERATED: Paths = (("A", "Y"), ("M", "Y"), ("A:M", "Y"))
BY_M = {"sizes": {"A": 3, "M": 2, "Y": 3}, "paths": MODERATED, "moderation": ("A", "M")}

CASES: dict[str, Case] = {
    "chain_path": Case(THREE, CHAIN, 60, 1, measures=True),
    "chain_factorial": Case(THREE, CHAIN, 60, 1, "factorial"),
    "chain_centroid": Case(THREE, CHAIN, 60, 1, "centroid"),
    "mode_b": Case(THREE, CHAIN, 80, 2, modes={"A": "B", "B": "B", "C": "B"}),
    "mixed_modes_centroid": Case(THREE, CHAIN, 80, 3, "centroid", {"A": "B"}),
    "negative_paths_centroid": Case(THREE, CHAIN, 70, 4, "centroid", effects=(-0.6, 0.4, -0.5)),
    "anchor": Case(ANCHORED, TO_H, 165, 5, measures=True),
    "anchor_factorial": Case(ANCHORED, TO_H, 165, 5, "factorial"),
    "five_constructs": Case(
        {"A": 3, "B": 2, "C": 6, "D": 4, "E": 3},
        (("A", "C"), ("B", "C"), ("A", "D"), ("C", "D"), ("B", "E"), ("C", "E"), ("D", "E")),
        120,
        6,
        measures=True,
    ),
    "more_indicators_than_rows": Case({"A": 8, "B": 8, "C": 8}, CHAIN, 15, 7),
    "consistent": Case(THREE, CHAIN, 200, 8, kind="consistent"),
    "consistent_mixed": Case(ANCHORED, TO_H, 165, 9, modes={"B": "B"}, kind="consistent"),
    "second_order_two_stage": Case(PARTED, WHOLE, 150, 10, kind="two-stage", parts=PART_OF_G),
    "second_order_two_stage_b": Case(
        PARTED, WHOLE, 150, 10, modes={"G": "B"}, kind="two-stage", parts=PART_OF_G
    ),
    "second_order_repeated": Case(PARTED, WHOLE, 150, 11, kind="repeated", parts=PART_OF_G),
    "interaction_two_stage": Case(n=180, seed=12, kind="moderated two-stage", **BY_M),
    "interaction_product": Case(n=180, seed=12, kind="moderated product", **BY_M),
    "interaction_orthogonal": Case(n=180, seed=12, kind="moderated orthogonal", **BY_M),
}


def with_gaps() -> pd.DataFrame:
    """The chain's data with every seventh cell missing at random."""
    data = CASES["chain_path"].data()
    gaps = np.random.default_rng(99).random(data.shape) < 1 / 7
    return data.mask(gaps)
