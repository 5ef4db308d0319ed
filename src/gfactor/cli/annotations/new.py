"""gfactor annotate new: make an annotation project from a bank.

gfactor annotate new multi.parquet -o workspace/ --title "Round one"
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.new", {"folder": "-o FOLDER"},
    sentences=lambda project, folder, **_: (
        f"{folder}: a project of {len(project.bank):,} items; invite people with\n"
        f"  gfactor annotate invite {folder} NAME"
    ),
    document=lambda project, folder, **_: {"folder": str(folder), "items": len(project.bank)},
)  # fmt: skip
