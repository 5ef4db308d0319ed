"""gfactor annotate responses: take in answers of models to label, or write the labels.

gfactor annotate responses workspace/ --from c.db --by paradigm --quota 10,Math=20
gfactor annotate responses workspace/ --from c.db --per-examinee 90 --by paradigm
gfactor annotate responses workspace/ --from c.db --of all --per-examinee 100
gfactor annotate responses workspace/ -o labels.csv

The journal's answers are scored as by gfactor score; several conditions need
--condition. The file of labels contains examinee and condition only with --unblind, or if every
annotator who has begun is finished.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.api import annotate
from gfactor.cli.common import refuse_typed
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put_parts
from gfactor.cli.spelling import scored_names
from gfactor.errors import ParameterError


@derived(
    __doc__,
    "annotate.responses",
    {
        "journal": "--from JOURNAL",
        "quota": "--quota N,VALUE=N",
        "output": "-o CSV",
    },
    optional=["journal"],
    twins=["annotate.labels"],
)
def command(
    folder: Path, journal: str | None, output: Path | None = None, unblind: bool = False, *,
    as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Add a sample of responses, and write their labels.

    Parameters
    ----------
    output : path, optional
        Write the labels.
    unblind : bool
        Name the examinees in the labels although some responses are still unlabeled.
    """
    from gfactor.api.annotate.exchange import write_labels
    from gfactor.items.files import check_writable

    if journal is None and output is None:
        raise ParameterError("say where responses come from (--from) or labels go to (-o)")
    if output is not None:
        check_writable(output)
    parts: list[Any] = []
    if journal is None:
        refuse_typed("is for --from JOURNAL; name the journal", among=scored_names())
    else:
        parts.append(annotate.responses(folder, journal, **given))
    if output is not None:
        parts.append(write_labels(folder, output, unblind=unblind))
    document = {name: value for one in parts for name, value in one.to_dict().items()}
    put_parts(document, ["\n".join(one.summary() for one in parts)], as_json)
