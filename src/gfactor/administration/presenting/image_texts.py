"""Texts in place of images: captions and transcriptions, by the images' content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gfactor.administration.presenting.records import fingerprint, read_records
from gfactor.errors import ParameterError
from gfactor.items import Image, Item, text_hash

SENTENCES: Mapping[str, str] = {"captioned": "ask_caption", "transcribed": "ask_transcription"}
"""Name of the pack's sentence that asks an examinee for a text in place of an image, by the
condition's `images`.
"""


@dataclass(frozen=True)
class ImageTexts:
    """A text for every image that is to be replaced.

    Parameters
    ----------
    texts: texts by the SHA-256 of an image's encoded bytes, or by its path in the bank; texts that
    an examinee made, by `name_of` the image and the question.
    source: origin of the texts, for messages.
    fingerprint: distinguishes these texts from others in a condition's key. filler: text in place
    of missing texts, if a run is only estimated.
    """

    texts: Mapping[str, str]
    source: str
    fingerprint: str
    filler: str | None = None

    def of(self, image: Image, item_id: str, question: str = "") -> str:
        """Return the text for an image; raises ParameterError if there is none.

        An image that was found to contain no text has "". `question` is the prompt for describing
        images like this one; descriptions that were made with another prompt are not used.
        """
        for name in (name_of(image.sha256, question), image.sha256, image.path):
            if name in self.texts:
                return self.texts[name]
        if self.filler is not None:
            return self.filler
        raise ParameterError(
            f"item {item_id!r}: there is no text for its image {image.path!r} (SHA-256 "
            f"{image.sha256[:12]}...) in {self.source}; add it there, or have it made with "
            "--captions-by"
        )

    def check(self, items: Iterable[Item]) -> None:
        """Raise ParameterError unless there is a text for every image of the items."""
        for item in items:
            for image in item.images:
                self.of(image, item.id)


def name_of(sha256: str, question: str) -> str:
    """Return the name of the text that an examinee made of an image when asked this."""
    return f"{sha256} {text_hash(question)[:12]}"


def read_image_texts(path: Path) -> ImageTexts:
    """Return texts from a CSV or JSON-lines file with `image` (SHA-256 or path) and `text`.

    Raises ParameterError if the file has another form, is empty, or gives two different texts for
    an image.
    """
    texts: dict[str, str] = {}
    for row in read_records(path, "captions", ("image", "text")):
        name = row["image"].strip()
        if texts.setdefault(name, row["text"].strip()) != row["text"].strip():
            raise ParameterError(f"captions file {str(path)!r} has two texts for image {name!r}")
    if not texts:
        raise ParameterError(f"captions file {str(path)!r} holds no text")
    return ImageTexts(texts, f"captions file {str(path)!r}", fingerprint(sorted(texts.items())))
