"""gfactor import: import items and answers from the logs of another harness.

gfactor import inspect logs/2026-11-21_mmmu.eval --journal c.db
gfactor import vlmevalkit GPT4o/GPT4o_MMBench_DEV_EN.xlsx --journal c.db
gfactor import vlmevalkit outputs/ --journal c.db
gfactor import vlmevalkit outputs/ --bank mmbench.parquet --journal people/journal.db
gfactor import replies replies/ --bank items.jsonl --journal c.db
gfactor import replies people.csv --bank b.parquet --journal c.db --examinee person \
  --examinee-column participant
gfactor import lm-eval results/org__model/ --journal c.db
gfactor import eee data/ --journal c.db
gfactor import journal checkpoints/ --journal all.db
"""

from __future__ import annotations

from gfactor.cli.plug_ins import lines_of
from gfactor.cli.printing import printed

HEADING = "Asking models"

command = printed(
    __doc__,
    "import_logs",
    {
        "format_name": "FORMAT",
        "journal": "--journal FILE",
        "examinee": "--examinee NAME",
        "examinee_column": "--examinee-column COLUMN",
        "bank": "--bank FILE",
    },
    about="The exit code is 1 if parts of a file could not be imported.\n\n"
    + lines_of("gfactor.administration.imports.base", "IMPORTS"),
)
