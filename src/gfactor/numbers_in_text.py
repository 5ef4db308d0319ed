"""Numbers as reports and printed tables have them: decimals, shares, p-values."""

from __future__ import annotations

import math
import re

import pandas as pd

from gfactor.results import rounded


def fixed(value: object, decimals: int = 2) -> str:
    """Return a number with the given number of decimals; "-" if it does not exist."""
    if value is None or not isinstance(value, (int, float)) or not math.isfinite(value):
        return "-"
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if not float(text) else text


def share(value: object, decimals: int = 3) -> str:
    """Return a number without the zero before the point, APA's notation for values between -1 and
    1."""
    text = fixed(value, decimals)
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def p_value(value: object, equals: str = "") -> str:
    """Return "< .001", or three decimals; with `equals` = "= " as part of a sentence."""
    if isinstance(value, float) and value < 0.001:
        return "< .001"
    text = share(value)
    return text if text == "-" else equals + text


_P_VALUES = re.compile(r"(.+_)?p(_?value)?(_(adjusted|holm|fdr|composition|mean|variance|better))?")
"""Names of columns with p-values."""


def printed(
    table: pd.DataFrame, decimals: int = 3, *, index: bool = True, missing: str = "-"
) -> str:
    """Return a table as text: every number of a column with the same decimals, p-values as
    `p_value` writes them.

    Parameters
    ----------
    table : DataFrame
        Numbers and words. Columns called p, pvalue, p_adjusted and the like hold p-values.
    decimals : int
        Number of decimals of all other numbers.
    index : bool
        True to print the names of the rows.
    missing : str
        Text for numbers that do not exist.

    Examples
    --------
    >>> print(printed(pd.DataFrame({"b": [0.2, 0.1764], "p": [2e-9, 0.04]}), index=False))
        b      p
    0.200 < .001
    0.176   .040
    """
    copy = rounded(table, decimals)
    for k, name in enumerate(table.columns):
        if _P_VALUES.fullmatch(str(name)) and pd.api.types.is_float_dtype(table.iloc[:, k]):
            texts = [missing if pd.isna(v) else p_value(float(v)) for v in table.iloc[:, k]]
            copy.isetitem(k, texts)
    return copy.to_string(index=index, na_rep=missing, float_format=f"{{:z.{decimals}f}}".format)
