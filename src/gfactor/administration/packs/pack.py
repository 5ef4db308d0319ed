"""One pack per benchmark and language; a benchmark's pack holds only what differs in it.

Each sentence is taken from the first pack that has it, so that a user's file may replace a single
sentence: the user's pack (`--pack FILE`) for the benchmark, the user's generic pack, the shipped
pack for the benchmark, the shipped generic pack. All are in the language of the prompt.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import Any

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import canonical_json, text_hash
from gfactor.listing import first_few

GENERIC = "generic"
NOBODYS = "en"
"""Language of the sentences for examinees that do not read."""

ANSWERED = ("choice", "choices", "blanks", "open")
"""Answer types that the pack has instructions for; items of other types bring their own."""

KEYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "task": dict.fromkeys(ANSWERED, ()),
    "answer": dict.fromkeys(ANSWERED, ()),
    "reasoned": dict.fromkeys((*ANSWERED, "formatted"), ()),
    "sentences": {
        "cot": (),
        "answer_line": ("answer",),
        "knowledge": (),
        "examples": (),
        "example": ("number",),
        "query": (),
        "caption": ("number", "text"),
        "transcription": ("number", "text"),
        "no_text": (),
        "hidden": (),
        "part": ("part", "parts"),
        "final": (),
        "ask_caption": (),
        "ask_transcription": (),
        "decline": (),
    },
}
"""Tables and keys of a pack, and the fields in braces that each sentence may hold."""

DECLINE = "decline"
"""A key of `sentences` that a pack may lack: it is used only under the condition decline=on, and is
not part of a pack's hash, so that journals of older packs can be continued."""


TEMPLATE = "write one with gfactor list prompt-pack > FILE.toml and give it with --pack FILE.toml"
"""Remedy for a language without a pack, in messages."""


@dataclass(frozen=True)
class Pack:
    """The sentences for one benchmark in one language.

    Parameters
    ----------
    benchmark, language: benchmark and language of the items that it serves.
    tables: the complete tables `KEYS`.
    background: templates with fields for an item's labels. The first template whose labels the
        item has is used.
    words: translations of labels' values in the background's sentences, such as the subjects of
        MULTI in English. Values that are not listed stay as they are.
    """

    benchmark: str
    language: str
    tables: Mapping[str, Mapping[str, str]]
    background: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the pack in messages and records: "percept-v/en"."""
        return f"{self.benchmark}/{self.language}"

    @property
    def hash(self) -> str:
        """The first 12 digits of the SHA-256 of the pack's texts, without `DECLINE` and `words`."""
        sentences = {k: v for k, v in self.tables["sentences"].items() if k != DECLINE}
        tables = {**self.tables, "sentences": sentences}
        content = {"tables": tables, "background": self.background}
        return text_hash(canonical_json(content))[:12]

    def declining(self) -> str:
        """Return the sentence that asks to decline; raise ParameterError if the pack has none."""
        sentence = self.tables["sentences"][DECLINE]
        if not sentence:
            raise ParameterError(
                f"the prompt pack {self.name} has no sentences.{DECLINE}, which decline=on needs; "
                "add it to a file and give that with --pack"
            )
        return sentence

    def say(self, table: str, key: str, **values: object) -> str:
        """Return a sentence with its fields filled in; "" if the pack leaves it out."""
        return self.tables[table][key].format(**values)

    def background_of(self, labels: Mapping[str, object]) -> str:
        """Return the background sentence of an item, made from its labels; "" if no template
        fits."""
        for template in self.background:
            wanted = {name for _, name, _, _ in Formatter().parse(template) if name}
            if all(labels.get(name) not in (None, "", ()) for name in wanted):
                return template.format(
                    **{name: _in_words(labels[name], self.words) for name in wanted}
                )
        return ""


@dataclass(frozen=True)
class PackLayer:
    """Content of one file: any part of a pack."""

    benchmark: str
    language: str
    tables: Mapping[str, Mapping[str, str]]
    background: tuple[str, ...] | None
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Packs:
    """The packs in use: a user's packs have priority over the shipped ones.

    Parameters
    ----------
    layers : list of PackLayer
        A user's packs; the first has priority.
    spare : str
        The language used for languages without a pack; "" if these are an error.

    Examples
    --------
    >>> from gfactor.administration import Packs
    >>> Packs().find("percept-v", "en").language
    'en'
    """

    layers: tuple[PackLayer, ...] = ()
    spare: str = ""
    _packs_by_key: dict[tuple[str, str], Pack] = field(
        default_factory=dict, compare=False, repr=False
    )

    @classmethod
    def of(cls, paths: Iterable[Path | str]) -> Packs:
        """Return the user's pack files over the shipped packs; see `read_pack` for its errors."""
        return cls(tuple(read_pack(Path(path)) for path in paths))

    @property
    def hash(self) -> str:
        """Hash of the user's packs; "" if there are none."""
        if not self.layers:
            return ""
        content = [
            [a.benchmark, a.language, a.tables, a.background, *([a.words] if a.words else [])]
            for a in self.layers
        ]
        return text_hash(canonical_json(content))[:12]

    def for_nobody(self) -> Packs:
        """Return packs for an examinee that reads no words, so that items may be in any
        language."""
        return replace(self, spare=NOBODYS, _packs_by_key={})

    def find(self, benchmark: str, language: str) -> Pack:
        """Return the pack for a benchmark's items in a language (BCP 47).

        For "zh-Hant-TW" it is the first that exists of zh-Hant-TW, zh-Hant and zh. Raises
        ParameterError if there is none.
        """
        pack = self._packs_by_key.get((benchmark, language))
        if pack is None:
            pack = self._packs_by_key[benchmark, language] = self._layered(benchmark, language)
        return pack

    def _layered(self, benchmark: str, language: str) -> Pack:
        for tag in _prefixes(language):
            layers = [
                layer
                for languages in (self.layers, shipped())
                for name in (benchmark, GENERIC)
                for layer in languages
                if (layer.benchmark, layer.language.lower()) == (name, tag)
            ]
            if layers:
                return _joined(benchmark, tag, layers)
        if self.spare and language != self.spare:
            return self._layered(benchmark, self.spare)
        languages = sorted({layer.language for layer in (*self.layers, *shipped())})
        raise ParameterError(
            f"there is no prompt pack for language {language!r} (there are "
            f"{', '.join(languages)}); {TEMPLATE}, or choose another with prompt_language. Models "
            "share a board only under one condition: import replies of others with it, too, as in "
            "--condition prompt_language=en"
        )


def _prefixes(language: str) -> list[str]:
    parts = language.lower().split("-")
    return ["-".join(parts[:n]) for n in range(len(parts), 0, -1)]


def _joined(benchmark: str, language: str, layers: list[PackLayer]) -> Pack:
    tables: dict[str, dict[str, str]] = {}
    lacking: list[str] = []
    for table, keys in KEYS.items():
        tables[table] = {}
        for key in keys:
            values = [a.tables[table][key] for a in layers if key in a.tables.get(table, {})]
            if not values and key != DECLINE:
                lacking.append(f"{table}.{key}")
            tables[table][key] = values[0] if values else ""
    if lacking:
        raise ParameterError(
            f"the prompt pack for {language!r} has no {first_few(lacking, 3)}, and no pack is "
            "shipped in that language to take it from; add to the file what it lacks (gfactor list "
            "prompt-pack prints all sentences)"
        )
    background = next((a.background for a in layers if a.background is not None), ())
    name = benchmark if any(a.benchmark == benchmark for a in layers) else GENERIC
    words = {value: word for a in reversed(layers) for value, word in a.words.items()}
    return Pack(name, language, tables, background, words)


def read_pack(path: Path) -> PackLayer:
    """Read a pack file: `benchmark` (default "generic"), `language`, `background`, `words`, `KEYS`.

    Raises ParameterError for a file that cannot be read, and for a sentence that is not text or
    has an unknown field; UnknownNameError, with the closest name, for an unknown table or key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ParameterError(f"pack {str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ParameterError(f"pack {str(path)!r} is not text in UTF-8") from error
    return _layer(text, str(path))


@lru_cache(maxsize=1)
def shipped() -> tuple[PackLayer, ...]:
    """Return the packs that come with gfactor."""
    folder = resources.files("gfactor.administration.packs")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return tuple(_layer(file.read_text(encoding="utf-8"), file.name) for file in files)


def template() -> str:
    """Return the shipped pack of all sentences, in English, as the text of a file to translate."""
    folder = resources.files("gfactor.administration.packs")
    return (
        "# A prompt pack: name its language, translate the texts between the quotation marks, keep "
        "what\n# stands in braces, and give the file with --pack FILE.\n"
        + (folder / f"{GENERIC}.en.toml").read_text(encoding="utf-8")
    )


def languages_without_pack(languages: Iterable[str]) -> list[str]:
    """Return the languages in which no complete pack is shipped, in alphabetical order."""
    served = {layer.language.lower() for layer in shipped() if layer.benchmark == GENERIC}
    return sorted({one for one in languages if served.isdisjoint(_prefixes(one))})


def _layer(text: str, where: str) -> PackLayer:
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except ValueError as error:
        raise ParameterError(f"pack {where!r} is not TOML: {error}") from error
    benchmark, language = tables.pop("benchmark", GENERIC), tables.pop("language", None)
    if not isinstance(language, str) or not language or not isinstance(benchmark, str):
        raise ParameterError(f'pack {where!r} must say its language, as in language = "en"')
    background = tables.pop("background", None)
    if background is not None:
        background = tuple(background if isinstance(background, list) else [background])
        for template in background:
            _check_fields(f"pack {where!r}, background", template, None)
    words = tables.pop("words", {})
    if not isinstance(words, dict) or not all(isinstance(word, str) for word in words.values()):
        raise ParameterError(f"pack {where!r}: words must be a table of texts, written [words]")
    for table, keys in tables.items():
        if table not in KEYS:
            raise UnknownNameError(f"table in pack {where!r}", table, KEYS)
        if not isinstance(keys, dict):
            raise ParameterError(f"pack {where!r}: {table} is a table, written [{table}]")
        for key, sentence in keys.items():
            if key not in KEYS[table]:
                error = UnknownNameError(f"key of [{table}] in pack {where!r}", key, KEYS[table])
                raise ParameterError(f"{error} [{table}] may have {', '.join(KEYS[table])}")
            _check_fields(f"pack {where!r}, {table}.{key}", sentence, KEYS[table][key])
    return PackLayer(benchmark, language, tables, background, words)


def _check_fields(where: str, sentence: object, allowed: tuple[str, ...] | None) -> None:
    """Raise ParameterError unless all fields are plain names.

    Format strings could otherwise reach into objects."""
    if not isinstance(sentence, str):
        raise ParameterError(f"{where} must be a text in quotation marks")
    try:
        fields = [(n, s, c) for _, n, s, c in Formatter().parse(sentence) if n is not None]
    except ValueError as error:
        raise ParameterError(f"{where}: {error}; write a brace of the text as {{{{") from error
    for name, style, conversion in fields:
        if style or conversion or not name.isidentifier():
            raise ParameterError(f"{where}: {{{name}}} is not a plain name in braces")
        if allowed is not None and name not in allowed:
            listed = " and ".join(f"{{{a}}}" for a in allowed) or "no field at all"
            raise ParameterError(f"{where} has a field {{{name}}}; it may have {listed}")


def _in_words(value: object, words: Mapping[str, str]) -> str:
    parts = map(str, value if isinstance(value, tuple) else (value,))
    return ", ".join(words.get(part, part) for part in parts)
