"""gfactor profile: measure the abilities of an examinee with an adaptive test.

gfactor profile observer:ideal --abilities Gl --max-items 20 -o profile/
gfactor profile openai:gpt-4o --prices prices.toml --max-cost 5 -o profile/
gfactor profile openai:gpt-4o openai:gpt-4o-mini --rank -o order/
gfactor profile openai:gpt-4o --bank mmmu.parquet --calibration real-vlm-2025 --max-items 100
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, refuse_typed, say
from gfactor.cli.deriving import derived
from gfactor.cli.groups import CONDITIONS, condition_options, endpoint_options
from gfactor.cli.spelling import reach_names
from gfactor.cli.values import NAME
from gfactor.cli.verbs.run import spare_the_collector
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.administering import Given
    from gfactor.api.reach import Reach
    from gfactor.parameters import Level

HEADING = "Asking models"


ABOUT = """What the journal holds is not asked again: the same command goes on where it was stopped.
--max-cost ends the profile when the money is spent. Several SPECs are profiled one after the other,
each into a folder with its name below FOLDER; with --rank they are asked until their order is
decided."""


@derived(
    __doc__,
    "profile",
    {
        "examinee": "SPEC...",
        "abilities": "--abilities A,...",
        "se": "--se SE",
        "people": "--people JOURNAL",
        "language": "--language TAG",
        "banks": "--bank BANK",
        "journal": "--journal FILE",
        "output": "-o FOLDER",
    },
    reads={"people": NAME, "journal": NAME},
    without=["journal", *CONDITIONS, *reach_names()],
    options=[condition_options, endpoint_options],
    twins=["rank_abilities", "place_examinee"],
    about=ABOUT,
)
def command(
    examinee: tuple[str, ...], *, abilities: tuple[str, ...], calibration: Path | None,
    people: str | None, norms: Path | None, seed: int, twin: bool, language: str, jobs: int | None,
    given: Given, reach: Reach, max_items: int, as_json: bool, banks: Sequence[Path] = (),
    rank: bool = False, level: Level = 0.95, journal: str | None = None,
    output: Path | str = "profile", **stop: Any,
) -> int:  # fmt: skip
    """Profile examinees, rank them, or place them by stored items.

    Parameters
    ----------
    banks : sequence of path
        Ask stored items of a benchmark with a calibration of real models, such as --calibration
        real-vlm-2025, instead of making items.
    rank : bool
        Ask several SPECs until their order in each ability is decided, then stop.
    level : float
        With --rank: probability with which an ability's whole order is right.
    journal : path, optional
        Journal that stores items, steps and answers.  [default: FOLDER/journal.db]
    output : path
        Folder for the page, with JSON and CSV.
    """
    from gfactor.api.files import journal_to_write
    from gfactor.api.profile_norms import Among
    from gfactor.api.profiling import ProfilePlan, calibrations_of, window_of
    from gfactor.api.ranking import check_ranked, ranking_of
    from gfactor.psychometrics.irt.adaptive import StopRule

    output = Path(output)
    if banks:
        refuse_typed(
            "is for items that are made; leave it out with --bank, whose questions end at "
            "--max-items",
            among=_NOT_WITH_BANKS,
        )
        return _placed(
            examinee,
            tuple(banks),
            calibration,
            max_items,
            journal,
            output,
            given,
            reach,
            seed,
            as_json,
        )
    window, reach = window_of(reach)
    rule = StopRule(max_items=max_items)
    if not rank:
        rule = StopRule(max_items=max_items, max_cost=reach.max_cost, **stop)
    plan = ProfilePlan(
        calibrations_of(calibration, abilities), rule, reach, window, seed, twin and not rank,
        language, given, jobs,
    )  # fmt: skip
    among = None if norms is None else Among.of(norms, plan.calibrations)
    if rank:
        check_ranked(plan, examinee, level)
        if among is not None:
            raise ParameterError("--norms is for profiles; --rank says who stands above whom")
    plan.check(examinee)
    names = [plan.reach.make(spec, jobs=1).name for spec in examinee]
    folders = _folders(names, output) if not rank else [output]
    output.mkdir(parents=True, exist_ok=True)
    spare_the_collector()
    with journal_to_write(journal or str(output / "journal.db")) as opened:
        if rank:
            results = [ranking_of(plan, examinee, opened, level)]
        else:
            results = [plan.profile(spec, opened, people) for spec in examinee]
            results = [one if among is None else among.placed(one) for one in results]
    return _put(results, folders, as_json, "profiles")


_NOT_WITH_BANKS = (
    "abilities", "se", "se_change", "cut", "people", "norms", "rank", "twin", "language",
)  # fmt: skip
"""Options of items that are made, which stored items do not have."""


def _placed(
    specs: tuple[str, ...], banks: tuple[Path, ...], calibration: Path | None, max_items: int,
    journal: str | None, output: Path, given: Given, reach: Reach, seed: int, as_json: bool,
) -> int:  # fmt: skip
    """Ask stored items, and place each examinee among real models."""
    from gfactor.api.files import journal_to_write
    from gfactor.api.placing_live import LivePlacement

    name = "real-vlm-2025" if calibration is None else str(calibration)
    reach.check(specs)
    # Checked for all together: each alone may be none that the options are for.
    plan = LivePlacement.of(name, banks, max_items, given, replace(reach, named=()), seed, 0.95)
    output.mkdir(parents=True, exist_ok=True)
    with journal_to_write(journal or str(output / "journal.db")) as opened:
        results = [plan.place(spec, opened) for spec in specs]
    _put(results, _folders(specs, output), as_json, "placements")
    return 0


def _folders(names: Sequence[str], output: Path) -> list[Path]:
    """Return the folder of each examinee's page: that of the output, or one below it by name.

    Raises ParameterError if the folder has the profile of another examinee.
    """
    from gfactor.reports.leaderboard.answers import slug

    if len(set(names)) > 1:
        return [output / slug(name) for name in names]
    try:
        document = json.loads((output / "profile.json").read_text("utf-8"))
        owner = str(document["examinee"])
    except (OSError, ValueError, KeyError, TypeError):
        owner = names[0]
    if owner != names[0]:
        raise ParameterError(
            f"{str(output)!r} holds the profile of {owner}, which that of {names[0]} would "
            "replace; name another folder with -o"
        )
    return [output] * len(names)


def _put(results: Sequence[Any], folders: Sequence[Path], as_json: bool, several: str) -> int:
    """Print the results of examinees, and write a page of each."""
    for result, folder in zip(results, folders, strict=True):
        page = result.report(folder)
        if not as_json:
            text = result.summary()
            if several == "profiles":
                # Whose profile it is stands above its diagnostics, and once.
                rest = result.body().removeprefix(result.title)
                text = "\n".join([result.title, *map(str, result.diagnostics)]) + rest
            say(f"{text}\nopen {page.path}")
    if as_json:
        documents = [result.to_dict() for result in results]
        put_json(documents[0] if len(documents) == 1 else {several: documents})
    return 1 if any(d.code == "stopped" for one in results for d in one.diagnostics) else 0
