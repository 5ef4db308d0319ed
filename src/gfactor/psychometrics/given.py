"""Tables as users give them: a DataFrame, or a result that holds one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError


@runtime_checkable
class HoldsScores(Protocol):
    """A result whose `scores` are a DataFrame, such as those of `gfactor.matrix` and
    `import_scores`."""

    @property
    def scores(self) -> pd.DataFrame: ...


TableLike: TypeAlias = pd.DataFrame | HoldsScores | NDArray[Any]
"""A DataFrame with names on both axes, a result that holds one, or an array."""

ALL_BENCHMARKS = "all"
"""Name that asks for the items of all benchmarks of a table as one measurement."""

P = ParamSpec("P")
R = TypeVar("R")

_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (type(None), "nothing"),
    ((bool, np.bool_), "a truth value"),
    ((int, float, complex, np.number), "a number"),
    (str, "a text"),
    (bytes, "bytes"),
    (Path, "a path"),
    (np.ndarray, "an array that has not two dimensions"),
    (pd.Series, "a single column"),
    (pd.DataFrame, "a table"),
    (Mapping, "a dictionary"),
    ((list, tuple, Set), "a list"),
)


def kind_of(given: object) -> str:
    """Return the kind of a value in words, for messages.

    Examples
    --------
    >>> kind_of(3), kind_of("scores.csv"), kind_of(None)
    ('a number', 'a text', 'nothing')
    """
    for types, words in _KINDS:
        if isinstance(given, types):
            return words
    return "something else"


def holds_scores(given: object) -> bool:
    """Return True for a DataFrame, and for a result whose `scores` are a DataFrame."""
    return isinstance(given, pd.DataFrame) or isinstance(
        getattr(given, "scores", None), pd.DataFrame
    )


def as_frame(given: Any, what: str = "scores") -> pd.DataFrame:
    """Return the given DataFrame, or that of a result.

    Parameters
    ----------
    given : DataFrame, result with `scores`, or array of two dimensions
        Table in any of the forms that a user can give.
    what : str
        Name of the parameter, for messages.

    Returns
    -------
    DataFrame
        The table with names of rows and columns.

    Raises
    ------
    ParameterError
        If it is none of these.

    Examples
    --------
    >>> import pandas as pd
    >>> as_frame(pd.DataFrame({"x": [1.0]})).shape
    (1, 1)
    """
    frame = given if isinstance(given, pd.DataFrame) else getattr(given, "scores", None)
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(given, np.ndarray) and given.ndim == 2:
        return pd.DataFrame(given)
    raise not_a_table(given, what)


def model_and_data_in_either_order(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function accept a model and a table in either order, or by name.

    Parameters
    ----------
    function : callable
        Its first two parameters are `model` and `data`, or `data` and `model`.

    Returns
    -------
    callable
        The function with the same signature and documentation.

    Examples
    --------
    >>> import pandas as pd
    >>> @model_and_data_in_either_order
    ... def fit(model, data):
    ...     return model, len(data)
    >>> table = pd.DataFrame({"x": [0, 1]})
    >>> fit("2pl", table), fit(table, "2pl"), fit(table, model="2pl")
    (('2pl', 2), ('2pl', 2), ('2pl', 2))
    """

    expected = tuple(inspect.signature(function).parameters)[:2]

    @functools.wraps(function)
    def ordered(*args: P.args, **kwargs: P.kwargs) -> R:
        roles = tuple("data" if _is_table(value) else "model" for value in args[:2])
        anyhow: Callable[..., R] = function
        if roles == expected[::-1]:
            return anyhow(args[1], args[0], *args[2:], **kwargs)
        if len(roles) == 1 and roles[0] not in kwargs:
            return anyhow(**{roles[0]: args[0]}, **kwargs)
        return function(*args, **kwargs)

    return ordered


def without_named_columns(
    frame: pd.DataFrame, named: Mapping[str, Any]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Replace column names in options by the values of these columns, and remove the columns from
    the items.

    Parameters
    ----------
    frame : DataFrame
        One row per person.
    named : mapping of str to str, sequence or None
        Options; a text is the name of a column, anything else stays as it is.

    Returns
    -------
    tuple of DataFrame and dict
        The remaining columns, and the options with the values of their columns.

    Raises
    ------
    UnknownNameError
        If there is no such column.
    ParameterError
        If a cell of it is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"x": [0, 1], "sex": ["f", "m"]})
    >>> without_named_columns(table, {"groups": "sex"})[1]
    {'groups': ['f', 'm']}
    """
    values = dict(named)
    columns = {option: name for option, name in named.items() if isinstance(name, str)}
    for option, name in columns.items():
        if name not in frame.columns:
            raise UnknownNameError("column", name, list(map(str, frame.columns)))
        if frame[name].isna().to_numpy().any():
            raise ParameterError(
                f"{option}: the column {name!r} has missing cells; fill or drop them"
            )
        values[option] = frame[name].tolist()
    return frame.drop(columns=list(dict.fromkeys(columns.values()))), values


def _is_table(given: object) -> bool:
    return holds_scores(given) or isinstance(given, np.ndarray)


def benchmarks_in_names(names: Sequence[Hashable]) -> list[str] | None:
    """Return the benchmark of every item if all names are `BENCHMARK:INDEX`, else None.

    Examples
    --------
    >>> benchmarks_in_names(["mmmu_dev_val:3", "mmt:7"])
    ['mmmu_dev_val', 'mmt']
    >>> benchmarks_in_names(["mmmu_dev_val:3", "x7"]) is None
    True
    """
    parts = [str(name).partition(":") for name in names]
    return [home for home, _, _ in parts] if all(all(part) for part in parts) else None


def items_of_one_benchmark(
    given: Any, benchmark: str | None = None, what: str = "scores"
) -> pd.DataFrame:
    """Return a table whose items are of one benchmark, or of all that the user asks for together.

    The benchmark of an item is given by `gfactor.matrix(by="item")`, or by the beginning of its
    name in a table of right and wrong answers whose columns are all `BENCHMARK:INDEX`. Columns of
    other tables are not assumed to be items.

    Parameters
    ----------
    given : DataFrame, result with `scores`, or array of two dimensions
        Table in any of the forms that a user can give.
    benchmark : str, optional
        Benchmark whose items are taken; "all" for the items of all of them together.
    what : str
        Name of the parameter, for messages.

    Returns
    -------
    DataFrame
        The columns of the benchmark.

    Raises
    ------
    ParameterError
        If the items are of several benchmarks and none is named, or their benchmarks are not known
        and one is named.
    UnknownNameError
        If there is no such benchmark.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a:1": [1, 0], "a:2": [0, 1], "b:1": [1, 1]})
    >>> items_of_one_benchmark(table, "a").columns.tolist()
    ['a:1', 'a:2']
    """
    frame = as_frame(given, what)
    if benchmark == ALL_BENCHMARKS:
        return frame
    homes = _benchmarks(given, frame)
    if homes is None:
        if benchmark is None:
            return frame
        raise ParameterError(
            f"the columns of {what} do not show which benchmark they belong to; leave the option "
            "benchmark out, or select the columns yourself"
        )
    names = sorted(set(homes))
    if benchmark is None and len(names) > 1:
        raise ParameterError(
            f"the columns of {what} are items of the benchmarks {', '.join(names)}, which are "
            "different measurements; choose one with --benchmark (in Python: benchmark=...), or "
            f'"{ALL_BENCHMARKS}" to take the items of all as one measurement'
        )
    if benchmark is not None and benchmark not in names:
        raise UnknownNameError("benchmark", benchmark, names)
    return frame if len(names) < 2 else frame.loc[:, [home == benchmark for home in homes]]


def _benchmarks(given: Any, frame: pd.DataFrame) -> list[str] | None:
    """The benchmark of every column; None if the columns are not known to be items of
    benchmarks."""
    homes = getattr(given, "benchmarks", None)
    if isinstance(homes, Mapping) and homes and all(name in homes for name in frame.columns):
        return [str(homes[name]) for name in frame.columns]
    named = benchmarks_in_names(list(frame.columns))
    if named is None or not all(map(pd.api.types.is_numeric_dtype, frame.dtypes)):
        return None
    cells = frame.to_numpy(float, na_value=np.nan)
    return named if np.isin(cells[~np.isnan(cells)], (0, 1)).all() else None


def not_a_table(given: object, what: str) -> ParameterError:
    """Return the error for an argument that is not a table."""
    return ParameterError(
        f"{what} must be a table: a DataFrame with names on both axes, or what gfactor.matrix or "
        f"gfactor.import_scores returned; got {kind_of(given)}"
    )


def as_numbers(given: Any, what: str = "scores") -> pd.DataFrame:
    """Return a table of numbers, in which every column has a different name.

    Parameters
    ----------
    given : DataFrame, result with `scores`, or array of two dimensions
        Table in any of the forms that a user can give.
    what : str
        Name of the parameter, for messages.

    Returns
    -------
    DataFrame
        Cells are floats.

    Raises
    ------
    ParameterError
        If it is not a table, has no cells, names a column twice, or holds texts.

    Examples
    --------
    >>> import pandas as pd
    >>> as_numbers(pd.DataFrame({"x": [True, False]}))["x"].tolist()
    [1.0, 0.0]
    """
    frame = as_frame(given, what)
    if frame.empty:
        raise ParameterError(f"{what} have no rows or no columns")
    check_columns(frame)
    for name, column in frame.items():
        if not pd.api.types.is_numeric_dtype(column):
            raise ParameterError(
                f"column {str(name)!r} does not hold numbers; make names the index, or leave the "
                "column out"
            )
    return frame.astype(float)


def check_columns(frame: pd.DataFrame) -> None:
    """Raise ParameterError if two columns of a table have the same name."""
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ParameterError(f"two columns are called {str(twice[0])!r}; give each its own name")
