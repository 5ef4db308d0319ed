"""Two measurements side by side: which items match, and in which settings of asking they differ."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.administration import Condition
from gfactor.administration.presenting.image_changes import REENCODED, SAME, alteration
from gfactor.api.comparisons.measurements import Measurement
from gfactor.errors import UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic


def matched_items(first: pd.DataFrame, second: pd.DataFrame, how: str = "auto") -> pd.DataFrame:
    """Return items of two measurements that are the same: columns `first`, `second` (ids) and
    `by`."""
    rules: Any = {
        "hash": lambda items: items["content_hash"].tolist(),
        "id": lambda items: items.index.tolist(),
        "text": lambda items: [_words(row) for row in items.to_dict("records")],
        "number": lambda items: [str(name).rpartition("/")[2] for name in items.index],
    }
    if how not in ("auto", *rules):
        raise UnknownNameError("match", how, ("auto", *rules))
    left, right = list(first.index), list(second.index)
    matches: list[tuple[str, str, str]] = []
    for rule in {"auto": ("hash", "id", "text", _COPIES), "text": ("text", _COPIES)}.get(
        how, (how,)
    ):
        ours, theirs = (_keys(rules, rule, items) for items in (first.loc[left], second.loc[right]))
        one, other = _unique(ours, left), _unique(theirs, right)
        pairs = [(one[key], other[key], "text" if rule == _COPIES else rule)
                 for key in one if key in other]  # fmt: skip
        if rule == "text":
            pairs += _beginnings(one, other, pairs)
        matches += pairs
        taken = {p[0] for p in pairs}, {p[1] for p in pairs}
        left = [name for name in left if name not in taken[0]]
        right = [name for name in right if name not in taken[1]]
    return pd.DataFrame(matches, columns=["first", "second", "by"])


_COPIES = "text and number"
"""Rule for items that ask the same as another item of their measurement."""


def _keys(rules: Any, rule: str, items: Any) -> list[Any]:
    """Return what identifies each item by a rule.

    The order of their ids distinguishes copies of one content, because they share their answers.
    Texts may stand beside different pictures, so the number distinguishes items of one text.
    """
    if rule == _COPIES:
        return list(zip(rules["text"](items), rules["number"](items), strict=True))
    if rule != "hash":
        return rules[rule](items)
    contents = items["content_hash"].sort_index()
    copy = contents.groupby(contents).cumcount().reindex(items.index)
    return list(zip(items["content_hash"], copy, strict=True))


def _unique(keys: list[Any], names: list[str]) -> dict[Any, str]:
    counts = Counter(keys)
    return {key: name for key, name in zip(keys, names, strict=True) if counts[key] == 1}


def _beginnings(one: Any, other: Any, done: Any) -> list[tuple[str, str, str]]:
    """Pairs with the same options of which one question begins with the other: harnesses append
    options and instructions."""
    taken = {p[0] for p in done}, {p[1] for p in done}
    left = {k: v for k, v in one.items() if v not in taken[0]}
    right = {k: v for k, v in other.items() if v not in taken[1]}
    candidates = [
        (a, b)
        for a in left
        for b in right
        if a[1] == b[1] and a[0] and b[0] and (a[0].startswith(b[0]) or b[0].startswith(a[0]))
    ]
    once = [Counter(pair[k] for pair in candidates) for k in (0, 1)]
    return [(left[a], right[b], "text") for a, b in candidates if once[0][a] == once[1][b] == 1]


def _words(item: Mapping[Any, Any]) -> tuple[str, tuple[str, ...]]:
    return plain_text(item["question"]), tuple(
        sorted(plain_text(text) for _, text in options_in_order(item))
    )


def options_in_order(item: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(label), str(text or "")) for label, text in item["choices"])


def plain_text(text: Any) -> str:
    return re.sub(r"\s+", " ", str(text)).strip().casefold()


def prompt_of(condition: Condition) -> str:
    """Return the part of a condition's key that concerns the text around the items."""
    return replace(condition, images="shown", image_limit="", decoding=()).key


def images_of(condition: Condition) -> str:
    """Return the part of a condition's key that concerns the images."""
    return Condition(images=condition.images, image_limit=condition.image_limit).key


def decoding_of(condition: Condition) -> str:
    """Return the parameters of generation of a condition."""
    return Condition(decoding=condition.decoding).key


MODEL = "model version"
"""Stands for another model behind the same name."""

AGAIN = "asked again"
"""Stands for what differs where no setting does."""


@dataclass
class MatchedPair:
    """Two measurements and their matched items: in which settings of asking they differ.

    Parameters
    ----------
    first, second: the measurements.
    pairs: their items, as `matched_items` gives them.
    notes: diagnostics so far.
    """

    first: Measurement
    second: Measurement
    pairs: pd.DataFrame
    notes: list[Diagnostic]

    def concerned(self) -> tuple[dict[str, NDArray[Any]], pd.DataFrame]:
        """Return the settings of asking that differ, with the items that each concerns; and the
        images."""
        a, b = self.first.condition, self.second.condition
        n = len(self.pairs)
        matches: dict[str, NDArray[Any]] = {}
        texts = np.array([self._text_differs(*pair) for pair in self.ids()], float)
        if prompt_of(a) != prompt_of(b):
            matches["prompt"] = np.ones(n)
        elif texts.any():
            matches["prompt"] = texts
        altered, images = self._altered()
        if altered.any():
            matches["images"] = altered
        if decoding_of(a) != decoding_of(b) or self._unknown_decoding():
            matches["decoding"] = np.ones(n)
        if self.model_differs():
            matches[MODEL] = np.ones(n)
        same_run = self.same_run()
        if not matches and not same_run:
            matches[AGAIN] = np.ones(n)
        return matches, images

    def model_differs(self) -> bool:
        """Return True if servers named different models in the two measurements' answers."""
        models = self.first.answered_by, self.second.answered_by
        return all(models) and models[0] != models[1]

    def same_run(self) -> bool:
        one, other = self.first, self.second
        return (one.journal.name, one.examinee, one.key) == (
            other.journal.name, other.examinee, other.key,
        ) and one.log == other.log  # fmt: skip

    def _unknown_decoding(self) -> bool:
        """Return True if a log of another harness leaves decoding unknown and the prompts differ
        too.
        """
        one, other = self.first, self.second
        alike = prompt_of(one.condition) == prompt_of(other.condition)
        unknown = "decoding" in one.unstated | other.unstated
        if self.unstated("decoding"):
            self.note("unknown_decoding", "warning",
                       "The parameters of generation of a log of another harness are not known.",
                       "Import it with --condition and the parameters.")  # fmt: skip
        return unknown and not alike

    def unstated(self, setting: str) -> bool:
        """Return True if a log does not state a setting of asking; False for a run and itself."""
        return not self.same_run() and any(
            setting in side.unstated for side in (self.first, self.second)
        )

    def _text_differs(self, one: str, other: str) -> bool:
        a, b = self.first.items.loc[one], self.second.items.loc[other]
        return plain_text(a["question"]) != plain_text(b["question"]) or options_in_order(
            a
        ) != options_in_order(b)

    def _altered(self) -> tuple[NDArray[Any], pd.DataFrame]:
        a, b = self.first.condition, self.second.condition
        columns = ["kind", "items", "example", "detail"]
        nothing = pd.DataFrame(columns=columns)
        images = self.first.images, self.second.images
        differs = (a.images, a.image_limit) != (b.images, b.image_limit)
        if images[0] is None or images[1] is None:
            return self._altered_samples(differs, nothing)
        kinds, details = [], []
        for one, other in self.ids():
            kind, detail = alteration(images[0].get(one, ()), images[1].get(other, ()))
            kinds.append(kind)
            details.append(detail)
        table = pd.DataFrame({"kind": kinds, "example": [i for i, _ in self.ids()],
                              "detail": details})  # fmt: skip
        counts: Any = table.groupby("kind", sort=True)
        summary = counts.first().assign(items=counts.size()).reset_index()
        altered = ~table["kind"].isin([SAME, REENCODED]).to_numpy()
        if a.images != b.images:
            had = [bool(images[0].get(i, ()) or images[1].get(k, ())) for i, k in self.ids()]
            altered = altered | np.array(had)
        return altered.astype(float), summary.loc[:, columns]

    def _altered_samples(
        self, differs: bool, nothing: pd.DataFrame
    ) -> tuple[NDArray[Any], pd.DataFrame]:
        """By the samples that journals keep of every task, where the images are not at hand."""
        n = len(self.pairs)
        if differs:
            return np.ones(n), nothing
        images = [
            {s.item_id: s.images for s in m.journal.samples()} for m in (self.first, self.second)
        ]
        rows = [
            {"kind": kind, "items": 1, "example": one, "detail": detail}
            for one, other in self.ids()
            if one in images[0] and other in images[1]
            for kind, detail in [alteration(images[0][one], images[1][other])]
        ]
        if any(m.journal.samples() and any(s.images for s in m.journal.samples())
               for m in (self.first, self.second)):  # fmt: skip
            self.note("images_unknown", "warning",
                       f"The images of {n - len(rows):,} of {n:,} items are not at hand; "
                       "alterations were looked for in the journals' samples alone.",
                       "Name the banks or logs with bank=FILE.")  # fmt: skip
        altered = any(row["kind"] not in (SAME, REENCODED) for row in rows)
        return np.full(n, float(altered)), pd.DataFrame(rows, columns=nothing.columns)

    @functools.cached_property
    def keys(self) -> dict[str, dict[Any, Any]]:
        """Other right answers for the replies of either measurement, where keys differ."""
        matches: dict[str, dict[Any, Any]] = {"first": {}, "second": {}}
        for one, other in self.ids():
            a, b = self.first.items.loc[one], self.second.items.loc[other]
            same = a["target"] == b["target"] and a["accepted"] == b["accepted"]
            if (
                same
                or a["answer_type"] != b["answer_type"]
                or options_in_order(a) != options_in_order(b)
            ):
                continue
            matches["first"][a["content_hash"], one] = b
            matches["second"][b["content_hash"], other] = a
        return matches if matches["first"] else {}

    def ids(self) -> list[tuple[str, str]]:
        return list(zip(self.pairs["first"], self.pairs["second"], strict=True))

    def note(self, code: str, severity: Any, sentence: str, remedy: str) -> None:
        if code not in {note.code for note in self.notes}:
            self.notes.append(Diagnostic(code, severity, sentence, remedy))
