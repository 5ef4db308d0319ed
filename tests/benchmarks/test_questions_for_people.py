"""People read an item's question without the sentences that tell models how to write the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.exam import question
from support.tiers import few

from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.for_people import (
    content_for_people,
    format_for_models,
    question_for_people,
)
from gfactor.benchmarks.percept_v import DOMAINS
from gfactor.benchmarks.percept_v.build import make_item
from gfactor.items import Image, Item, OutputFormat

FORM = ("in one line", "ANSWER:", "COUNT:", "Reply with OK", "by commas", "by spaces", "OK")
LANGUAGES = ("en", "zh", "fr", "es", "pt", "ko")


def people_read(item: Item) -> str:
    return "\n".join(s for s in content_for_people(item) if isinstance(s, str))


@pytest.mark.parametrize("name", few(DOMAINS, 3))
def test_every_rule_of_a_domain_is_read_and_no_form(name: str) -> None:
    domain = DOMAINS[name]
    for edition in ("audited", "paper"):
        item = make_item(domain, edition, 0, 2, 0)
        prompt = domain.prompt_for(edition)
        read = people_read(item)
        assert read == "\n".join(f"- {s}" for s in (*prompt.input, *prompt.rules, *prompt.people))
        assert not [words for words in FORM if words in read]
        told = format_for_models(item.text, item).splitlines()
        assert told == [s for s in prompt.output if s not in prompt.people]


def test_a_sentence_of_the_output_that_says_what_to_answer_is_read() -> None:
    read = people_read(make_item(DOMAINS["colours_present"], "audited", 0, 2, 0))
    assert "The words follow the order of the colors above" in read


@pytest.mark.parametrize("name", few(FAMILIES, 3))
def test_no_family_tells_people_the_form_in_any_language(name: str) -> None:
    parts = build.plan(
        seed=1, families=[name], difficulty=["easy"], per_cell=1, language=list(LANGUAGES),
        twin="both", answers="turns" if "turns" in FAMILIES[name].answer_types
        else "open" if "open" in FAMILIES[name].answer_types else "choice",
    ).parts  # fmt: skip
    items: list[Any] = [item for part in parts for item in part.make()]
    assert len(items) == 2 * len(LANGUAGES)
    for item in items:
        content = content_for_people(item)
        assert len(content) == len(item.content)
        assert people_read(item).strip()
        assert not [words for words in FORM if words in people_read(item)]
        both = [(a, b) for a, b in zip(item.content, content, strict=True) if isinstance(a, str)]
        for text, read in both:
            assert isinstance(read, str)
            lines = [*filter(None, read.split("\n")), *format_for_models(text, item).splitlines()]
            assert sorted(lines) == sorted(filter(None, text.split("\n")))
        assert [s for s in content if isinstance(s, Image)] == list(item.images)[
            : sum(isinstance(s, Image) for s in content)
        ]


def plugin_item(text: str, **changes: Any) -> Item:
    """An item of a benchmark that is not installed."""
    form = OutputFormat("value", ("COUNT",))
    return replace(
        question("q", content=(text,), choices=(), answer_type="value", target=3),
        benchmark="elsewhere", output_format=form, **changes,
    )  # fmt: skip


def test_of_other_items_a_sentence_goes_only_if_it_says_nothing_but_the_form() -> None:
    text = "Count the squares.\nAnswer in one line of the form COUNT:x where x is that number."
    assert people_read(plugin_item(text)) == "Count the squares."
    meant = "Count.\nAnswer in one line of the form COUNT:x where x is the number of red squares."
    assert people_read(plugin_item(meant)) == meant
    alone = plugin_item("Count them.")
    assert question_for_people("Count them.", alone) == "Count them."
    assert format_for_models("Count them.", alone) == ""


def test_an_item_without_a_form_is_read_as_it_is() -> None:
    item = question("q", content=("Answer in one line of the form COUNT:x.",))
    assert content_for_people(item) is item.content
