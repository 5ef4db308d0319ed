"""Labels of responses as records of Label Studio and Argilla, exported and imported without loss.

Label Studio: a list of tasks with `data` and `annotations` (https://labelstud.io/guide/task_format).
Argilla: a list of records with `fields`, `metadata` and `responses` by question, as
`Dataset.records.to_json` writes them (https://docs.argilla.io). Argilla stores one response per
user and question, so it gets only the last version of a corrected label; Label Studio gets all.
Neither file contains the examinee or the condition: labels are blind.
"""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.benchmarks.for_people import format_for_models, question_for_people
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import Item, canonical_json
from gfactor.items.files import check_writable, replacing
from gfactor.studies.annotation.difference import IN_PICTURE
from gfactor.studies.annotation.draft import draft_of
from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.schemes import SCHEMES
from gfactor.studies.annotation.store import AnnotationStore, HistoryEntry

FORMATS = ("label-studio", "argilla")
INTERFACE = """<View>
  <Text name="question" value="$question"/>
  <Text name="options" value="$options"/>
  <Text name="key" value="$key"/>
  <Text name="format" value="$format"/>
  <Text name="text" value="$text"/>
  <Choices name="category" toName="text" choice="single" required="true">
{categories}
  </Choices>
  <Choices name="abilities" toName="text" choice="multiple">
{abilities}
  </Choices>
  <TextArea name="note" toName="text" maxSubmissions="1"/>
</View>
"""
"""The labeling interface to set in Label Studio before the import."""

_USERS = uuid.UUID("5d1c2a52-8f0e-5a6b-9a55-6b1f0c5f3f10")
"""Namespace of the user ids that Argilla needs, by which a name always has the same id."""


@dataclass(frozen=True)
class ImportedLabel:
    """A label that was made in another program."""

    response: int
    who: str
    category: str
    abilities: tuple[str, ...]
    note: str
    created: str = ""
    seconds: float | None = None

    @property
    def content(self) -> str:
        """Content of the label in the form of the history."""
        document = {"category": self.category, "abilities": list(self.abilities), "note": self.note}
        return json.dumps(document, ensure_ascii=False)


class History:
    """The entries of a kind in the history, by which repeated entries are recognized.

    An entry is new if it differs from the last one by the same person on the same item or response,
    and no entry of the same time has the same content.

    Parameters
    ----------
    people : set of str
        Annotators, and authors of the history.
    source : str
        Prefix of other people's names: "label-studio:NAME".
    """

    def __init__(self, people: set[str], source: str) -> None:
        self._people, self._source = people, source
        self._all: set[tuple[str, str, str, str]] = set()
        self._last: dict[tuple[str, str], str] = {}

    @classmethod
    def of(cls, store: AnnotationStore, kind: str, source: str) -> History:
        """Return the entries of a kind in a history."""
        entries = [entry for entry in store.history() if entry.kind == kind]
        history = cls({*store.annotators(), *(entry.annotator for entry in entries)}, source)
        for entry in entries:
            history.takes(entry.item, entry.annotator, entry.content, entry.created)
        return history

    def name(self, who: str) -> str:
        """Return somebody's name in the history."""
        return who if who in self._people else f"{self._source}:{who}"

    def takes(self, unit: str, who: str, content: str, created: str) -> bool:
        """Return True if an entry is new, and remember it."""
        row = (unit, who, content, created)
        if row in self._all or self._last.get((unit, who)) == content:
            return False
        self._all.add(row)
        self._last[unit, who] = content
        return True


def asked_of(item: Item) -> dict[str, str]:
    """Return the fields of a record about an item: `question` (without the output format),
    `options`, `key`, and `format`, the instructions to models for writing the answer. No field is
    empty, because Label Studio shows no empty texts.
    """
    draft = draft_of(item)
    options = zip(item.choices, draft.parts[0].choices, strict=True)
    return {
        "question": question_for_people(draft.general, item),
        "options": "\n".join(f"{one.label}. {text or IN_PICTURE}" for one, text in options)
        or "(no options)",
        "key": draft.parts[0].answer or "(no key)",
        "format": format_for_models(draft.general, item) or "(no output format)",
    }


def write_records(project: Project, path: Path, kind: str) -> int:
    """Write the responses with all their labels as records; return their number.

    Raises UnknownNameError for an unknown format.
    """
    if kind not in FORMATS:
        raise UnknownNameError("format of records", kind, FORMATS)
    check_writable(path)
    store = project.store()
    try:
        responses, seconds = store.responses(), store.spent()
        entries_by_item: dict[str, list[HistoryEntry]] = defaultdict(list)
        for entry in store.history():
            if entry.kind == "label":
                entries_by_item[entry.item].append(entry)
    finally:
        store.close()
    make = _task if kind == "label-studio" else _record
    records = []
    for row in responses.to_dict("records"):
        question = asked_of(project.bank.item(row["item"]))
        data = {
            "response": str(row["id"]), "item": row["item"], **question,
            "text": row["text"], "answer": row["answer"],
        }  # fmt: skip
        records.append(make(data, entries_by_item[str(row["id"])], seconds))
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(records, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if kind == "label-studio":
        scheme = SCHEMES[project.scheme]
        choices = {
            name: "\n".join(f'    <Choice value="{value}"/>' for value in values)
            for name, values in (("categories", scheme.categories), ("abilities", scheme.abilities))
        }
        path.with_suffix(".xml").write_text(INTERFACE.format(**choices), "utf-8")
    return len(records)


def _task(data: dict[str, Any], entries: list[HistoryEntry], seconds: Mapping[int, float]) -> dict:
    annotations = []
    for entry in entries:
        label = json.loads(entry.content)
        result = [_result("category", "choices", {"choices": [label["category"]]})]
        if label["abilities"]:
            result.append(_result("abilities", "choices", {"choices": label["abilities"]}))
        if label["note"]:
            result.append(_result("note", "textarea", {"text": [label["note"]]}))
        annotations.append({
            "completed_by": {"email": entry.annotator}, "created_at": entry.created,
            "lead_time": seconds.get(entry.id), "was_cancelled": False, "ground_truth": False,
            "result": result,
        })  # fmt: skip
    return {"data": data, "annotations": annotations}


def _result(name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": kind, "value": value}


def _record(data: dict[str, Any], entries: list[HistoryEntry], _: Mapping[int, float]) -> dict:
    last = {entry.annotator: entry for entry in entries}
    responses: dict[str, list[dict[str, Any]]] = defaultdict(list)
    users = {}
    for name, entry in last.items():
        user, label = str(uuid.uuid5(_USERS, name)), json.loads(entry.content)
        users[user] = {"name": name, "created": entry.created}
        for question in ("category", "abilities", "note"):
            if label[question]:
                responses[question].append({"value": label[question], "user_id": user})
    displayed = ("question", "options", "key", "format", "text", "answer")
    fields = {name: data[name] for name in displayed}
    return {
        "id": data["response"], "fields": fields,
        "metadata": {"item": data["item"], "annotators": canonical_json(users)},
        "suggestions": {}, "responses": dict(responses), "vectors": {},
    }  # fmt: skip


def read_records(project: Project, path: Path, kind: str) -> int:
    """Add labels exported from Label Studio or Argilla to the history; return how many are new.

    Entries that are in the history already are not added again (`History`).

    Raises ParameterError, with the record's number, if a record belongs to no response of the
    project or its category is not in the scheme; nothing is added then.
    """
    if kind not in FORMATS:
        raise UnknownNameError("format of records", kind, FORMATS)
    read = _from_task if kind == "label-studio" else _from_record
    try:
        records = json.loads(path.read_text("utf-8"))
        given = [label for k, record in enumerate(records, 1) for label in read(k, record)]
    except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ParameterError(f"{str(path)!r} holds no records of {kind}: {error!r}") from error
    store = project.store()
    try:
        numbers, scheme = set(map(int, store.responses()["id"])), SCHEMES[project.scheme]
        history, new = History.of(store, "label", kind), []
        for label in given:
            if label.response not in numbers:
                raise ParameterError(f"there is no response {label.response} in the project")
            if label.category not in scheme.categories:
                raise UnknownNameError(
                    f"category of response {label.response}", label.category, scheme.categories
                )
            row = (str(label.response), history.name(label.who), label.content)
            if history.takes(*row, label.created):
                new.append((*row, label))
        for item, who, content, label in new:
            store.add(item, who, "label", content, seconds=label.seconds, created=label.created)
    finally:
        store.close()
    return len(new)


def _from_task(number: int, task: Mapping[str, Any]) -> Iterable[ImportedLabel]:
    for annotation in task.get("annotations", []):
        if annotation.get("was_cancelled"):
            continue
        values = {r["from_name"]: r["value"] for r in annotation["result"]}
        if "category" not in values:
            raise ParameterError(f"task {number}: an annotation has no category")
        by = annotation.get("completed_by", "unknown")
        who = by.get("email") or by.get("id") if isinstance(by, dict) else by
        lead = annotation.get("lead_time")
        yield ImportedLabel(
            int(task["data"]["response"]), str(who), str(values["category"]["choices"][0]),
            tuple(map(str, values.get("abilities", {}).get("choices", ()))),
            str(next(iter(values.get("note", {}).get("text", ())), "")),
            str(annotation.get("created_at") or ""), None if lead is None else float(lead),
        )  # fmt: skip


def _from_record(number: int, record: Mapping[str, Any]) -> Iterable[ImportedLabel]:
    users = json.loads((record.get("metadata") or {}).get("annotators") or "{}")
    answers_by_user: dict[str, dict[str, Any]] = defaultdict(dict)
    for question, answers in record["responses"].items():
        for answer in answers:
            answers_by_user[str(answer["user_id"])][question] = answer["value"]
    for user, answers in answers_by_user.items():
        if "category" not in answers:
            raise ParameterError(
                f"record {number}: the responses of a user lack the category of the label"
            )
        person = users.get(user, {})
        yield ImportedLabel(
            int(record["id"]), str(person.get("name", user)), str(answers["category"]),
            tuple(map(str, answers.get("abilities") or ())), str(answers.get("note") or ""),
            str(person.get("created", "")),
        )  # fmt: skip
