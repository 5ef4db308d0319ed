"""Reading a page as a person does: its form, its options, and its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

from gfactor.items import Image, Item
from gfactor.studies.web.markup import to_html


@dataclass
class Form:
    """A form of a page.

    `hidden` are its hidden fields, `options` the contents of each option (a text, or the path of a
    picture) by its label, `texts` the names of text fields, and `stem` the text of the question.
    `step` describes the question to a bot (`allocation.to_json`), "" for others, and `gaps` are the
    right answers to its sight-screening pictures. `reads` are the languages that can be ticked with
    the consent.
    """

    action: str = ""
    method: str = "get"
    step: str = ""
    gaps: tuple[str, ...] = ()
    reads: list[str] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    stem: str = ""


class _FormReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._option = ""
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        had = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(
                had.get("action", ""),
                had.get("method", "get"),
                had.get("data-step", ""),
                tuple(had.get("data-gaps", "").split()),
            )
            self.forms.append(self._form)
        form = self._form
        if form is None:
            return
        if tag in ("input", "textarea"):
            self._field(form, "text" if tag == "textarea" else had.get("type", "text"), had)
        elif tag == "div" and had.get("class") == "stem":
            self._in = "stem"
        elif tag == "fieldset":
            self._in = ""
        elif tag == "span" and had.get("class") == "text" and self._option:
            self._in = "option"
        elif tag == "img" and self._option and not self._in:
            form.options[self._option] = had.get("src", "")

    def _field(self, form: Form, kind: str, had: dict[str, str]) -> None:
        name = had.get("name", "")
        if kind == "hidden":
            form.hidden[name] = had.get("value", "")
        elif name == "option":
            self._option = had.get("value", "")
            form.options[self._option] = ""
        elif name == "reads":
            form.reads.append(had.get("value", ""))
        elif kind == "text":
            form.texts.append(name)

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._in = ""
        elif tag == "form":
            self._form, self._option = None, ""

    def handle_data(self, data: str) -> None:
        if self._form is not None and self._in == "option":
            self._form.options[self._option] += data
        elif self._form is not None and self._in == "stem":
            self._form.stem += data


def forms(page: str) -> list[Form]:
    """Return the forms of a page, in order."""
    reader = _FormReader()
    reader.feed(page)
    return reader.forms


def labels_of_inputs(form: Form, item: Item, pictures: Mapping[str, str]) -> dict[str, str]:
    """Map an item's own labels to the labels of the same contents on a page; `pictures` has the
    SHA-256 of pictures by path."""
    where: dict[str, list[str]] = {}
    for label, content in form.options.items():
        where.setdefault(pictures.get(content) or _seen(content), []).append(label)
    labels: dict[str, str] = {}
    for choice in item.choices:
        if isinstance(choice.content, Image):
            key = choice.content.sha256
        else:
            key = _seen(_text(choice.content))
        indices = where.get(key, [])
        if indices:
            labels[choice.label] = indices.pop(0) if len(indices) > 1 else indices[0]
    return labels


def _seen(content: str) -> str:
    return " ".join(content.split())


def _text(content: str) -> str:
    """The visible text of a text option."""

    class VisibleWords(HTMLParser):
        text = ""

        def handle_data(self, data: str) -> None:
            self.text += data

    words = VisibleWords()
    words.feed(to_html(content, inline=True))
    return words.text
