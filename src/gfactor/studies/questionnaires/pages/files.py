"""Pictures of items for participants, style and scripts."""

from __future__ import annotations

import asyncio
from typing import Any

from gfactor.items import Image
from gfactor.studies.questionnaires.order.allocation import Step
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.replies import (
    context_of,
    expired,
    for_owners,
    for_participants,
    genuine,
    is_finished,
    look_again,
    person_of,
)
from gfactor.studies.questionnaires.pages.showing import plates_in
from gfactor.studies.questionnaires.pages.views import shown_images, turn_pictures, turns_of
from gfactor.studies.questionnaires.perception.presentation import (
    mask_png,
    mask_seed,
    stem_pictures,
)
from gfactor.studies.questionnaires.perception.sight_screening import drawn
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.storing.playbacks import read_facts
from gfactor.studies.questionnaires.study.recordings import Recording
from gfactor.studies.web import route
from gfactor.studies.web.assets import picture, static_route
from gfactor.studies.web.extras import need

_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "task.js": "text/javascript; charset=utf-8",
    "fetching.js": "text/javascript; charset=utf-8",
    "perception.js": "text/javascript; charset=utf-8",
    "recordings.js": "text/javascript; charset=utf-8",
    "monitor.js": "text/javascript; charset=utf-8",
}


def routes() -> list[Any]:
    return [
        route("/image/{folder:str}/{position:number}/{number:number}", image),
        route("/mask/{folder:str}/{position:number}/{number:number}", mask),
        route("/plate/{folder:str}/{position:number}/{number:number}", plate),
        route("/exposure", exposure, methods=["POST"]),
        route("/media/{folder:str}/{position:number}", media),
        route("/media/{folder:str}/{position:number}/captions", captions),
        route("/playback", playback, methods=["POST"]),
        route("/owner/image/{code:str}/{position:number}/{number:number}", owners_image),
        static_route("gfactor.studies.questionnaires", _STATIC),
    ]


@for_participants
async def image(request: Any) -> Any:
    """Return a picture of an answered question, of the current one, or of the next one, which is
    loaded ahead if it is not timed; in a conversation only of the current and the next turn."""
    person, number = person_of(request), request.path_params["number"]
    step = _reached(request)
    if step is None:
        return picture((), 0)
    context = context_of(request)
    item = context.item(step.item)
    if context.exposure(step) is None or number not in stem_pictures(item):
        return shown_picture(request, person)
    # A picture with a time is sent until it is started, and again with the results.
    position = request.path_params["position"]
    if not is_finished(context, person) and not (
        position == context.persons.progress(person).position
        and _may_be_sent(context, person, position, number)
    ):
        return picture((), 0)
    response = shown_picture(request, person)
    response.headers["cache-control"] = "no-store"
    return response


@for_participants
async def mask(request: Any) -> Any:
    """Return the mask that follows a picture of the question that is shown."""
    context, person = context_of(request), person_of(request)
    position, number = request.path_params["position"], request.path_params["number"]
    step = _reached(request)
    exposure = None if step is None else context.exposure(step)
    if step is None or exposure is None or not exposure.mask:
        return picture((), 0)
    item = context.item(step.item)
    if position != context.persons.progress(person).position or number not in stem_pictures(item):
        return picture((), 0)
    height, width = shown_images(item, step)[number].decode().shape[:2]
    seed = mask_seed(context.study.id, context.study.seed, step.item, number)
    drawn = mask_png(exposure.mask, width, height, seed)
    return picture((Image(drawn, "mask.png"),), 0)


@for_participants
async def plate(request: Any) -> Any:
    """Return a picture of a sight-screening page, while that page is shown."""
    context, person = context_of(request), person_of(request)
    position, number = request.path_params["position"], request.path_params["number"]
    theirs = f"/image/{request.path_params['folder']}/" == context.images(person)
    if not theirs or is_finished(context, person):
        return picture((), 0)
    progress = context.persons.progress(person)
    if position != progress.position or progress.outcome:
        return picture((), 0)
    plates = plates_in(context, person, person.form[position])
    if number >= len(plates):
        return picture((), 0)
    # Drawing takes some hundredths of a second; it runs in a thread, so that others need not wait.
    data = await asyncio.to_thread(drawn, plates[number])
    return picture((Image(data, "plate.png"),), 0)


@for_participants
async def exposure(request: Any) -> Any:
    """Start a question whose pictures are shown for a short time: 204 the first time, 409
    afterwards."""
    context, person = context_of(request), person_of(request)
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    person = look_again(request)  # The fields may have taken their time.
    progress = context.persons.progress(person)
    position = progress.position
    started = (
        not progress.outcome
        and fields.get("position") == str(position)
        and position < len(person.form)
        and context.exposure(person.form[position]) is not None
        and context.store.ended() is None
        and context.store.presentations.begin(person.code, position)
    )
    return need("starlette.responses").Response(status_code=204 if started else 409)


@for_participants
async def media(request: Any) -> Any:
    """Return the sound or film of the current page; one that may be played once, only until it has
    begun."""
    context, person = context_of(request), person_of(request)
    recording = _recording(request)
    if recording is None:
        return picture((), 0)
    position = request.path_params["position"]
    if recording.once and context.store.playbacks.begun(person.code, position):
        return picture((), 0)
    cached = "no-store" if recording.once else "private, max-age=3600"
    return _file(request, recording.name, recording.type, cached)


@for_participants
async def captions(request: Any) -> Any:
    """Return the captions of the recording of the current page."""
    recording = _recording(request)
    if recording is None or not recording.captions:
        return picture((), 0)
    return _file(request, recording.captions, "text/vtt; charset=utf-8", "private, max-age=3600")


@for_participants
async def playback(request: Any) -> Any:
    """Store that a participant begins the recording on the page, or that it has ended. The status
    is 204 if this is stored, and 409 if the recording may be played once and was begun before, or
    was not begun."""
    context, person = context_of(request), person_of(request)
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    person = look_again(request)  # The fields may have taken their time.
    position = context.persons.progress(person).position
    recording = _recording_at(context, person, position)
    noted = False
    if recording is not None and fields.get("position") == str(position):
        store, facts = context.store.playbacks, read_facts(fields.get("facts"))
        if fields.get("event") == "begin":
            noted = store.begin(person.code, position, facts, once=recording.once)
        elif fields.get("event") == "end":
            noted = store.end(person.code, position, facts)
    return need("starlette.responses").Response(status_code=204 if noted else 409)


def _recording(request: Any) -> Recording | None:
    """Return the recording of the page that the path names, while that page is shown; None before
    its clock runs, after its answer, and for anybody else."""
    context, person = context_of(request), person_of(request)
    if f"/image/{request.path_params['folder']}/" != context.images(person):
        return None
    return _recording_at(context, person, request.path_params["position"])


def _recording_at(context: StudyContext, person: Participant, position: int) -> Recording | None:
    progress = context.persons.progress(person)
    is_shown = (
        position == progress.position
        and position < len(person.form)
        and not progress.outcome
        and context.store.ended() is None
        and (progress.since is not None or context.store.pages.was_shown(person.code, position))
    )
    return context.recording(person.form[position]) if is_shown else None


def _file(request: Any, name: str, kind: str, cached: str) -> Any:
    """A file of the study's folder, or the part of it that a player asks for."""
    path = context_of(request).folder.path / name
    headers = {"cache-control": cached}
    return need("starlette.responses").FileResponse(path, media_type=kind, headers=headers)


@for_owners
async def owners_image(request: Any) -> Any:
    """Return a picture of a participant's question, for the owners' pages."""
    context = context_of(request)
    return shown_picture(request, context.store.by_code(request.path_params["code"]))


def _may_be_sent(context: StudyContext, person: Participant, position: int, number: int) -> bool:
    """Return True if a timed picture was not started yet; a question's first picture is counted."""
    presentations = context.store.presentations
    if number:
        return not presentations.begun(person.code, position)
    return presentations.sent(person.code, position)


def _reached(request: Any) -> Step | None:
    """The question of the picture in the path, if the participant may see it now; None if it
    belongs to another participant or has not come yet."""
    context, person = context_of(request), person_of(request)
    position = request.path_params["position"]
    progress = context.persons.progress(person)
    if f"/image/{request.path_params['folder']}/" != context.images(person):
        return None
    if position >= len(person.form) or not person.form[position].has_item:
        return None
    step = person.form[position]
    if position < progress.position:
        return step
    if progress.outcome or not _has_begun(context, person, position):
        return None
    item = context.item(step.item)
    turns = range(progress.turn, min(progress.turn + 2, turns_of(item)))
    if position > progress.position:
        turns = range(1) if position == progress.position + 1 else range(0)
    visible = any(request.path_params["number"] in turn_pictures(item, turn) for turn in turns)
    return step if visible else None


def _has_begun(context: StudyContext, person: Participant, position: int) -> bool:
    """Return True if a question that has not been answered may be seen: one with a clock only once
    it was shown, so that the clock runs.
    """
    progress = context.persons.progress(person)
    if not context.facts_of(person.form[position]).is_timed:
        return True
    if position != progress.position:
        return False
    return progress.since is not None or context.store.pages.was_shown(person.code, position)


def shown_picture(request: Any, person: Participant | None) -> Any:
    """Return the picture with a `position` in a participant's form and a `number`, both from the
    path; status 404 if there is none."""
    context, position = context_of(request), request.path_params["position"]
    if person is None or position >= len(person.form):
        return picture((), 0)
    step = person.form[position]
    if not step.has_item:
        return picture((), 0)
    return picture(shown_images(context.item(step.item), step), request.path_params["number"])
