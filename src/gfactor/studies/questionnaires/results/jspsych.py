"""A study as a static jsPsych experiment, for laboratories that run their own servers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import Item
from gfactor.studies.answers.fields import list_fields_of
from gfactor.studies.questionnaires.order.allocation import Step
from gfactor.studies.questionnaires.pages.question_pages import question_views
from gfactor.studies.questionnaires.pages.views import View, check_view, item_view, shown_images
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.folder import StudyFolder
from gfactor.studies.questionnaires.study.page_definitions import text_in
from gfactor.studies.questionnaires.translations import Words, words
from gfactor.studies.web import Pages
from gfactor.studies.web.assets import kind_of
from gfactor.studies.web.markup import direction

JSPSYCH = "https://unpkg.com"
"""Address from which pages load jsPsych 8 unless another folder is named."""

_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}


def export_jspsych(folder: StudyFolder, output: Path, forms: int, library: str = JSPSYCH) -> int:
    """Write `index.html`, `experiment.js`, `study.json`, `style.css` and `images/`.

    Parameters
    ----------
    forms: number of participants' forms that are written; `?form=K` in the address chooses one,
        else one is drawn.
    library: beginning of the addresses of jsPsych's files: `jspsych@8/dist/...` and the plugin
        `@jspsych/plugin-survey-html-form@2/dist/...` are below it. Pages of questions and texts are
        at the same positions as in the served study, and their fields have the
    names of the variables; the condition and the order of blocks are in every row.

    There are no right answers in the files: anybody could read them there. Data come as jsPsych's
    own table, with `item` and `options_seed` in every row, as a file at the end, or by the page's
    event `study-finished`, to which a laboratory's own script listens. Returns the number of items.

    Raises ParameterError if the folder cannot be written, a page of the study needs the server, or
    an item is a conversation.
    """
    study, bank = folder.study, folder.bank
    _check_static(study)
    plan, say = folder.plan, words(study.language)
    shared_values = {"say": say, "study": study, "language": study.language, "base": ""}
    shared_values["dir"] = direction(study.language)
    pages = Pages("gfactor.studies.questionnaires", **shared_values)
    fields = list_fields_of(bank)
    numbers = {item_id: number for number, item_id in enumerate(bank.ids)}
    all_forms = [plan.start(number) for number in range(forms)]
    item_ids = {s.item for form in all_forms for s in form if s.has_item}
    used = sorted(item_ids, key=numbers.__getitem__)
    try:
        (output / "images").mkdir(parents=True, exist_ok=True)
        paths: dict[str, str] = {}
        items: dict[str, Item] = {}
        for item_id in used:
            items[item_id] = item = bank.item(item_id)
            if item.turns:
                raise ParameterError(
                    f"item {item_id!r} is a conversation, whose turns a static page would all show "
                    "at once; leave it out of the bank, or serve the study with gfactor"
                )
            for k, image in enumerate(item.images):
                name = (
                    f"images/{numbers[item_id]}-{k}.{_ENDINGS[kind_of(image.data) or 'image/png']}"
                )
                (output / name).write_bytes(image.data)
                paths[image.sha256] = name

        def question(step: Step, position: int, count: int) -> dict[str, object]:
            if step.kind == "page":
                return _page(study, step, say, pages)
            if step.kind == "check":
                view = check_view(step, say)
            else:
                item = items[step.item]
                names = [paths[image.sha256] for image in shown_images(item, step)]
                view = _moved(item_view(item, step, fields), names)
            html = pages.text("static_question.html.j2", view=view, number=position, count=count)
            return {
                "html": html,
                "item": step.item,
                "kind": step.kind,
                "options_seed": step.options_seed,
                "images": [p.picture for p in (*view.parts, *view.options) if p.picture],
            }

        document = {
            "title": study.title_in(study.language),
            "next": say("next"),
            "file": f"{study.id}.csv",
            "code": study.completion_code,
            "done": say("done_text"),
            "debriefing": _debriefing(study, pages, say.language),
            "facts": [plan.facts(number) if study.pages else {} for number in range(forms)],
            "forms": [
                [question(step, k, count) for step, k, count in _numbered(form)]
                for form in all_forms
            ],
        }
        (output / "study.json").write_text(json.dumps(document, ensure_ascii=False), "utf-8")
        page = pages.text("static.html.j2", library=library.rstrip("/"))
        (output / "index.html").write_text(page, "utf-8")
        for name in ("experiment.js", "style.css"):
            text = (
                files("gfactor.studies.questionnaires").joinpath("static", name).read_text("utf-8")
            )
            (output / name).write_text(text, "utf-8")
    except OSError as error:
        raise ParameterError(
            f"cannot write the experiment to {str(output)!r}: {error.strerror}"
        ) from error
    return len(used)


def _check_static(study: Study) -> None:
    """ParameterError if something of a study depends on the answers or on the server's clock."""
    problem = "the study is adaptive" if study.adaptive is not None else ""
    for k, page in enumerate(study.pages or (), 1):
        if page.calibration:
            problem = f"pages[{k}] is an adaptive block"
        elif page.exposure_ms:
            problem = f"pages[{k}] shows pictures for a short time"
        elif page.media:
            problem = f"pages[{k}] plays a sound or a film"
        elif page.show_if:
            problem = f"pages[{k}] is shown by an answer"
        elif page.kind in ("feedback", "screen", "color_vision", "contrast"):
            problem = f"pages[{k}] is of kind {page.kind!r}"
    if problem:
        raise ParameterError(
            f"{problem}, which static pages do not support; serve the study with gfactor"
        )


def _numbered(form: Sequence[Step]) -> list[tuple[Step, int, int]]:
    """Return the steps of a form, with the number of each question and of all; pages have none."""
    count, number = sum(step.kind != "page" for step in form), 0
    numbered = []
    for step in form:
        number += step.kind != "page"
        numbered.append((step, number, count))
    return numbered


def _page(study: Study, step: Step, say: Words, pages: Pages) -> dict[str, object]:
    """A page without an item, whose fields have the names of its variables."""
    assert study.pages is not None
    assert step.page is not None
    page = study.pages[step.page]
    views = question_views(page, say, {})
    for question, view in zip(page.questions, views, strict=True):
        rows = [row for _, row in view["fields"]]
        view["fields"] = list(zip(question.variables, rows, strict=True))
        view["typed"] = {name: [] for name in question.variables}
    html = pages.text(
        "static_page.html.j2",
        kind=page.kind,
        heading=text_in(page.heading, say.language) or say(f"{page.kind}_heading"),
        text=text_in(page.text, say.language),
        questions=views,
    )
    return {"html": html, "item": step.item, "kind": "page", "options_seed": 0, "images": []}


def _debriefing(study: Study, pages: Pages, language: str) -> str:
    """Return the debriefing as HTML; "" if the study has none."""
    last = next((page for page in study.pages or () if page.kind == "debriefing"), None)
    text = "" if last is None else text_in(last.text, language)
    return pages.text("static_debriefing.html.j2", text=text) if text else ""


def _moved(view: View, names: Sequence[str]) -> View:
    """A question with pictures in files next to the page."""
    return replace(
        view,
        parts=tuple(_renamed(part, names) for part in view.parts),
        options=tuple(_renamed(option, names) for option in view.options),
    )


def _renamed(choice: Any, names: Sequence[str]) -> Any:
    return replace(choice, picture=names[int(choice.picture)]) if choice.picture else choice
