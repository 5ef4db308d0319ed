"""The annotation workspace: items edited and graded by several people, responses labeled."""

from gfactor.studies.annotation.app import application
from gfactor.studies.annotation.checking import DraftProblem, problems
from gfactor.studies.annotation.draft import AnnotationDraft, DraftQuestion, draft_of
from gfactor.studies.annotation.exchange import (
    ResponseSample,
    add_responses,
    all_responses,
    export_bank,
    labels_table,
    sampled,
    wrong_responses,
)
from gfactor.studies.annotation.label_studio import from_label_studio, to_label_studio
from gfactor.studies.annotation.making import items_of
from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.schemes import SCHEMES, Scheme
from gfactor.studies.annotation.state import ItemState, grades, labels, states

__all__ = [
    "SCHEMES",
    "AnnotationDraft",
    "DraftProblem",
    "DraftQuestion",
    "ItemState",
    "Project",
    "ResponseSample",
    "Scheme",
    "add_responses",
    "all_responses",
    "application",
    "draft_of",
    "export_bank",
    "from_label_studio",
    "grades",
    "items_of",
    "labels",
    "labels_table",
    "problems",
    "sampled",
    "states",
    "to_label_studio",
    "wrong_responses",
]
