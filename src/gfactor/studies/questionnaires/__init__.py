"""Questionnaires: a bank of items as a study that people take in their browsers."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.studies.questionnaires.allocation import ItemAllocation, Step
    from gfactor.studies.questionnaires.app import application
    from gfactor.studies.questionnaires.definition import LANGUAGES, Study
    from gfactor.studies.questionnaires.exporting import Exported, export_study
    from gfactor.studies.questionnaires.folder import StudyFolder
    from gfactor.studies.questionnaires.labels import MARKS, marks
    from gfactor.studies.questionnaires.monitor import Overview, overview
    from gfactor.studies.questionnaires.participants import Participant
    from gfactor.studies.questionnaires.settings import (
        Adaptive,
        Conduct,
        Pay,
        Payment,
        Rules,
        Signature,
    )
    from gfactor.studies.questionnaires.store import Store

__all__ = [
    "LANGUAGES",
    "MARKS",
    "Adaptive",
    "Conduct",
    "ItemAllocation",
    "Exported",
    "Overview",
    "Participant",
    "Pay",
    "Payment",
    "Rules",
    "Signature",
    "Step",
    "Store",
    "Study",
    "StudyFolder",
    "application",
    "export_study",
    "marks",
    "overview",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "allocation": ("ItemAllocation", "Step"),
        "app": ("application",),
        "definition": ("LANGUAGES", "Study"),
        "exporting": ("Exported", "export_study"),
        "folder": ("StudyFolder",),
        "labels": ("MARKS", "marks"),
        "monitor": ("Overview", "overview"),
        "participants": ("Participant",),
        "settings": ("Adaptive", "Conduct", "Pay", "Payment", "Rules", "Signature"),
        "store": ("Store",),
    },
)
