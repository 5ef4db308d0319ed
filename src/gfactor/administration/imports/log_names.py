"""Names of log files, MODEL_DATASET: where the model's name ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path


def folder_in_name(path: Path) -> str:
    """Return the name of the folder around a file, or around that one, with which the file's name
    begins; "" if there is none."""
    folders = (parent.name for parent in path.resolve().parents[:2])
    return next((name for name in folders if name and path.name.startswith(f"{name}_")), "")


def shared_ending(path: Path, beside: Iterable[Path], is_known: Callable[[str], bool]) -> str:
    """Return the data set of a file MODEL_DATASET, which is the ending of its name that the names
    of other files share; "" if it is not clear.

    Names may share several endings, because two models may be called alike at the end. The one
    that most names share is then the data set, unless the names as a whole would then be models
    in several versions of data sets as well (A_X_EN, B_X_EN, A_Y_EN, B_Y_EN).

    Parameters
    ----------
    path: the file.
    beside: all files of the import.
    is_known: True for the name of a data set that the harness knows; such an ending is not cut.
    """
    stems = {one.stem for one in beside} | {path.stem}
    sharing = {e: n for e in _endings(path.stem) if (n := _number_with(e, stems)) > 1}
    if not sharing:
        return ""
    if named := next(filter(is_known, _endings(path.stem)), ""):
        return named if named in sharing else ""
    longest, most = next(iter(sharing)), max(sharing.values())
    if sharing[longest] == most:
        return longest
    chosen = next(ending for ending, number in sharing.items() if number == most)
    models = [
        stem.removesuffix(f"_{_longest_shared(stem, stems)}")
        for stem in stems if stem.endswith(f"_{chosen}")
    ]  # fmt: skip
    return chosen if len(set(models)) == len(models) else ""


def _endings(stem: str) -> list[str]:
    """Return the parts of a name behind each "_" that stands behind a model, longest first."""
    parts = stem.split("_")
    return ["_".join(parts[k:]) for k in range(1, len(parts)) if any(parts[:k]) and any(parts[k:])]


def _number_with(ending: str, stems: Iterable[str]) -> int:
    return sum(ending in _endings(stem) for stem in stems)


def _longest_shared(stem: str, stems: Iterable[str]) -> str:
    return next(ending for ending in _endings(stem) if _number_with(ending, stems) > 1)
