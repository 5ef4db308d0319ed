"""Context of a study's pages, and the participant of a request."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from secrets import token_hex
from typing import Any, Literal

from gfactor.administration.presenting.options import option_order
from gfactor.benchmarks.for_people import content_for_people
from gfactor.items import Item
from gfactor.items.formats import CHOSEN
from gfactor.studies.answers.fields import list_fields_of
from gfactor.studies.questionnaires.order.allocation import CHECK_OPTIONS, Step
from gfactor.studies.questionnaires.order.sequencing import FormPlan
from gfactor.studies.questionnaires.pages.marking import Marked, mark
from gfactor.studies.questionnaires.pages.prepared import Prepared
from gfactor.studies.questionnaires.pages.signatures import SignedAddresses
from gfactor.studies.questionnaires.pages.views import (
    View,
    check_view,
    item_view,
    kind_of_options,
    reordered,
    turn_pictures,
    turns_of,
)
from gfactor.studies.questionnaires.perception.pages import scripts_of
from gfactor.studies.questionnaires.perception.presentation import Exposure, exposure_of
from gfactor.studies.questionnaires.results.rulings import Rulings
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.storing.persons import SessionPersons
from gfactor.studies.questionnaires.storing.quotas import has_room, is_limited
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.folder import BOT_HEADER, StudyFolder
from gfactor.studies.questionnaires.study.languages import languages_of
from gfactor.studies.questionnaires.study.page_definitions import Page, text_in
from gfactor.studies.questionnaires.study.recordings import (
    Recording,
    check_recordings,
    recording_of,
)
from gfactor.studies.questionnaires.translations import Words, words
from gfactor.studies.web import (
    Address,
    DatabaseBusyError,
    Logins,
    Pages,
    RateLimit,
    Secrets,
    csrf_token,
    session_of,
    with_session,
)
from gfactor.studies.web.bounded import MOST_KEPT, Bounded
from gfactor.studies.web.headers import header
from gfactor.studies.web.markup import direction, to_html
from gfactor.studies.web.sessions import hashed

COOKIE = "gfactor_study"
OTHERS = "gfactor_study_others"
"""The cookie with the sessions of other participants at the same browser, with "." between."""

MOST_OTHERS = 4
"""Number of earlier participants whose sessions a browser keeps besides the current one."""

REQUESTS_PER_SECOND, REQUESTS = 20.0, 200
"""Limits of one session: far more than a person's requests, but they stop a runaway script."""

STARTS_PER_SECOND, STARTS = 5.0, 500
"""Limits of one address: a whole class may start at once behind one address."""


RECEIPTS_PER_SECOND, RECEIPTS = 0.1, 20
"""Number of receipt codes that one address may try."""


PAGES = (
    "base", "consent", "instructions", "instructions_list", "task", "question", "once", "stimulus",
    "page", "page_questions", "results", "result", "done", "way_back",
)  # fmt: skip
"""Templates of the pages of a participation."""


@lru_cache(maxsize=MOST_KEPT)
def _images(secrets: Secrets, code: str) -> str:
    return f"/image/{secrets.sign('pictures', code)[:22]}/"


_BOT = BOT_HEADER.encode()
_SESSION, _HASHED = "gfactor.session", "gfactor.session.hashed"


@dataclass(frozen=True)
class StepFacts:
    """Facts about a step that are the same for all participants.

    Parameters
    ----------
    content_hash, labels: hash of the item, and labels of its options.
    options: kind of its options; "both" if some have a text and others do not.
    turns: number of turns of a conversation; 1 for others.
    pictures: pictures that are shown first.
    limit_s: seconds to answer; 0 for any time.
    exposure: timing of its pictures; None if they stay.
    """

    content_hash: str
    labels: tuple[str, ...]
    options: Literal["texts", "pictures", "both"]
    turns: int
    pictures: range
    limit_s: float
    exposure: Exposure | None

    @property
    def is_timed(self) -> bool:
        """Return True if answering is timed, so that nothing of the question is sent ahead."""
        return bool(self.limit_s) or self.exposure is not None

    def order(self, step: Step) -> tuple[int, ...]:
        """Return, for each position, the number of the choice that a participant with this step
        sees there."""
        pinned = step.pinned_positions(self.labels)
        return option_order(self.content_hash, len(self.labels), step.options_seed, pinned)

    def orders(self, step: Step) -> tuple[Sequence[int], Sequence[int]]:
        """Return the order of options for which a question has to be rendered separately, and the
        order of options whose texts are filled in; one of them is empty.
        """
        if self.options == "pictures":  # named by their places
            return (), ()
        if step.kind == "check":
            return (), range(len(self.labels))
        order = self.order(step)
        return ((), order) if self.options == "texts" else (order, range(len(order)))


@dataclass(frozen=True)
class StudyContext:
    """A study being served.

    `address` is the address for browsers. `simulated` is True if all visitors are bots of `study
    simulate`, whose clocks are trusted. `language` is that of the participant ("" for the study's
    own), and `others` are the contexts of other languages.
    """

    folder: StudyFolder
    store: Store
    address: Address = field(default_factory=Address)
    simulated: bool = False
    visits: list[int] = field(default_factory=lambda: [0])
    views: dict[Any, View] = field(default_factory=Bounded)
    marks: dict[tuple[str, str, int | None], Marked] = field(default_factory=Bounded)
    steps: dict[tuple[str, str, int | None], StepFacts] = field(default_factory=Bounded)
    requests: RateLimit = field(
        default_factory=lambda: RateLimit(REQUESTS_PER_SECOND, REQUESTS, pseudonyms=True)
    )
    starts: RateLimit = field(default_factory=lambda: RateLimit(STARTS_PER_SECOND, STARTS))
    receipts: RateLimit = field(default_factory=lambda: RateLimit(RECEIPTS_PER_SECOND, RECEIPTS))
    language: str = ""
    others: dict[str, StudyContext] = field(default_factory=dict)

    @cached_property
    def study(self) -> Study:
        study = self.folder.study
        language = self.language or study.language
        if language == study.language and isinstance(study.title, str):
            return study
        return replace(study, language=language, title=study.title_in(language))

    def speaking(self, language: str) -> StudyContext:
        """Return the context in a language of the study, or in the study's own if it does not have
        the language."""
        if language == self.folder.study.language or language not in languages_of(self.study):
            return self
        if language not in self.others:
            other = replace(self, language=language)
            other.__dict__["persons"] = self.persons  # All languages share it.
            other.__dict__["signed_addresses"] = self.signed_addresses
            self.others[language] = other
        return self.others[language]

    @cached_property
    def plan(self) -> FormPlan:
        return self.folder.plans[self.study.language]

    @cached_property
    def secrets(self) -> Secrets:
        return self.folder.secrets

    @cached_property
    def signed_addresses(self) -> SignedAddresses | None:
        """Return the addresses that the service signs; None if the study asks for no signature.

        Raises ParameterError if the file of keys that it names holds none.
        """
        return SignedAddresses.of(self.study, self.folder.path)

    @cached_property
    def owners(self) -> Logins:
        return Logins("gfactor_owner", "/owner/login", self.secrets)

    @cached_property
    def words(self) -> Words:
        return words(self.study.language)

    @cached_property
    def pages(self) -> Pages:
        pages = Pages(
            "gfactor.studies.questionnaires",
            say=self.words,
            study=self.study,
            language=self.lang,
            dir=direction(self.lang),
            base=self.address.prefix,
            pilot=self.folder.pilot,
        )
        # The question is the same for everybody, and its fields for many, so they are made once.

        # The path of its pictures differs between participants and is filled in.
        anywhere = f"/{token_hex(16)}"

        def fresh(part: str, view: View | None, typed: Mapping[str, Any]) -> str:
            return pages.text("once.html.j2", part=part, view=view, typed=typed, images=anywhere)

        @lru_cache(maxsize=MOST_KEPT)
        def rendered(part: str, view: View | None) -> str:
            return fresh(part, view, {})

        stems: dict[Any, str] = Bounded()

        def answer(view: View, typed: Mapping[str, Any], images: str) -> Any:
            html = fresh("answer", view, typed) if typed else rendered("answer", view)
            return pages.safe(html.replace(anywhere, images))

        def stem(view: View, images: str, part: str = "stem") -> Any:
            key = part, view.parts, view.language, view.dir
            if key not in stems:
                stems[key] = fresh(part, view, {})
            return pages.safe(stems[key].replace(anywhere, images))

        pages.know(stem=stem, answer=answer, sayings=pages.safe(rendered("sayings", None)))
        pages.know(scripts=scripts_of(self.study.pages or ()))
        return pages

    @cached_property
    def prepared(self) -> Prepared:
        """The prepared questions, cached as they are sent."""
        return Prepared(self.pages)

    def facts_of(self, step: Step) -> StepFacts:
        """Return the facts that asking a step needs."""
        key = step.kind, step.item, step.page
        facts = self.steps.get(key)
        if facts is None:
            facts = self.steps[key] = self._facts_of(step)
        return facts

    def _facts_of(self, step: Step) -> StepFacts:
        limit_s = self.plan.time_limit_s(step)
        if not step.has_item:
            return StepFacts("", CHECK_OPTIONS, "texts", 1, range(0), limit_s, None)
        item = self.item(step.item)
        labels = tuple(choice.label for choice in item.choices)
        hashed, pictures = item.provenance.content_hash, turn_pictures(item, 0)
        return StepFacts(
            hashed, labels, kind_of_options(item), turns_of(item), pictures, limit_s,
            self.exposure(step),
        )  # fmt: skip

    def marked(self, item_id: str, text: str, position: int | None) -> Marked:
        """Return the score of an answer; scores of choices, of which there are few, are cached."""
        key = item_id, text, position
        marked = self.marks.get(key)
        if marked is None:
            item = self.item(item_id)
            marked = mark(item, text, position)
            if item.answer_type in CHOSEN:
                self.marks[key] = marked
        return marked

    @property
    def lang(self) -> str:
        """The interface's language as a BCP 47 tag, with the script if fonts depend on it."""
        return "zh-Hans" if self.study.language == "zh" else self.study.language

    def images(self, person: Participant) -> str:
        """Return the path of a participant's pictures, which differs between participations because
        browsers cache pictures by path."""
        return _images(self.secrets, person.code)

    def is_bot(self, request: Any) -> bool:
        """Return True if a request comes from `study simulate`, which has the study's secrets. Only
        bots get the id of the item on a page.
        """
        token = header(request, _BOT)
        return bool(token) and self.secrets.value_of("bot", token) == self.study.id

    @cached_property
    def item(self) -> Callable[[str], Item]:
        """Return the item with an id; the last ones used stay in memory."""
        bank = self.folder.bank

        @lru_cache(maxsize=512)
        def item(item_id: str) -> Item:
            return bank.item(item_id)

        return item

    @cached_property
    def list_fields(self) -> int:
        """Return the number of fields of a list or a set."""
        return list_fields_of(self.folder.bank)

    def view(self, step: Step, *, key: bool = False, turn: int | None = None) -> View:
        """Return the view of a question for a participant with this step, with the right answer if
        `key` is True; for a conversation all turns, or the one with this number."""
        seen: Any = self.study.language, "", step.item
        order: tuple[int, ...] = ()
        if step.kind != "check":
            facts = self.facts_of(step)
            turn, order = turn if facts.turns > 1 else None, facts.order(step)
            seen = step.item, order, turn
        if not key and (cached := self.views.get(seen)) is not None:
            return cached
        if step.kind == "check":
            view = check_view(step, self.words)
        elif key or (plain := reordered(self.plain_view(step, turn), order)) is None:
            view = item_view(self.item(step.item), step, self.list_fields, key, turn)
        else:
            view = plain
        if not key:
            self.views[seen] = view
        return view

    def plain_view(self, step: Step, turn: int | None = None) -> View:
        """Return the view of a question with its options in their own order."""
        seen = step.item, turn if self.facts_of(step).turns > 1 else None
        if seen not in self.views:
            plain = Step("item", step.item)
            view = item_view(self.item(step.item), plain, self.list_fields, turn=turn)
            self.views[seen] = view
        return self.views[seen]

    def warm_up(self) -> None:
        """Mark an answer of each type, read its question, and compile the pages that everybody
        sees, so that the first participant does not wait for this.

        Raises ParameterError if the study asks for signatures and its file of keys holds none, or
        if a recording is missing or another one.
        """
        _ = self.signed_addresses
        check_recordings(self.study.pages or (), self.study.media or {}, self.folder.path)
        bank = self.folder.bank
        for item_id in dict(zip(bank.column("answer_type"), bank.ids, strict=True)).values():
            self.marked(item_id, "A", None)
            for part in content_for_people(self.item(item_id)):
                _ = to_html(part) if isinstance(part, str) else part
        to_html(self.consent)
        self.pages.compile(f"{name}.html.j2" for name in PAGES)

    def text_of(self, kind: str) -> str:
        """Return the text of the page of a kind (consent, debriefing); "" if there is none."""
        pages = [page for page in self.study.pages or () if page.kind == kind]
        return text_in(pages[0].text, self.study.language) if pages else ""

    @property
    def consent(self) -> str:
        """Return the consent text: the study's own, or the interface's."""
        days = self.study.retention_days
        written = self.text_of("consent") or self.study.consent
        return written or self.words("consent_text", days=days)

    def page(self, step: Step) -> Page:
        """Return the page of a step, in a study with pages."""
        assert self.study.pages is not None
        assert step.page is not None
        return self.study.pages[step.page]

    def exposure(self, step: Step) -> Exposure | None:
        """Return the timing of a question's pictures; None if they stay."""
        return exposure_of(self.page(step)) if step.has_item and step.page is not None else None

    def recording(self, step: Step) -> Recording | None:
        """Return the sound or film of a page; None if it has none."""
        if step.kind != "page" or step.page is None:
            return None
        return recording_of(self.page(step), self.study.language, self.study.media or ())

    def rulings(self) -> Rulings:
        """Return the owner's decisions on keys so far."""
        return Rulings(self.store.rulings(), self.item)

    def keeps_place(self, person: Participant) -> bool:
        """Return True if a participant may continue, because the place in the quotas has not
        expired or one is free again. Otherwise the participation has ended.
        """
        progress = self.persons.progress(person)
        if not is_limited(self.study) or time.time() - progress.seen <= self.study.place_s:
            return True
        if has_room(self.folder.study, self.store, person):
            self.store.take_place(person.code)
            progress.seen = time.time()
            return True
        self.store.leave(person.code, "quota_full")
        progress.outcome = "quota_full"
        return False

    def keys_are_open(self) -> bool:
        """Return True if participants may see right answers, if the study declares this and nobody
        can answer any more.
        """
        return self.study.disclose == "closed" and self.store.ended() is not None

    def visited(self) -> None:
        """Count a visit; if the database is busy, it is counted with the next one."""
        self.visits[0] += 1
        try:
            self.store.count("visits", self.visits[0])
        except DatabaseBusyError:
            return
        self.visits[0] = 0

    @cached_property
    def persons(self) -> SessionPersons:
        return SessionPersons(self.store, lambda step: self.facts_of(step).turns)

    def session(self, request: Any) -> str:
        """Return the token of a request's session, read once; "" without a session."""
        token = request.scope.get(_SESSION)
        if token is None:
            token = request.scope[_SESSION] = session_of(request, COOKIE)
        return token

    def participant(self, request: Any, *, remembered: bool = False) -> Participant | None:
        """Return the participant who sends a request; None before consent and after withdrawal.

        See `SessionPersons.of`.
        """
        session = self.session_hash(request)
        return self.persons.of(session, remembered=remembered) if session else None

    def other_sessions(self, request: Any) -> list[str]:
        """Return the tokens of other people who have taken part in this browser, the latest
        first."""
        tokens = session_of(request, OTHERS)
        return [token for token in tokens.split(".") if token][:MOST_OTHERS]

    def with_participant(self, request: Any, response: Any, token: str) -> Any:
        """Return the response with the participant's session cookie. Earlier participants of the
        browser are kept in it, so that their own addresses open their participations again."""
        current = [self.session(request)] if self.participant(request) is not None else []
        others = [one for one in (*current, *self.other_sessions(request)) if one != token]
        if others:
            with_session(response, OTHERS, ".".join(others[:MOST_OTHERS]), self.address)
        return with_session(response, COOKIE, token, self.address)

    def session_hash(self, request: Any) -> str:
        """Return the stored hash of a request's session; "" without a session."""
        scope = request.scope
        if _HASHED not in scope:
            token = self.session(request)
            scope[_HASHED] = hashed(token) if token else ""
        return scope[_HASHED]

    def form_token(self, request: Any) -> str:
        return csrf_token(self.secrets, self.session(request))
