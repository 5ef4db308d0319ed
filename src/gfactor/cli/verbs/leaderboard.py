"""gfactor leaderboard: make a website of journals: scores, rank sets, profiles, every reply."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import NAME, PATH, calibration_option, norms_option, serving_options
from gfactor.cli.scoring import policy_option
from gfactor.errors import ParameterError

HEADING = "Results"


@click.command("leaderboard")
@click.argument("journals", nargs=-1, required=True, type=NAME, metavar="JOURNAL...")
@click.option(
    "-o", "--output", type=PATH, metavar="DIR", help="The folder of the site; made if missing."
)
@click.option(
    "--bank",
    "banks",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="A bank of the items, for their pictures, which journals do not keep.",
)
@click.option(
    "--claim",
    type=click.Choice(["same-domains", "other-domains"]),
    default=declared("gfactor.psychometrics.inference.claim", "DEFAULT_CLAIM"),
    show_default=True,
    help="What intervals, differences and rank sets generalize to.",
)
@calibration_option
@norms_option
@click.option("--title", default="Leaderboard", show_default=True, metavar="TEXT", help="Its name.")
@click.option(
    "--figures",
    type=NAME,
    metavar="FILE",
    help="Scores that others report, models x benchmarks, in any format of gfactor import-scores: "
    "a table of their own, without intervals and ranks.",
)
@click.option(
    "--people",
    default="",
    metavar="TEXT",
    help="Where the people's answers are from; by default the journals that hold them.",
)
@click.option(
    "--judge",
    default="",
    metavar="NAME",
    help="A judge whose verdicts the journals keep; gfactor score --judge asks it.",
)
@policy_option
@click.option(
    "--megabytes",
    type=click.FloatRange(min=0.1),
    default=15.0,
    show_default=True,
    metavar="N",
    help="What the site may take without pictures of items; replies are cut to fit.",
)
@click.option("--serve", is_flag=True, help="Serve it, and follow the journals while they grow.")
@serving_options(8200)
@json_option
def command(
    journals: tuple[str, ...],
    output: Path | None,
    banks: tuple[Path, ...],
    claim: str,
    calibration: Path | None,
    norms: Path | None,
    figures: str | None,
    title: str,
    people: str,
    judge: str,
    policy: str,
    megabytes: float,
    serve: bool,
    host: str,
    port: int,
    https: bool,
    public_url: str,
    proxies: tuple[str, ...],
    insecure_http: bool,
    as_json: bool,
) -> None:
    """Write a static site of what journals say, down to every reply.

    Models stand in rank sets, with accuracies, intervals, chance, trivial baselines, observers and
    people beside them. There is a page per model and per item, one that compares any two, and a
    search in replies with what was read where. The site opens from disk and needs no network;
    sorting, filters and search need its script, reading does not. Every table lies beside it as
    CSV and JSON, every figure as SVG.

    --serve shows it at a local address instead, and writes it again while the journals grow.

    \b
    Example:
      gfactor leaderboard c.db -o site/ --bank bank.parquet
      gfactor leaderboard c.db --serve

    Python: gfactor.leaderboard(journal, "site/")
    """
    from gfactor.api.leaderboards import leaderboard

    if output is None and not serve:
        raise ParameterError("name the folder of the site with -o, or --serve it")

    def ready(address: str) -> None:
        if as_json:
            put_json({"address": address})
        else:
            say(f"{', '.join(journals)}: {address}")

    done = leaderboard(
        journals,
        output,
        banks=banks,
        claim=claim,
        calibration=calibration,
        norms=norms,
        figures=figures,
        title=title,
        people=people,
        judge=judge,
        policy=policy,
        megabytes=megabytes,
        serve=serve,
        host=host,
        port=port,
        https=https,
        public_url=public_url,
        proxies=proxies,
        insecure_http=insecure_http,
        ready=ready,
    )
    if serve:
        return
    if as_json:
        put_json(done.to_dict())
        return
    from gfactor.results import number_of

    pictures = f", {done.picture_bytes / 1e6:.1f} MB of pictures" * bool(done.picture_bytes)
    say(
        f"{done.path}: {number_of(done.models, 'examinee')}, {number_of(done.items, 'item')}, "
        f"{number_of(done.pages, 'page')}, "
        f"{done.bytes / 1e6:.1f} MB{pictures}"
    )
