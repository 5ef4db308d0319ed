"""The parser of lavaan's model language."""

from __future__ import annotations

from gfactor.psychometrics.sem.syntax.arithmetic import Reader
from gfactor.psychometrics.sem.syntax.expressions import Name
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError, Token, tokens
from gfactor.psychometrics.sem.syntax.model import Formula, ModelStatements, Relation, Term
from gfactor.psychometrics.sem.syntax.modifiers import read_term

_FORMULAS = ("=~", "<~", "~", "~~", "|", "~*~")
_RELATIONS = ("==", "<", ">", ":=")
_NOT_HERE = {
    "<=": "expected '<' (which allows equality), found '<='",
    ">=": "expected '>' (which allows equality), found '>='",
    "=": "expected '=~', '==' or ':=', found '='",
}


def parse_model(text: str) -> ModelStatements:
    """Return a model text as statements.

    Parameters
    ----------
    text : str
        Lavaan syntax.

    Returns
    -------
    ModelStatements
        Its statements.

    Raises
    ------
    ModelSyntaxError
        If the model is not lavaan syntax; the message has the line, the column and the expected
        text.

    Examples
    --------
    >>> from gfactor.psychometrics.sem import parse_model
    >>> [one.op for one in parse_model("f =~ x1 + x2; f ~ z").formulas]
    ['=~', '~']
    """
    statements: list[Formula | Relation] = []
    here = {"group": "", "level": ""}
    for statement in _statements(text):
        reader = Reader(statement)
        heading = _block(reader, here)
        if heading is not None:
            here = heading
            continue
        statements.append(_statement(reader, statement, (here["group"], here["level"])))
    if not any(isinstance(statement, Formula) for statement in statements):
        raise ModelSyntaxError("expected at least one formula such as 'f =~ x1 + x2', found none")
    levels = any(one.level for one in statements if isinstance(one, Formula))
    return ModelStatements(tuple(statements), two_level=levels)


def parse_relations(text: str) -> list[Relation]:
    """Return the constraints of a text without formulas; raise ModelSyntaxError if there is a
    formula."""
    relations: list[Relation] = []
    for tokens_of in _statements(text):
        statement = _statement(Reader(tokens_of), tokens_of, ("", ""))
        if not isinstance(statement, Relation):
            token = tokens_of[0]
            raise ModelSyntaxError(
                f"expected an equation such as 'a == b', found '{statement}'",
                token.line, token.column,
            )  # fmt: skip
        relations.append(statement)
    return relations


def _statements(text: str) -> list[list[Token]]:
    """The tokens of each statement, its `end` included."""
    parts: list[list[Token]] = [[]]
    for token in tokens(text):
        parts[-1].append(token)
        if token.kind == "end":
            parts.append([])
    return parts[:-1]


def _block(reader: Reader, before: dict[str, str]) -> dict[str, str] | None:
    """The group and the level that a `group: 1` or `level: 1` line begins, or None if it is no such
    line; `before` are those of the lines above. Groups contain levels; levels do not contain
    groups.
    """
    if not (reader.next.kind == "name" and reader.ahead().text == ":"):
        return None
    kind = reader.next.text
    if kind not in {"group", "level"}:
        raise ModelSyntaxError(
            f"blocks by {kind!r} are not supported, only 'group: NAME' and 'level: NAME'",
            reader.next.line,
            reader.next.column,
        )
    if kind == "group" and before["level"] and not before["group"]:
        raise ModelSyntaxError(
            "a 'group:' line stands below a 'level:' line; write 'group:' first, and both levels "
            "below it",
            reader.next.line,
            reader.next.column,
        )
    reader.take()
    reader.take()
    if reader.next.kind not in {"name", "quoted", "number"}:
        raise reader.surprise(f"the name or the number of a {kind}")
    name = reader.take().text
    if reader.next.kind != "end" or not name:
        raise reader.surprise(f"one name of a {kind} and the end of the statement")
    return {"group": name, "level": ""} if kind == "group" else {**before, "level": name}


def _statement(
    reader: Reader, statement: list[Token], block: tuple[str, str]
) -> Formula | Relation:
    operator = _operator(statement)
    if operator is None:
        while reader.next.kind != "end":
            reader.take()
        raise reader.surprise("an operator (=~ <~ ~ ~~ | ~*~ == < > :=)")
    if operator.text in _NOT_HERE:
        raise ModelSyntaxError(_NOT_HERE[operator.text], operator.line, operator.column)
    if operator.text in _FORMULAS:
        return _formula(reader, operator.text, block)
    return _relation(reader, statement)


def _operator(statement: list[Token]) -> Token | None:
    operators = (*_FORMULAS, *_RELATIONS, *_NOT_HERE)
    return next(
        (one for one in statement if one.kind == "operator" and one.text in operators),
        None,
    )


def _formula(reader: Reader, operator: str, block: tuple[str, str]) -> Formula:
    lhs: list[str] = []
    efa: list[str] = []
    while True:
        efa.append(_exploratory(reader, operator))
        if reader.next.kind not in {"name", "quoted"} or not reader.next.text:
            raise reader.surprise(f"the name of a variable before {operator!r}")
        lhs.append(reader.take().text)
        if not reader.sees("+"):
            break
        reader.take()
    sign = reader.expect(operator)
    if reader.next.kind == "end" or _starts_statement(reader, sign):
        raise ModelSyntaxError(
            f"{' + '.join(lhs)} {operator} has nothing on its right; "
            + ("give its indicators" if operator == "=~" else "give a variable"),
            sign.line,
            sign.column,
        )
    terms = [read_term(reader, operator)]
    while reader.sees("+"):
        reader.take()
        terms.append(read_term(reader, operator))
    if reader.next.kind != "end":
        raise reader.surprise("'+' or the end of the statement")
    blocks = tuple(efa) if any(efa) else ()
    return Formula(tuple(lhs), operator, _merged(terms), block[0], blocks, block[1])


def _exploratory(reader: Reader, operator: str) -> str:
    """The name of the block in efa("name")* before a variable on the left, "" without one."""
    first = reader.next
    if not (first.kind == "name" and reader.ahead().text == "("):
        return ""
    if first.text != "efa" or operator != "=~":
        raise ModelSyntaxError(
            f"{first.text}(...) before a variable on the left is not supported; "
            'efa("block")*factor =~ ... is',
            first.line,
            first.column,
        )
    reader.take()
    reader.expect("(")
    if reader.next.kind not in {"name", "quoted"} or not reader.next.text:
        raise reader.surprise('the name of the block, as in efa("block")*factor')
    name = reader.take().text
    reader.expect(")")
    reader.expect("*")
    return name


def _starts_statement(reader: Reader, sign: Token) -> bool:
    """Return True if the text after an operator is on a later line and has its own operator."""
    operators = (*_FORMULAS, *_NOT_HERE)
    return reader.next.line > sign.line and reader.ahead().text in operators


def _merged(terms: list[Term]) -> tuple[Term, ...]:
    """Merge the terms of a variable that occurs several times into one with all its modifiers."""
    merged: dict[tuple[str, bool], Term] = {}
    for term in terms:
        key = (term.name, term.intercept)
        first = merged.get(key)
        if first is None:
            merged[key] = term
            continue
        for modifier in term.modifiers:
            if any(modifier.kind == other.kind for other in first.modifiers):
                raise ModelSyntaxError(
                    f"{term.name!r} has two modifiers of the kind {modifier.kind!r} in one formula",
                    term.line,
                    term.column,
                )
        modifiers = (*first.modifiers, *term.modifiers)
        merged[key] = Term(term.name, modifiers, first.line, first.column, term.intercept)
    return tuple(merged.values())


def _relation(reader: Reader, statement: list[Token]) -> Relation:
    first = reader.next
    lhs = reader.expression()
    operator = reader.next
    if not reader.sees(*_RELATIONS):
        raise reader.surprise("'==', '<', '>' or ':='")
    reader.take()
    if operator.text == ":=" and not isinstance(lhs, Name):
        raise ModelSyntaxError(
            "expected one new name on the left of ':='", first.line, first.column
        )
    rhs = reader.expression()
    if reader.next.kind != "end":
        raise reader.surprise("an operator or the end of the statement")
    at = statement.index(operator)
    text = ("".join(map(_raw, statement[:at])), "".join(map(_raw, statement[at + 1 :])))
    return Relation(lhs, operator.text, rhs, text, first.line, first.column)


def _raw(token: Token) -> str:
    return f"{token.quote}{token.text}{token.quote}"
