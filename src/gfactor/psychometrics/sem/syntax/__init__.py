"""lavaan's model language: parsed, completed by defaults, made into a parameter table."""

from gfactor.psychometrics.sem.syntax.arithmetic import parse_expression
from gfactor.psychometrics.sem.syntax.expressions import Expression
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.model import (
    Formula,
    ModelStatements,
    Modifier,
    Relation,
    Term,
)
from gfactor.psychometrics.sem.syntax.options import (
    CFA,
    GROUP_EQUAL,
    GROWTH,
    MODEL_TYPES,
    PLAIN,
    SyntaxOptions,
    table_options,
)
from gfactor.psychometrics.sem.syntax.parser import parse_model, parse_relations
from gfactor.psychometrics.sem.syntax.table import build_table

__all__ = [
    "CFA",
    "GROUP_EQUAL",
    "GROWTH",
    "MODEL_TYPES",
    "PLAIN",
    "Expression",
    "Formula",
    "ModelStatements",
    "ModelSyntaxError",
    "Modifier",
    "Relation",
    "SyntaxOptions",
    "Term",
    "build_table",
    "parse_expression",
    "parse_model",
    "parse_relations",
    "table_options",
]
