"""Exchange formats: functions that write the runs of a journal to files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pandas as pd

from gfactor.administration import Journal
from gfactor.errors import ParameterError
from gfactor.examinees.base import Spec
from gfactor.frames import pick
from gfactor.items import ItemBank
from gfactor.registry import Registry
from gfactor.reports.answers.group_rates import ACCURACY, SCORE, rate, rates, rows_of
from gfactor.reports.answers.results import role_of
from gfactor.scoring import with_chance

LEVEL = 0.95
INTERVAL = "score interval with the variance within domains: other items of the same domains"
"""Description of how intervals of accuracies are made (`gfactor.reports.answers.group_rates`)."""

Relationship = Literal["first_party", "third_party", "collaborative", "other"]
RELATIONSHIPS: tuple[Relationship, ...] = ("first_party", "third_party", "collaborative", "other")
KEY = ["examinee", "item_hash", "condition", "occasion"]
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class ExportFacts:
    """Facts that a format needs and a journal does not contain.

    Parameters
    ----------
    organization : str
        Organization that evaluated; "" if it is unknown.
    relationship : {"first_party", "third_party", "collaborative", "other"}
        Relationship of this organization to the developers of the models.
    developers : mapping of str to str
        A model's name, or an examinee, to who made it.
    dataset : str
        The bank's id on a hub, "ORGANIZATION/NAME"; "" if it is on none.
    people : bool
        True if persons are examinees of the files too.
    banks : tuple of ItemBank
        The banks, for what journals do not keep: hashes and types of pictures.

    Examples
    --------
    >>> from gfactor.reports.exchange import ExportFacts
    >>> ExportFacts("An institute").people
    False
    """

    organization: str = ""
    relationship: Relationship = "other"
    developers: Mapping[str, str] = field(default_factory=dict)
    dataset: str = ""
    people: bool = False
    banks: tuple[ItemBank, ...] = ()

    def images(self) -> dict[str, list[dict[str, str]]]:
        """Return hash and media type of every item's pictures, by the item's content hash."""
        images: dict[str, list[dict[str, str]]] = {}
        for bank in self.banks:
            for item in bank:
                images[item.provenance.content_hash] = [
                    {"sha256": image.sha256, "media_type": guess_type(image.path)[0] or ""}
                    for image in item.images
                ]
        return images


@dataclass(frozen=True)
class Run:
    """The answers of one examinee to one benchmark under one condition.

    Parameters
    ----------
    benchmark, examinee, condition : str
        Benchmark, examinee and condition of the answers.
    answers : DataFrame
        A scored table (`gfactor.scoring.scored`) with the columns of the journal beside it.
    """

    benchmark: str
    examinee: str
    condition: str
    answers: pd.DataFrame

    @property
    def moment(self) -> datetime:
        """Return the time of the last answer."""
        return max(datetime.fromisoformat(text) for text in self.answers["created"])

    def accuracies(self) -> list[dict[str, Any]]:
        """Return a table with `name`, `metric`, `n`, `value`, `low` and `high`, a row for all items
        and one for every domain."""
        rows = pick(self.answers, ~self.answers["missing"])
        rows = rows_of(rows)
        if rows.empty:
            return []
        measures = {"accuracy": ACCURACY}
        partial = rows["points"].fillna(0) != rows["correct"].fillna(0) * rows["points_possible"]
        if partial.to_numpy(bool).any():
            measures["points_ratio"] = SCORE
        accuracies: list[dict[str, Any]] = []
        for metric, measure in measures.items():
            whole = rate(rows, measure, LEVEL)
            accuracies.append({"name": self.benchmark, "metric": metric, **whole})
        if "domain" in rows and len(set(rows["domain"])) > 1:
            for part in rates(rows, ["domain"], ACCURACY, LEVEL).to_dict("records"):
                name = f"{self.benchmark}/{part.pop('domain')}"
                accuracies.append({"name": name, "metric": "accuracy", **part})
        return accuracies


@dataclass(frozen=True)
class JournalRuns:
    """All runs of a journal, with its items.

    Parameters
    ----------
    runs : tuple of Run
        Runs in the order of benchmark, examinee, condition.
    items : mapping
        (benchmark, content hash, id) to the row of `Journal.items`.
    turns : DataFrame
        Replies to earlier turns of conversations (`Journal.turns`).
    version : str
        Version of gfactor.
    """

    runs: tuple[Run, ...]
    items: Mapping[tuple[str, str, str], Mapping[str, Any]]
    turns: pd.DataFrame
    version: str

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)


@dataclass(frozen=True)
class Exported:
    """Summary of an export.

    Parameters
    ----------
    to : str
        Name of the format.
    folder : Path
        Folder of the written files.
    files : tuple of Path
        The files, relative to the folder.
    answers : int
        Number of answers in the files.
    left_out : tuple of str
        Sentences about what is not in the files, and why.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gfactor.reports.exchange import Exported
    >>> Exported("hf", Path("out"), (), 0).to_dict()["files"]
    []
    """

    to: str
    folder: Path
    files: tuple[Path, ...]
    answers: int
    left_out: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return the number of written results, and the parts left out, as text."""
        size = f"{self.answers:,} answers in {len(self.files):,} files below {self.folder}"
        return "\n".join([size, *map("left out: {}".format, self.left_out)])

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor export --json`."""
        return {
            "to": self.to, "folder": str(self.folder),
            "files": [path.as_posix() for path in self.files],
            "answers": self.answers, "left_out": list(self.left_out),
        }  # fmt: skip


Exchange: TypeAlias = Callable[[JournalRuns, ExportFacts, Path], tuple[list[Path], int]]
"""Writes files below a folder; returns their paths relative to it, and how many answers they hold.

It raises ParameterError if a fact that the format asks for is missing.
"""

EXCHANGES: Registry[Exchange] = Registry(
    "export format", home="gfactor.reports.exchange.formats", group="gfactor.exports"
)
"""Every format; a new one is a module in `formats`, or an entry point of another package."""


def runs_of(journal: Journal, table: pd.DataFrame, facts: ExportFacts, version: str) -> JournalRuns:
    """Return the runs of a scored table, with the journal's columns beside it.

    Parameters
    ----------
    journal : Journal
        Open.
    table : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them, without rows that are not to be
        exported.
    facts : ExportFacts
        Facts that the format asks for; here whether people are exported.
    version : str
        Version of gfactor.

    Returns
    -------
    JournalRuns
        Sorted, so that the same journal gives the same files.

    Raises
    ------
    ParameterError
        If nothing is left to export.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.reports.exchange import ExportFacts, runs_of
    >>> from gfactor.scoring import scored
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["baseline:constant"], journal="c.db")
    >>> [run.benchmark for run in runs_of(journal, scored(journal), ExportFacts(), "0")]
    ['percept-v']
    """
    included = [facts.people or role_of(str(name)) != "person" for name in table["examinee"]]
    table = pick(table, included)
    if table.empty:
        raise ParameterError(
            "the journal holds answers of people alone; export them with --people (in Python: "
            "people=True)"
            if included
            else "the journal holds no answers to export; have the items asked first, with "
            "`gfactor run`"
        )
    items = journal.items()
    item_rows = {
        (str(row["benchmark"]), str(row["content_hash"]), str(row["id"])): {
            str(k): v for k, v in row.items()
        }
        for row in items.to_dict("records")
    }
    attempts = pd.concat([journal.failures(), journal.responses()], ignore_index=True)
    # A response stands last, so that it is kept where there were failed attempts before it.
    attempts = attempts.drop_duplicates(KEY, keep="last")
    beside = [*KEY, *(name for name in attempts.columns if name not in table.columns)]
    answers = with_chance(table, items).merge(pick(attempts, beside), on=KEY, how="left")
    answers = answers.sort_values([*KEY, "item_id"], kind="stable")
    names = ["benchmark", "examinee", "condition"]
    keys = sorted(set(map(tuple, pick(answers, names).astype(str).to_numpy())))
    indexed = answers.set_index(names, drop=False).sort_index(kind="stable")
    runs = tuple(Run(a, b, c, indexed.loc[[(a, b, c)]].reset_index(drop=True)) for a, b, c in keys)
    return JournalRuns(runs, item_rows, journal.turns(), version)


def model_of(examinee: str, facts: ExportFacts) -> tuple[str, str, str]:
    """Return developer, model and id ("DEVELOPER/MODEL") of an examinee.

    The developer is the entry of `facts.developers` for the examinee or the model's name, else the
    part before the slash of a name like "Qwen/Qwen3-VL", else "unknown". Observers, baselines and
    people are not models; their developer is "gfactor" or "people".
    """
    role = role_of(examinee)
    spec = Spec.parse(examinee)
    query = {name: value for name, value in spec.parameters.items() if name != "seed"}
    name = spec.argument
    developer = facts.developers.get(examinee) or facts.developers.get(name)
    if role != "model":
        return _parts("people" if role == "person" else "gfactor", examinee)
    if not developer and "/" in name:
        developer, name = name.split("/", 1)
    words = "".join(f"_{key}-{value}" for key, value in sorted(query.items()))
    return _parts(developer or "unknown", name.rsplit("/", 1)[-1] + words)


def _parts(developer: str, model: str) -> tuple[str, str, str]:
    developer, model = (
        _UNSAFE.sub("-", text).strip("-.") or "unknown" for text in (developer, model)
    )
    return developer, model, f"{developer}/{model}"


def epoch(moment: datetime) -> str:
    """Return seconds since 1970 as text."""
    return f"{moment.astimezone(UTC).timestamp():.3f}"
