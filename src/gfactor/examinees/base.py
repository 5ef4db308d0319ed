"""Examinee: an asynchronous function from a rendered item to a reply.

An examinee is named by a specification, `SCHEME:ARGUMENT?key=value&key=value`
("observer:limited?acuity=0.5&seed=3", "baseline:random"). A scheme registers a factory; the
factory gets the parsed specification and the bank, and returns the examinee.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import parse_qsl

from gfactor.errors import ParameterError
from gfactor.frozen import quickly_made
from gfactor.items import Image, Segment
from gfactor.registry import Registry

Outcome = Literal[
    "ok",
    "truncated",
    "empty",
    "refusal",
    "content_filter",
    "transport_error",
    "protocol_error",
    "timeout",
]
"""Outcome of one attempt; only `ok`, `refusal` and no-answer are ever scored."""

FAILED: frozenset[Outcome] = frozenset({"transport_error", "protocol_error", "timeout"})
"""Outcomes that are no evidence about the examinee: stored separately, and asked again by the next
run."""


@quickly_made
@dataclass(frozen=True)
class RenderedItem:
    """An item as it is presented to an examinee, without its answer key.

    Parameters
    ----------
    item_id : str
        Id of the item, for messages and look-ups, not for answering.
    benchmark, task : str
        Names ("percept-v", "change_colour"), which a person would be told as well.
    content : list of Segment
        Texts and images of the last turn, in the order in which they are shown.
    earlier : tuple[list of Segment, ...]
        The turns before it, each like `content` (one image per turn, as MULTI asks
        single-image models).
    decoding : dict of str to float or int or str
        Parameters of generation by OpenAI's names (`temperature`, `max_tokens` ...).
    replies : list of str
        The examinee's own replies to the first of the earlier turns, in order.
    occasion : int
        Number of the repetition, from 0, for examinees that answer at random; 0 for all others.
    asked : int
        Number of the last turns of a conversation that are answered and scored; 0 if the reply to
        the last turn is the answer.
    family : str
        Name of the item's generated family, "" if it has none. Forms that are
        parallel to a published test have the published types as their tasks.

    Examples
    --------
    >>> from gfactor.examinees import RenderedItem
    >>> RenderedItem("q1", "example", "sums", ("1 + 1 = ?",)).images
    ()
    """

    item_id: str
    benchmark: str
    task: str
    content: tuple[Segment, ...]
    earlier: tuple[tuple[Segment, ...], ...] = ()
    decoding: Mapping[str, float | int | str] = field(default_factory=dict)
    replies: tuple[str, ...] = ()
    occasion: int = 0
    asked: int = 0
    family: str = ""

    @property
    def images(self) -> tuple[Image, ...]:
        """The images shown, in order."""
        turns = (*self.earlier, self.content)
        return tuple(s for turn in turns for s in turn if isinstance(s, Image))


@quickly_made
@dataclass(frozen=True)
class Reply:
    """Reply to an item: the raw text, and the cost of the attempt.

    Parameters
    ----------
    text : str
        The raw text.
    outcome : Outcome
        Outcome of the attempt: "ok", "refusal", "timeout" ...
    finish_reason : str
        Reason why generation ended, in OpenAI's words.
    usage : dict of str to int
        Token counts by name.
    latency_s : float
        Wall time, seconds.
    cost : float, optional
        Cost in the currency of the user's price file; None if unknown.
    detail : str
        Description of the failure if `outcome` is not ok, else of the request's differences from
        the condition.
    reasoning : str
        Text that a model wrote while thinking, apart from its answer.
    answered_by : str
        The model that the server says has answered, "" if it names none.
    fingerprint : str
        Server's statement of the model's version, in addition to its name.

    Examples
    --------
    >>> from gfactor.examinees import Reply
    >>> Reply("COUNT:3", usage={"output": 4}).outcome
    'ok'
    """

    text: str
    outcome: Outcome = "ok"
    finish_reason: str = "stop"
    usage: Mapping[str, int] = field(default_factory=dict)
    latency_s: float = 0.0
    cost: float | None = None
    detail: str = ""
    reasoning: str = ""
    answered_by: str = ""
    fingerprint: str = ""


class Examinee(Protocol):
    """Interface of examinees.

    An examinee may have further attributes:

    - `converses`, if True: an item of several turns is presented turn by turn, with the examinee's
      replies between them. Other examinees get all turns at once.
    - `draws`, if True: answers are random and differ between occasions; the examinee gets the
      number of the occasion.
    - `reads`, if False: the examinee ignores the words of items, so that no prompt pack in the
      language of the items is needed.
    - `notes`: sentences about the examinee for the user, in addition to its replies.

    Parameters
    ----------
    name : str
        The canonical specification; part of the journal's key.
    in_flight : int
        Number of items that may be asked at once.

    Examples
    --------
    >>> from gfactor.examinees import Reply
    >>> class Parrot:
    ...     name, in_flight = "example:parrot", 1
    ...     async def __call__(self, item):
    ...         return Reply("A")
    ...     async def close(self):
    ...         pass
    >>> from gfactor.examinees import check_examinee
    >>> isinstance(check_examinee(Parrot()), list)
    True
    """

    name: str
    in_flight: int

    async def __call__(self, item: RenderedItem) -> Reply:
        """Answer one item."""
        ...

    async def close(self) -> None:
        """Release the examinee's resources (connections, processes)."""
        ...


@dataclass(frozen=True)
class Spec:
    """A parsed specification: `scheme:argument?parameters`.

    Parameters
    ----------
    scheme : str
        Kind of examinee: "observer", "openai" ...
    argument : str
        Name of the examinee within its kind.
    parameters : dict of str to str
        Name to value, as texts.

    Examples
    --------
    >>> from gfactor.examinees import Spec
    >>> spec = Spec.parse("observer:limited?seed=3&acuity=0.5")
    >>> spec.argument, str(spec)
    ('limited', 'observer:limited?acuity=0.5&seed=3')
    """

    scheme: str
    argument: str
    parameters: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Parse a specification; raise ParameterError if it has no scheme, or a parameter has no
        value."""
        head, _, query = text.partition("?")
        scheme, colon, argument = head.partition(":")
        if not colon or not scheme or not argument:
            model = argument or head or "gpt-4o"
            raise ParameterError(
                f"examinee {text!r} has no scheme; write SCHEME:NAME, as in openai:{model} for a "
                "model behind an endpoint or observer:ideal for a simulated one; "
                "`gfactor list examinees` names the schemes"
            )
        try:
            pairs = parse_qsl(query, strict_parsing=True, keep_blank_values=True) if query else []
        except ValueError as error:
            raise ParameterError(
                f"examinee {text!r}: parameters are written key=value&key=value"
            ) from error
        return cls(scheme, argument, dict(pairs))

    def __str__(self) -> str:
        query = "&".join(f"{k}={v}" for k, v in sorted(self.parameters.items()))
        return f"{self.scheme}:{self.argument}" + (f"?{query}" if query else "")


Factory: TypeAlias = Callable[..., Examinee]
"""(spec: Spec, bank: ItemBank, jobs: int) -> Examinee. Keyword arguments."""

EXAMINEES: Registry[Factory] = Registry(
    "examinee scheme", home="gfactor.examinees.schemes", group="gfactor.examinees"
)


def make_examinee(text: str, **context: Any) -> Examinee:
    """Return the examinee that a specification names.

    Parameters
    ----------
    text : str
        The specification: SCHEME:NAME?key=value.
    **context : Any
        Objects that factories may need: `bank` (the ItemBank that will be administered), `jobs`
        (processes for examinees that compute), `endpoint`, `budget` and `deadline_s` (for examinees
        over HTTP). A factory gets those that have the names of its parameters.

    Returns
    -------
    Examinee
        The examinee; close it after use.

    Raises
    ------
    UnknownNameError
        For an unknown scheme or name.
    ParameterError
        For a bad parameter.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.examinees import make_examinee
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> make_examinee("baseline:random", bank=bank, jobs=1).name
    'baseline:random?seed=0'
    """
    spec = Spec.parse(text)
    factory = EXAMINEES[spec.scheme]
    parameters = inspect.signature(factory).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        context = {name: value for name, value in context.items() if name in parameters}
    return factory(spec=spec, **context)
