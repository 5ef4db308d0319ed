"""A study's answers for analysis: in a journal as models' are, as Psych-DS, and for payment."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor import __version__
from gfactor.administration import Condition, Journal, Response
from gfactor.administration.storing.marked_people import note_invalid, sentence_on_invalid
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import Reply
from gfactor.results import number_of
from gfactor.scoring.exporting import as_cells
from gfactor.studies.questionnaires.paying.pay import payments
from gfactor.studies.questionnaires.results.exclusion import exclusions
from gfactor.studies.questionnaires.results.export_tables import (
    dictionary_of,
    questionnaire,
    sequences,
    timed_pictures,
    with_conditions,
    with_outcomes,
)
from gfactor.studies.questionnaires.results.labels import MARKS, answer_seconds, marks
from gfactor.studies.questionnaires.results.rulings import Rulings
from gfactor.studies.questionnaires.storing.declaration import record
from gfactor.studies.questionnaires.storing.playbacks import playback_table
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.folder import StudyFolder

PERSON = "person:{code}"


@dataclass(frozen=True)
class StudyExport:
    """Summary of an export: the files, the numbers of people and of answers to items, the number of
    amendments of the study, and how many of the people its rules mark invalid. `left_out` people
    are not in the journal, each for one `reasons` or several: the number of people by reason.
    """

    files: tuple[Path, ...]
    people: int
    answers: int
    amendments: int = 0
    invalid: int = 0
    left_out: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder that holds the files, with the journal of the answers."""
        return self.files[0].parent

    def summary(self) -> str:
        """Return the numbers and the files, as text."""
        people = number_of(self.people, "person", "people")
        lines = [f"{people}, {number_of(self.answers, 'answer')}"]
        if self.left_out:
            counts = ", ".join(f"{count:,} {reason}" for reason, count in self.reasons.items())
            were = f"{number_of(self.left_out, 'person is', 'people are')} left out"
            lines.append(f"{were} of the journal: {counts}")
        elif not self.people:
            lines.append("there is no submission to export; gfactor study status says who began")
        if self.invalid:
            lines.append(
                f"warning: {sentence_on_invalid(self.invalid, self.people)}; --without-invalid (in "
                "Python: keep_invalid=False) leaves them out"
            )
        if self.amendments:
            times = number_of(self.amendments, "time")
            lines.append(f"the study was amended {times} since its first participant")
        return "\n".join([*lines, *(f"  {path}" for path in self.files)])

    def to_dict(self) -> dict[str, object]:
        """Return the summary as JSON holds it."""
        return {
            "people": self.people, "answers": self.answers, "amendments": self.amendments,
            "invalid": self.invalid, "left_out": self.left_out, "reasons": dict(self.reasons),
            "files": [str(file) for file in self.files],
        }  # fmt: skip


def export_study(
    folder: StudyFolder,
    output: Path,
    *,
    keep_invalid: bool = True,
    finished_only: bool = False,
    without: Sequence[str] = (),
    identifiers: bool = False,
) -> StudyExport:
    """Write `journal.db`, a Psych-DS data set and `bonus.csv` into a folder.

    Parameters
    ----------
    output: made if it does not exist.
    keep_invalid: True to put submissions that the study's rules mark invalid into the journal; the
        Psych-DS data set always holds everybody, with the marks.
    finished_only: True to put only completed submissions into the journal.
    without: marks whose submissions stay out of the journal.
    identifiers: True to put the recruiting service's ids into `bonus.csv`.

    In addition, `declaration.json` has the declaration, its digest, and every later amendment.

    In the journal a person is the examinee `person:CODE` under the default condition, so that
    people and models are in one matrix. An answer is the text in the item's own labels; its latency
    is `answer_seconds`. Upheld challenges apply to everybody: an answer that is right as well is
    accepted in the journal, too, and the answers to an item that is void stay out. Practice and
    check questions are not exported to the journal. Exporting again adds what is new.

    Raises ParameterError if the folder cannot be written, UnknownNameError for an unknown mark.
    """
    for name in without:
        if name not in MARKS:
            raise UnknownNameError("mark", name, MARKS)
    left_out = {*without, *(() if keep_invalid else ("invalid",))}
    with closing(folder.store()) as store:
        store.purge(folder.study.retention_days)
        with store.snapshot():
            rulings = Rulings(store.rulings(), folder.bank.item)
            given = store.frame("answers")
            answers = rulings.apply(given)
            people = store.frame("participants")
            marked = marks(answers, people, folder.study.rules)
            chosen, reasons = _chosen(marked, left_out, finished_only=finished_only)
            counted = answers.loc[answers["kind"] == "item"]
            scored = counted.loc[~counted["void"].to_numpy(bool)]
            answers_of_chosen = scored.loc[scored["code"].isin(chosen["code"])]
            declared = record(*store.declarations())
            try:
                output.mkdir(parents=True, exist_ok=True)
                challenged = set(store.frame("challenges")["item"]) | set(rulings.items)
                stored = _journal(
                    folder, answers_of_chosen, rulings, challenged, output / "journal.db"
                )
                invalid = chosen.loc[chosen["invalid"].to_numpy(bool), "code"]
                with Journal.open(output / "journal.db") as journal:
                    note_invalid(journal, (PERSON.format(code=code) for code in invalid))
                tables = _tables(store, answers, people, marked)
                tables |= questionnaire(folder.study, tables)
                timed = (store.frame("presentations"), store.pages.frame())
                tables |= timed_pictures(folder.study, people, answers, *timed)
                played = playback_table(
                    folder.study, people, given, store.frame("playbacks"), timed[1]
                )
                tables |= {} if played is None else {"playbacks": played}
                ended = with_outcomes(store.frame("exits"), tables["participants"])
                tables["participants"] = with_conditions(folder, people, ended)
                if folder.study.random_languages is not None:
                    reads = store.frame("randomized").rename(columns={"known": "languages_read"})
                    tables["participants"] = tables["participants"].merge(reads, "left", on="code")
                tables |= sequences(folder.plans, people, given, answers)
                files = _psych_ds(folder.study, tables, declared, output / "psych_ds")
                declaration = output / "declaration.json"
                _write_json(declared, declaration)
                contacts = store.frame("contacts") if identifiers else None
                excluded = exclusions(folder.study, marked, store.paid_on_appeal())
                owed = payments(folder.study.pay, answers, marked, excluded)
                payment = _bonus(folder.study, contacts, owed, output / "bonus.csv")
            except OSError as error:
                raise ParameterError(
                    f"cannot write the export to {str(output)!r}: {error.strerror}"
                ) from error
    written = (output / "journal.db", *files, payment, declaration)
    amended = len(declared["amendments"])
    others = len(marked) - len(chosen)
    return StudyExport(written, len(chosen), stored, amended, len(invalid), others, reasons)


def _chosen(
    marked: pd.DataFrame, left_out: Collection[str], *, finished_only: bool
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the rows of the people whose answers are exported, and the number of all others by
    reason: a mark, or that they have not finished."""
    outside = {
        mark.replace("_", " "): marked[mark].to_numpy(bool) for mark in MARKS if mark in left_out
    }
    if finished_only:
        outside["unfinished"] = ~marked["finished"].to_numpy(bool)
    stays_out = np.any([np.zeros(len(marked), bool), *outside.values()], axis=0)
    reasons = {reason: int(np.count_nonzero(who)) for reason, who in outside.items() if who.any()}
    return marked.loc[~stays_out], reasons


def _journal(
    folder: StudyFolder,
    answers: pd.DataFrame,
    rulings: Rulings,
    challenged: Collection[str],
    path: Path,
) -> int:
    """Add the answers to a journal; return the number of this study's answers in it. The keys of
    challenged items are updated by the rulings so far."""
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
                latency_s=float(row["took"]),
                detail="late" if row["late"] else "",
            ),
            row["created"],
        )
        for row in answers.assign(took=answer_seconds(answers).fillna(0.0)).to_dict("records")
    ]
    void = {hashes[item] for item in rulings.void}
    with Journal.open(path) as journal:
        here = {response.examinee for response in responses}
        gone = [n for n in journal.examinees() if n.startswith("person:") and n not in here]
        if gone:
            raise ParameterError(
                f"{str(path)!r} holds the answers of {len(gone)} persons who are not in this "
                "export, because they have withdrawn or are left out now; delete the file, or "
                "export into another folder"
            )
        if void:
            known_answers = journal.responses()
            people = known_answers["examinee"].str.startswith("person:").to_numpy(bool)
            if np.any(people & known_answers["item_hash"].isin(list(void)).to_numpy(bool)):
                raise ParameterError(
                    f"{str(path)!r} holds answers of people to items that count for nobody now, "
                    "because a challenge was upheld; delete the file, or export into another folder"
                )
        new = here - set(journal.examinees())
        facts = {
            "bank": str(bank.path),
            "digest": bank.scene_digest,
            "items": len(bank),
            "condition": condition,
            "occasions": 1,
            "version": __version__,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        journal.register([{**facts, "examinee": name} for name in sorted(new)], bank)
        journal.replace_keys(rulings.of(item) for item in sorted(challenged))
        journal.add(responses)
    return len(responses)


def _tables(
    store: Store, answers: pd.DataFrame, people: pd.DataFrame, marked: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """The tables of a Psych-DS data set, by the word in their names, with the table of turns if the
    study has conversations."""
    columns = ["code", "language", "consent_version", "declaration", "started", "finished"]
    turns = store.frame("turns")
    return {
        "answers": answers,
        **({"turns": turns} if len(turns) else {}),
        "participants": people.loc[:, columns].merge(marked.drop(columns="finished"), on="code"),
        "challenges": store.frame("challenges"),
        "rulings": store.frame("rulings"),
    }


def _psych_ds(
    study: Study, tables: Mapping[str, pd.DataFrame], declared: Mapping[str, Any], folder: Path
) -> list[Path]:
    """A Psych-DS data set: a description, and long tables."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    files = []
    for word, table in tables.items():
        path = data / f"study-{_keyword(study.id)}_{word}_data.csv"
        renamed = table.rename(columns={"code": "participant_id"})
        as_cells(renamed).to_csv(path, index=False, lineterminator="\n")
        files.append(path)
    measured = sorted({str(c) for t in tables.values() for c in t.columns if c != "code"})
    description = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title_in(study.language),
        "description": f"Answers of participants in the study {study.id!r}, collected with "
        "gfactor. Nobody is excluded; the columns invalid, speeding, straight_lining, distracted "
        "and incomplete mark submissions by rules that were declared before the data; amendments "
        "since then are listed.",
        "identifier": study.id,
        "variableMeasured": ["participant_id", *measured],
        "gfactor": {
            "rules": vars(study.rules),
            "excluded_from_payment": list(study.excludes),
            "retention_days": study.retention_days,
            "digest": declared["digest"],
            "declared": declared["declared"],
            "amendments": declared["amendments"],
        },
    }
    path = folder / "dataset_description.json"
    _write_json(description, path)
    dictionary = folder / "data_dictionary.csv"
    as_cells(dictionary_of(study, tables)).to_csv(dictionary, index=False, lineterminator="\n")
    return [path, dictionary, *files]


def _write_json(document: Mapping[str, Any], path: Path) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _bonus(
    study: Study,
    contacts: pd.DataFrame | None,
    owed: Sequence[Mapping[str, Any]],
    path: Path,
) -> Path:
    """Write the payments of participants; with recruiting ids, as long as they are stored, if
    `contacts` are given.
    """
    contact_of = (
        {} if contacts is None else {row["code"]: row for row in contacts.to_dict("records")}
    )
    extra = [name.lower() for name in study.external_facts]
    columns_of_contact = [] if contacts is None else ["external_id", *extra]
    rows = []
    for row in owed:
        contact = contact_of.get(row["participant_id"], {"external_id": "", "facts": "{}"})
        facts = {name.lower(): value for name, value in json.loads(contact["facts"]).items()}
        facts["external_id"] = contact["external_id"]
        rows.append({**row, **{name: facts.get(name, "") for name in columns_of_contact}})
    columns = [
        "participant_id",
        *columns_of_contact,
        "finished",
        "invalid",
        "excluded",
        "bonus",
        "total",
    ]
    table = pd.DataFrame(rows, columns=[*columns, "currency"])
    path.touch(mode=0o600)
    path.chmod(0o600)
    as_cells(table).to_csv(path, index=False, lineterminator="\n")
    return path


def _keyword(text: str) -> str:
    """A value of a Psych-DS file name: letters and digits only."""
    return "".join(c for c in text if c.isalnum())
