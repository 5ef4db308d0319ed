"""A study's answers for analysis: in a journal as models' are, as Psych-DS, and for payment."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
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
from gfactor.studies.questionnaires.adaptive import AdaptiveBlock, answered_in
from gfactor.studies.questionnaires.columns import COLUMNS
from gfactor.studies.questionnaires.declaration import record
from gfactor.studies.questionnaires.definition import Study
from gfactor.studies.questionnaires.folder import StudyFolder
from gfactor.studies.questionnaires.labels import answer_seconds, marks
from gfactor.studies.questionnaires.pay import bonus, total
from gfactor.studies.questionnaires.question_pages import cells, dictionary_rows
from gfactor.studies.questionnaires.rulings import Rulings
from gfactor.studies.questionnaires.sequencing import FormPlan
from gfactor.studies.questionnaires.store import Store
from gfactor.studies.questionnaires.words import words

PERSON = "person:{code}"


@dataclass(frozen=True)
class Exported:
    """What was written: the files, how many people, how many answers to items, and how many
    amendments the study has had."""

    files: tuple[Path, ...]
    people: int
    answers: int
    amendments: int = 0


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

    Beside them `declaration.json` says what was declared, its digest, and every amendment since.

    In the journal a person is the examinee `person:CODE` under the default condition, so that
    people and models stand in one matrix. An answer is the text in the item's own labels; its
    latency is `answer_seconds`. Upheld challenges apply to everybody: an answer that is right as
    well is accepted in the journal, too, and the answers to an item that is void stay out. Practice
    and check questions stay out. Exporting again adds what is new.

    Raises ParameterError where the folder cannot be written.
    """
    store = folder.store()
    try:
        store.purge(folder.study.retention_days)
        rulings = Rulings(store.rulings(), folder.bank.item)
        given = store.frame("answers")
        answers = rulings.apply(given)
        people = store.frame("participants")
        marked = marks(answers, people, folder.study.rules)
        chosen = marked
        if not keep_invalid:
            chosen = chosen.loc[~chosen["invalid"].to_numpy(bool)]
        if finished_only:
            chosen = chosen.loc[chosen["finished"].to_numpy(bool)]
        counted = answers.loc[answers["kind"] == "item"]
        scored = counted.loc[~counted["void"].to_numpy(bool)]
        answers_of_chosen = scored.loc[scored["code"].isin(chosen["code"])]
        declared = record(*store.declarations())
        try:
            output.mkdir(parents=True, exist_ok=True)
            challenged = set(store.frame("challenges")["item"]) | set(rulings.items)
            stored = _journal(folder, answers_of_chosen, rulings, challenged, output / "journal.db")
            tables = _tables(store, answers, people, marked)
            tables |= _questionnaire(folder.study, tables)
            tables["participants"] = _with_conditions(folder, people, tables["participants"])
            tables |= sequences(folder.plans, people, given, answers)
            files = _psych_ds(folder.study, tables, declared, output / "psych_ds")
            declaration = output / "declaration.json"
            _write_json(declared, declaration)
            payment = _bonus(folder.study, store, answers, marked, output / "bonus.csv")
        except OSError as error:
            raise ParameterError(
                f"cannot write the export to {str(output)!r}: {error.strerror}"
            ) from error
    finally:
        store.close()
    written = (output / "journal.db", *files, payment, declaration)
    return Exported(written, len(chosen), stored, len(declared["amendments"]))


def _journal(
    folder: StudyFolder,
    answers: pd.DataFrame,
    rulings: Rulings,
    challenged: Collection[str],
    path: Path,
) -> int:
    """Add the answers to a journal; how many it then has of this study. The keys of challenged
    items are brought to what the rulings say by now."""
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
        journal.add_items(bank)
        journal.set_accepted(rulings.of(item) for item in sorted(challenged))
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


def _tables(
    store: Store, answers: pd.DataFrame, people: pd.DataFrame, marked: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """The tables of a Psych-DS data set, by the word in their names; that of turns where the study
    has conversations."""
    columns = ["code", "language", "consent_version", "declaration", "started", "finished"]
    turns = store.frame("turns")
    return {
        "answers": answers,
        **({"turns": turns} if len(turns) else {}),
        "participants": people.loc[:, columns].merge(marked.drop(columns="finished"), on="code"),
        "challenges": store.frame("challenges"),
        "rulings": store.frame("rulings"),
    }


def _with_conditions(
    folder: StudyFolder, people: pd.DataFrame, table: pd.DataFrame
) -> pd.DataFrame:
    """The table of participants with the condition and the order of blocks, where the study has
    pages."""
    if folder.study.pages is None:
        return table
    facts = [folder.plan.facts(int(number)) for number in people["number"]]
    columns = pd.DataFrame(facts, columns=["condition", "order"], index=people["code"])
    return table.join(columns, on="code")


def _questionnaire(study: Study, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Of a study with pages the answers to its questions, a row per participant and a column per
    variable, and the table of answers without them; else nothing."""
    if study.pages is None:
        return {}
    answers = tables["answers"]
    pages = answers["kind"] == "page"
    rows: dict[str, dict[str, Any]] = {code: {} for code in tables["participants"]["code"]}
    for code, text in zip(answers.loc[pages, "code"], answers.loc[pages, "text"], strict=True):
        rows[code] |= cells(text)
    variables = [v for page in study.pages for q in page.questions for v in q.variables]
    table = pd.DataFrame([{"code": code, **row} for code, row in rows.items()],
                         columns=["code", *variables], dtype=object)  # fmt: skip
    return {"answers": answers.loc[~pages], "questionnaire": table}


def sequences(
    plans: Mapping[str, FormPlan], people: pd.DataFrame, given: pd.DataFrame, ruled: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Of an adaptive study what every participant was asked, and the abilities; else nothing.

    Parameters
    ----------
    plans: by language.
    people: the table of participants.
    given, ruled: the table of answers as they were marked at first, and by the rulings.

    Returns
    -------
    `adaptive`: `block`, `position`, `item`, its `entry` of the calibration, `right` as it was
    marked at first, `theta_before` and `se_before`, by which it was chosen, `theta` and `se` with
    its answer. `abilities`: `block`, `theta`, `se`, `items`, `stop`, by the rulings and without
    void items.
    """
    steps: list[dict[str, Any]] = []
    abilities: list[dict[str, Any]] = []
    if not any(plan.adaptive for plan in plans.values()):
        return {}
    marked = {code: _in_order(part) for code, part in given.groupby("code")}
    final = {code: _in_order(part) for code, part in ruled.groupby("code")}
    language = dict(zip(people["code"], people["language"], strict=True))
    for code in sorted(marked):
        for name, block in plans[language[code]].adaptive.items():
            estimate = block.estimate(answered_in(final[code], block))
            abilities.append({"code": code, "block": name, **vars(estimate)})
            steps += _sequence(str(code), name, block, marked[code])
    names = ["code", "block", "position", "item", "entry", "right", "theta_before", "se_before"]
    return {
        "adaptive": pd.DataFrame(steps, columns=[*names, "theta", "se"]),
        "abilities": pd.DataFrame(
            abilities, columns=["code", "block", "theta", "se", "items", "stop"]
        ),
    }


def _sequence(
    code: str, name: str, block: AdaptiveBlock, answers: list[dict[Any, Any]]
) -> list[dict[str, Any]]:
    """What a participant was asked in a block, in order."""
    rows = [row for row in answers if block.asked(row)]
    known = block.posteriors(answered_in(rows, block))
    return [
        {
            "code": code, "block": name, "position": row["position"], "item": row["item"],
            "entry": block.cell(row["item"]), "right": row["right"],
            "theta_before": before.theta, "se_before": before.se,
            "theta": after.theta, "se": after.se,
        }
        for row, before, after in zip(rows, known, known[1:], strict=False)
    ]  # fmt: skip


def _in_order(answers: pd.DataFrame) -> list[dict[Any, Any]]:
    return answers.sort_values("position").to_dict("records")


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
        "name": study.title,
        "description": f"Answers of participants in the study {study.id!r}, collected with "
        "gfactor. Nobody is excluded; the columns invalid, speeding, straight_lining, distracted "
        "and incomplete mark submissions by rules that were declared before the data; amendments "
        "since then are listed.",
        "identifier": study.id,
        "variableMeasured": ["participant_id", *measured],
        "gfactor": {
            "rules": vars(study.rules),
            "retention_days": study.retention_days,
            "digest": declared["digest"],
            "declared": declared["declared"],
            "amendments": declared["amendments"],
        },
    }
    path = folder / "dataset_description.json"
    _write_json(description, path)
    dictionary = folder / "data_dictionary.csv"
    as_cells(_dictionary(study, tables)).to_csv(dictionary, index=False, lineterminator="\n")
    return [path, dictionary, *files]


def _dictionary(study: Study, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """A row per column of every table: what it holds, and what its values mean."""
    questions = dictionary_rows(study.pages or (), words(study.language))
    asked = {row["variable"]: row for row in questions}
    rows = []
    for table, frame in tables.items():
        for name in frame.columns:
            known = {"description": COLUMNS.get(str(name), ""), "levels": ""}
            if table == "questionnaire" and name != "code":
                known = asked[str(name)]
            shown = "participant_id" if name == "code" else str(name)
            rows.append({**known, "table": table, "variable": shown})
    names = ["table", "variable", "type", "description", "levels", "page", "required"]
    return pd.DataFrame(rows, columns=names)


def _write_json(held: Mapping[str, Any], path: Path) -> None:
    path.write_text(json.dumps(held, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _bonus(
    study: Study, store: Store, answers: pd.DataFrame, marked: pd.DataFrame, path: Path
) -> Path:
    """Who is to be paid what; external ids are there as long as they are kept."""
    contacts = {row["code"]: row for row in store.frame("contacts").to_dict("records")}
    extra = [name.lower() for name in study.external_facts]
    rows = []
    for row in marked.to_dict("records"):
        of_person = answers.loc[answers["code"] == row["code"]].to_dict("records")
        contact = contacts.get(row["code"], {"external_id": "", "facts": "{}"})
        facts = {name.lower(): value for name, value in json.loads(contact["facts"]).items()}
        rows.append(
            {
                "participant_id": row["code"],
                "external_id": contact["external_id"],
                **{name: facts.get(name, "") for name in extra},
                "finished": row["finished"],
                "invalid": row["invalid"],
                "bonus": f"{bonus(study.pay, of_person):.2f}",
                "total": f"{total(study.pay, of_person) if row['finished'] else 0:.2f}",
                "currency": study.pay.currency,
            }
        )
    columns = ["participant_id", "external_id", *extra, "finished", "invalid", "bonus", "total"]
    table = pd.DataFrame(rows, columns=[*columns, "currency"])
    path.touch(mode=0o600)
    path.chmod(0o600)
    as_cells(table).to_csv(path, index=False, lineterminator="\n")
    return path


def _keyword(text: str) -> str:
    """A value of a Psych-DS file name: letters and digits only."""
    return "".join(c for c in text if c.isalnum())
