"""gfactor annotate responses: take answers of models in to be labeled; write the labels.

gfactor annotate responses workspace/ --from c.db --by paradigm --quota 10,Math=20
gfactor annotate responses workspace/ --from c.db --per-examinee 90 --by paradigm
gfactor annotate responses workspace/ --from c.db --of all --per-examinee 100
gfactor annotate responses workspace/ -o labels.csv
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.groups import SCORED, scoring_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring


ABOUT = """The journal's answers are scored as by gfactor score; several conditions need
--condition. The file of labels names examinee and condition when nothing waits for a label by one
who has begun, or with --unblind."""


@derived(
    __doc__,
    "annotate.responses",
    {
        "journal": "--from JOURNAL",
        "by": "--by LABEL",
        "quota": "--quota N,VALUE=N",
        "output": "-o CSV",
    },
    optional=["journal"],
    without=SCORED,
    options=[scoring_options],
    twins=["annotate.labels"],
    about=ABOUT,
)
def command(
    folder: Path, journal: str | None, of: str, per_examinee: int | None, by: str,
    quota: str | None, seed: int, output: Path | None = None, unblind: bool = False, *,
    as_json: bool, scoring: Scoring,
) -> None:  # fmt: skip
    """Take responses in, and write their labels.

    Parameters
    ----------
    output : path, optional
        Write the labels.
    unblind : bool
        Name the examinees in the labels although responses still wait for theirs.
    """
    from gfactor.api.annotate.exchange import add_sampled_responses
    from gfactor.items.files import check_writable
    from gfactor.scoring.exporting import write_csv
    from gfactor.studies.annotation import Project

    project = Project.open(folder)
    if journal is None and output is None:
        raise ParameterError("say where responses come from (--from) or labels go to (-o)")
    if output is not None:
        check_writable(output)
    if journal is None and scoring.named:
        raise ParameterError(f"{scoring.named[0]} is for --from JOURNAL; name the journal")
    if quota is not None and (not by or per_examinee is not None):
        raise ParameterError(
            "--quota says how many of each value of --by LABEL of each examinee; name the label, "
            "and leave out --per-examinee"
        )
    done: dict[str, Any] = {}
    if journal is not None:
        taken = add_sampled_responses(project, journal, scoring, per_examinee, by, quota, seed, of)
        done["added"], done["short"] = taken.added, list(taken.short)
    if output is not None:
        table, waiting = annotate.labels(folder, unblind=unblind)
        write_csv(table, output)
        done |= {"labels": len(table), "waiting": waiting, "blind": bool(waiting) and not unblind}
    if as_json:
        put_json(done)
        return
    if "added" in done:
        say(f"{done['added']:,} responses to label")
        for line in done["short"]:
            say(f"fewer than their quota: {line}")
    if "labels" in done:
        say(f"{output}: {done['labels']:,} labels")
        if done["blind"]:
            say(
                f"{done['waiting']:,} labels are still to come, so examinee and condition are left "
                "out; --unblind names them"
            )
