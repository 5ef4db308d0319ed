"""Drafts as tasks of Label Studio, with all their annotations, and back."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import Image
from gfactor.items.files import check_writable, replacing
from gfactor.studies.annotation.checking import problems, tidied
from gfactor.studies.annotation.draft import AnnotationDraft, draft_of
from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.records import History, asked_of
from gfactor.studies.annotation.store import HistoryEntry
from gfactor.studies.web.assets import kind_of

LABEL_STUDIO = """<View>
  <Text name="general" value="$question"/>
  <Text name="options" value="$options"/>
  <Text name="key" value="$key"/>
  <Text name="format" value="$format"/>
  <Repeater on="$images" indexFlag="{{idx}}">
    <Image name="image-{{idx}}" value="$images[{{idx}}]"/>
  </Repeater>
  <TextArea name="draft" toName="general" value="$draft" maxSubmissions="1" editable="true"/>
  <Rating name="difficulty" toName="general" maxRating="5"/>
  <Rating name="quality" toName="general" maxRating="5"/>
  <TextArea name="dropped" toName="general" maxSubmissions="1" placeholder="Drop it, because"/>
</View>
"""
"""The labeling interface to set in Label Studio before its import."""


def to_label_studio(project: Project, path: Path) -> int:
    """Write the items as tasks of Label Studio, with their images and every draft; return the
    number of tasks.

    Every task holds the draft as JSON, which Label Studio's annotators edit as text; set
    `LABEL_STUDIO` as the labeling interface, which is also written as PATH.xml.
    """
    check_writable(path)
    store = project.store()
    try:
        seconds, drafts = store.spent(), defaultdict(list)
        for entry in store.history():
            if entry.kind == "draft":
                drafts[entry.item].append(entry)
    finally:
        store.close()
    tasks = [
        {
            "data": {
                "item": item.id,
                **asked_of(item),
                "draft": draft_of(item).to_json(),
                "images": [_uri(image) for image in item.images],
            },
            "annotations": [_annotation(entry, seconds) for entry in drafts[item.id]],
        }
        for item in project.bank
    ]
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(tasks, ensure_ascii=False, indent=1), "utf-8")
    path.with_suffix(".xml").write_text(LABEL_STUDIO, "utf-8")
    return len(tasks)


def from_label_studio(project: Project, path: Path) -> int:
    """Add annotations of a JSON export of Label Studio to the history; return how many are new.

    Each becomes a draft by the annotator of that name, or by `label-studio:NAME` if there is none.
    A draft that is in the history already is not added again. Raises ParameterError, with the task,
    if a task belongs to no item of the project or its draft cannot be used; nothing is added then.
    """
    try:
        tasks = json.loads(path.read_text("utf-8"))
        annotations = [_annotations(project, k, task) for k, task in enumerate(tasks, 1)]
    except (
        OSError,
        ValueError,
        TypeError,
        AttributeError,
        KeyError,
        RecursionError,
    ) as error:
        raise ParameterError(
            f"{str(path)!r} is not a JSON export of Label Studio: {error}"
        ) from error
    store = project.store()
    try:
        history = History.of(store, "draft", "label-studio")
        new = [
            (history.name(who), item, draft.to_json(), created, seconds)
            for item, who, draft, created, seconds in (one for task in annotations for one in task)
        ]
        new = [row for row in new if history.takes(row[1], row[0], row[2], row[3])]
        for who, item, content, created, seconds in new:
            store.add(item, who, "draft", content, seconds=seconds, created=created)
    finally:
        store.close()
    return len(new)


def _annotation(entry: HistoryEntry, seconds: Mapping[int, float]) -> dict[str, Any]:
    """A draft as an annotation, which includes difficulty, quality and the other fields."""
    value = {"text": [entry.content]}
    return {
        "completed_by": {"email": entry.annotator}, "created_at": entry.created,
        "lead_time": seconds.get(entry.id), "was_cancelled": False, "ground_truth": False,
        "result": [{"from_name": "draft", "to_name": "general", "type": "textarea",
                    "value": value}],
    }  # fmt: skip


def _annotations(project: Project, number: int, task: Mapping[str, Any]) -> list[Any]:
    item_id = task["data"]["item"]
    if item_id not in project.bank:
        raise ParameterError(f"task {number}: there is no item {item_id!r} in the project")
    item = project.bank.item(item_id)
    out = []
    for annotation in task.get("annotations", []):
        if annotation.get("was_cancelled"):
            continue
        values = {r["from_name"]: r["value"] for r in annotation.get("result", [])}
        texts = values.get("draft", {}).get("text") or [task["data"]["draft"]]
        draft = AnnotationDraft.from_json(texts[0])
        for name in ("difficulty", "quality"):
            if "rating" in values.get(name, {}):
                draft = replace(draft, **{name: int(values[name]["rating"])})
        if values.get("dropped", {}).get("text"):
            draft = replace(draft, dropped=str(values["dropped"]["text"][0]))
        draft = tidied(draft, item)
        if wrong := problems(draft, item):
            raise ParameterError(f"task {number}, item {item_id!r}: {wrong[0].sentence}")
        who = annotation.get("completed_by", "unknown")
        name = who.get("email", who.get("id")) if isinstance(who, dict) else who
        lead = annotation.get("lead_time")
        seconds = None if lead is None else float(lead)
        created = str(annotation.get("created_at") or "")
        out.append((item_id, str(name), draft, created, seconds))
    return out


def _uri(image: Image) -> str:
    kind = kind_of(image.data) or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(image.data).decode()}"
