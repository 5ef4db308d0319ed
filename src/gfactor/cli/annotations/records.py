"""gfactor annotate records: exchange labels of responses with Label Studio or Argilla.

gfactor annotate records workspace/ --format label-studio -o tasks.json
gfactor annotate records workspace/ --format argilla --from records.json
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.records",
    {"format": "--format", "write": "-o JSON", "read": "--from JSON"},
    sentences=lambda count, write, **_: (
        f"{write}: {count:,} records" if write else f"{count:,} labels taken in"
    ),
    document=lambda count, write, **_: {"records" if write else "labels": count},
)  # fmt: skip
