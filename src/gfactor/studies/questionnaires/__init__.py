"""Questionnaires: a bank of items as a study that people take in their browsers."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.studies.questionnaires.order.allocation import ItemAllocation, Step
    from gfactor.studies.questionnaires.pages.app import application
    from gfactor.studies.questionnaires.results.exporting import StudyExport, export_study
    from gfactor.studies.questionnaires.results.labels import MARKS, marks
    from gfactor.studies.questionnaires.results.monitor import Overview, overview
    from gfactor.studies.questionnaires.storing.participants import Participant
    from gfactor.studies.questionnaires.storing.store import Store
    from gfactor.studies.questionnaires.study.definition import LANGUAGES, Study
    from gfactor.studies.questionnaires.study.folder import StudyFolder
    from gfactor.studies.questionnaires.study.settings import (
        Adaptive,
        Conduct,
        Pay,
        Payment,
        Rules,
        Signature,
    )

__all__ = [
    "LANGUAGES",
    "MARKS",
    "Adaptive",
    "Conduct",
    "ItemAllocation",
    "Overview",
    "Participant",
    "Pay",
    "Payment",
    "Rules",
    "Signature",
    "Step",
    "Store",
    "Study",
    "StudyExport",
    "StudyFolder",
    "application",
    "export_study",
    "marks",
    "overview",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "order.allocation": ("ItemAllocation", "Step"),
        "pages.app": ("application",),
        "study.definition": ("LANGUAGES", "Study"),
        "results.exporting": ("StudyExport", "export_study"),
        "study.folder": ("StudyFolder",),
        "results.labels": ("MARKS", "marks"),
        "results.monitor": ("Overview", "overview"),
        "storing.participants": ("Participant",),
        "study.settings": ("Adaptive", "Conduct", "Pay", "Payment", "Rules", "Signature"),
        "storing.store": ("Store",),
    },
)
