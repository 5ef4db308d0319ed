"""What is read from model texts, good and bad ones: printed models, parameter tables, derivatives
of expressions, sentences with line and column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from support.records import told

from gfactor.psychometrics import parse_pls
from gfactor.psychometrics.sem.syntax import (
    build_table,
    parse_expression,
    parse_model,
    table_options,
)
from gfactor.psychometrics.sem.syntax.functions import FUNCTIONS

Parts = dict[str, Any]

READ = (
    "f =~ x1 + x2\n# a comment\nf ~ z ! another",
    "f =~\n x1 +\n x2\n\n + x3; g =~ y1 + y2",
    "f =~ x1 + (2)*x2 + -0.5*x3 + +1.5*x4 + 1/2*x5 + 2*3*x6 + 6/2*x7 + sqrt(4)*x8",
    "f =~ NA*x1 + 1*x2\nf ~~ 1*f",
    "f =~ c(1, NA, 2)*x1 + c(a, b, NA)*x2 + c('u v', \"w'x\", 1)*x3",
    "f =~ label('a')*x1 + start(0.7)*x2 + upper(2)*x3 + lower(-1)*x3 + equal('f=~x2')*x4",
    "f =~ start(c(1, 2))*x1 + label(c('p', 'q'))*x2 + lower(-Inf)*x3 + upper(Inf)*x4",
    "f =~ 0.4?x1 + 2?a*x2 + start(1)*b*x3 + a*2*x4",
    "f =~ a*x1 + a*x2 + b.1*x3 + `a b`*x4\na == 2*b.1; a > 0.1; b.1 < 3\nd := a*b.1 - 1/a^2",
    "f =~ x1 + x2\nf ~ 1 + z\nx1 ~ 0*1\nx2 ~ 0\nz ~~ 0.3*z",
    "x + y ~ z + w\nx ~~ y + 0*w",
    "f =~ x1 + x2 + x3\nx1 | -0.5*t1 + t2\nx2 | a*t1 + a*t2\nx1 ~*~ 1*x1",
    "group: 1\nf =~ x1 + x2\ngroup: 'B 2'\nf =~ x1 + 2*x2\nf ~ 0*1",
    "`a b` =~ `c-d` + \"e'f\" + 'g`h'\n`a b` ~ größe + .p + x.1 + NA1",
    "c =~ c*x1 + start*x2 + label*x3\nlog := 2",
    "f =~ x1 + a*x1 + start(2)*x1",
    "f =~ (1 + 2)*x1 + (a)*x2",
    "f =~ x1 + x2; y ~ f; y ~~ y; d := exp(a) - +b^-2^0.5/(1 - c)*.5e1 + 1e3 + Inf\na == b",
    "f =~ 1e-3*x1 + 1E2*x2 + .5*x3 + 5.*x4",
)
REFUSED = (
    "", "# nothing", "a == 1", "f", "f =~", "f =~ + x1", "f =~ x1 +", "f =~ x1 x2", "=~ x1",
    "f + =~ x1", "f =~ x1 + 2", "f =~ 3*2", "f =~ a*b*x1", "f =~ 1*2*x1", "f =~ 1*a*1*x1",
    "f =~ 1*a*b*x1", "f =~ x1:x2", "f ~ x1 + 2", "f ~ 2*0", "f ~ a*1 + b*1", "f =~ 1",
    "f =~ NA", "f ~ Inf", "f =~ ''", "f =~ Inf*x1", "f =~ -Inf*x1", "f =~ 1/0*x1", "f =~ 0/0*x1",
    "f =~ 1e999*x1", "f =~ a/2*x1", "f =~ 2*a/2*x1", "f =~ (a + 1)*x1", "f =~ sqrt(-1)*x1",
    "f =~ start(a)*x1", "f =~ label(2)*x1", "f =~ start(Inf)*x1", "f =~ start(NA)*x1",
    "f =~ lower(NA)*x1", "f =~ upper('u')*x1", "f =~ prior(1)*x1", "f =~ start()*x1",
    "f =~ start(1*x1", "f =~ c(1, )*x1", "f =~ c()*x1", "f =~ c(1 2)*x1", "f =~ start(1) x1",
    "f =~ 2? x1 x2", "f =~ ?x1", "f =~ 2?start(1)*x1", "f =~ start(1)*start(2)*x1",
    "f =~ a*x1 + b*x1", "f =~ start(1)*x1 + start(2)*x1", "f <~ x1", "f <= x1", "f >= x1",
    "f = x1", "f := x1", "f =~ x1\na := ", "f =~ x1\na + b := 1", "f =~ x1\na := b c",
    "f =~ x1\na == b == c", "f =~ x1\na := sin(b", "f =~ x1\na := sine(b)", "f =~ x1\na := q7(b)",
    "f =~ x1\na := b + ''", "f =~ x1\na := b +", "f =~ x1\na := (b", "f =~ x1\na := b)",
    "level: 1\nf =~ x1", "block: 1\nf =~ x1", "group:", "group: 1 2\nf =~ x1", "group: +",
    "group: ''\nf =~ x1", "efa('e')*f =~ x1", "g(1)*f =~ x1", "f =~ x1 $ x2", "f =~ 'x1",
    "f =~ \"x1\n\"", "f =~ `x1", "f =~ x1\ng =~\nh =~ x2", "f ~\ng ~ x", "'' =~ x1", "2 =~ x1",
    "f =~ x1 ~ x2", "f =~ " + "(" * 61 + "1" + ")" * 61 + "*x1",
    "f =~ x1\na := " + "-" * 59 + "b", "f =~ x1\na := " + "-" * 60 + "b",
    "f =~ x1\na := " + "+".join(["b"] * 401), "f =~ x1\na := " + "+".join(["b"] * 402),
)  # fmt: skip

FACTORS = "f =~ x1 + x2 + x3\ng =~ y1 + y2 + y3"
FULL = """f =~ x1 + x2 + x3
g =~ y1 + y2 + x3
h =~ s
k =~ f + g
g ~ f + z
h ~ g + z + w
o ~ z
p ~ h
x1 ~~ y1
z ~~ w"""
TIED = "f =~ a*x1 + a*x2 + x3\ng =~ y1 + b*y2 + b*y3\nx1 ~~ v*x1\nx2 ~~ v*x2\na == 2*b\nd := a + v"
ORDERED = {"ordered": {"x1": 2, "x2": 1, "y1": 3}}
EQUAL = ("loadings", "intercepts", "means", "thresholds", "regressions", "residuals",
         "residual.covariances", "lv.variances", "lv.covariances")  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "means": {"meanstructure": True},
    "std_lv": {"std_lv": True, "meanstructure": True},
    "orthogonal": {"orthogonal": True},
    "orthogonal_x": {"orthogonal_x": True},
    "orthogonal_y": {"orthogonal_y": True},
    "random": {"fixed_x": False, "meanstructure": True},
    "conditional": {"conditional_x": True, "meanstructure": True},
    "no variances": {"auto_var": False, "auto_fix_single": False},
    "no covariances": {"auto_cov_lv_x": False, "auto_cov_y": False},
    "no marker": {"auto_fix_first": False, "int_ov_free": False, "int_lv_free": True},
    "codes": {"effect_coding": ("loadings",), "meanstructure": True},
    "codes of intercepts": {"effect_coding": ("loadings", "intercepts"), "meanstructure": True},
    "ordered": {**ORDERED, "meanstructure": True},
    "theta": {**ORDERED, "parameterization": "theta", "meanstructure": True},
    "no thresholds": {**ORDERED, "auto_th": False, "auto_delta": False},
}
BAD_TABLES = (
    "f =~ f + x1", "f =~ x1 + x2\nf =~ x1", "f =~ c(1, 2)*x1 + x2", "f =~ x1 + x2\nx1 ~*~ x2",
    "f =~ a*x1 + a*x2\na ~~ 1*b\nx1 ~~ 1*x1\nx2 ~~ 2*x2", "f =~ x1 + 2*a*x2 + 3*a*x3",
    "f =~ x1 + a*x2\na := 2", "f =~ x1 + a*x2\nd := 2\nd := 3", "f =~ x1 + x2\nd := q",
    "f =~ x1 + a*x2\nd := e\ne := a", "f =~ x1 + a*x2\nd := d + 1", "f =~ x1 + a*x2\na == zz",
    "f =~ x1 + a*x2\na == d\nd := a", "group: 1\nf =~ x1 + x2", "f =~ x1\ngroup: 1\nf =~ x2",
    "group: u\nf =~ x1 + x2\ngroup: v\nf =~ x1 + x2",
    "group: 1\nf =~ x1 + x2\ngroup: 3\nf =~ x1 + x2",
)  # fmt: skip


FIELDS = ("lhs", "op", "rhs", "group", "user", "free", "value", "label", "plabel", "exo", "lower",
          "upper", "line", "column")  # fmt: skip


def tabled(text: str, groups: tuple[str, ...] = (), **options: Any) -> list[Any]:
    """All that a table says of a model, but for where it stands in the text."""
    table = build_table(text, options=table_options(**options), groups=groups)
    every = [[str(v) if v is None else v for v in (getattr(row, f) for f in FIELDS)]
             for row in table]  # fmt: skip
    return [every, table.n_free, table.n_groups, table.latent, table.observed, table.has_means,
            table.given, table.predictors, list(table.limits or ()), list(table.starts),
            [row.name for row in table]]  # fmt: skip


def texts() -> Parts:
    def one(text: str) -> Any:
        model = parse_model(text)
        places = [[t.line, t.column] for f in model.formulas for t in f.terms]
        known = [[*r.text, r.line, r.column] for r in model.relations]
        return [str(model), str(parse_model(str(model))) == str(model), places, known]

    return told({text[:60]: lambda text=text: one(text) for text in READ})


def refused() -> Parts:
    cases = {f"{k}": lambda text=text: str(parse_model(text)) for k, text in enumerate(REFUSED)}
    return {"said": list(told(cases).values())}


def tables() -> Parts:
    parts = {
        name: lambda options=options: [tabled(FULL, **options), tabled(TIED, **options)]
        for name, options in OPTIONS.items()
    }
    kinds = {
        f"growth and plain {kind}": lambda kind=kind: [
            tabled(FULL, model_type=kind), tabled(TIED, model_type=kind)
        ]
        for kind in ("growth", "lavaan", "sem")
    }  # fmt: skip
    bad = {f"{k}": lambda t=text: tabled(t) for k, text in enumerate(BAD_TABLES)}
    two = {f"{k} of two": lambda t=text: tabled(t, ("u", "w")) for k, text in enumerate(BAD_TABLES)}
    return told(parts, **kinds) | {"refused": list(told(bad, **two).values())}


def grouped() -> Parts:
    ab = ("a", "b", "c")
    means = FACTORS + "\nf ~ c(NA, NA, 0)*1\nx1 ~~ x2\ng ~ f"

    def one(text: str, **options: Any) -> list[Any]:
        return tabled(text, ab, meanstructure=True, **options)

    return told(
        {f"equal {kind}": lambda kind=kind: one(means, group_equal=(kind,)) for kind in EQUAL},
        all=lambda: one(FACTORS, group_equal=EQUAL, std_lv=True),
        partial=lambda: one(
            means, group_equal=EQUAL, group_partial=("f =~ x2", "x3~1", "x2~~x1", "y1~~y1")
        ),
        ordinal=lambda: [
            one(FACTORS, group_equal=equal, parameterization=kind, **ORDERED)
            for equal in (("thresholds",), ("thresholds", "loadings", "residuals"))
            for kind in ("delta", "theta")
        ],
        labels=lambda: one("f =~ x1 + c(u, v, u)*x2 + c(2, NA, w)*x3\nx1 ~~ start(c(1, 2, 3))*x1"),
        covariates=lambda: one("f =~ x1 + x2 + x3\nf ~ z\nx3 ~ z",
                               group_equal=("regressions", "intercepts", "residuals")),
        blocks=lambda: [
            tabled(f"group: {first}\nf =~ x1 + x2 + c*x3\ngroup: {second}\nf =~ x1 + 2*x2\nx1 ~ 1",
                   ("1", "v w"), group_equal=("loadings",))
            for first, second in ((1, "'v w'"), (1, 2), (2, 1), ("'v w'", 1))
        ],
    )  # fmt: skip


FORMULAS = (
    "a^2*exp(b)/(1+c) - pnorm(a*b) + log(c)^-1.5 + (-a)^3 + 2^b", "a - (b - c)", "a/(b*c)/a",
    "(a + b)*(a - b)", "-(a + b)^2", "-a^2", "(-a)^c", "a^b^c", "(a^b)^c", "2*a - b/4 + 1", "3",
    "a", "-a", "abs(a*b)", "a^2", "a*1 + 0*b + c/1 + c^1 - 0", "0 - a", "0/a + 0*a + a*0 + a + 0",
    "sqrt(a + c)*sin(b)", "a - -b", "a + (b - (c + 1))", "1e20*a", "1.5e-7*b",
    "plogis(a)/plogis(b)", "(a + 1)^(b + 2)", "dnorm(a)*qnorm(0.3 + b^2)",
    "`a b` + 'c`d' + \"e\" + NA1", "a^(-b)", "2^3*a", "atan(a/b)^2",
    "a - b - c", "a/b/c", "a/(b/c)", "(1 - a)*(1 - a)", "Inf - a",
)  # fmt: skip


def expressions() -> Parts:
    at = {"a": np.array([0.7, 1.3]), "b": np.array([-0.3, 0.2]), "c": np.array([2.5, 0.4]),
          "a b": 1.1, "c`d": 0.3, "e": 0.6, "NA1": -2.0}  # fmt: skip

    def one(text: str) -> Any:
        known = parse_expression(text)
        first = {name: known.derivative(name) for name in (*known.names, "z")}
        second = {f"{n} {m}": d.derivative(m) for n, d in first.items() for m in known.names}
        every = {**first, **second}
        return [str(known), known.names, known.value(at), known.linear(),
                {n: [str(d), d.value(at)] for n, d in every.items()}]  # fmt: skip

    x = np.array([0.31, 0.62])
    functions = {n: [f.value(x), f.slopes[0](x), f.slopes[1](x)] for n, f in FUNCTIONS.items()}
    wrong = ("", "a b", "a;b", "a + ", "*a", "a == b", "f(x)")
    refused_ = {f"refused {text}": lambda text=text: parse_expression(text) for text in wrong}
    many = told({text: lambda text=text: one(text) for text in FORMULAS}, **refused_)
    return {"functions": functions, "formulas": many}


PLS = (
    "A =~ x1 + x2; B <~ x3 + x4; B ~ A", "A =~ x1\nB =~ A + C\nC <~ x2 + x3\nA ~ C",
    "Y =~ y; A =~ x1 + x2; M <~ m1 + m2\nY ~ A + M + A:M\nM ~ A",
    "A =~ x1\nA =~ x2 + x3\nH =~ A + A2\nA2 =~ x4; 'H h' =~ `x 5`\nH ~ 'H h'",
    "A =~ A + x1; B =~ x2; B ~ A", "A =~ x1; B =~ x2; B ~ A; B ~ A", "A ~ A; A =~ x1",
    "", "A ~ B", "A", "A =~", "A =~ x1 +", "A =~ x1 x2", "A =~ 2*x1", "A =~ x1\nA <~ x2",
    "A =~ x1:x2", "A =~ x1; A ~ x1:", "A =~ x1; A ~~ A", "A := 2", "A == 2", "A < 2", "A > 2",
    "A | t1", "A ~*~ A", "A = x1", "2 =~ x1", "A + B =~ x1", "A =~ x1, x2", "A =~ ''",
    "A =~ x1 + 2",
    "A =~ x1; B =~ x2; B ~ A:C", "A =~ x1; B =~ x2; B ~ A + B; A ~ B", "A =~ x1 + x1; B ~ A",
    "A =~ x1; B =~ x2 + x1; B ~ A", "A (x1)", "A =~ (x1)",
)  # fmt: skip


def path_models() -> Parts:
    def one(text: str) -> Any:
        model = parse_pls(text)
        return [[vars(c) for c in model.constructs], model.paths, model.columns, repr(model)]

    return told({f"{k}": lambda text=text: one(text) for k, text in enumerate(PLS)})


CASES: dict[str, Callable[[], Parts]] = {
    "texts": texts,
    "refused": refused,
    "tables": tables,
    "groups": grouped,
    "expressions": expressions,
    "path models": path_models,
}
