"""Conditions as data: what they say, how they are written, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gfactor.administration import Condition, read_condition, read_key
from gfactor.administration.presenting.condition import IMAGES, WITHOUT_IMAGES
from gfactor.errors import GfactorError, ParameterError, UnknownNameError

decodings = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.floats(0, 2),
        "top_p": st.floats(0, 1),
        "max_tokens": st.integers(1, 100_000),
        "seed": st.integers(-(2**63), 2**63),
        "reasoning_effort": st.sampled_from(["low", "high"]),
    },
)
sources = st.dictionaries(
    st.sampled_from(["captions", "examples", "knowledge_from", "pack"]),
    st.text("0123456789abcdef", min_size=12, max_size=12),
)
conditions = st.builds(
    Condition,
    images=st.sampled_from(IMAGES),
    prompt_language=st.sampled_from(["", "en", "zh-Hans"]),
    cot=st.booleans(),
    background=st.booleans(),
    knowledge=st.booleans(),
    shots=st.integers(0, 9),
    options_seed=st.none() | st.integers(0, 10**9),
    decoding=decodings,
    sources=sources,
)


@given(conditions)
def test_a_key_names_its_condition_and_no_other(condition: Condition) -> None:
    assert read_key(condition.key) == condition
    assert read_key(condition.key).key == condition.key


def test_a_key_names_only_departures_in_alphabetical_order() -> None:
    condition = read_condition("temperature=0.0,shots=2,images=removed,cot=on,background=off")
    assert condition.key == "cot=on,images=removed,shots=2,temperature=0"
    assert read_condition("default").key == read_condition("images=shown,cot=off").key == "default"


@pytest.mark.parametrize("text", ["max_tokens=1e3", "max_tokens=1000.0", "max_tokens=1000"])
def test_a_whole_number_is_sent_as_one_however_it_is_written(text: str) -> None:
    (sent,) = dict(read_condition(text).decoding).values()
    assert (sent, type(sent)) == (1000, int)


@pytest.mark.parametrize("text", ["temperature=1_0", "temperature=nan", "temperature=٣"])
def test_what_only_looks_like_a_number_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="temperature must be a number, not"):
        read_condition(text)


@pytest.mark.parametrize("text", ["temperature=0", "temperature=0.0", "temperature=0e3"])
def test_the_same_number_is_the_same_condition(text: str) -> None:
    assert read_condition(text).key == "temperature=0"


def test_a_file_says_what_the_line_says(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(
        'images = "blank"\ncot = true\nbackground = "on"\nshots = 3\noptions-seed = 7\n'
        "[decoding]\ntemperature = 0.5\nmax_tokens = 64\n"
    )
    line = "images=blank,cot=on,background=on,shots=3,options_seed=7,temperature=0.5,max_tokens=64"
    assert read_condition(str(path)) == read_condition(line)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("image=removed", "did you mean 'images'?"),
        ("images=remove", "did you mean 'removed'?"),
        ("presentation=single", "did you mean 'single-turn'?"),
        ("temprature=0", "did you mean 'temperature'?"),
        ("cot", "is not name=value"),
        ("cot=yes", "cot must be on or off"),
        ("cot=on,cot=off", "sets cot twice"),
        ("shots=-1", "shots must be a whole number from 0"),
        ("shots=1.5", "shots must be a whole number from 0"),
        ("temperature=hot", "temperature must be a number"),
        ("temperature=nan", "temperature must be a number"),
        ("temperature=-1", "temperature must be a number from 0, not -1"),
        ("top_p=1.5", "from 0 to 1"),
        ("max_tokens=0", "from 1"),
        ("max_tokens=2.5", "max_tokens must be a whole number"),
        ("prompt_language=e", "language tag"),
        ("pack=x.toml", "give a file by --pack"),
        ("captions=x.csv", "give a file by --captions"),
        ("missing.toml", "cannot be read"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence_with_what_to_do(text: str, said: str) -> None:
    with pytest.raises((ParameterError, UnknownNameError)) as refused:
        read_condition(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("images", sorted(WITHOUT_IMAGES))
def test_one_image_per_turn_needs_images(images: Any) -> None:
    with pytest.raises(ParameterError, match="drop one of the two"):
        Condition(images=images, presentation="image-per-turn")


@pytest.mark.parametrize(
    "content", ["images = ", "decoding = 3", "[decoding]\ntemprature = 1", "shots = [1]", "x = 1"]
)
def test_a_file_that_is_wrong_is_refused_in_one_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(content)
    with pytest.raises(GfactorError) as refused:
        read_condition(str(path))
    assert "\n" not in str(refused.value)


def test_a_condition_from_another_program_is_checked_too() -> None:
    for wrong in ({"decoding": {"temperature": True}}, {"sources": {"pack": "a,b"}}, {"shots": -1}):
        with pytest.raises(GfactorError):
            Condition(**wrong)  # type: ignore[arg-type]
