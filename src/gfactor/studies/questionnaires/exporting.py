"""A study's answers for analysis: in a journal as models' are, as Psych-DS, and for payment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor import __version__
from gfactor.administration import Condition, Journal, Response
from gfactor.errors import ParameterError
from gfactor.examinees import Reply
from gfactor.scoring.exporting import as_cells
from gfactor.studies.questionnaires.definition import Study
from gfactor.studies.questionnaires.folder import StudyFolder
from gfactor.studies.questionnaires.labels import marks
from gfactor.studies.questionnaires.pay import bonus, total
from gfactor.studies.questionnaires.store import Store

PERSON = "person:{code}"


@dataclass(frozen=True)
class Exported:
    """What was written: the files, how many people, and how many answers to items."""

    files: tuple[Path, ...]
    people: int
    answers: int


def export_study(
    folder: StudyFolder, output: Path, *, keep_invalid: bool = True, finished_only: bool = False
) -> Exported:
    """Write `journal.db`, a Psych-DS data set and `bonus.csv` into a folder.

    Parameters
    ----------
    output: made where it is missing.
    keep_invalid: whether submissions that the study's rules mark invalid go into the journal; the
        Psych-DS data set always holds everybody, with the marks.
    finished_only: whether only completed submissions go into the journal.

    In the journal a person is the examinee `person:CODE` under the default condition, so that
    people and models stand in one matrix. An answer is the text in the item's own labels; its
    latency is the time from shown to sent by the browser's clock, or by the server's where the
    browser gave none. Practice and check questions stay out. Exporting again adds what is new.

    Raises ParameterError where the folder cannot be written.
    """
    store = folder.store()
    try:
        answers, people = store.frame("answers"), store.frame("participants")
        marked = marks(answers, people, folder.study.rules)
        chosen = marked
        if not keep_invalid:
            chosen = chosen.loc[~chosen["invalid"].to_numpy(bool)]
        if finished_only:
            chosen = chosen.loc[chosen["finished"].to_numpy(bool)]
        counted = answers.loc[answers["kind"] == "item"]
        own = counted.loc[counted["code"].isin(chosen["code"])]
        try:
            output.mkdir(parents=True, exist_ok=True)
            stored = _journal(folder, own, output / "journal.db")
            files = _psych_ds(folder.study, answers, people, marked, output / "psych_ds")
            payment = _bonus(folder.study, store, answers, marked, output / "bonus.csv")
        except OSError as error:
            raise ParameterError(
                f"cannot write the export to {str(output)!r}: {error.strerror}"
            ) from error
    finally:
        store.close()
    return Exported((output / "journal.db", *files, payment), len(chosen), stored)


def _journal(folder: StudyFolder, answers: pd.DataFrame, path: Path) -> int:
    """Add the answers to a journal; how many it then has of this study."""
    bank, condition = folder.bank, Condition().key
    hashes = dict(zip(bank.ids, bank.frame()["content_hash"], strict=True))
    responses = [
        Response(
            PERSON.format(code=row["code"]),
            hashes[row["item"]],
            condition,
            0,
            Reply(
                row["text"],
                "ok" if row["text"] else "empty",
                latency_s=_latency(row),
                detail="late" if row["late"] else "",
            ),
            row["created"],
        )
        for row in answers.to_dict("records")
    ]
    with Journal.open(path) as journal:
        here = {response.examinee for response in responses}
        gone = [n for n in journal.examinees() if n.startswith("person:") and n not in here]
        if gone:
            raise ParameterError(
                f"{str(path)!r} holds the answers of {len(gone)} persons who are not in this "
                "export, because they have withdrawn or are left out now; delete the file, or "
                "export into another folder"
            )
        journal.add_items(bank)
        known = set(journal.examinees())
        for name in sorted(here - known):
            journal.add_campaign(
                bank=str(bank.path),
                digest=bank.scene_digest,
                items=len(bank),
                examinee=name,
                condition=condition,
                occasions=1,
                version=__version__,
                started=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        journal.add(responses)
    return len(responses)


def _latency(row: Mapping[Any, Any]) -> float:
    known = (row["seconds"], row["server_seconds"])
    return next((float(v) for v in known if v is not None and not np.isnan(v)), 0.0)


def _psych_ds(
    study: Study, answers: pd.DataFrame, people: pd.DataFrame, marked: pd.DataFrame, folder: Path
) -> list[Path]:
    """A Psych-DS data set: a description, and long tables of answers and participants."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    facts = people.loc[:, ["code", "language", "consent_version", "started", "finished"]]
    tables = {
        f"study-{_keyword(study.id)}_answers_data.csv": answers,
        f"study-{_keyword(study.id)}_participants_data.csv": facts.merge(
            marked.drop(columns="finished"), on="code"
        ),
    }
    files = []
    for name, table in tables.items():
        renamed = table.rename(columns={"code": "participant_id"})
        as_cells(renamed).to_csv(data / name, index=False, lineterminator="\n")
        files.append(data / name)
    measured = sorted({str(c) for t in tables.values() for c in t.columns if c != "code"})
    description = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title,
        "description": f"Answers of participants in the study {study.id!r}, collected with "
        "gfactor. Nobody is excluded; the columns invalid, speeding, straight_lining, distracted "
        "and incomplete mark submissions by rules that were declared before the data.",
        "identifier": study.id,
        "variableMeasured": ["participant_id", *measured],
        "gfactor": {"rules": vars(study.rules), "retention_days": study.retention_days},
    }
    path = folder / "dataset_description.json"
    path.write_text(json.dumps(description, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return [path, *files]


def _bonus(
    study: Study, store: Store, answers: pd.DataFrame, marked: pd.DataFrame, path: Path
) -> Path:
    """Who is to be paid what; external ids are there as long as they are kept."""
    contacts = store.frame("contacts").set_index("code")["external_id"].to_dict()
    rows = []
    for row in marked.to_dict("records"):
        own = answers.loc[answers["code"] == row["code"]].to_dict("records")
        rows.append(
            {
                "participant_id": row["code"],
                "external_id": contacts.get(row["code"], ""),
                "finished": row["finished"],
                "invalid": row["invalid"],
                "bonus": f"{bonus(study.pay, own):.2f}",
                "total": f"{total(study.pay, own) if row['finished'] else 0:.2f}",
                "currency": study.pay.currency,
            }
        )
    columns = ["participant_id", "external_id", "finished", "invalid", "bonus", "total", "currency"]
    as_cells(pd.DataFrame(rows, columns=columns)).to_csv(path, index=False, lineterminator="\n")
    path.chmod(0o600)
    return path


def _keyword(text: str) -> str:
    """A value of a Psych-DS file name: letters and digits only."""
    return "".join(c for c in text if c.isalnum())
