"""Results as records: named numbers and texts in readable files, compared one by one.

`as_record` turns any result into a tree of names. A short table is recorded whole, one row to a
line. A long one is condensed: some of its rows, and the spread and a weighted mean of each
column, which change with every single number. `differences` compares a result with its
record and names each figure that differs.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd

from gfactor.errors import GfactorError

WITHIN = 1e-6
"""Relative tolerance of a number that nothing else is said about."""
LEAST = 1e-2
"""Scale below which the tolerance of a number that stands alone no longer shrinks."""
LONG = 48
"""Numbers in a table above which it is condensed."""
LONG_LINES = 1200
"""Characters of a text above which it is condensed."""
LONG_TEXT = 90
"""Characters of a text above which it does not stand in a row with other leaves."""
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?!\w)")
LINES = "lines of text"
WORDS = "words as in"
NUMBERS = "numbers"
SAME = "same as"
TINY = 1e-9
"""Share of its scale below which a number counts as zero."""

Leaf = float | int | str | bool | None
Tree = Any
"""A leaf, a list of leaves, or a dictionary of trees."""


def told(
    parts: Mapping[str, Callable[[], Any]] | None = None, /, **more: Callable[[], Any]
) -> dict[str, Any]:
    """Return the parts of a result, and the message of the error for a part that fails."""
    out: dict[str, Any] = {}
    for name, part in {**(parts or {}), **more}.items():
        try:
            out[name] = part()
        except GfactorError as error:
            out[name] = f"{type(error).__name__}: {error}"
    return out


class Numbers(list[Leaf]):
    """Leaves of one kind: their tolerance follows from the largest of them."""


class Table(dict[str, Tree]):
    """Rows of the same columns: tolerances follow from the largest number of each column."""


class Group(dict[str, Tree]):
    """Trees of one kind: tolerances follow from the largest number in any of them."""


def _leaf(value: Any) -> Leaf:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return None if math.isnan(value) else float(value) if math.isfinite(value) else str(value)
    if value is pd.NA or value is pd.NaT:
        return None
    return str(value)


def _is_leaf(value: Any) -> bool:
    kinds = str | bool | np.bool_ | int | float | np.integer | np.floating
    return value is None or isinstance(value, kinds)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def weighted_mean(values: list[Leaf]) -> float:
    """Return a mean whose weights differ from place to place, so that an exchange changes it."""
    weights = [1 + math.sin(1.7 * (k + 1)) / 2 for k in range(len(values))]
    total = sum(w * v for w, v in zip(weights, values, strict=True) if _number(v))  # type: ignore[operator]
    return total / len(values)


def _moments(values: list[Leaf]) -> dict[str, Leaf]:
    """Return figures of a column, which change when any of its values does."""
    numbers = [float(v) for v in values if _number(v)]  # type: ignore[arg-type]
    if not numbers:
        words = [str(v) for v in values]
        unlike = list(dict.fromkeys(words))
        joined = " ".join(unlike) if len(unlike) < 6 else f"{len(unlike)} different"
        return {"weighted mean": f"{joined[:60]} ({crc32(chr(0).join(words).encode()):08x})"}
    mean = sum(numbers) / len(numbers)
    return {
        "mean": mean,
        "sd": math.sqrt(sum((v - mean) ** 2 for v in numbers) / len(numbers)),
        "min": min(numbers),
        "max": max(numbers),
        "weighted mean": weighted_mean(values),
    }


def _spaced(count: int, number: int = 3) -> list[int]:
    """Return evenly spaced places, the first and the last among them."""
    return sorted({round(k * (count - 1) / (number - 1)) for k in range(number)})


def _vector(values: list[Leaf], names: list[str] | None = None) -> Tree:
    """Return a list of leaves, condensed if it is long."""
    if len(values) <= LONG and names is None:
        return Numbers(values)
    names = names or [str(k) for k in range(len(values))]
    if len(values) <= 12:
        return Group(zip(names, values, strict=True))
    if len(values) <= LONG:
        return Group(names=names, values=Numbers(values))
    some = {names[k]: values[k] for k in _spaced(len(values), 5)}
    return Group({"n": len(values), **_moments(values), **some})


def _rows(index: list[str], rows: list[list[Leaf]]) -> dict[str, Tree]:
    return {name: Numbers(row) for name, row in zip(index, rows, strict=True)}


def _unlike(names: list[str]) -> list[str]:
    """Return names that are unique, numbered if they are not."""
    return names if len(set(names)) == len(names) else [f"{k} {n}" for k, n in enumerate(names)]


def _matrix(index: list[str], columns: list[str], rows: list[list[Leaf]]) -> Tree:
    """Return rows of numbers of one kind, condensed if they are many."""
    flat = [v for row in rows for v in row]
    width = len(columns)
    if len(flat) <= LONG or len(rows) < 3:
        return Group(_rows(_unlike(index), rows))
    some = {
        f"row {index[k // width]}, column {columns[k % width]}": flat[k] for k in _spaced(len(flat))
    }
    means = [weighted_mean(list(column)) for column in zip(*rows, strict=True)]
    by_column = Numbers(means) if width <= 20 else Group(_moments([*means]))
    shape = [len(rows), width]
    return Group({"shape": shape, **_moments(flat), **some, "weighted means of columns": by_column})


def _table(columns: list[str], index: list[str], rows: list[list[Leaf]]) -> Tree:
    """Return rows whose columns differ in kind, condensed if they are many."""
    names = _unlike(index)
    numbers = sum(map(_number, (v for row in rows for v in row)))
    if len(rows) <= (7 if numbers > LONG else LONG):
        return Table(columns=columns, **_rows(names, rows))
    out = Table(columns=columns, rows=len(rows))
    if names != [str(k) for k in range(len(rows))]:
        out["names"] = _moments([*names])["weighted mean"]
    for k in _spaced(len(rows)):
        out[names[k]] = Numbers(rows[k])
    figures = [_moments(list(column)) for column in zip(*rows, strict=True)]
    for figure in ("sd", "weighted mean"):
        key = f"{figure} of column" if figure in names else figure
        out[key] = Numbers([f.get(figure) for f in figures])
    return out


def _frame(frame: pd.DataFrame) -> Tree:
    columns = [[_leaf(v) for v in frame.iloc[:, k].tolist()] for k in range(frame.shape[1])]
    rows = [[column[k] for column in columns] for k in range(len(frame))]
    names, index = [str(c) for c in frame.columns], [str(i) for i in frame.index.tolist()]
    return _matrix(index, names, rows) if index == names else _table(names, index, rows)


def _array(values: np.ndarray) -> Tree:
    if values.ndim == 0:
        return _leaf(values.item())
    if values.ndim == 1:
        return _vector([_leaf(v) for v in values.tolist()])
    if values.ndim == 2:
        index, columns = ([str(k) for k in range(n)] for n in values.shape)
        return _matrix(index, columns, [[_leaf(v) for v in row] for row in values.tolist()])
    return Group({str(k): _array(part) for k, part in enumerate(values)})


def _short(values: list[Any]) -> bool:
    """Return True if all values are leaves, and none is a long text."""
    return all(
        _is_leaf(v) and not (isinstance(v, str) and (len(v) > LONG_TEXT or "\n" in v))
        for v in values
    )


def _list(values: list[Any]) -> Tree:
    """Return a list as a row of leaves, as a table if its members are alike, or else as parts."""
    if _short(values):
        leaves = [_leaf(v) for v in values]
        return leaves if len(leaves) <= 8 else _vector(leaves)
    numbers = [str(k) for k in range(len(values))]
    if len(values) > 1 and all(isinstance(v, Mapping) for v in values):
        named = [{str(k): v for k, v in part.items()} for part in values]
        if _short([v for part in named for v in part.values()]):
            columns = list(dict.fromkeys(key for part in named for key in part))
            return _table(columns, numbers, [[_leaf(p.get(c)) for c in columns] for p in named])
    if len(values) > 2 and all(isinstance(v, list | tuple) and len(v) for v in values):
        flat = [v for part in values for v in part]
        width = len(values[0])
        if _short(flat) and all(len(part) == width for part in values):
            rows, columns = (
                [[_leaf(v) for v in part] for part in values],
                [str(k) for k in range(width)],
            )
            if width > 2 and all(_number(v) for row in rows for v in row):
                return _matrix(numbers, columns, rows)
            return _table(columns, numbers, rows)
    return {str(k): as_record(v) for k, v in enumerate(values)}


class Whole(str):
    """A text that is recorded whole, however long."""


def _text(value: str) -> Tree:
    """Return a text by its lines, condensed if it is long."""
    lines = value.splitlines()
    if len(value) <= LONG_LINES or len(lines) < 8 or isinstance(value, Whole):
        return {LINES: lines} if "\n" in value else str(value)
    numbers: list[Leaf] = [float(number) for line in lines for number in _NUMBER.findall(line)]
    return {
        "lines": len(lines),
        "words": f"{crc32(_template(lines).encode()):08x}",
        "numbers": Group(n=len(numbers), **_moments(numbers)),
        "some": {LINES: [lines[k] for k in _spaced(len(lines), 6)]},
    }


def as_record(value: Any) -> Tree:
    """Return a value as a tree of named leaves and rows of leaves."""
    if isinstance(value, str):
        return _text(value)
    if _is_leaf(value):
        return _leaf(value)
    if isinstance(value, pd.DataFrame):
        return _frame(value)
    if isinstance(value, pd.Series):
        return _vector([_leaf(v) for v in value.tolist()], [str(i) for i in value.index.tolist()])
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, Mapping):
        return {str(name): as_record(part) for name, part in value.items()}
    if isinstance(value, set | frozenset):
        return _list(sorted(value, key=str))
    if isinstance(value, list | tuple):
        return _list(list(value))
    if hasattr(value, "to_dict"):
        tree = as_record(value.to_dict())
        return tree | {"summary": as_record(value.summary())} if hasattr(value, "summary") else tree
    if dataclasses.is_dataclass(value):
        return {f.name: as_record(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return type(value).__name__


def _numbers(tree: Tree) -> Iterator[float]:
    """Yield the numbers of a tree, without the counts of what is condensed."""
    if isinstance(tree, Mapping):
        for name, part in tree.items():
            if name not in ("n", "shape", "rows"):
                yield from _numbers(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from _numbers(part)
    elif _number(tree):
        yield abs(float(tree))


def _scale(tree: Tree) -> float:
    return max(_numbers(tree), default=0.0)


def _column_scales(table: Mapping[str, Tree]) -> list[float]:
    rows = [row for name, row in table.items() if isinstance(row, list) and name != "columns"]
    return [max(map(_scale, column)) for column in zip(*rows, strict=False)]


def _unit(number: str) -> float:
    """Return one unit of the last digit printed, 0 for a whole number."""
    digits, _, power = number.partition("e")
    if "." not in digits and not power:
        return 0.0
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


def _unlike_lines(
    found: list[str], recorded: list[str], within: float
) -> Iterator[tuple[str, str]]:
    """Yield the lines whose words or numbers differ.

    A number may differ by one unit of its last digit, since its rounding may hang on the last bit;
    but this is rare: not more than one number in ten, or one in all.
    """
    rounded: list[tuple[str, str]] = []
    count = 0
    for ours, theirs in zip(found, recorded, strict=False):
        if ours == theirs:
            continue
        if _NUMBER.sub("#", ours).split() != _NUMBER.sub("#", theirs).split():
            yield ours, theirs
            continue
        count += len(_NUMBER.findall(ours))
        for a, b in zip(_NUMBER.findall(ours), _NUMBER.findall(theirs), strict=True):
            x, y, unit = float(a), float(b), max(_unit(a), _unit(b))
            if abs(x - y) <= within * abs(y) or max(abs(x), abs(y)) < 1e-7:
                continue
            if abs(x - y) > 1.001 * unit:
                yield ours, theirs
                break
            rounded.append((ours, theirs))
    if len(rounded) > 1 + sum(len(_NUMBER.findall(line)) for line in recorded) // 10:
        yield from rounded
    for ours in found[len(recorded) :]:
        yield ours, "no line"
    for theirs in recorded[len(found) :]:
        yield "no line", theirs


def _shown(leaf: Tree) -> str:
    if isinstance(leaf, float):
        return f"{leaf:.9g}"
    text = json.dumps(leaf, ensure_ascii=False, default=str)
    return text if len(text) <= 400 else f"{text[:400]} ..."


def differences(
    found: Tree, recorded: Tree, within: float = WITHIN, name: str = "", scale: float = LEAST
) -> list[str]:
    """Return a line for each figure, word or name in which a tree differs from its record.

    Parameters
    ----------
    found : tree
        The result, as `as_record` returns it.
    recorded : tree
        The record.
    within : float
        The relative tolerance of numbers; it applies to `scale` where that is larger.
    name : str
        The name of the tree, which begins each line.
    scale : float
        The size of the numbers that the tree belongs to.
    """

    def line(at: str, ours: Tree, theirs: Tree) -> str:
        return f"{at or 'all'}: recorded {_shown(theirs)}, found {_shown(ours)}"

    if isinstance(found, Mapping) and isinstance(recorded, Mapping):
        if LINES in found and LINES in recorded:
            return [
                line(name, a, b) for a, b in _unlike_lines(found[LINES], recorded[LINES], within)
            ]
        out = []
        columns = found.get("columns") if isinstance(found, Table) else None
        scales = _column_scales(recorded) if columns is not None else []
        inner = max(scale, _scale(recorded)) if isinstance(found, Group) else LEAST
        for key in {**recorded, **found}:
            at = f"{name}/{key}" if name else key
            if key not in found:
                out.append(f"{at}: recorded {_shown(recorded[key])}, found nothing")
            elif key not in recorded:
                out.append(f"{at}: not recorded, found {_shown(found[key])}")
            elif columns is not None and key != "columns":
                out += _row_differences(found[key], recorded[key], within, at, columns, scales)
            else:
                out += differences(found[key], recorded[key], within, at, inner)
        if not out and [*found] != [*recorded]:
            out.append(f"{name}: recorded in the order {[*recorded]}, found {[*found]}")
        return out
    if isinstance(found, list) and isinstance(recorded, list):
        if len(found) != len(recorded):
            return [line(name, found, recorded)]
        inner = max(scale, _scale(recorded)) if isinstance(found, Numbers) else LEAST
        pairs = enumerate(zip(found, recorded, strict=True))
        return [d for k, (a, b) in pairs for d in differences(a, b, within, f"{name}[{k}]", inner)]
    if _number(found) and _number(recorded):
        if isinstance(found, int) and isinstance(recorded, int):
            return [] if found == recorded else [line(name, found, recorded)]
        close = abs(found - recorded) <= within * max(abs(recorded), scale)
        return [] if close else [line(name, found, recorded)]
    if isinstance(found, str) and isinstance(recorded, str):
        return [line(name, a, b) for a, b in _unlike_lines([found], [recorded], within)]
    return (
        [] if type(found) is type(recorded) and found == recorded else [line(name, found, recorded)]
    )


def _row_differences(
    found: Tree, recorded: Tree, within: float, name: str, columns: list[str], scales: list[float]
) -> list[str]:
    """Return the differences of one row of a table, by column."""
    lists = isinstance(found, list) and isinstance(recorded, list)
    if not lists or not len(found) == len(recorded) == len(columns):
        return differences(found, recorded, within, name)
    words = " ".join(v for v in recorded if isinstance(v, str) and v != "nan" and len(v) < 30)
    if words and not name.endswith(("weighted mean", "of column")):
        name = f"{name} ({words})"
    return [
        d
        for a, b, column, scale in zip(found, recorded, columns, scales, strict=True)
        for d in differences(a, b, within, f"{name}/{column}", max(scale, LEAST))
    ]


def rounded(tree: Tree, scale: float = LEAST) -> Tree:
    """Return a tree with numbers of seven digits, and zero for those that are so up to rounding."""
    if isinstance(tree, Mapping):
        if isinstance(tree, Table):
            scales = [0.0 if s is None else s for s in _column_scales(tree)]
            return {
                key: [rounded(v, s) for v, s in zip(row, scales, strict=True)]
                if isinstance(row, list) and key != "columns" and len(row) == len(scales)
                else row
                for key, row in tree.items()
            }
        inner = max(scale, _scale(tree)) if isinstance(tree, Group) else LEAST
        return {key: rounded(part, inner) for key, part in tree.items()}
    if isinstance(tree, list):
        inner = max(scale, _scale(tree)) if isinstance(tree, Numbers) else LEAST
        return [rounded(part, inner) for part in tree]
    if isinstance(tree, float):
        return 0.0 if abs(tree) < TINY * scale else float(f"{tree:.7g}")
    return tree


def renewed(found: Tree, recorded: Tree) -> Tree:
    """Return the record of a result that keeps what is recorded wherever the two agree."""
    if not differences(found, recorded):
        return recorded
    new = rounded(found)
    if isinstance(found, Table):
        # A row is compared column by column: alone it would be measured by its largest number.
        old = {key: recorded.get(key) for key in found if isinstance(recorded, Mapping)}
        scales = _column_scales(old) if old.get("columns") == found["columns"] else []
        same = {
            key
            for key, row in found.items()
            if scales
            and old[key] is not None
            and not _row_differences(row, old[key], WITHIN, "", found["columns"], scales)
        }
        return {key: old[key] if key in same else new[key] for key in found}
    if isinstance(found, Mapping) and isinstance(recorded, Mapping) and LINES not in found:
        return {
            key: (renewed(part, recorded[key]) if key in recorded else new[key])
            for key, part in found.items()
        }
    return new


def _template(text: list[str]) -> str:
    """Return the words of a text, a mark for each number, without the widths of its spaces."""
    return "\n".join(" ".join(_NUMBER.sub("#", line).split()) for line in text)


class _Shared:
    """What stands once in a file: long parts within a case, words of texts within all."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self.parts: dict[str, str] = {}

    def reduced(self, tree: Tree, path: str) -> Tree:
        """Return a tree in which a part that stands before is replaced by its name."""
        if isinstance(tree, str) or (isinstance(tree, Mapping) and LINES in tree):
            return self.reduced_text(tree, path)
        if not isinstance(tree, Mapping):
            return tree
        text = json.dumps(tree)
        if len(text) > 160:
            if text in self.parts:
                return {SAME: self.parts[text]}
            self.parts[text] = path
        return {key: self.reduced(part, f"{path}/{key}") for key, part in tree.items()}

    def reduced_text(self, tree: Tree, path: str) -> Tree:
        """Return the numbers of a text alone if its words stand before."""
        lines = [tree] if isinstance(tree, str) else tree[LINES]
        template = _template(lines)
        if len(template) < 150:
            return tree
        if template not in self.words:
            self.words[template] = path
            return tree
        numbers = [" ".join(_NUMBER.findall(line)) for line in lines]
        while len(numbers) > 1 and not numbers[-1]:
            numbers.pop()
        return {WORDS: self.words[template], NUMBERS: numbers if len(numbers) > 1 else numbers[0]}


def _completed(tree: Tree, path: str, seen: dict[str, Tree]) -> Tree:
    """Return a tree with the parts that `_Shared` replaced."""
    if isinstance(tree, Mapping) and SAME in tree:
        return seen[tree[SAME]]
    if isinstance(tree, Mapping) and WORDS in tree:
        model, given = seen[tree[WORDS]], tree[NUMBERS]
        numbers = iter(" ".join(given if isinstance(given, list) else [given]).split())
        if isinstance(model, str):
            return _NUMBER.sub(lambda _: next(numbers), model)
        return {LINES: [_NUMBER.sub(lambda _: next(numbers), line) for line in model[LINES]]}
    if isinstance(tree, Mapping) and LINES not in tree:
        out: dict[str, Tree] = {}
        seen[path] = out
        for key, part in tree.items():
            out[key] = _completed(part, f"{path}/{key}", seen)
        return out
    seen[path] = tree
    return tree


def _printed(tree: Tree, indent: int = 0) -> str:
    """Return JSON with one leaf, one row of leaves or one line of a text to a line."""
    flat = json.dumps(tree, ensure_ascii=False)
    if not isinstance(tree, Mapping):
        return flat
    nested = any(isinstance(part, Mapping | list) for part in tree.values())
    if not tree or (not nested and len(flat) < 80):
        return flat
    inner = " " * (indent + 1)
    rows = []
    for key, part in tree.items():
        lines = key in (LINES, NUMBERS) and isinstance(part, list)
        text = _lines(part, indent + 1) if lines else _printed(part, indent + 1)
        rows.append(f"{inner}{json.dumps(key, ensure_ascii=False)}: {text}")
    return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"


def _lines(lines: list[str], indent: int) -> str:
    rows = [" " * (indent + 1) + json.dumps(line, ensure_ascii=False) for line in lines]
    return "[\n" + ",\n".join(rows) + "\n" + " " * indent + "]"


def write_records(path: Path, cases: Mapping[str, Tree]) -> None:
    """Write the records of cases into a file, one figure or short row to a line."""
    shared, out = _Shared(), {}
    for case, tree in cases.items():
        shared.parts.clear()
        out[case] = shared.reduced(tree, case)
    path.parent.mkdir(exist_ok=True)
    path.write_text(_printed(out) + "\n", "utf-8")
    lost = [d for case, tree in read_records(path).items() for d in differences(cases[case], tree)]
    if lost:
        raise ValueError(f"{path.name} does not hold what was written: {lost[:3]}")


def read_records(path: Path) -> dict[str, Tree]:
    """Return the records of cases that a file holds."""
    seen: dict[str, Tree] = {}
    cases = json.loads(path.read_text("utf-8"))
    return {name: _completed(tree, name, seen) for name, tree in cases.items()}


@dataclasses.dataclass(frozen=True)
class Wider:
    """A tolerance wider than usual, and why.

    Attributes
    ----------
    names : str
        A regular expression found in the case and the name of the figure, "case/part/name".
    within : float
        The relative tolerance.
    reason : str
        What the figure's condition is.
    """

    names: str
    within: float
    reason: str


def unlike(
    case: str, found: Mapping[str, Any], recorded: Tree, wider: Sequence[Wider] = ()
) -> list[str]:
    """Return a line for each figure of a case that differs from its record."""
    tree = as_record(found)
    out = differences(tree, recorded)
    for one in wider if out else ():
        further = set(differences(tree, recorded, one.within))
        out = [d for d in out if d in further or not re.search(one.names, f"{case}/{d}")]
    return [f"{case}: {d}" for d in out]


def record(path: Path, cases: Mapping[str, Callable[[], Any]], words: Sequence[str]) -> None:
    """Record anew the cases of a file whose name holds one of the words, or all without words.

    Figures that agree with what is recorded keep their digits.
    """
    before = read_records(path) if path.exists() else {}
    after = {
        case: renewed(as_record(make()), before.get(case))
        if not words or case not in before or any(word in case for word in words)
        else before[case]
        for case, make in cases.items()
    }
    write_records(path, after)
    sys.stdout.write(f"{path.name}: {sum(after[c] != before.get(c) for c in after)} changed\n")
