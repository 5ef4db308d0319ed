"""From an item to the content that an examinee sees: never its target, its size or its scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from gfactor.administration.packs import Pack
from gfactor.administration.packs.pack import ANSWERED, GENERIC
from gfactor.administration.presenting.condition import SHOWING, Condition
from gfactor.administration.presenting.examples import answer_line, task_of
from gfactor.administration.presenting.image_texts import SENTENCES
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.presenting.options import permuted
from gfactor.administration.presenting.shown_images import BLANK_SIZE, blank_image, blank_like
from gfactor.examinees import RenderedItem
from gfactor.examinees.image_limits import ImageLimit
from gfactor.items import Image, Item, Segment
from gfactor.items.gaps import asks_one_answer

Turn = tuple[Segment, ...]

_SHIPPED = Materials()


def render(item: Item, condition: Condition, materials: Materials = _SHIPPED) -> RenderedItem:
    """Return the item as it is presented under a condition; a pure function.

    The parts are, in order: examples with their answers, background, knowledge, the kind of
    question, the content in reading order, the choices, instructions for the answer, and the
    request to decline if something is missing. A conversation keeps its turns; added parts come
    before the first and after the last. An item with an output format of its own is presented
    unchanged, unless the condition adds something. The task is the item's domain, or its benchmark
    if it has none.
    Image bytes are altered only if the condition has a limit and an image exceeds it.

    Parameters
    ----------
    item : Item
        The item.
    condition : Condition
        Condition under which the item is presented.
    materials : Materials
        Texts that the condition needs; the shipped packs alone by default.

    Returns
    -------
    RenderedItem
        Item as it is shown; it does not contain the answer.

    Raises
    ------
    ParameterError
        If a material that the condition needs is missing, as a whole or for this item.

    Examples
    --------
    >>> from gfactor.items import Choice, Item, Provenance
    >>> item = Item(
    ...     "q1", "example", ("1 + 1 = ?",), "choice", "A", {"domain": "sums"},
    ...     Provenance("example", "1", content_hash="q1"),
    ...     choices=(Choice("A", "2"), Choice("B", "3")),
    ... )
    >>> from gfactor.administration import Condition, render
    >>> "B. 3" in render(item, Condition()).content[0]
    True
    """
    materials.check(condition)
    solved = materials.examples.of(item) if condition.shots and materials.examples else ()
    examples = [permuted(one, condition.options_seed) for one in solved]
    item = permuted(item, condition.options_seed)
    if item.answer_type not in ANSWERED and not item.choices and condition.adds_nothing:
        *earlier, last = _turns_of(item)
        return _rendered(item, condition, earlier, last)
    writing = _ItemWording(item, examples, condition, materials)
    if item.turns:
        *earlier, last = map(_joined, writing.turns())
        return _rendered(item, condition, earlier, last)
    segments = tuple(writing.all())
    if condition.images == "blank-if-needed" and not any(isinstance(s, Image) for s in segments):
        segments = (blank_image(BLANK_SIZE, BLANK_SIZE), *segments)
    turns = [segments]
    if condition.presentation == "image-per-turn":
        turns = _one_image_per_turn(segments, lambda: _pack(item, condition, materials))
    # An item without additions is not changed at all; neighboring texts are not joined.
    *earlier, last = turns if segments == item.content else map(_joined, turns)
    return _rendered(item, condition, earlier, last)


def render_plain(item: Item, condition: Condition, materials: Materials) -> RenderedItem:
    """Return the item unchanged, with only the condition's language of prompts."""
    return render(item, condition.plain, Materials(packs=materials.packs))


def _rendered(
    item: Item, condition: Condition, earlier: Sequence[Turn], last: Turn
) -> RenderedItem:
    form = item.output_format
    return RenderedItem(
        item.id,
        item.benchmark,
        task_of(item),
        last,
        tuple(earlier),
        dict(condition.decoding),
        asked=form.length if form is not None and form.answer_type == "turns" else 0,
        family=str(item.labels.get("family", "")),
    )


def _turns_of(item: Item) -> list[Turn]:
    """The content of an item, turn by turn."""
    if not item.turns:
        return [item.content]
    ends = [*item.turns, len(item.content)]
    return [item.content[a:b] for a, b in zip([0, *item.turns], ends, strict=True)]


def _pack(item: Item, condition: Condition, materials: Materials) -> Pack:
    return materials.packs.find(item.benchmark, condition.prompt_language or item.language)


class _ItemWording:
    """Rendering of one item: the segments of all texts and images."""

    def __init__(
        self, item: Item, examples: Sequence[Item], condition: Condition, materials: Materials
    ) -> None:
        self._item = item
        self._examples = examples
        self._condition = condition
        self._materials = materials
        self._numbers = count(1)
        self._shown_first = False
        limit = condition.image_limit
        self._limit = ImageLimit.parse(limit) if limit else None

    def all(self) -> Iterator[Segment]:
        yield from self._before()
        yield from self._question(self._item)
        yield from self._after()

    def _before(self) -> Iterator[Segment]:
        condition = self._condition
        if self._examples:
            yield from self._sentences("sentences", "examples")
            for number, example in enumerate(self._examples, 1):
                yield from self._sentences("sentences", "example", number=number)
                yield from self._question(example)
                yield self._solved(example)
            yield from self._sentences("sentences", "query")
        if condition.background:
            yield from filter(None, [self._words.background_of(self._item.labels)])
        if condition.knowledge and self._materials.knowledge is not None:
            pieces = self._materials.knowledge.of(self._item)
            yield from self._sentences("sentences", "knowledge") if pieces else ()
            yield from pieces
        yield from self._instruction("task")

    def _after(self) -> Iterator[Segment]:
        yield from self._how_to_answer()
        if self._condition.decline:
            yield self._words.declining()

    def turns(self) -> list[Turn]:
        """Return the text and images of each turn of an item that is a conversation."""
        before, turns = tuple(self._before()), []
        for turn in _turns_of(self._item):
            segments = (self._displayed(segment, self._item) for segment in turn)
            turns.append(tuple(segment for segment in segments if segment is not None))
        turns[0] = (*before, *turns[0])
        turns[-1] = (*turns[-1], *self._choices(self._item), *self._after())
        return turns

    @property
    def _words(self) -> Pack:
        # The pack is looked up only when a sentence is needed, because other items may be in any
        # language.
        return _pack(self._item, self._condition, self._materials)

    def _sentences(self, table: str, key: str, **values: object) -> list[str]:
        text = self._words.say(table, key, **values)
        return [text] if text else []

    def _instruction(self, table: str) -> list[str]:
        kind = self._item.answer_type
        if kind not in ANSWERED:
            return []
        if not self._is_question:
            return self._sentences(table, kind)
        return [] if table == "task" else self._sentences(table, "open")

    @property
    def _is_question(self) -> bool:
        """True if the item asks for one answer, and the generic pack would speak of blanks."""
        return asks_one_answer(self._item) and self._words.benchmark == GENERIC

    def _how_to_answer(self) -> list[str]:
        if not self._condition.cot:
            return self._instruction("answer")
        kind = self._item.answer_type if self._item.answer_type in ANSWERED else "formatted"
        kind = "open" if self._is_question else kind
        return self._sentences("sentences", "cot") + self._sentences("reasoned", kind)

    def _question(self, item: Item) -> Iterator[Segment]:
        """Content in reading order, then the choices, with images as the condition has them.

        Choices whose contents are in the question or in its picture are not listed again.
        """
        for segment in item.content:
            visible = self._displayed(segment, item)
            if visible is not None:
                yield visible
        yield from self._choices(item)

    def _choices(self, item: Item) -> Iterator[Segment]:
        if all(choice.content == "" for choice in item.choices):
            return
        for choice in item.choices:
            visible = self._displayed(choice.content, item)
            if isinstance(visible, Image):
                yield f"{choice.label}."
                yield visible
            else:
                text = visible if visible is not None else self._words.say("sentences", "hidden")
                yield f"{choice.label}. {text}".rstrip()

    def _displayed(self, segment: Segment, item: Item) -> Segment | None:
        """Return the segment that is shown in place of a segment; None if nothing is shown."""
        images = self._condition.images
        if not isinstance(segment, Image):
            return segment
        if images in SHOWING and (images != "first" or self._is_first(item)):
            return self._limit.fit(segment) if self._limit else segment
        if images in ("removed", "first"):
            return None
        if images == "blank":
            return blank_like(segment)
        assert self._materials.texts is not None
        request = self._words.say("sentences", SENTENCES[images])
        text = self._materials.texts.of(segment, item.id, request)
        key = "caption" if images == "captioned" else "transcription"
        text = text or self._words.say("sentences", "no_text")
        return self._words.say("sentences", key, number=next(self._numbers), text=text)

    def _is_first(self, item: Item) -> bool:
        """Return True if no image of the item was shown yet; examples show none."""
        if item is not self._item or self._shown_first:
            return False
        self._shown_first = True
        return True

    def _solved(self, example: Item) -> str:
        """The example's right answer in the form that the item asks for."""
        line = answer_line(example)
        if self._condition.cot and example.answer_type in ANSWERED:
            # Several blanks are below the word that announces them; a single one is beside it.
            below = "\n" in line
            sentence = self._words.say("sentences", "answer_line", answer="" if below else line)
            return f"{sentence.rstrip()}\n{line}" if below else sentence
        return line


def _joined(segments: Iterable[Segment]) -> Turn:
    """The segments with neighboring texts joined by line breaks: servers join them differently."""
    out: list[Segment] = []
    for segment in segments:
        if out and isinstance(segment, str) and isinstance(out[-1], str):
            out[-1] = f"{out[-1]}\n{segment}"
        else:
            out.append(segment)
    return tuple(out)


def _one_image_per_turn(segments: Turn, pack: Callable[[], Pack]) -> list[Turn]:
    """The segments cut after every image but the last (MULTI, section 4.2). Every turn has one
    image, the last one also the following segments. The last turn asks for the answer, the others
    ask to wait. An item with at most one image stays one turn without such a sentence; then `pack`
    is not called.
    """
    parts = sum(isinstance(s, Image) for s in segments)
    if parts <= 1:
        return [segments]
    words = pack()
    turns: list[list[Segment]] = [[]]
    for segment in segments:
        turns[-1].append(segment)
        if isinstance(segment, Image) and len(turns) < parts:
            turns.append([])
    waiting = [
        (*turn, *filter(None, [words.say("sentences", "part", part=k, parts=parts)]))
        for k, turn in enumerate(turns[:-1], 1)
    ]
    return [*waiting, (*turns[-1], *filter(None, [words.say("sentences", "final")]))]
