"""vLLM as an engine: `LLM.chat` offline, which forms batches itself.

Names of parameters and outputs are those of vLLM 0.33 (`vllm.LLM`, `vllm.SamplingParams`,
`vllm.RequestOutput`; docs.vllm.ai, offline inference).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.guesses import GuessDraws
from gfactor.examinees.http.encoding import data_url
from gfactor.examinees.local.generation import (
    MAX_TOKENS,
    Decoding,
    checked_decoding,
    conversation,
    plain,
    reply_of,
)
from gfactor.items import Segment

PARAMETERS = frozenset(
    {"frequency_penalty", "max_tokens", "min_p", "presence_penalty", "repetition_penalty", "seed",
     "temperature", "top_k", "top_p"}
)  # fmt: skip

_LARGEST_SEED = 2**63


class Vllm:
    """A model that vLLM loads.

    Without a temperature the likeliest token is taken. A reply that is drawn has a seed of its own,
    which depends on the condition's seed, item, turn and occasion.

    Parameters
    ----------
    path: the folder, or the model's name on the Hugging Face Hub.
    settings: further arguments of `vllm.LLM`.
    """

    def __init__(self, path: str, **settings: Any) -> None:
        self.notes: tuple[str, ...] = ()
        self._path, self._settings = path, settings
        self._model: Any = None

    def load(self) -> None:
        """Load the model."""
        import vllm  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

        self._model = vllm.LLM(model=self._path, **self._settings)
        self.notes = (f"computed by vLLM {vllm.__version__}",)

    def check(self, item: RenderedItem) -> None:
        """Raise ParameterError for a generation parameter that vLLM lacks."""
        checked_decoding(item.decoding, PARAMETERS, "vLLM")

    def answer(self, items: Sequence[RenderedItem]) -> list[Reply]:
        """Return replies to the items; vLLM puts them into batches itself."""
        outputs = self._model.chat(
            [conversation(item, _content) for item in items],
            sampling_params=[_sampling(item) for item in items],
            use_tqdm=False,
        )
        return [_reply(output) for output in outputs]

    def free(self) -> None:
        """Do nothing: vLLM reserves its memory once and for all."""

    def close(self) -> None:
        """Release the model."""
        self._model = None


def _content(turn: tuple[Segment, ...]) -> str | list[dict[str, Any]]:
    if all(isinstance(segment, str) for segment in turn):
        return plain(turn)
    return [
        {"type": "text", "text": segment}
        if isinstance(segment, str)
        else {"type": "image_url", "image_url": {"url": data_url(segment)}}
        for segment in turn
    ]


def _sampling(item: RenderedItem) -> Any:
    import vllm  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    decoding: Decoding = {"temperature": 0.0, "max_tokens": MAX_TOKENS, **item.decoding}
    if not decoding["temperature"]:
        return vllm.SamplingParams(**{k: v for k, v in decoding.items() if k != "seed"})
    turn = f"#{len(item.replies)}" if item.replies else ""
    draws = GuessDraws(int(decoding.get("seed", 0)), item.item_id + turn, item.occasion)
    return vllm.SamplingParams(**{**decoding, "seed": draws.below(_LARGEST_SEED)})


def _reply(output: Any) -> Reply:
    """Return the reply in a RequestOutput."""
    first = output.outputs[0]
    finish = first.finish_reason or ""
    if finish not in ("stop", "length"):
        why = f"vLLM ended the reply with {finish or 'no reason'}"
        return Reply("", "protocol_error", finish, detail=why)
    read, written = len(output.prompt_token_ids or ()), len(first.token_ids)
    reply = reply_of(first.text, read, written, cut_off=finish == "length")
    cached = getattr(output, "num_cached_tokens", None)
    return replace(reply, usage={**reply.usage, "cache_read_tokens": cached}) if cached else reply
