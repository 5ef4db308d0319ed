"""People edit and grade items, and label what went wrong: `gf.annotate.new`, `serve` ..."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.annotate.exchange import (
        Sampled,
        export,
        label_studio,
        labels,
        responses,
    )
    from gfactor.api.annotate.hosting import backup, deploy, restore
    from gfactor.api.annotate.projects import (
        agreement,
        assign,
        invite,
        new,
        serve,
    )
    from gfactor.api.annotate.quality import annotators, comments, consensus, gold, records

__all__ = [
    "backup",
    "deploy",
    "restore",
    "Sampled",
    "agreement",
    "annotators",
    "assign",
    "comments",
    "consensus",
    "export",
    "gold",
    "invite",
    "label_studio",
    "labels",
    "new",
    "records",
    "responses",
    "serve",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "exchange": ("Sampled", "export", "label_studio", "labels", "responses"),
        "hosting": ("backup", "deploy", "restore"),
        "projects": ("agreement", "assign", "invite", "new", "serve"),
        "quality": ("annotators", "comments", "consensus", "gold", "records"),
    },
)
