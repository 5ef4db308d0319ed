"""Files of families: what a translator or an author of items changes without a line of Python.

Beside the module of a family lies a TOML file of the same name with its ability, radicals,
difficulties, sources, sentences and words; the module holds the algorithm. Modules with sentences
that several families use have such a file, too.

    ability = "Gs"                       one of `family.ABILITIES`
    origin = "..."                       source of the paradigm
    literature = ["..."]
    mm_iq = [], m3gia = []               types of these benchmarks that the family parallels
    unobserved = "..."                   why no observer answers from the pixels

    [radicals]                           name = levels, from easy to hard
    [presets.easy]                       radical = levels; what is left out has every level
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
from gfactor.benchmarks.texts import LANGUAGES, Forms, Texts, joined
from gfactor.errors import ParameterError

_NEEDED = ("ability", "origin", "literature", "radicals", "presets", "texts")
_KEYS = (*_NEEDED, "mm_iq", "m3gia", "unobserved", "extreme", "words")


def declared(module: str, *shared: Texts) -> dict[str, Any]:
    """Return what the file of a family declares, as arguments of `Family`.

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
        If the file is missing, is no TOML, lacks a key, or has one that families do not have.
    """
    path, content = _read(module)
    lacking = [key for key in _NEEDED if key not in content]
    if lacking:
        raise ParameterError(f"{path.name} lacks {', '.join(lacking)}; add what a family declares")
    _check_keys(path, content, _KEYS)
    _check_keys(path, content["presets"], DIFFICULTIES)
    if content["ability"] not in ABILITIES:
        codes = ", ".join(ABILITIES)
        raise ParameterError(f"{path.name}: ability {content['ability']!r} is none of {codes}")
    return {
        "name": path.stem,
        "ability": content["ability"],
        "origin": content["origin"],
        "literature": tuple(content["literature"]),
        "mm_iq": tuple(content.get("mm_iq", ())),
        "m3gia": tuple(content.get("m3gia", ())),
        "unobserved": content.get("unobserved", ""),
        "radicals": _levels(content["radicals"]),
        "presets": {name: _levels(levels) for name, levels in content["presets"].items()},
        "extreme": _levels(content.get("extreme", {})),
        "texts": joined(*shared, _texts(content)),
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
        If the file is missing, is no TOML, or has another key.
    """
    path, content = _read(module)
    _check_keys(path, content, ("texts", "words"))
    return _texts(content)


def _read(module: str) -> tuple[Path, dict[str, Any]]:
    path = Path(module).with_suffix(".toml")
    try:
        return path, tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        reason = "put the file with its sentences and radicals beside the module"
        raise ParameterError(f"{path} cannot be read ({error.strerror}); {reason}") from error
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"{path} is no TOML: {error}") from error


def _check_keys(path: Path, table: Mapping[str, Any], names: tuple[str, ...]) -> None:
    unknown = [key for key in table if key not in names]
    if unknown:
        raise ParameterError(
            f"{path.name} has the key {unknown[0]!r}; there are {', '.join(names)}"
        )


def _levels(table: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {radical: tuple(levels) for radical, levels in table.items()}


def _texts(content: Mapping[str, Any]) -> Texts:
    templates = {name: _in_languages(one) for name, one in content.get("texts", {}).items()}
    words = {
        kind: {
            word: {tag: _forms(forms) for tag, forms in _in_languages(one).items()}
            for word, one in table.items()
        }
        for kind, table in content.get("words", {}).items()
    }
    return Texts(templates, words)


def _in_languages(one: Any) -> dict[str, Any]:
    return dict.fromkeys(LANGUAGES, one) if isinstance(one, str) else one


def _forms(forms: Any) -> Forms:
    return (forms,) if isinstance(forms, str) else tuple(forms)
