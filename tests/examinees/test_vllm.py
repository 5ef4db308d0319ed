"""`vllm:` against a double with the signatures that vLLM documents; vLLM itself needs a GPU."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from gfactor.errors import MissingExtraError, ParameterError
from gfactor.examinees import RenderedItem, Reply, check_examinee, make_examinee
from gfactor.items import Image

SEEN = Image(b"\x89PNG....", "a.png")


@dataclass
class SamplingParams:
    """The fields of vllm.SamplingParams that conditions can name, with their defaults."""

    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    repetition_penalty: float = 1.0
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    seed: int | None = None
    max_tokens: int | None = 16


@dataclass
class CompletionOutput:
    text: str
    token_ids: list[int]
    finish_reason: str | None
    index: int = 0


@dataclass
class RequestOutput:
    prompt_token_ids: list[int] | None
    outputs: list[CompletionOutput]
    num_cached_tokens: int | None = None


@dataclass
class Seen:
    """What the double was given."""

    made: dict[str, Any] = field(default_factory=dict)
    messages: list[Any] = field(default_factory=list)
    sampling: list[SamplingParams] = field(default_factory=list)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """vLLM, as far as it is used: replies with the last word, cut off at max_tokens letters."""
    given = Seen()

    class LLM:
        def __init__(
            self,
            model: str,
            *,
            tensor_parallel_size: int = 1,
            dtype: str = "auto",
            quantization: str | None = None,
            gpu_memory_utilization: float = 0.92,
            max_model_len: int | None = None,
        ) -> None:
            if model == "missing":
                raise OSError("no such model")
            given.made = {k: v for k, v in locals().items() if k not in ("self", "given")}

        def chat(
            self,
            messages: Sequence[list[dict[str, Any]]],
            sampling_params: Sequence[SamplingParams] | None = None,
            use_tqdm: bool = True,
        ) -> list[RequestOutput]:
            assert sampling_params is not None
            assert len(messages) == len(sampling_params)
            assert not use_tqdm
            given.messages += messages
            given.sampling += sampling_params
            return list(map(_output, messages, sampling_params))

    vllm = ModuleType("vllm")
    vars(vllm).update(LLM=LLM, SamplingParams=SamplingParams, __version__="0.33.0")
    monkeypatch.setitem(sys.modules, "vllm", vllm)
    monkeypatch.setattr("gfactor.examinees.schemes.vllm.find_spec", lambda name: name)
    return given


def _output(messages: list[dict[str, Any]], sampling: SamplingParams) -> RequestOutput:
    content = messages[-1]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    word = text.split()[-1]
    if word == "abort":
        return RequestOutput([1], [CompletionOutput("", [], "abort")])
    said = word[: sampling.max_tokens]
    end = "length" if said != word else "stop"
    return RequestOutput([1] * 9, [CompletionOutput(said, [1] * len(said), end)], 4)


def ask(spec: str, *items: RenderedItem) -> list[Reply]:
    async def work() -> list[Reply]:
        examinee = make_examinee(spec)
        try:
            return await asyncio.gather(*(examinee(item) for item in items))
        finally:
            await examinee.close()

    return asyncio.run(work())


def item(*content: Any, **more: Any) -> RenderedItem:
    return RenderedItem("i", "b", "t", content, **more)


def test_a_question_is_put_in_openais_form_and_the_likeliest_reply_taken(seen: Seen) -> None:
    (reply,) = ask("vllm:m", item("say B", SEEN, earlier=(("First.",),), replies=("Yes.",)))
    assert (reply.text, reply.outcome, reply.finish_reason) == ("B", "ok", "stop")
    assert reply.usage == {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10,
                           "cache_read_tokens": 4}  # fmt: skip
    assert seen.messages == [[
        {"role": "user", "content": "First."},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": [
            {"type": "text", "text": "say B"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORy4uLi4="}},
        ]},
    ]]  # fmt: skip
    assert seen.sampling == [SamplingParams(temperature=0.0, max_tokens=1024)]


def test_a_reply_that_is_cut_off_or_aborted_is_told(seen: Seen) -> None:
    cut, gone = ask("vllm:m", item("say COUNT:12", decoding={"max_tokens": 6}), item("now abort"))
    assert (cut.text, cut.outcome) == ("COUNT:", "truncated")
    assert (gone.outcome, gone.detail) == ("protocol_error", "vLLM ended the reply with abort")


def test_draws_have_a_seed_of_their_own_for_every_item_and_occasion(seen: Seen) -> None:
    decoding = {"temperature": 0.7, "top_p": 0.9, "seed": 5}
    first, again = item("say A", decoding=decoding), item("say A", decoding=decoding, occasion=1)
    other = RenderedItem("j", "b", "t", ("say A",), decoding=decoding)
    ask("vllm:m", first, again, other, first)
    seeds = [params.seed for params in seen.sampling]
    assert seeds[0] == seeds[3]
    assert len(set(seeds)) == 3
    assert {(p.temperature, p.top_p, p.max_tokens) for p in seen.sampling} == {(0.7, 0.9, 1024)}


def test_settings_reach_vllm_and_those_that_change_answers_are_in_the_name(seen: Seen) -> None:
    spec = ("vllm:/models/x?dtype=bfloat16&max_model_len=4096&tensor_parallel_size=2"
            "&gpu_memory_utilization=0.8&quantization=fp8&batch=4")  # fmt: skip
    ask(spec, item("say A"))
    assert seen.made == {
        "model": "/models/x", "dtype": "bfloat16", "max_model_len": 4096, "quantization": "fp8",
        "tensor_parallel_size": 2, "gpu_memory_utilization": 0.8,
    }  # fmt: skip
    examinee = make_examinee(spec)
    assert examinee.name == "vllm:/models/x?dtype=bfloat16&max_model_len=4096&quantization=fp8"
    assert examinee.in_flight == 16


def test_it_keeps_every_invariant_of_examinees(seen: Seen) -> None:
    assert check_examinee(make_examinee("vllm:m")) == []


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("vllm:m?temperature=1", "has no parameter 'temperature'"),
        ("vllm:m?max_model_len=0", "max_model_len must be a whole number from 1"),
        ("vllm:m?gpu_memory_utilization=80", "gpu_memory_utilization is from 0 to 1"),
        ("vllm:m?dtype=int4", "dtype must be one of auto, bfloat16, float16, float32"),
        ("vllm:missing", "vllm:missing cannot be loaded: OSError: no such model"),
    ],
)
def test_what_it_cannot_do_is_one_sentence(seen: Seen, spec: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        ask(spec, item("say A"))


def test_a_parameter_of_generation_that_it_has_not_is_one_sentence(seen: Seen) -> None:
    with pytest.raises(ParameterError, match="vLLM has no parameter 'reasoning_effort'"):
        ask("vllm:m", item("say A", decoding={"reasoning_effort": "low"}))


def test_without_vllm_the_line_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gfactor\[vllm\]'"):
        make_examinee("vllm:m")
