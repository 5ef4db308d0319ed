"""Reading `--where` in commands that set scores against an external criterion."""

from __future__ import annotations

from gfactor.errors import ParameterError


def pairs(where: tuple[str, ...]) -> dict[str, str]:
    """Columns and their values, of texts such as COLUMN=VALUE."""
    values = {}
    for pair in where:
        column, sign, value = pair.partition("=")
        if not sign:
            raise ParameterError(f"--where is COLUMN=VALUE, not {pair!r}")
        values[column] = value
    return values
