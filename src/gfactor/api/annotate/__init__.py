"""People edit and grade items, and label what went wrong: `gf.annotate.new`, `serve` ..."""

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
