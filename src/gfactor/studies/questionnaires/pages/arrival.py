"""Arrival of people: the person that their address names, and an earlier participation in the
browser."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.replies import aside
from gfactor.studies.questionnaires.pages.signatures import (
    KeysMissingError,
    SignatureError,
    SignedAddresses,
    domain_of,
)
from gfactor.studies.questionnaires.storing.participants import External
from gfactor.studies.questionnaires.study.folder import LINK, can_be_kept, is_placeholder
from gfactor.studies.web.extras import need
from gfactor.studies.web.headers import header
from gfactor.studies.web.sessions import hashed

SENT = "sent_by"
"""Purpose of the token with the person that the address names, from the consent to the start."""


class RefusedError(Exception):
    """An address by which a study cannot be begun: key of the sentence for the visitor, and HTTP
    status."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


def session_here(context: StudyContext, request: Any, external: External) -> str:
    """Return the token with which the person whom an address names has taken part in this browser;
    "" if they have not."""
    for token in (context.session(request), *context.other_sessions(request)):
        person = context.store.participant(hashed(token)) if token else None
        if person is not None and context.store.external_id(person.code) == external.id:
            return token
    return ""


async def sent_by(context: StudyContext, request: Any) -> str:
    """Return the person that the address names, as a token for a hidden field of the form; "" for
    none.

    Raises RefusedError for an id that cannot be stored unchanged, and if a required id or signature
    is missing or invalid.
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
    addresses = context.signed_addresses
    if addresses is not None:
        query = await _signed(context, request, addresses)
    elif context.study.ids == "signed":
        raise RefusedError("link_missing")
    if not name or name not in query:
        if context.study.ids != "optional":
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
    return context.secrets.token(SENT, [given[0], facts, addresses is not None])


async def _signed(context: StudyContext, request: Any, addresses: SignedAddresses) -> Any:
    """Return the parameters that the service has signed, in place of those of the address."""
    tokens = request.query_params.getlist(addresses.parameter)
    if not any(tokens):
        raise RefusedError("link_unsigned")
    if len(tokens) != 1:
        raise RefusedError("link_bad")
    domain = domain_of(context.address.host or header(request, b"host"))
    try:
        # Keys may have to be fetched; this runs in a thread, so that others need not wait.
        signed = await aside(addresses.parameters, tokens[0], domain)
    except SignatureError as error:
        raise RefusedError(str(error)) from error
    except KeysMissingError as error:
        raise RefusedError("link_unchecked", 503) from error
    return need("starlette.datastructures").QueryParams(signed)


def names_anybody(context: StudyContext, request: Any) -> bool:
    """Return True if the address identifies a person."""
    addresses = context.signed_addresses
    names = (LINK, context.study.external_id, addresses.parameter if addresses else "")
    return any(name and name in request.query_params for name in names)


def external_of(context: StudyContext, identity: Any) -> External | None:
    if identity is None:
        return None
    external_id, facts, signed = identity
    return context.folder.external(external_id, signed=signed, facts=[tuple(f) for f in facts])
