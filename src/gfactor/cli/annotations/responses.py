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
from gfactor.cli.common import write_table
from gfactor.cli.deriving import derived
from gfactor.cli.groups import scoring_options
from gfactor.cli.printing import put_parts
from gfactor.cli.spelling import scored_names
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring


ABOUT = """The journal's answers are scored as by gfactor score; several conditions need
--condition. The file of labels contains examinee and condition only with --unblind, or if every
annotator who has begun is finished."""


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
    without=scored_names(),
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
    lines: list[str] = []
    if journal is not None:
        taken = add_sampled_responses(project, journal, scoring, per_examinee, by, quota, seed, of)
        done |= {"added": taken.added, "short": list(taken.short)}
        lines.append(f"{taken.added:,} responses to label")
        lines += [f"fewer than their quota: {line}" for line in taken.short]
    if output is not None:
        table, waiting = annotate.labels(folder, unblind=unblind)
        write_table(table, output)
        done |= {"labels": len(table), "waiting": waiting, "blind": bool(waiting) and not unblind}
        lines.append(f"{output}: {len(table):,} labels")
        if done["blind"]:
            lines.append(
                f"{waiting:,} labels are still to come, so examinee and condition are left out; "
                "--unblind names them"
            )
    put_parts(done, ["\n".join(lines)], as_json)
