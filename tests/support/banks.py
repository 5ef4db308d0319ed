"""Small banks for tests: items of every kind, and a hypothesis strategy for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from gfactor.imaging import encode_png
from gfactor.items import (
    Answer,
    AnswerType,
    Choice,
    Image,
    Item,
    OutputFormat,
    Provenance,
    pixel_hash,
    text_hash,
)

COUNT = OutputFormat("value", labels=("COUNT",))


def picture(shade: int, width: int = 8, height: int = 6) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A small picture, another for every shade."""
    pixels = np.full((height, width, 3), shade % 256, np.uint8)
    pixels[0, 0] = (shade % 251, shade % 241, shade % 239)
    return pixels


def make_item(item_id: str = "a-01-0", **changed: Any) -> Item:
    """An item that asks for a number, with one picture; `changed` replaces its fields."""
    pixels = picture(sum(item_id.encode()))
    fields: dict[str, Any] = {
        "id": item_id,
        "benchmark": "toy",
        "content": ("How many?", Image(encode_png(pixels), f"{item_id}.png")),
        "answer_type": "value",
        "target": 3,
        "labels": {"domain": "a", "size": 1, "skills": ("seeing", "counting")},
        "output_format": COUNT,
        "provenance": Provenance(
            "tests", "1", text_hash(item_id), (pixel_hash(pixels),), "audited", 7, 0, '{"n":3}'
        ),
    }
    return Item(**{**fields, **changed})


def make_items(domains: str = "ab", sizes: int = 2, instances: int = 3) -> list[Item]:
    """Items of several domains and sizes; targets differ between instances."""
    return [
        make_item(
            f"{domain}-{size:02d}-{index}",
            labels={"domain": domain, "size": size, "skills": ("seeing", domain)},
            target=index,
        )
        for domain in domains
        for size in range(1, sizes + 1)
        for index in range(instances)
    ]


_texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
_pictures = st.integers(0, 255).map(lambda s: Image(encode_png(picture(s)), f"bild-{s}-ü.png"))
_segments = st.one_of(_texts, _pictures)
_cells = st.tuples(st.integers(0, 9), st.integers(0, 9))
_colors = OutputFormat("set", ("COLORS",), "word", ("red", "sky blue"), ",", "None")

_answers: st.SearchStrategy[tuple[AnswerType, OutputFormat | None, Answer | None]] = st.one_of(
    st.integers(0, 999).map(lambda n: ("value", COUNT, n)),
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(
        lambda pair: ("tuple", OutputFormat("tuple", ("ABOVE", "BELOW")), pair)
    ),
    _cells.map(lambda cell: ("value", OutputFormat("value", atom="cell", none="None"), cell)),
    st.lists(_cells, min_size=1, max_size=4).map(
        lambda cells: ("list", OutputFormat("list", atom="cell"), tuple(cells))
    ),
    st.one_of(st.none(), st.frozensets(st.sampled_from(_colors.vocabulary), min_size=1)).map(
        lambda colors: ("set", _colors, colors)
    ),
    _texts.map(lambda text: ("open", None, text)),
)

_CHOSEN: list[tuple[AnswerType, None, Answer]] = [
    ("choice", None, "B"),
    ("choices", None, ("A", "D")),
]


@st.composite
def items(draw: st.DrawFn, item_id: str) -> Item:
    """An item of any kind."""
    if draw(st.booleans()):
        choices = tuple(Choice(label, draw(_segments)) for label in "ABCD")
        kind, form, target = draw(st.sampled_from(_CHOSEN))
        accepted: tuple[Answer, ...] = ()
    else:
        choices = ()
        kind, form, target = draw(_answers)
        accepted = () if target is None else draw(st.sampled_from([(), (target,)]))
    return Item(
        id=item_id,
        benchmark=draw(_texts),
        language=draw(st.sampled_from(["en", "zh-Hans", "ko"])),
        content=tuple(draw(st.lists(_segments, max_size=4))),
        choices=choices,
        answer_type=kind,
        target=target,
        accepted=accepted,
        points=draw(st.floats(0, 100)),
        labels={
            "domain": draw(_texts),
            "size": draw(st.integers(-(2**63), 2**63 - 1)),
            "skills": tuple(draw(st.lists(_texts, max_size=3))),
        },
        output_format=form,
        provenance=Provenance("tests", "1", draw(_texts), (), "", -1, -1, draw(_texts)),
    )


banks = st.integers(1, 4).flatmap(lambda n: st.tuples(*(items(f"i{k}") for k in range(n))))
"""Strategy: one to four items of any kinds."""
