"""Inspect's outputs as replies, and names of its models, without Inspect."""

from __future__ import annotations

import sys

import pytest
from support.logs import output

from gfactor.errors import MissingExtraError, ParameterError
from gfactor.examinees import make_examinee
from gfactor.examinees.inspect import reply_of_output


def test_an_output_without_choices_is_a_protocol_error() -> None:
    for broken in ({}, {"choices": []}, {"choices": "x"}, {"choices": [None]}):
        reply = reply_of_output(broken)
        assert reply.outcome == "protocol_error"
        assert reply.detail


def test_cached_input_counts_as_input() -> None:
    assert reply_of_output(output("B")).usage["prompt_tokens"] == 15


def test_redacted_reasoning_is_not_read() -> None:
    said = [{"type": "reasoning", "reasoning": "gAAAA", "redacted": True},
            {"type": "text", "text": "B"}]  # fmt: skip
    reply = reply_of_output(output(said))
    assert (reply.text, reply.reasoning) == ("B", "")


def test_without_inspect_the_line_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gfactor\[inspect\]'"):
        make_examinee("inspect:openai/gpt-4o")


@pytest.mark.parametrize(
    "spec", ["inspect:gpt-4o", "inspect:openai/", "inspect:openai/gpt-4o?temperature=1"]
)
def test_a_name_that_is_none_of_inspects_is_one_sentence(spec: str) -> None:
    with pytest.raises(ParameterError):
        make_examinee(spec)
