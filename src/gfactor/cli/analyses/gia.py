"""gfactor analyze gia: M3GIA's general intelligence ability, as published and repaired."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import aligned, json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import page_option, seed_option
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.replications.m3gia import Gia, Study, Unit

UNITS = declared("gfactor.replications.m3gia", "Unit")


@click.command("gia")
@click.argument("counts", nargs=-1, required=True, metavar="COUNTS | LANG=COUNTS ...")
@click.option(
    "--language", metavar="LANG", help="Language of a single file: en, zh, fr, es, pt, ko."
)
@click.option(
    "--human",
    "humans",
    multiple=True,
    metavar="FILE | LANG=FILE",
    help="Human data: a person per row, the 18 question types in the columns, counts or z-scores.",
)
@click.option(
    "--items",
    "responses",
    multiple=True,
    metavar="FILE | LANG=FILE",
    help="Answers item by item, for intervals: model, question_type, item, correct, occasion.",
)
@click.option(
    "--parameters",
    type=PATH,
    metavar="FILE",
    help="Another parameter set for the published route (JSON with lavaan's estimates).",
)
@click.option(
    "--unit",
    type=click.Choice(UNITS),
    default="auto",
    show_default=True,
    help="What the values are.",
)
@click.option(
    "--draws",
    "n_bootstrap",
    type=click.IntRange(100, 1_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Resamples behind every interval.",
)
@seed_option("Of everything drawn.")
@page_option
@json_option
def command(
    counts: tuple[str, ...],
    language: str | None,
    humans: tuple[str, ...],
    responses: tuple[str, ...],
    parameters: Path | None,
    unit: Unit,
    n_bootstrap: int,
    seed: int,
    output: Path | None,
    as_json: bool,
) -> int:
    """GIA scores of models from right answers by question type.

    COUNTS is a CSV with a model per row: its name, the 18 question types of M3GIA and, for the
    size ablation, a column size (parameters in billions). The published route scores with the
    parameters that M3GIA's authors published, exactly as their scripts do, and lists the
    diagnostics. With --human the repaired route follows: models of gfactor's own of these persons,
    scores on their scale, and the conclusions of the paper that survive.

    \b
    Example:
      gfactor analyze gia counts.csv --language en
      gfactor analyze gia en=en.csv zh=zh.csv --human en=h_en.csv --human zh=h_zh.csv -o gia

    Python: gfactor.gia({"en": counts}, human={"en": persons})
    """
    from gfactor.api.m3gia import gia

    matches = gia(
        by_language(counts, language, "counts"),
        human=by_language(humans, language, "--human"),
        responses=by_language(responses, language, "--items"),
        parameters=parameters,
        unit=unit,
        n_bootstrap=n_bootstrap,
        seed=seed,
    )
    written = None
    if output:
        from gfactor.cli.gia_page import write_gia

        written = write_gia(matches, output)
    if as_json:
        put_json(matches.to_dict())
        return 0
    _show(matches)
    if written:
        say(f"\n{written.path}")
    return 0


def by_language(given: Sequence[str], language: str | None, what: str) -> dict[str, Path]:
    """Files by the code of their language, of texts such as LANG=FILE.

    Raises ParameterError where a language is not known or given twice.
    """
    from gfactor.replications.m3gia import language_code

    matches: dict[str, Path] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals:
            if language is None:
                raise ParameterError(
                    f"the language of {text!r} ({what}) is not known; give --language, or "
                    f"LANG={text}"
                )
            name, path = language, text
        code = language_code(name)
        if code in matches:
            raise ParameterError(f"two files of {what} are for the language {code.lower()!r}")
        matches[code] = Path(path)
    return matches


def _show(result: Study) -> None:
    for diagnostic in result.diagnostics:
        say(str(diagnostic))
    for one in result.languages:
        for route in (one.published, one.repaired):
            if route is not None:
                _show_route(route)
    say("")
    for claim in result.claims:
        say(str(claim))


def _show_route(gia: Gia) -> None:
    from gfactor.replications.m3gia import LANGUAGES
    from gfactor.replications.m3gia.result import extrapolation

    say(f"\n{LANGUAGES[gia.language]}, {gia.route} route")
    for diagnostic in gia.diagnostics:
        say(str(diagnostic))
    head = ["model", "GIA", "95 %", "human = 100", "95 %", "total"]
    rows = [
        [str(r["model"]), f"{r['gia']:.2f}", f"[{r['gia_low']:.2f}, {r['gia_high']:.2f}]",
         f"{r['normalized']:.1f}", f"[{r['normalized_low']:.1f}, {r['normalized_high']:.1f}]",
         f"{r['total']:.1%}"]
        for r in gia.scores.to_dict("records")
    ]  # fmt: skip
    if "extrapolated" in gia.scores:
        head.append("beyond the persons")
        for line, r in zip(rows, gia.scores.to_dict("records"), strict=True):
            line.append(extrapolation(r))
    say(aligned([head, *rows]))
    say(f"Intervals: {gia.interval}.")
    if gia.total:
        t = gia.total
        say(
            f"Correlation with the total {t.r:.3f} [{t.low:.3f}, {t.high:.3f}], n {t.n}; random "
            f"positive weights {t.random_median:.3f} ({t.random_p05:.3f} to {t.random_p95:.3f})."
        )
    if len(gia.table2):
        head = ["Table 2", "paper", "computed", "difference"]
        rows = [
            [str(r["model"]), f"{r['paper']:.2f}", f"{r['computed']:.2f}",
             "" if r["agrees"] else f"{r['difference']:+.2f}"]
            for r in gia.table2.to_dict("records")
        ]  # fmt: skip
        say(aligned([head, *rows]))
