"""Services that send participants: parameters of their addresses, ways back, and payment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from gfactor.errors import ParameterError
from gfactor.registry import Registry

if TYPE_CHECKING:
    from gfactor.studies.questionnaires.paying.payment_api import PaymentApi
    from gfactor.studies.questionnaires.study.definition import Study

OUTCOMES = ("screened_out", "quota_full", "failed_checks")
"""Outcomes of a participation that is not completed."""


@dataclass(frozen=True)
class Due:
    """Payment of a person: the service's `id` of the person, the other `facts` of the person's
    address, and the `amount` with two decimals ("" if the file has none); for a person who is not
    paid, the `reasons` (of `settings.EXCLUSIONS`) and the `message`.
    """

    id: str
    facts: Mapping[str, str]
    amount: str = ""
    reasons: tuple[str, ...] = ()
    message: str = ""


@dataclass(frozen=True)
class PaymentFile:
    """A file that a service reads, a row per participant.

    Parameters
    ----------
    columns: its first row; empty if it has none.
    row: the cells of one participant.
    amount: amount that is paid with it: the "bonus" (right answers), the "total" (base and bonus),
        or "none" (a list of those whose work is accepted).
    rejects: True if its rows are people whom the study's rule does not pay, instead of those whom
    it pays.
    """

    columns: tuple[str, ...]
    row: Callable[[Due], Sequence[str]]
    amount: Literal["bonus", "total", "none"] = "bonus"
    rejects: bool = False


@dataclass(frozen=True)
class Online:
    """Payment through the API of a service.

    Parameters
    ----------
    connect: function that returns the API; it raises ServiceError if no key is set.
    submission, study: facts of a participant's address with the service's ids of the participation
        and of the study.
    """

    connect: Callable[[], PaymentApi]
    submission: str
    study: str


@dataclass(frozen=True)
class Handover:
    """End of a participation by a form that is posted to the service.

    Parameters
    ----------
    base: fact of a participant's address with the origin to post to, which must be one of
    `origins`.
    path: path of the form below it.
    field: fact that the form has to hold.
    origins: origins of the service.
    frames: origins whose pages show the study's address in a frame.
    """

    base: str
    path: str
    field: str
    origins: tuple[str, ...]
    frames: tuple[str, ...]


@dataclass(frozen=True)
class Signing:
    """Signature of participants' addresses: a JSON Web Token (RFC 7519) with RS256.

    Parameters
    ----------
    parameter: URL parameter that holds the token.
    keys: function that returns the address of the service's public keys, a JSON Web Key Set.
    claim: claim of the token with the parameters of the address, which replace the address's own
    parameters.
    study: parameter with the service's id of the study.
    """

    parameter: str
    keys: Callable[[], str]
    claim: str
    study: str


@dataclass(frozen=True)
class Service:
    """A recruiting service, described by its documentation.

    Parameters
    ----------
    title: its name.
    id: the URL parameter with its id of the participant.
    facts: further parameters, which are kept beside the id.
    query: text to append to the study's address in the service's settings.
    files: files that it reads to accept and pay, by kind; the first is the usual one.
    back: the address at which it takes a code, with {code}; "" if people type the code.
    placeholder: sign for the participant's id in the addresses that it gives out.
    preview: a parameter, and its value in a preview of the task.
    online: payment through its API; None if it is paid by files alone.
    handover: end of a participation by a form that is posted to it; None for none.
    signing: signature of its addresses; None if it signs none.
    """

    title: str
    id: str
    facts: tuple[str, ...]
    query: str
    files: Mapping[str, PaymentFile] = field(default_factory=dict)
    back: str = ""
    placeholder: str = ""
    preview: tuple[str, str] = ("", "")
    online: Online | None = None
    handover: Handover | None = None
    signing: Signing | None = None

    def is_preview(self, query: Mapping[str, str]) -> bool:
        """Return True if an address is that of a preview of the task."""
        name, value = self.preview
        return bool(name) and query.get(name) == value

    def file(self, kind: str | None) -> tuple[str, PaymentFile]:
        """Return the payment file of a kind, by default the usual one, with its kind.

        Raises ParameterError if the service has none of this kind.
        """
        chosen = next(iter(self.files)) if kind is None else kind
        if chosen not in self.files:
            raise ParameterError(
                f"{self.title} reads no file of the kind {kind!r}; its kinds are "
                f"{', '.join(self.files)}"
            )
        return chosen, self.files[chosen]


SERVICES: Registry[Service] = Registry(
    "recruiting service", "gfactor.studies.questionnaires.services", "gfactor.services"
)
"""Recruiting services by name, one file each in `services`."""


@dataclass(frozen=True)
class WayBack:
    """Way back of a participant to the service: by a code, by an address, or by a form with these
    `fields` that is posted to an address; "" for none.
    """

    code: str = ""
    url: str = ""
    form: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """Origin to which the form is posted, "" without one."""
        return "/".join(self.form.split("/")[:3])


def way_back(
    study: Study, outcome: str, external_id: str = "", facts: Mapping[str, str] | None = None
) -> WayBack:
    """Return the way back of a participant.

    Parameters
    ----------
    study: study with `completion_code`, `completion_url` and `codes`.
    outcome: one of `OUTCOMES`, "" for completed. If the study has no code for people who failed the
    checks, they go the way of those who completed.
    external_id: the service's id of the participant, which stands for {id} in an address.
    facts: further facts of their address; each stands for its name in braces.
    """
    service = SERVICES[study.service] if study.service else None
    given = (study.codes or {}).get(outcome, "")
    code, url = ("", given) if given.startswith("https://") else (given, "")
    if not outcome or (outcome == "failed_checks" and not given):
        code, url = study.completion_code, study.completion_url
    if code and not url and service is not None:
        url = service.back.replace("{code}", quote(code, safe=""))
    if service is not None and service.handover is not None and not url:
        return _handed_over(service.handover, code, outcome, facts or {})
    values = {f"{{{name}}}": value for name, value in (facts or {}).items()}
    values["{id}"] = external_id
    if service is not None and service.placeholder:
        values[service.placeholder] = external_id
    for mark, value in values.items():
        url = url.replace(mark, quote(value, safe=""))
    return WayBack(code, url)


def _handed_over(handover: Handover, code: str, outcome: str, facts: Mapping[str, str]) -> WayBack:
    """Return the way back by a form, or by the code alone if the address has no origin, or for
    people who did not complete and have no code."""
    base, task = facts.get(handover.base, "").rstrip("/"), facts.get(handover.field, "")
    ends = not outcome or outcome == "failed_checks" or code
    if base not in handover.origins or not task or not ends:
        return WayBack(code)
    fields = {handover.field: task, "code": code or "completed"}
    return WayBack(code, form=f"{base}{handover.path}", fields=fields)


def check_signature(study: Study) -> None:
    """Raise ParameterError if a study asks for signatures that its service does not give."""
    if study.signature is None:
        return
    if study.service is None or SERVICES[study.service].signing is None:
        signing = ", ".join(name for name, one in SERVICES.items() if one.signing is not None)
        raise ParameterError(
            f"[signature] is for addresses that the service signs, but {study.service!r} signs "
            f"none; set service to one of these: {signing}"
        )
    if not study.external_id:
        raise ParameterError("[signature] needs external_id, the parameter with the signed id")
    if study.ids != "signed":
        raise ParameterError(
            f'[signature] asks for signed addresses, but ids is {study.ids!r}; set ids = "signed"'
        )


def check_codes(study: Study) -> None:
    """Raise ParameterError if a code of a study belongs to no possible outcome."""
    for outcome, code in (study.codes or {}).items():
        if outcome not in OUTCOMES:
            raise ParameterError(
                f"codes of a study has {outcome!r}; it has {', '.join(OUTCOMES)} (completed is "
                "completion_code or completion_url)"
            )
        if not isinstance(code, str) or not code.strip() or code.startswith("http:"):
            raise ParameterError(
                f"codes.{outcome} of a study is {code!r}; give a code, or an address that starts "
                "with https://"
            )
