"""Materials of a condition in addition to the items: prompt packs, image texts, knowledge,
examples."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gfactor.administration.packs import Packs
from gfactor.administration.presenting.condition import DESCRIBED, Condition
from gfactor.administration.presenting.examples import Examples
from gfactor.administration.presenting.image_texts import ImageTexts
from gfactor.administration.presenting.knowledge import Knowledge
from gfactor.errors import ParameterError


@dataclass(frozen=True)
class Materials:
    """The texts that rendering adds to items; by default these are the shipped packs alone.

    Parameters
    ----------
    packs : Packs
        Prompt packs.
    texts : ImageTexts, optional
        Texts of images, for images=captioned and images=transcribed.
    knowledge : Knowledge, optional
        Pieces of knowledge, for knowledge=on.
    examples : Examples, optional
        Solved examples, for shots=K.

    Examples
    --------
    >>> from gfactor.administration import Condition, Materials
    >>> Materials().stamped(Condition(cot=True)).key
    'cot=on'
    """

    packs: Packs = field(default_factory=Packs)
    texts: ImageTexts | None = None
    knowledge: Knowledge | None = None
    examples: Examples | None = None

    def stamped(self, condition: Condition) -> Condition:
        """Return the condition with the fingerprints of the materials from which its texts come.

        Answers to other captions, pieces of knowledge, examples or prompts are other measurements,
        so the fingerprints are part of the key. The shipped packs are not named in it. Raises the
        errors of `check`.
        """
        self.check(condition)
        sources = {
            "captions": self.texts.fingerprint if self.texts else "",
            "knowledge_from": self.knowledge.fingerprint if self.knowledge else "",
            "examples": self.examples.fingerprint if self.examples else "",
            "pack": self.packs.hash,
        }
        stamped = replace(condition, sources=tuple((k, v) for k, v in sources.items() if v))
        if condition.sources not in ((), stamped.sources):
            raise ParameterError(
                f"the condition {condition.key} was given with other files; these make it "
                f"{stamped.key}"
            )
        return stamped

    def check(self, condition: Condition) -> None:
        """Raise ParameterError, with the remedy, if the condition and the materials do not match.

        All materials that the condition needs must be given, and no others.
        """
        described = condition.images in DESCRIBED
        _agree(described, self.texts, "images=captioned or images=transcribed",
               "--captions FILE or --captions-by SPEC")  # fmt: skip
        _agree(condition.knowledge, self.knowledge, "knowledge=on", "--knowledge FILE")
        _agree(condition.shots > 0, self.examples, "shots=K", "--shots-from BANK")


def _agree(wanted: bool, given: object, part: str, option: str) -> None:
    if wanted and given is None:
        raise ParameterError(f"the condition {part} needs {option}")
    if not wanted and given is not None:
        raise ParameterError(
            f"{option} is used only under the condition {part}; add it to --condition, or leave "
            f"out {option.partition(' ')[0]}"
        )
