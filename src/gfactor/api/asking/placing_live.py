"""Ask a model some questions of stored benchmarks, and place it among real models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gfactor.administration import Condition, Journal
from gfactor.api.asking.administering import Campaign, Presentation, given_of
from gfactor.api.comparisons.placing import column_of, with_unread
from gfactor.api.inputs.files import journal_to_write
from gfactor.api.inputs.reach import Reach, ReachOptions, reach_of
from gfactor.api.inputs.taking import BankLike, as_bank
from gfactor.benchmarks.vlmevalkit.shipped import read_anchor_set
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.listing import first_few
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.placement import Placement, place_models
from gfactor.psychometrics.irt.anchors.selecting import next_batch
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.scoring import matrix, scored

AT_ONCE = 10
"""Questions chosen together; they are asked at once."""
_NAMED = 5


def place_examinee(
    examinee: str | Sequence[str],
    banks: Sequence[BankLike] | BankLike,
    *,
    calibration: str | Path = "real-vlm-2025",
    items: int = 100,
    journal: Path | str = "place.db",
    condition: Condition | str = "default",
    packs: Sequence[Path | str] = (),
    captions: Path | str | None = None,
    captions_by: str | None = None,
    shots_from: Path | str | None = None,
    knowledge: Path | str | None = None,
    seed: int = 0,
    level: float = 0.95,
    **reach: Unpack[ReachOptions],
) -> Placement:
    """Ask a model some questions of public benchmarks, and predict its scores on all questions.

    The questions that are most informative about the full scores are chosen adaptively, ten at a
    time. Their order depends only on the settings and the answers, so a repeated call does not ask
    answered questions again.

    Parameters
    ----------
    examinee : str or list of str
        Examinee to be asked, as "SCHEME:NAME?key=value", such as "openai:gpt-4o". Several are
        asked one after the other.
    banks : list of banks
        Banks of the calibrated benchmarks, which `gfactor build vlmevalkit` makes.
    calibration : str or path
        Name of a scale (`gfactor list calibrations` has them) or its folder (default
        "real-vlm-2025").
    items : int
        Number of questions in all, by default 100.
    journal : path or URL
        Journal for the answers; it is created if missing.
    condition : str or Condition
        Condition under which items are presented, as in `run`.
    packs : list of paths
        Prompt packs, as in `run`.
    captions : path, optional
        Texts of images, as in `run`.
    captions_by : str, optional
        Examinee that describes images, as in `run`.
    shots_from : path, optional
        Bank of the examples, as in `run`.
    knowledge : path, optional
        Pieces of knowledge, as in `run`.
    seed : int
        Seed of the random number generator, by default 0.
    level : float
        Confidence level of the intervals, by default 0.95.
    **reach : any
        Options for models over HTTP, as in `run`.

    Returns
    -------
    Placement
        Abilities and predicted full scores, as `place` returns them.

    Raises
    ------
    ParameterError
        If a bank has other items than the calibration, or questions remain unanswered.
    GfactorError
        If the examinee cannot be asked; the message says why.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> gf.place_examinee("observer:ideal", [bank])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gfactor.errors.ParameterError: the bank ...
    """
    several = isinstance(banks, Sequence) and not isinstance(banks, str)
    chosen: Any = banks if several else [banks]
    given = given_of(condition, packs, captions, captions_by, shots_from, knowledge)
    who = [examinee] if isinstance(examinee, str) else [*dict.fromkeys(examinee)]
    reached = reach_of(reach)
    reached.check(tuple(who))
    # Checked for all together: each alone may be none that the options are for.
    reached = replace(reached, named=())
    plan = LivePlacement.of(calibration, chosen, items, given, reached, seed, level)
    with journal_to_write(journal, make_folder=True) as opened:
        return plan.place(who, opened)


@dataclass(frozen=True)
class LivePlacement:
    """Settings for asking and placing models: scale, banks, number of questions, conditions.

    Parameters
    ----------
    anchors : Anchors
    homes : mapping
        Bank, and the item id of every calibrated item, by position of a benchmark in the scale.
    items : int
        Number of questions in all.
    given : Presentation
    reach : Reach
    seed : int
    level : float
    """

    anchors: Anchors
    homes: Mapping[int, tuple[ItemBank, list[str]]]
    items: int
    given: Presentation
    reach: Reach
    seed: int = 0
    level: float = 0.95

    @classmethod
    def of(
        cls, calibration: str | Path, banks: Sequence[BankLike], items: int, given: Presentation,
        reach: Reach, seed: int, level: float,
    ) -> LivePlacement:  # fmt: skip
        """Read the scale and the banks; ParameterError if they do not go together."""
        if items < 1:
            raise ParameterError(f"items must be a positive number of questions, got {items}")
        if seed < 0:
            raise ParameterError(f"seed must be a whole number from 0, got {seed}")
        anchors = read_anchor_set(calibration)
        homes = calibrated_banks(anchors, [as_bank(bank) for bank in banks])
        return cls(anchors, homes, items, given, reach, seed, level)

    def place(self, examinees: Sequence[str], journal: Journal) -> Placement:
        """Ask examinees, one after the other, and place them."""
        parts = [self._ask_one(examinee, journal) for examinee in examinees]
        table = pd.concat([row for _, row, _ in parts]).rename_axis("model")
        placed = place_models(self.anchors, table, seed=self.seed, level=self.level)
        names = dict(zip((name for name, _, _ in parts), examinees, strict=True))
        return with_unread(placed, pd.concat([answers for _, _, answers in parts]), names)

    def _ask_one(self, examinee: str, journal: Journal) -> tuple[str, pd.DataFrame, pd.DataFrame]:
        """Ask one: its name in the journal, its row of scores, and its scored answers."""
        anchors = self.anchors
        rng = np.random.default_rng([self.seed, *examinee.encode()])
        answers = [np.full(len(b.items), np.nan) for b in anchors.benchmarks]
        importance = [float(b in self.homes) for b in range(len(answers))]
        administered: list[tuple[int, int]] = []
        name, scored_parts = examinee, []
        while len(administered) < self.items:
            available = [
                benchmark.usable & np.isnan(x) & (b in self.homes)
                for b, (benchmark, x) in enumerate(zip(anchors.benchmarks, answers, strict=True))
            ]
            count = min(AT_ONCE, self.items - len(administered))
            batch = next_batch(anchors.pool, answers, available, importance, count, rng)
            if not batch:
                break
            for b in self.homes:
                chosen = [k for home, k in batch if home == b]
                if chosen:
                    name, part = self._ask(b, chosen, examinee, journal)
                    answers[b][chosen] = self._scores(b, chosen, part)
                    scored_parts.append(part)
            administered += batch
        row = pd.DataFrame(
            [[answers[b][k] for b, k in administered]], index=[examinee],
            columns=[
                f"{anchors.names[b]}:{anchors.benchmarks[b].items[k]}" for b, k in administered
            ],
        )  # fmt: skip
        return name, row, pd.concat(scored_parts)

    def _ask(
        self, b: int, chosen: Sequence[int], examinee: str, journal: Journal
    ) -> tuple[str, pd.DataFrame]:
        """Ask items of a benchmark: the examinee's name in the journal, and its scored answers."""
        bank, ids = self.homes[b]
        wanted = [ids[k] for k in chosen]
        campaign = Campaign.plan(bank.select(wanted), (examinee,), self.given, self.reach, jobs=1)
        done = replace(campaign, batch=True).ask(journal)
        failed = sum(one.failed + one.failed_elsewhere for one in done)
        if failed:
            raise ParameterError(
                f"{examinee} gave no answer to {failed} of {len(wanted)} questions, the last "
                f"with: {done[-1].detail}; the same call asks them again"
            )
        # The answers to earlier batches are scored already.
        name = done[0].examinee
        return name, scored(journal, examinee=name, items=wanted)

    def _scores(self, b: int, chosen: Sequence[int], answered: pd.DataFrame) -> Floats:
        """The scores of chosen items of a benchmark."""
        row = matrix(answered, by="item").scores.iloc[0].rename(lambda name: column_of(str(name)))
        ids = self.homes[b][1]
        return row.reindex([column_of(ids[k]) for k in chosen]).to_numpy(np.float64)


def calibrated_banks(
    anchors: Anchors, banks: Sequence[ItemBank]
) -> dict[int, tuple[ItemBank, list[str]]]:
    """Return by benchmark its bank, and the item id of every calibrated item.

    Raises
    ------
    ParameterError
        If the items of a bank are not those of one calibrated benchmark, by number and index.
    """
    homes: dict[int, tuple[ItemBank, list[str]]] = {}
    for bank in banks:
        ids = {column_of(name): name for name in bank.ids}
        names = {column.partition(":")[0] for column in ids}
        benchmarks = [b for b, name in enumerate(anchors.names) if name in names]
        if len(names) != 1 or not benchmarks:
            raise ParameterError(
                f"the bank {bank.path.name!r} holds items of {first_few(sorted(names), _NAMED)}; "
                f"the calibration {anchors.name} is of {', '.join(anchors.names)}. Build the bank "
                "with gfactor build vlmevalkit --from FILE of VLMEvalKit's own TSV"
            )
        b = benchmarks[0]
        name, items = anchors.names[b], anchors.benchmarks[b].items
        missing = [item for item in items if f"{name}:{item}" not in ids]
        if missing or len(ids) != len(items):
            lacks = f", and lacks index {first_few(missing, _NAMED)}" if missing else ""
            raise ParameterError(
                f"the bank {bank.path.name!r} has {len(ids):,} items of {name}{lacks}; the "
                f"calibration {anchors.name} has {len(items):,}. Use the edition of the TSV file "
                "that was calibrated"
            )
        homes[b] = (bank, [ids[f"{name}:{item}"] for item in items])
    if not homes:
        raise ParameterError("no bank was given; give the bank of a calibrated benchmark")
    return homes
