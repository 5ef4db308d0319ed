"""Arrival of people: whom their address names, and whether they have taken part here."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.context import StudyContext
from gfactor.studies.questionnaires.folder import LINK, can_be_kept, is_placeholder
from gfactor.studies.questionnaires.participants import External
from gfactor.studies.web.sessions import hashed

SENT = "sent_by"
"""Purpose of the token that carries whom the address names from the consent to the start."""


class RefusedError(Exception):
    """An address whose id cannot be kept; the key of the sentence that says so."""


def session_here(context: StudyContext, request: Any, external: External) -> str:
    """The token by which somebody whom an address names has taken part in this browser; "" where
    they have not."""
    for token in (context.session(request), *context.other_sessions(request)):
        person = context.store.participant(hashed(token)) if token else None
        if person is not None and context.store.external_id(person.code) == external.id:
            return token
    return ""


def sent_by(context: StudyContext, request: Any) -> str:
    """Return the person that the address names, as a token that the form carries; "" for none.

    Raises RefusedError for an id that cannot be kept as it is, and where one is missing.
    """
    query, name = request.query_params, context.study.external_id
    again = query.get("sent", "")
    if again and context.secrets.value_of(SENT, again) is not None:
        return again
    if LINK in query:
        signed = context.secrets.value_of("participant", query[LINK])
        if not isinstance(signed, str):
            raise RefusedError("link_bad")
        return context.secrets.token(SENT, [signed, [], True])
    if context.study.ids == "signed":
        raise RefusedError("link_missing")
    if not name or name not in query:
        if context.study.ids == "required":
            raise RefusedError("id_missing")
        return ""
    given = query.getlist(name)
    facts = [[n, query[n]] for n in context.study.external_facts if n in query]
    if any(map(is_placeholder, (*given, *(value for _, value in facts)))):
        raise RefusedError("id_placeholder")
    if len(given) != 1 or not can_be_kept(given[0]):
        raise RefusedError("id_bad")
    if not all(can_be_kept(value) for _, value in facts):
        raise RefusedError("id_bad")
    return context.secrets.token(SENT, [given[0], facts, False])


def names_anybody(context: StudyContext, request: Any) -> bool:
    """Return True if the address says who comes."""
    query = request.query_params
    return LINK in query or (bool(context.study.external_id) and context.study.external_id in query)


def external_of(context: StudyContext, identity: Any) -> External | None:
    if identity is None:
        return None
    external_id, facts, signed = identity
    return context.folder.external(external_id, signed=signed, facts=[tuple(f) for f in facts])
