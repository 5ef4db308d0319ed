"""Options whose text refers to other options, so that it is meaningless at another position."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gfactor.items import ItemBank

_ALL_OR_NONE = re.compile(
    "|".join(
        (
            # English
            r"\b(?:all|none|both|neither|any|each) (?:of )?(?:the |these |those )?"
            r"(?:above|below|following|others?|options|answers|choices|these|those|statements)\b",
            r"\b(?:all|none) (?:of )?(?:the )?(?:above|preceding|previous)\b",
            r"\b(?:all|none) of (?:them|these|those)\b",
            r"\bno(?:ne)? (?:correct|right) (?:answer|option)\b",
            # Chinese
            r"以上|上述|前述|以下[皆都均]|[皆都均全](?:是|对|正确|不是|不对|不正确|错|非)",
            r"没有正确答案|无正确答案|其他选项",
            # French
            r"\b(?:toutes?|tous|aucune?) (?:de |des |les |ces |parmi (?:les|ces) )*"
            r"(?:réponses?|propositions?|options?|choix|précédent\w*|ci-dessus|ces)",
            r"ci-dessus|ci-dessous",
            # Spanish
            r"\b(?:tod[ao]s|ningun[ao]|cualquiera) (?:de )?(?:las? |los? |estas? |estos? )?"
            r"(?:anteriores?|opciones|respuestas|alternativas|son (?:correct|ciert|verdader))",
            # Portuguese
            r"\b(?:tod[ao]s|nenhum[ao]?|qualquer) (?:(?:d?[ao]s?|d?estas?|d?estes?|uma das) )?"
            r"(?:anteriores|alternativas|opções|respostas|acima|estão corretas|são)",
            # Korean
            r"위의? ?(?:모두|모든|전부|어느|것|보기|답)|보기 ?중|모두 (?:맞|옳|정답|해당|아니)",
            r"정답 ?없음|해당 ?없음",
        )
    ),
    re.IGNORECASE,
)
"""Phrases of the interface's six languages for all of the options, or none of them."""

_JOINED = r"(?:and|or|nor|&|\+|,|、|/|和|与|或|及|et|ou|y|e|o|와|과|및|또는)"


@dataclass(frozen=True)
class ToPin:
    """Options of an item that should keep their positions: their labels, and the text of the first
    option that requires this."""

    item: str
    labels: tuple[str, ...]
    text: str

    @property
    def sentence(self) -> str:
        """Return the sentence for the owner."""
        labels = ", ".join(self.labels)
        return (
            f"item {self.item!r}: the option {self.text!r} speaks of other options, and the order "
            f"of options is random; pin {labels}"
        )

    def is_pinned(self, pins: Mapping[str, Sequence[str]]) -> bool:
        """Return True if a study's pins hold these options in their place."""
        return set(self.labels) <= set(pins.get(self.item, ()))


def options_to_pin(bank: ItemBank) -> list[ToPin]:
    """Return a bank's items with options such as "all of the above" or "A and C", in six languages.

    An option of the first kind has to keep its own position; if an option names others by their
    labels, all of the item's options have to keep theirs.
    """
    to_pin = []
    for item_id, choices in bank.choices().items():
        texts = [(label, text or "") for label, text in choices]
        labels = tuple(label for label, _ in texts)
        naming = next((text for _, text in texts if _names_options(text, labels)), None)
        speaking = [(label, text) for label, text in texts if _ALL_OR_NONE.search(text)]
        if naming is not None:
            to_pin.append(ToPin(item_id, labels, naming))
        elif speaking:
            to_pin.append(ToPin(item_id, tuple(label for label, _ in speaking), speaking[0][1]))
    return to_pin


def _names_options(text: str, labels: Sequence[str]) -> bool:
    """Return True if a text names two or more options by their labels ("Both A and C")."""
    if not labels:
        return False
    one = rf"(?:{'|'.join(map(re.escape, labels))})"
    pattern = rf"(?<![A-Za-z]){one}\s*{_JOINED}\s*{one}(?![A-Za-z'’])"
    words = re.sub(pattern, " ", text)
    return words != text and len(words.split()) <= 6
