"""Code that the engines of local models share: parameters, messages and replies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gfactor.errors import ParameterError
from gfactor.examinees.base import Outcome, RenderedItem, Reply, Spec
from gfactor.examinees.http.answer import split_thinking
from gfactor.items import Segment

MAX_TOKENS = 1024
"""The longest reply if neither the condition nor the model's own settings name one."""

DTYPES = ("auto", "bfloat16", "float16", "float32")
"""Number formats; "auto" as the weights are stored."""

Decoding = Mapping[str, float | int | str]


def checked_decoding(parameters: Decoding, allowed: Collection[str], who: str) -> Decoding:
    """Return the generation parameters; raise ParameterError for one that the library lacks."""
    for name in parameters:
        if name not in allowed:
            raise ParameterError(
                f"{who} has no parameter {name!r}; it takes {', '.join(sorted(allowed))}"
            )
    return parameters


def conversation(item: RenderedItem, content: Any) -> list[dict[str, Any]]:
    """Return the item's turns as messages, with the model's own replies between them.

    `content` makes a message's content from a turn's segments, or from a tuple of one reply.
    """
    messages = []
    for number, turn in enumerate((*item.earlier, item.content)):
        messages.append({"role": "user", "content": content(turn)})
        if number < len(item.replies) and item.replies[number].strip():
            messages.append({"role": "assistant", "content": content((item.replies[number],))})
    return messages


def plain(turn: tuple[Segment, ...]) -> str:
    """Return a turn of texts as one text."""
    return "\n".join(map(str, turn))


def reply_of(text: str, read: int, written: int, *, cut_off: bool) -> Reply:
    """Return a reply with its numbers of tokens; `cut_off` is True if it did not end by itself."""
    answer, thought = split_thinking(text)
    outcome: Outcome = "ok" if answer.strip() else "empty"
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return Reply(
        answer,
        "truncated" if cut_off else outcome,
        "length" if cut_off else "stop",
        usage=usage,
        reasoning=thought,
    )


def checked_parameters(spec: Spec, allowed: Collection[str]) -> None:
    """Raise ParameterError for a parameter that the scheme lacks."""
    unknown = sorted(set(spec.parameters) - set(allowed))
    if unknown:
        raise ParameterError(
            f"examinee {str(spec)!r} has no parameter {unknown[0]!r}; it takes "
            f"{', '.join(allowed)}; give other settings of generation in --condition"
        )


def whole_number(spec: Spec, name: str, default: int) -> int:
    """Return a parameter that is a number from 1."""
    text = spec.parameters.get(name, str(default))
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ParameterError(f"examinee {str(spec)!r}: {name} must be a whole number from 1")
    return int(text)


def checked_dtype(spec: Spec) -> str:
    """Return the parameter `dtype`, by default "auto"; raise ParameterError if it is not a
    dtype."""
    dtype = spec.parameters.get("dtype", "auto")
    if dtype not in DTYPES:
        raise ParameterError(f"examinee {str(spec)!r}: dtype must be one of {', '.join(DTYPES)}")
    return dtype
