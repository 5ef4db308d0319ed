"""Files of families: texts and settings that translators and authors change without Python. Next to
the module of a family is a TOML file of the same name with its ability, radicals, difficulties,
sources, sentences and words; the module holds the algorithm. Modules with sentences that several
families use have such a file, too.

    ability = "Gs"                       one of `family.ABILITIES`
    origin = "..."                       source of the paradigm
    literature = ["..."]
    mm_iq = [], m3gia = []               types of these benchmarks that the family parallels
    unobserved = "..." reason why no observer answers from the pixels

    [radicals]                           name = levels, from easy to hard
    [presets.easy]                       radical = levels; radicals left out have every level
    [extreme]                            the same for the difficulty beyond hard
    [texts.NAME]                         language = template
    [words.CLASS.WORD]                   language = form, or a list of forms

A template or a word that is the same in every language is a single string.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gfactor.benchmarks.chc.family import ABILITIES, DIFFICULTIES
from gfactor.benchmarks.chc.radicals import level_flaws
from gfactor.benchmarks.chc.typed_file import TypedFile
from gfactor.benchmarks.templates import brace_flaw
from gfactor.benchmarks.texts import LANGUAGES, Forms, Texts, joined
from gfactor.errors import ParameterError

_NEEDED = ("ability", "origin", "literature", "radicals", "presets", "texts")
_KEYS = (*_NEEDED, "mm_iq", "m3gia", "unobserved", "extreme", "words")


def declared(module: str, *shared: Texts) -> dict[str, Any]:
    """Return the declarations in the file of a family, as arguments of `Family`.

    Parameters
    ----------
    module : str
        `__file__` of the family's module; the TOML file beside it has the same name.
    *shared : Texts
        Sentences and words that the family shares with others, as `common.COMMON`.

    Returns
    -------
    dict of str to any
        `name`, `ability`, `origin`, `literature`, `mm_iq`, `m3gia`, `unobserved`, `radicals`,
        `presets`, `extreme` and `texts`.

    Raises
    ------
    ParameterError
        If the file is missing, is not TOML in UTF-8, lacks a key, or has one that families do not
        have; if a value is of another type, or a preset names an unknown radical or level.
    """
    file, content = _read(module)
    lacking = [key for key in _NEEDED if key not in content]
    if lacking:
        raise ParameterError(
            f"{file.name} lacks {', '.join(lacking)}; a family needs {', '.join(_NEEDED)}"
        )
    file.check_keys("", content, _KEYS)
    file.check_keys("presets", file.table("presets", content["presets"]), DIFFICULTIES)
    if file.text("ability", content["ability"]) not in ABILITIES:
        codes = ", ".join(ABILITIES)
        raise ParameterError(f"{file.name}: ability {content['ability']!r} is none of {codes}")
    radicals = file.levels("radicals", content["radicals"])
    presets = {
        name: file.levels(f"presets.{name}", levels) for name, levels in content["presets"].items()
    }
    for flaw in level_flaws(radicals, presets):
        raise ParameterError(f"{file.name}, {flaw}")
    return {
        "name": file.path.stem,
        "ability": content["ability"],
        "origin": file.text("origin", content["origin"]),
        "literature": file.texts("literature", content["literature"]),
        "mm_iq": file.texts("mm_iq", content.get("mm_iq", [])),
        "m3gia": file.texts("m3gia", content.get("m3gia", [])),
        "unobserved": file.text("unobserved", content.get("unobserved", "")),
        "radicals": radicals,
        "presets": presets,
        "extreme": file.levels("extreme", content.get("extreme", {})),
        "texts": joined(*shared, _texts(file, content)),
    }


def texts_beside(module: str) -> Texts:
    """Return the sentences and words in the file of a module that several families use.

    Parameters
    ----------
    module : str
        `__file__` of the module; the TOML file beside it has the same name.

    Returns
    -------
    Texts
        Its `texts` and `words`.

    Raises
    ------
    ParameterError
        If the file is missing, is not TOML, or has another key.
    """
    file, content = _read(module)
    file.check_keys("", content, ("texts", "words"))
    return _texts(file, content)


def _read(module: str) -> tuple[TypedFile, dict[str, Any]]:
    path = Path(module).with_suffix(".toml")
    try:
        return TypedFile(path), tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        reason = "put the file with its sentences and radicals beside the module"
        raise ParameterError(f"{path} cannot be read ({error.strerror}); {reason}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ParameterError(f"{path} is not in UTF-8 (line {line}); save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"{path} is no TOML: {error}") from error


def _texts(file: TypedFile, content: Mapping[str, Any]) -> Texts:
    templates = {
        name: _template(file, f"texts.{name}", one)
        for name, one in file.table("texts", content.get("texts", {})).items()
    }
    words = {
        kind: {
            word: _word(file, f"words.{kind}.{word}", one)
            for word, one in file.table(f"words.{kind}", table).items()
        }
        for kind, table in file.table("words", content.get("words", {})).items()
    }
    keys = [f"texts.{name}" for name in templates]
    keys += [f"words.{kind}.{word}" for kind, some in words.items() for word in some]
    return Texts(templates, words, dict.fromkeys(keys, file.name))


def _template(file: TypedFile, key: str, one: Any) -> dict[str, str]:
    languages = _in_languages(file, key, one)
    for tag, text in languages.items():
        if flaw := brace_flaw(file.text(f"{key}, {tag}", text)):
            raise ParameterError(f"{file.name}, {key}, {tag}: {flaw}")
    return languages


def _word(file: TypedFile, key: str, one: Any) -> dict[str, Forms]:
    return {
        tag: file.forms(f"{key}, {tag}", forms)
        for tag, forms in _in_languages(file, key, one).items()
    }


def _in_languages(file: TypedFile, key: str, one: Any) -> dict[str, Any]:
    if isinstance(one, str):
        return dict.fromkeys(LANGUAGES, one)
    file.check_keys(key, file.table(key, one, "a text or "), LANGUAGES, "language")
    return one
