"""A model behind one of Inspect's providers, asked without Inspect's eval loop."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gfactor.errors import ParameterError
from gfactor.examinees.base import FAILED, RenderedItem, Reply
from gfactor.examinees.http.encoding import data_url
from gfactor.examinees.http.limits import Breaker
from gfactor.examinees.inspect.output import reply_of_output
from gfactor.items import Segment

_SAME_NAME = frozenset(
    {"frequency_penalty", "max_tokens", "presence_penalty", "reasoning_effort", "seed",
     "temperature", "top_k", "top_p"}
)  # fmt: skip
"""Parameters of generation with the same name in Inspect and here."""

_EXCERPT = 300


class InspectExaminee:
    """A model of Inspect (`inspect_ai.model.Model`).

    Inspect itself repeats requests after temporary failures of a provider. An error that it raises
    counts as a failed attempt. Twenty failed items in a row end the run.

    Parameters
    ----------
    name: canonical specification.
    model: result of `inspect_ai.model.get_model`. It is closed with the examinee.
    in_flight: the most requests at once.
    """

    converses = True

    def __init__(self, name: str, model: Any, in_flight: int = 20) -> None:
        self.name = name
        self.in_flight = in_flight
        self._model = model
        self._breaker = Breaker()

    async def __call__(self, item: RenderedItem) -> Reply:
        """Ask once; raises RunStoppedError after twenty failed items in a row.

        Raises ParameterError for a parameter of generation that Inspect does not have.
        """
        from inspect_ai.model import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
            GenerateConfig,
        )

        config = GenerateConfig(**generation(item.decoding))
        messages = conversation(item)
        start = time.perf_counter()
        try:
            output = await self._model.generate(messages, config=config)
        except Exception as error:
            # Providers raise the errors of their own libraries, which have no base in common.
            reply = _failed(error)
        else:
            reply = reply_of_output(output.model_dump())
        reply = replace(reply, latency_s=time.perf_counter() - start)
        if reply.outcome in FAILED:
            self._breaker.failed(self.name, reply)
        else:
            self._breaker.succeeded()
        return reply

    async def close(self) -> None:
        """Close the provider's connections."""
        await self._model.api.aclose()


def generation(parameters: Mapping[str, float | int | str]) -> dict[str, Any]:
    """Return generation parameters under Inspect's names; raise ParameterError for one that Inspect
    lacks."""
    for name in parameters:
        if name not in _SAME_NAME:
            raise ParameterError(
                f"Inspect has no parameter {name!r}; it takes {', '.join(sorted(_SAME_NAME))}"
            )
    return dict(parameters)


def conversation(item: RenderedItem) -> list[Any]:
    """Return the item's turns as messages of Inspect, with the model's own replies between them."""
    from inspect_ai.model import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        ChatMessageAssistant,
    )

    messages: list[Any] = []
    for number, turn in enumerate((*item.earlier, item.content)):
        messages.append(user_message(turn))
        if number < len(item.replies) and item.replies[number].strip():
            messages.append(ChatMessageAssistant(content=item.replies[number]))
    return messages


def user_message(turn: tuple[Segment, ...]) -> Any:
    """Return a turn as a message of Inspect, images as data URIs of their own bytes."""
    from inspect_ai.model import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        ChatMessageUser,
        ContentImage,
        ContentText,
    )

    if all(isinstance(segment, str) for segment in turn):
        return ChatMessageUser(content="\n".join(map(str, turn)))
    return ChatMessageUser(
        content=[
            ContentText(text=s) if isinstance(s, str) else ContentImage(image=data_url(s))
            for s in turn
        ]
    )


def _failed(error: Exception) -> Reply:
    name = type(error).__name__
    late = isinstance(error, TimeoutError) or "timeout" in name.casefold()
    detail = " ".join(f"{name}: {error}".split())[:_EXCERPT]
    return Reply("", "timeout" if late else "transport_error", "", detail=detail)
