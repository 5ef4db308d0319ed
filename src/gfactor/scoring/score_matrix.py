"""The score matrix: examinees x indicators, with the numbers of items and answers behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.items.files import check_writable
from gfactor.scoring.averaging import ANSWERS, DOMAIN, UNIT_LABELS, averaged
from gfactor.scoring.exporting import write_csv
from gfactor.scoring.summaries import by_label, require_one_condition, text_of_readers

_ONE, _INDICATOR = "_one", "_indicator"
"""Columns: ones, whose sums count items, and the indicator of a row."""


@dataclass(frozen=True)
class ScoreMatrix:
    """Mean scores, and the numbers of items and answers from which each is computed.

    Parameters
    ----------
    scores : DataFrame
        Examinees x indicators, 0 to 1; NaN if there is no response.
    n : DataFrame
        Number of items behind each score, in the same shape.
    answers : DataFrame
        Number of responses behind each score, in the same shape; larger than n if occasions were
        averaged.
    by : str
        Label that forms the indicators ("domain", "item" ...).
    benchmarks : dict of str to str
        The benchmark of every indicator, if indicators are items.
    labels : DataFrame
        Labels of the items, if indicators are items: their domain, and the labels by which items
        about the same picture, problem or text are recognized (`gfactor.scoring.units`). With them
        a comparison of the matrix makes the same claim as one of the journal.
    is_count : bool
        True if scores are numbers of right answers instead of shares.
    read : dict of str to dict
        By examinee, the shares of replies that were read by rules, by a judge, by a random draw or
        not at all (`gfactor.scoring.shares`).

    Examples
    --------
    >>> from gfactor.scoring import matrix, scored
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> matrix(table).scores.shape
    (2, 1)
    """

    scores: pd.DataFrame
    n: pd.DataFrame
    answers: pd.DataFrame
    by: str
    benchmarks: Mapping[str, str] = field(default_factory=dict)
    labels: pd.DataFrame = field(default_factory=pd.DataFrame)
    is_count: bool = False
    read: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def to_csv(self, path: Path | str) -> tuple[Path, Path]:
        """Write the scores to `path`, and their numbers of items to `NAME.n.csv`.

        Returns both paths; raises ParameterError if they cannot be written, or if the ending of
        `path` is that of another format.
        """
        path = Path(path)
        if path.suffix.lower() not in (".csv", ".txt", ""):
            raise ParameterError(
                f"{str(path)!r}: a score matrix is written as CSV; name the file NAME.csv (gfactor "
                "report writes tables of scores for LaTeX)"
            )
        counts = path.with_name(f"{path.stem}.n{path.suffix}")
        for target in (path, counts):
            check_writable(target)
        for target, table in ((path, self.scores), (counts, self.n)):
            write_csv(table, target, index=True)
        return path, counts

    def to_dict(self) -> dict[str, Any]:
        """Return the matrix for JSON.

        The keys are `by`, `examinees`, `indicators`, and `scores`, `n`, `answers` (rows of cells).
        """
        rows = self.scores.astype(object).where(self.scores.notna(), None)
        return {
            "by": self.by,
            "examinees": list(self.scores.index),
            "indicators": [str(name) for name in self.scores.columns],
            "scores": rows.to_numpy().tolist(),
            "n": self.n.to_numpy().tolist(),
            "answers": self.answers.to_numpy().tolist(),
            **({"read": self.read} if self.read else {}),
        }

    def summary(self) -> str:
        """Return the scores with a row per indicator, and the notes below them, as text."""
        number = ("{:g}" if self.is_count else "{:.3f}").format
        table = self.scores.T.to_string(float_format=number, na_rep="-")
        return "\n".join([table, *self.notes()])

    def notes(self) -> list[str]:
        """Return notes on missing counts, and on the readers (rules, judge) that found the
        answers."""
        empty = self.scores.isna() if self.is_count else self.scores.iloc[:0]
        notes = [
            f"{who}: {int(empty.loc[who].sum())} cells are empty, since not every item was "
            f"answered ({self.scores.columns[empty.loc[who].to_numpy(bool)][0]})"
            for who in empty.index
            if empty.loc[who].any()
        ]
        readers = text_of_readers(self.read)
        return [*notes, *([readers] if readers else [])]

    def _repr_html_(self) -> str:
        return self.scores.to_html(float_format="{:z.3f}".format, na_rep="-")


def matrix(
    scored: pd.DataFrame, by: str = "domain", *, lenient: bool = False, ratio: bool = False
) -> ScoreMatrix:
    """Return mean scores of every examinee for every value of a label, or for every item.

    The occasions of an item are averaged before items are.

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them; missing responses are left out.
    by : str
        A label ("domain", "size", "skill" ...) or "item". An item is named by its id, and
        if several banks share ids, by id and hash.
    lenient : bool
        True to read the answers in replies leniently, instead of by the benchmark's own rule.
    ratio : bool
        Points earned per possible point (by the benchmark's rule) instead of the share of
        items that are right as a whole. The two differ for `choices`, `blanks` and `open`
        items.

    Returns
    -------
    ScoreMatrix
        Scores, and the numbers of items and answers from which each is computed.

    Raises
    ------
    UnknownNameError
        For an unknown label, ParameterError if conditions are mixed or both `lenient` and `ratio`
        are given.

    Examples
    --------
    >>> from gfactor.scoring import matrix, scored
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> float(matrix(table).scores.loc["observer:ideal", "change_colour"])
    1.0
    """
    require_one_condition(scored)
    examinees = sorted(scored["examinee"].unique())
    if lenient and ratio:
        raise ParameterError(
            "points follow the benchmark's own rule, which has no lenient version; leave the "
            "option lenient out"
        )
    earned = "points" if ratio else "correct_lenient" if lenient else "correct"
    weight = "points_possible" if ratio else _ONE
    rows = _by_indicator(averaged(scored).assign(**{_ONE: 1}), by)
    columns = [earned, *{weight, _ONE}, ANSWERS]
    sums = pick(rows.groupby(["examinee", _INDICATOR]).agg(dict.fromkeys(columns, "sum")), columns)

    def cells(column: str) -> pd.DataFrame:
        frame = cast(pd.Series, sums[column]).unstack().reindex(index=examinees)
        return frame.rename_axis(index="examinee", columns=by)

    def counts(column: str) -> pd.DataFrame:
        return cells(column).fillna(0).astype(int)

    homes = dict(zip(rows[_INDICATOR], rows["benchmark"], strict=True)) if by == "item" else {}
    labels = _sampled(rows) if by == "item" else pd.DataFrame()
    return ScoreMatrix(
        cells(earned) / cells(weight), counts(_ONE), counts(ANSWERS), by, homes, labels
    )


def _sampled(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the labels of every item that define the universe it was sampled from."""
    names = [name for name in dict.fromkeys([DOMAIN, *UNIT_LABELS]) if name in rows]
    items = rows.drop_duplicates(_INDICATOR).set_index(_INDICATOR)
    return pick(items, names).rename_axis(index="item")


def counted(scores: ScoreMatrix) -> ScoreMatrix:
    """Return numbers of right answers instead of shares, as `gfactor analyze gia` reads them.

    A cell is NaN if its examinee answered fewer items than another did: a low count would look
    like wrong answers.
    """
    whole = scores.n.eq(scores.n.max(axis=0), axis="columns")
    return replace(scores, scores=(scores.scores * scores.n).round(9).where(whole), is_count=True)


def _by_indicator(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    """The rows with the indicator that each belongs to; a row may belong to several skills."""
    if by == "item":
        return rows.assign(**{_INDICATOR: item_names(rows)})
    groups = by_label(rows, by)
    parts = [group.assign(**{_INDICATOR: name}) for name, group in groups.items()]
    return pd.concat(parts) if parts else rows.assign(**{_INDICATOR: ""})


def item_names(scored: pd.DataFrame) -> list[str]:
    """Return the name of every row's item: its id, extended if several items share the id.

    Items are identified by benchmark and content: "ID@HASH" if an id has several contents,
    "BENCHMARK:ID" if several benchmarks have the id.
    """
    ids, hashes = scored["item_id"].tolist(), scored["item_hash"].tolist()
    benchmarks = scored["benchmark"].tolist() if "benchmark" in scored else [""] * len(ids)
    contents: dict[tuple[str, str], set[str]] = {}
    homes: dict[str, set[str]] = {}
    for item, content, benchmark in zip(ids, hashes, benchmarks, strict=True):
        contents.setdefault((benchmark, item), set()).add(content)
        homes.setdefault(item, set()).add(benchmark)
    return [
        (f"{benchmark}:" if len(homes[item]) > 1 else "")
        + (f"{item}@{content[:8]}" if len(contents[benchmark, item]) > 1 else item)
        for item, content, benchmark in zip(ids, hashes, benchmarks, strict=True)
    ]
