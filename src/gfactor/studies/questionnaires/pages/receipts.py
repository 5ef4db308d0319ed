"""Receipt codes, with which participants can request all data stored about them."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.views import shown_text
from gfactor.studies.questionnaires.perception.sight_screening import KINDS as SIGHT_KINDS
from gfactor.studies.questionnaires.results.labels import marks
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.study.languages import languages_of
from gfactor.studies.web import Secrets
from gfactor.studies.web.secrets import READABLE_SIGNS

_GROUPS, _LENGTH = 4, 5


def receipt_of(secrets: Secrets, code: str) -> str:
    """Return the receipt code of a participant: 20 characters (99 bits), derived from the pseudonym
    by the study's secrets, so that nobody can derive it from an export."""
    number = int.from_bytes(hashlib.sha256(secrets.sign("receipt", code).encode()).digest())
    signs = []
    for _ in range(_GROUPS * _LENGTH):
        number, rest = divmod(number, len(READABLE_SIGNS))
        signs.append(READABLE_SIGNS[rest])
    return "-".join("".join(signs[k : k + _LENGTH]) for k in range(0, len(signs), _LENGTH))


def participant_of(context: StudyContext, receipt: str) -> Participant | None:
    """Return the participant with a receipt code; case, spaces and dashes do not matter."""
    given = _plain(receipt).encode()
    code = ""
    for one in context.store.codes():  # all of them, so that the time reveals nothing
        if hmac.compare_digest(_plain(receipt_of(context.secrets, one)).encode(), given):
            code = one
    return context.store.by_code(code) if code else None


def consent_receipt(context: StudyContext, person: Participant) -> dict[str, Any]:
    """Return a participant's consent, with text and time, for the participant's own files."""
    row = context.store.rows("participants", person.code)[0]
    consents = context.store.rows("consents", person.code)
    digest = consents[0]["digest"] if consents else ""
    # If the language was drawn, the text may have been read in another language.
    candidates = [row["language"], *languages_of(context.folder.study)]
    read = (one for one in candidates if _digest(context.speaking(one).consent) == digest)
    return {
        "study": context.study.id,
        "title": context.study.title,
        "contact": context.study.contact,
        "receipt_code": receipt_of(context.secrets, person.code),
        "consent": {
            "given": row["started"],
            "language": next(read, row["language"]),
            "version": row["consent_version"],
            "text_sha256": digest,
            "text": context.store.consent_text(digest),
        },
    }


def person_data(context: StudyContext, person: Participant) -> dict[str, Any]:
    """Return all stored data of a participant, in the form that the participant saw.

    As long as right answers are not disclosed, the data neither name items nor reveal right
    answers: answers are in the labels shown, by the number of the question.
    """
    store, code, keys = context.store, person.code, context.keys_are_open()
    row = store.rows("participants", code)[0]
    data = consent_receipt(context, person)
    data["participant"] = {
        "code": code,
        "finished": row["finished"],
        "outcome": store.outcome(code),
        "languages_read": ";".join(one["known"] for one in store.rows("randomized", code)),
        **_condition(context, person),
    }
    data["recruiting"] = [
        {"id": one["external_id"], "since": one["since"], "facts": json.loads(one["facts"]),
         "deleted_after_days": context.study.retention_days}
        for one in store.rows("contacts", code)
    ]  # fmt: skip
    data["answers"] = [_answer(context, person, one, keys) for one in store.answers(code)]
    data["turns"] = [
        {**_without(one, "code", "position"), "question": one["position"] + 1}
        for one in store.rows("turns", code)
    ]
    data["pages"] = [_without(one, "code") for one in store.pages.of(code)]
    data["pictures"] = [
        {"question": one["position"] + 1, "sent": one["sent"], "begun": one["begun"],
         "measured": json.loads(one["measured"] or "{}")}
        for one in store.rows("presentations", code)
    ]  # fmt: skip
    data["recordings"] = [
        {**_without(one, "code", "position", "measured"), "question": one["position"] + 1,
         "measured": json.loads(one["measured"])}
        for one in store.rows("playbacks", code)
    ]  # fmt: skip
    # A sum that grows with right answers would reveal the keys.
    hidden = ("code", "number") if keys else ("code", "number", "cents")
    data["payments"] = [_without(one, *hidden) for one in store.rows("payments", code)]
    data["transfers"] = [_without(one, *hidden, "before") for one in store.rows("transfers", code)]
    data["appeals"] = [_without(one, "code") for one in store.rows("appeals", code)]
    data["challenges"] = [_challenge(person, one, keys) for one in store.rows("challenges", code)]
    data["marks"] = _marks(context, code)
    return data


def _condition(context: StudyContext, person: Participant) -> dict[str, str]:
    return context.plan.facts(person.number) if context.study.pages is not None else {}


def _answer(
    context: StudyContext, person: Participant, row: dict[str, Any], keys: bool
) -> dict[str, Any]:
    step = person.form[row["position"]]
    content: Any = row["text"]
    if step.kind == "page":
        content = json.loads(row["text"]) if row["text"] else {}
        if context.page(step).kind in SIGHT_KINDS and not keys:
            content = {
                "plates": [{k: one[k] for k in ("plate", "answer")} for one in content["plates"]]
            }
    elif step.has_item:
        content = shown_text(row["text"], context.item(step.item), step)
    names = ("seconds", "server_seconds", "away_count", "away_seconds", "resized", "late")
    scores = {"item": row["item"], "right": row["right"], "earned": row["earned"]} if keys else {}
    return {
        "question": row["position"] + 1,
        "kind": row["kind"],
        "answer": content,
        **{name: row[name] for name in names},
        "stored": row["created"],
        **scores,
    }


def _challenge(person: Participant, row: dict[str, Any], keys: bool) -> dict[str, Any]:
    numbers = [k for k, step in enumerate(person.form, 1) if step.item == row["item"]]
    decision = {"verdict": row["verdict"], "reply": row["reply"]} if keys else {}
    return {"question": numbers[0], "reason": row["reason"], "stored": row["created"], **decision}


def _marks(context: StudyContext, code: str) -> dict[str, Any]:
    """Return the marks of the submission by the study's rules."""
    answers, people = context.store.frame("answers"), context.store.frame("participants")
    answers = answers.loc[answers["code"] == code]
    marked = marks(answers, people.loc[people["code"] == code], context.study.rules)
    return json.loads(str(marked.drop(columns="code").to_json(orient="records")))[0]


def _without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(receipt: str) -> str:
    return "".join(c for c in receipt.lower() if c.isalnum())
