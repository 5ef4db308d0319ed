"""gfactor profile: measure the abilities of an examinee with an adaptive test.

gfactor profile observer:ideal --abilities Gl --max-items 20 -o profile/
gfactor profile openai:gpt-4o --prices prices.toml --max-cost 5 -o profile/
gfactor profile openai:gpt-4o openai:gpt-4o-mini --rank -o order/
gfactor profile openai:gpt-4o --bank mmmu.parquet --calibration real-vlm-2025 --max-items 100

The same command continues a profile that was stopped. --max-cost ends the profile when this sum is
spent. Several examinees are profiled one after the other: each gets a folder with its name in
FOLDER, and the page in FOLDER compares them. With --rank they are asked until their order is
decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gfactor.cli.common import say
from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, put, put_each
from gfactor.cli.spelling import PRESENTATION, options_with
from gfactor.cli.values import NAME
from gfactor.cli.verbs.run import spare_the_collector

HEADING = "Asking models"

FILES = options_with(
    "With --bank",
    "place_examinee",
    ("captions", "captions_by", "shots_from", "knowledge"),
    PRESENTATION,
)


@derived(
    __doc__,
    "profile",
    {
        **{name: PRESENTATION[name] for name in ("condition", "packs")},
        "examinee": "SPEC...",
        "people": "--people JOURNAL",
        "language": "--language TAG",
        "banks": "--bank BANK",
        "journal": "--journal FILE",
        "output": "-o FOLDER",
    },
    reads={"people": NAME, "journal": NAME},
    without=["journal"],
    options=[FILES, options_with("With --rank", "rank_abilities", ("level",))],
    twins=["rank_abilities", "place_examinee"],
)
def command(
    examinee: tuple[str, ...], *, as_json: bool, banks: Sequence[Path] = (), rank: bool = False,
    journal: str | None = None, output: Path | str = "profile", **given: Any,
) -> int:  # fmt: skip
    """Profile examinees, rank them, or place them by stored items.

    Parameters
    ----------
    banks : sequence of path
        Ask stored items of a benchmark with a calibration of real models, such as --calibration
        real-vlm-2025, instead of making items.
    rank : bool
        Ask several examinees until their order in each ability is decided.
    journal : path, optional
        Journal that stores items, steps and answers.  [default: FOLDER/journal.db]
    output : path
        Folder for the page, with JSON and CSV.
    """
    from gfactor.reports.writing.report_folder import check_folder

    output = Path(output)
    # A folder that cannot be written is refused before questions cost money.
    check_folder(output)
    given["journal"] = journal or str(output / "journal.db")
    spare_the_collector()
    if banks:
        given |= {"examinee": examinee, "banks": banks, "items": given["max_items"],
                  "calibration": given["calibration"] or "real-vlm-2025"}  # fmt: skip
        placed = called(
            "place_examinee",
            given,
            "is for items that are made; leave it out with --bank, whose questions end at "
            "--max-items",
            beside=("max_items", "output"),
        )
        return put(placed, as_json, output)
    if rank:
        reason = "is for profiles; --rank says who stands above whom"
        ranked = called(
            "rank_abilities", given | {"examinees": examinee}, reason,
            beside=("examinee", "rank", "output"),
        )  # fmt: skip
        return put(ranked, as_json, output)
    from gfactor.api.asking.profile_pages import ProfilePages

    pages = ProfilePages.of(output, examinee)
    profiles = called(
        "profile_each", given | {"examinees": examinee}, "is for --rank or --bank",
        beside=("examinee", "output"),
    )  # fmt: skip
    folders = pages.folders(profiles.values())
    code = put_each("profiles", folders, as_json)
    if (written := pages.write_together(folders)) and not as_json:
        say(f"open {written.path} for all of them")
    return code
