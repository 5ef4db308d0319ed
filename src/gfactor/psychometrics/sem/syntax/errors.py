"""The one error of the model language."""

from __future__ import annotations

from gfactor.errors import GfactorError


class ModelSyntaxError(GfactorError):
    """A model text that cannot be read, with the line and the column, both from 1.

    Parameters
    ----------
    what: what was expected and what was found, without a place and without a full stop.
    line, column: where; line 0 where the whole model is meant.
    """

    def __init__(self, what: str, line: int = 0, column: int = 0) -> None:
        self.line, self.column = line, column
        where = f"model, line {line}, column {column}: " if line else "model: "
        super().__init__(f"{where}{what}.")
