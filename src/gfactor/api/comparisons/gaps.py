"""Does an examinee fail to see, or fail to reason? Pictures and text twins of a journal."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import pandas as pd

from gfactor.administration import Journal, read_key
from gfactor.administration.presenting.condition import Condition
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.api.scales.claimed import sampling_of_scenes
from gfactor.benchmarks.benchmark import BENCHMARKS
from gfactor.errors import ParameterError
from gfactor.parameters import Guessing, Level
from gfactor.psychometrics.trees import GapAnalysis, analyze_gap
from gfactor.scoring import item_chance
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.policies import BENCHMARKS_POLICY

GROUPS: Mapping[str, tuple[str, ...]] = {
    "family": ("family", "domain"),
    "size": ("size",),
    "ability": ("ability", "skills"),
}
"""Groups of items, and the labels that may hold each; the first label that exists is taken."""

_BLIND = ("blank", "removed")
_OF_VERSION = ("image", "text", "blind", "version")
_VERSIONS = {"picture": "image", "text": "text"}


def gap(
    journal: JournalLike,
    *,
    by: Sequence[str] | None = None,
    guess: Guessing | None = None,
    level: Level = 0.95,
    claim: str | None = None,
    domain_label: str = DOMAIN,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> GapAnalysis:
    """Estimate how much accuracy an examinee loses on images compared with text twins, and why.

    Parameters
    ----------
    journal : Journal or path
        Journal with answers to a bank that was built with `twin="both"` (each scene as image and
        as text), and with answers to its images under the condition `images=blank` or
        `images=removed`.
    by : sequence of str, optional
        Labels of the items for whose values losses are also computed; by default "family", "size"
        and "ability", if the items have them.
    guess : float, optional
        Probability of a right guess (0 to 1); needed if no items were asked with blank or removed
        images.
    level : float
        Confidence level of the intervals (default .95).
    claim : {"same-domains", "other-domains"}, optional
        Population that accuracies, gap and losses generalize to: other scenes of the same domains
        (the default), or other domains. Questions about the same scene count as one unit in both
        cases.
    domain_label : str
        Label of the items whose values are their domains (default "domain").
    examinees : sequence of str
        Examinee whose answers count; needed if the journal holds several.
    condition : str, optional
        Condition of the answers to images and twins; needed if the journal has several. Blind
        answers are those under the same condition with blank or removed images.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    GapAnalysis
        `whole` (accuracies, paired difference, processing tree and losses), `by` (the same for
        each value of a label), `thresholds`, `triplets` (accuracy on groups of three questions)
        and `diagnostics`.

    Raises
    ------
    ParameterError
        If the journal has no twins, no scene that was asked in both forms, no blind answers, or
        several examinees or conditions; if no item has the label; or if there are too few scenes
        or domains for the claim.
    UnknownNameError
        If there is no such claim or no such label of domains.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=range(1, 11), twin="both",
    ...                 path="twins.parquet")
    >>> who = ["observer:limited?acuity=0.05&capacity=1000"]
    >>> _ = gf.run(bank, who, journal="gap.db")
    >>> journal = gf.run(bank, who, journal="gap.db", condition="images=blank")
    >>> gap = gf.gap(journal)
    >>> gap.whole.verdict
    'seeing'
    """
    with opened(journal) as one:
        scoring = scoring_of(examinees, condition, judge, policy, reach)
        wanted, scoring.condition = scoring.condition, None
        table = scoring.table(one)
        if "twin" not in table or not {"picture", "text"} <= set(table["twin"]):
            raise ParameterError(
                "the journal holds no pictures with text twins; build the bank with --twin both, "
                "and run it"
            )
        who = sorted(set(table["examinee"]))
        if len(who) > 1:
            raise ParameterError(
                f"a gap is one examinee's, the journal has {len(who)}: {', '.join(who)}; choose "
                f"one with {option('examinees')}"
            )
        rows = _identified(one, table.loc[table["twin"].isin(list(_VERSIONS))])
    base = _base(rows, wanted)
    answers, about = _paired(rows, base, guess is None)
    columns = _columns(answers, by)
    sampling = sampling_of_scenes(answers, claim, domain_label)
    answers = answers.rename(columns={label: name for name, label in columns.items()})
    return analyze_gap(
        answers,
        by=list(columns),
        size="size" if "size" in answers and "size" in columns else None,
        sampling=sampling,
        guess=guess,
        triplets=_triplets(table, base),
        about={"examinee": who[0], "condition": base, **about},
        level=level,
    )


def _identified(journal: Journal, rows: pd.DataFrame) -> pd.DataFrame:
    """With `scene` (the label, or the item's id without its ending), `target` and `chance`."""
    items = journal.items()
    chance = item_chance(items).reset_index()
    chance = chance.rename(columns={"content_hash": "item_hash", "id": "item_id"})
    targets = items.rename(columns={"content_hash": "item_hash", "id": "item_id"})
    keys = ["item_hash", "item_id"]
    rows = rows.merge(targets[[*keys, "target"]], on=keys).merge(chance[[*keys, "chance"]], on=keys)
    stems = rows["item_id"].str.removesuffix("-text")
    scene = rows["scene"] if "scene" in rows else pd.Series(None, rows.index, dtype=object)
    rows = rows.assign(scene=[s if isinstance(s, str) else None for s in scene])
    rows["scene"] = rows["scene"].fillna(rows["benchmark"] + "/" + stems)
    rows["chance"] = [_chance(row) for row in rows.to_dict("records")]
    return rows


def _chance(row: Mapping[Hashable, Any]) -> float:
    """The benchmark's own chance at the item's size where it knows it, else the item's."""
    name, size = row["benchmark"], row.get("size")
    chance_of = BENCHMARKS[name].chance if name in BENCHMARKS else None
    if chance_of is None or size is None or not math.isfinite(size):
        return row["chance"]
    level = chance_of(str(row.get("domain")), float(size))
    return row["chance"] if level is None else level


def _is_blind(key: str) -> bool:
    return _condition(key).images in _BLIND


def _condition(key: str) -> Condition:
    try:
        return read_key(key)
    except ParameterError:
        return Condition()  # of an imported log: words of its own, which say nothing of images


def _base(rows: pd.DataFrame, wanted: str | None) -> str:
    """The condition of pictures and twins."""
    conditions = sorted({key for key in rows["condition"] if not _is_blind(key)})
    if wanted is not None:
        if wanted not in conditions:
            raise ParameterError(
                f"no picture or twin was asked under {wanted!r}; there are {', '.join(conditions)}"
            )
        return wanted
    if len(conditions) != 1:
        raise ParameterError(
            f"pictures and twins were asked under {len(conditions)} conditions: "
            f"{', '.join(conditions) or 'none'}; choose one with --condition"
        )
    return conditions[0]


def _paired(
    rows: pd.DataFrame, base: str, needs_blind: bool
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """A row per scene, language and occasion, with the three versions and the picture's labels."""
    version = rows["twin"].replace(dict(_VERSIONS))
    blind = [
        _is_blind(key) and replace(_condition(key), images="shown").key == base
        for key in rows["condition"]
    ]
    version = version.mask(
        (version == "image").to_numpy() & pd.Series(blind).to_numpy(dtype=bool), "blind"
    )
    used = rows.assign(version=version).loc[
        ((rows["condition"] == base) | (version == "blind")).to_numpy()
    ]
    blind_conditions = sorted(set(used.loc[(used["version"] == "blind").to_numpy(), "condition"]))
    if len(blind_conditions) > 1:
        # Black images and none at all are two measurements; the first is what docs ask for.
        used = used.loc[
            ((used["condition"] == base) | (used["condition"] == blind_conditions[0])).to_numpy()
        ]
    if needs_blind and not blind_conditions:
        more = "" if base == "default" else f",{base}"
        raise ParameterError(
            "no question was asked with blank images; run the bank again with --condition "
            f"images=blank{more}, or give the probability of a right guess with --guess"
        )
    key = ["benchmark", "edition", "scene", "language", "target", "occasion"]
    key = [name for name in key if name in used]
    used = used.assign(**{n: used[n].astype(object).fillna("") for n in key if n != "occasion"})
    repeated = used.duplicated([*key, "version"])
    if repeated.to_numpy().any():
        raise ParameterError(
            f"{int(repeated.to_numpy().sum()):,} scenes have several items of one kind, as "
            f"{used.loc[repeated.to_numpy(), 'item_id'].iloc[0]!r}; give twins a label scene"
        )
    wide = used.pivot(index=key, columns="version", values="correct")
    wide = wide.reindex(columns=["image", "text", "blind"]).astype(float)
    both = wide[["image", "text"]].notna()
    unpaired = int((both.any(axis=1) & ~both.all(axis=1)).to_numpy().sum())
    if not both.all(axis=1).to_numpy().any():
        raise ParameterError(
            f"no scene was answered both as picture and as text twin under {base!r}; pictures and "
            "twins must be of one bank (--twin both), or of banks with the same seed and ids"
        )
    labels = (
        used.drop_duplicates(key)
        .set_index(key)
        .drop(columns=[*_OF_VERSION, "correct"], errors="ignore")
    )
    table = wide.join(labels, how="left").reset_index()
    blind_condition = blind_conditions[0] if blind_conditions else None
    return table, {"blind": blind_condition, "unpaired": unpaired}


def _columns(answers: pd.DataFrame, by: Sequence[str] | None) -> dict[str, str]:
    """Return the groups of items, each with the label that holds it."""
    chosen = {}
    for name in GROUPS if by is None else by:
        labels = [one for one in GROUPS.get(name, (name,)) if one in answers]
        labels = [one for one in labels if answers[one].notna().to_numpy().any()]
        if labels:
            chosen[name] = labels[0]
        elif by is not None:
            raise ParameterError(
                f"the items have no label {name!r}; group by family, size, ability or a label"
            )
    return chosen


def _triplets(table: pd.DataFrame, base: str) -> pd.DataFrame | None:
    """A row per label `triplet`, a column per label `role`, of pictures under the condition."""
    if not {"triplet", "role"} <= set(table.columns):
        return None
    rows = table.loc[((table["condition"] == base) & table["triplet"].notna()).to_numpy()]
    rows = rows.loc[(rows["twin"].fillna("picture") == "picture").to_numpy()]
    if rows.empty:
        return None
    return rows.pivot_table(index=["triplet", "occasion"], columns="role", values="correct")
