"""PLS models as text, in lavaan-like lines.

    Perception =~ p1 + p2 + p3        # mode A
    Memory     <~ m1 + m2             # mode B
    G          =~ Perception + Memory # second order: the names are constructs
    Human      =~ arena               # a single-indicator anchor
    Human       ~ G                   # a path from G to Human
    Y           ~ A + M + A:M         # with the interaction of A and M

Lines, comments, quotes and continuation are those of `gfactor.psychometrics.sem.syntax`.
"""

from __future__ import annotations

from collections.abc import Iterator

from gfactor.errors import ParameterError
from gfactor.psychometrics.pls.model import Construct, Mode, PLSModel
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError, Token, tokens

_MODES: dict[str, Mode] = {"=~": "A", "<~": "B"}
_FOREIGN = {
    "~~": "PLS has no covariances to free; delete this statement",
    ":=": "PLS models define no parameters: indirect and total effects come with every result",
    "==": "PLS takes no constraints; delete this statement",
    "<": "PLS takes no constraints; delete this statement",
    ">": "PLS takes no constraints; delete this statement",
    "~*~": "PLS has no scaling factors; delete this statement",
    "|": "PLS has no thresholds; delete this statement",
    "*": "PLS takes no fixed values, start values or labels; write the plain name",
    "=": "expected =~, <~ or ~, found '='",
}
_NAMES = {"name", "quoted"}


def parse_pls(text: str) -> PLSModel:
    """Return the model of a text.

    Parameters
    ----------
    text : str
        Lines such as "A =~ x1 + x2" (mode A), "B <~ x3 + x4" (mode B), "B ~ A" (path).

    Returns
    -------
    PLSModel
        The model.

    Raises
    ------
    ModelSyntaxError
        With line and column, if the text cannot be read.
    ParameterError
        If the model contradicts itself, as for `PLSModel`.

    Examples
    --------
    >>> from gfactor.psychometrics import parse_pls
    >>> parse_pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A").columns
    ('x0', 'x1', 'x2', 'x3')
    """
    blocks: dict[str, tuple[Mode, list[str]]] = {}
    paths: list[tuple[str, str]] = []
    for left, operator, names in _statements(text):
        if operator.text == "~":
            paths += [(name.text, left.text) for name in names]
            continue
        mode = _MODES[operator.text]
        block = blocks.setdefault(left.text, (mode, []))
        if block[0] != mode:
            raise _error(operator, f"{left.text!r} is defined by both =~ and <~; keep one of them")
        for name in names:
            if ":" in name.text and name.kind == "operator":
                raise _error(name, f"the interaction {name.text} cannot be an indicator")
            block[1].append(name.text)
    if not blocks:
        raise ParameterError("the model has no constructs; write one as  A =~ x1 + x2")
    return PLSModel(
        tuple(
            Construct(name, tuple(entries), mode, any(e in blocks and e != name for e in entries))
            for name, (mode, entries) in blocks.items()
        ),
        tuple(paths),
    )


def _statements(text: str) -> Iterator[tuple[Token, Token, list[Token]]]:
    """Left side, operator, names on the right; an interaction is one token "A:M" of kind
    "operator"."""
    statement: list[Token] = []
    for token in tokens(text):
        statement.append(token)
        if token.kind == "end":
            if len(statement) > 1:
                yield _read(statement)
            statement = []


def _read(statement: list[Token]) -> tuple[Token, Token, list[Token]]:
    left, operator = statement[0], statement[1]
    if left.kind not in _NAMES:
        raise _error(left, f"expected the name of a construct, found {left}")
    for token in statement:
        if token.kind == "operator" and token.text in _FOREIGN:
            raise _error(token, _FOREIGN[token.text])
    if operator.kind != "operator" or operator.text not in {"=~", "<~", "~"}:
        raise _error(operator, f"expected =~, <~ or ~ after {left.text!r}, found {operator}")
    names: list[Token] = []
    rest = statement[2:]
    while True:
        names.append(_name(rest))
        if rest[0].text == ":" and rest[0].kind == "operator":
            rest.pop(0)
            other, first = _name(rest), names.pop()
            product = f"{first.text}:{other.text}"
            names.append(Token("operator", product, first.line, first.column))
        after = rest.pop(0)
        if after.kind == "end":
            return left, operator, names
        if after.text != "+" or after.kind != "operator":
            raise _error(after, f"expected '+' or the end of the statement, found {after}")


def _name(rest: list[Token]) -> Token:
    token = rest.pop(0) if len(rest) > 1 else rest[0]
    if token.kind not in _NAMES or not token.text:
        raise _error(token, f"expected a name, found {token}")
    return token


def _error(token: Token, what: str) -> ModelSyntaxError:
    return ModelSyntaxError(what, token.line, token.column)
