"""gfactor annotate annotators: show each annotator's progress, quality and time.

gfactor annotate annotators workspace/
"""

from typing import Any

from gfactor.cli.printing import printed


def sentences(table: Any, **_: Any) -> str:
    from gfactor.results import rounded

    nobody = "Nobody is invited yet: gfactor annotate invite."
    return rounded(table, 3).to_string(index=False) if len(table) else nobody


command = printed(__doc__, "annotate.annotators", sentences=sentences)
