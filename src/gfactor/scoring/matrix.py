"""The score matrix: examinees x indicators, with the number of responses behind every cell."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.items.files import check_writable, replacing
from gfactor.scoring.frames import pick
from gfactor.scoring.summary import by_label, require_one_condition


@dataclass(frozen=True)
class ScoreMatrix:
    """Mean scores, and how many responses each is a mean of.

    Parameters
    ----------
    scores: examinees x indicators, 0 to 1; NaN where there is no response.
    n: of the same shape, responses that count.
    by: what the indicators are ("domain", "item" ...).
    """

    scores: pd.DataFrame
    n: pd.DataFrame
    by: str

    def to_csv(self, path: Path | str) -> tuple[Path, Path]:
        """Write the scores to `path` and the counts beside it (`NAME.n.csv`); both paths.

        Raises ParameterError where they cannot be written.
        """
        path = Path(path)
        counts = path.with_name(f"{path.stem}.n{path.suffix}")
        for target, table in ((path, self.scores), (counts, self.n)):
            check_writable(target)
            with replacing(target) as temporary:
                table.to_csv(temporary)
        return path, counts

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: `by`, `examinees`, `indicators`, `scores` and `n` (rows of cells)."""
        rows = self.scores.astype(object).where(self.scores.notna(), None)
        return {
            "by": self.by,
            "examinees": list(self.scores.index),
            "indicators": [str(name) for name in self.scores.columns],
            "scores": rows.to_numpy().tolist(),
            "n": self.n.to_numpy().tolist(),
        }

    def _repr_html_(self) -> str:
        return self.scores.to_html(float_format="{:.3f}".format, na_rep="-")


def matrix(scored: pd.DataFrame, by: str = "domain", *, lenient: bool = False) -> ScoreMatrix:
    """Mean scores of every examinee for every value of a label, or for every item.

    Parameters
    ----------
    scored: as `gfactor.scoring.scored` gives it; missing responses are left out.
    by: a label ("domain", "size", "skill" ...) or "item". An item is named by its id, and where
        several banks share ids, by id and hash.
    lenient: use the lenient reading instead of the benchmark's rule.

    Raises UnknownNameError for an unknown label, ParameterError where conditions are mixed.
    """
    require_one_condition(scored)
    examinees = sorted(scored["examinee"].unique())
    column = "correct_lenient" if lenient else "correct"
    counted = pick(scored, ~scored["missing"])
    groups = _items(counted) if by == "item" else by_label(counted, by)
    means = {name: own.groupby("examinee")[column].mean() for name, own in groups.items()}
    counts = {name: own.groupby("examinee")[column].size() for name, own in groups.items()}
    scores = pd.DataFrame(means, index=examinees, dtype=float)
    n = pd.DataFrame(counts, index=examinees).fillna(0).astype(int)
    return ScoreMatrix(
        scores.rename_axis(index="examinee", columns=by),
        n.rename_axis(index="examinee", columns=by),
        by,
    )


def _items(scored: pd.DataFrame) -> dict[Any, pd.DataFrame]:
    hashes: dict[str, set[str]] = {}
    for item, content in zip(scored["item_id"], scored["item_hash"], strict=True):
        hashes.setdefault(item, set()).add(content)
    names = [
        f"{item}@{content[:8]}" if len(hashes[item]) > 1 else item
        for item, content in zip(scored["item_id"], scored["item_hash"], strict=True)
    ]
    return {name: own for name, own in scored.groupby(pd.Series(names, index=scored.index))}
