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
from gfactor.studies.questionnaires.allocation import ItemAllocation, Step
from gfactor.studies.questionnaires.folder import StudyFolder
from gfactor.studies.questionnaires.translations import words
from gfactor.studies.questionnaires.views import View, check_view, item_view, shown_images
from gfactor.studies.web import Pages
from gfactor.studies.web.assets import kind_of
from gfactor.studies.web.markup import direction

JSPSYCH = "https://unpkg.com"
"""Address from which pages take jsPsych 8 unless a folder of one's own is named."""

_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}


def export_jspsych(folder: StudyFolder, output: Path, forms: int, library: str = JSPSYCH) -> int:
    """Write `index.html`, `experiment.js`, `study.json`, `style.css` and `images/`.

    Parameters
    ----------
    forms: number of participants' forms that are written; `?form=K` in the address chooses one,
        else one is drawn.
    library: beginning of the addresses of jsPsych's files: `jspsych@8/dist/...` and the plugin
        `@jspsych/plugin-survey-html-form@2/dist/...` are looked up below it.

    There are no right answers in the files: anybody could read them there. Data come as jsPsych's
    own table, with `item` and `options_seed` in every row, as a file at the end, or by the page's
    event `study-finished`, to which a laboratory's own script listens. Returns how many items.

    Raises ParameterError if the folder cannot be written, the study is adaptive, or an item is a
    conversation.
    """
    study, bank = folder.study, folder.bank
    if study.adaptive is not None or study.pages is not None:
        raise ParameterError(
            "a study with pages or adaptive blocks depends on the answers, which a static page "
            "cannot; serve it with gfactor"
        )
    allocation, say = ItemAllocation(study, bank), words(study.language)
    known = {"say": say, "study": study, "language": study.language, "base": ""}
    known["dir"] = direction(study.language)
    pages = Pages("gfactor.studies.questionnaires", **known)
    fields = list_fields_of(bank)
    numbers = {item_id: number for number, item_id in enumerate(bank.ids)}
    all_forms = [allocation.form(number) for number in range(forms)]
    asked = {s.item for form in all_forms for s in form if s.kind != "check"}
    used = sorted(asked, key=numbers.__getitem__)
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
            "title": study.title,
            "next": say("next"),
            "file": f"{study.id}.csv",
            "code": study.completion_code,
            "done": say("done_text"),
            "forms": [
                [question(step, k, len(form)) for k, step in enumerate(form, 1)]
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


def _moved(view: View, names: Sequence[str]) -> View:
    """A question with pictures that lie beside the page."""
    return replace(
        view,
        parts=tuple(_renamed(part, names) for part in view.parts),
        options=tuple(_renamed(option, names) for option in view.options),
    )


def _renamed(shown: Any, names: Sequence[str]) -> Any:
    return replace(shown, picture=names[int(shown.picture)]) if shown.picture else shown
