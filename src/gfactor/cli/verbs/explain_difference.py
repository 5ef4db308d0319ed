"""gfactor explain-difference: explain why two scores of one model on one benchmark differ.

gfactor explain-difference ours.db theirs.db
gfactor explain-difference ours.db 2026_samples_mmmu.jsonl --second reading=harness
gfactor explain-difference c.db c.db --first reading=strict --second reading=lenient
"""

from gfactor.cli.printing import printed

HEADING = "Results"

command = printed(
    __doc__,
    "explain_difference",
    {
        "first": "JOURNAL_A", "second": "JOURNAL_B", "first_settings": "--first NAME=VALUE...",
        "second_settings": "--second NAME=VALUE...",
    },
    without=["level"],
    page=True,
)  # fmt: skip
