"""Questionnaires: a bank of items as a study that people take in their browsers."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.studies.questionnaires.order.allocation import ItemAllocation as ItemAllocation
    from gfactor.studies.questionnaires.order.allocation import Step as Step
    from gfactor.studies.questionnaires.pages.app import application as application
    from gfactor.studies.questionnaires.results.exporting import StudyExport as StudyExport
    from gfactor.studies.questionnaires.results.exporting import export_study as export_study
    from gfactor.studies.questionnaires.results.labels import MARKS as MARKS
    from gfactor.studies.questionnaires.results.labels import marks as marks
    from gfactor.studies.questionnaires.results.monitor import Overview as Overview
    from gfactor.studies.questionnaires.results.monitor import overview as overview
    from gfactor.studies.questionnaires.storing.participants import Participant as Participant
    from gfactor.studies.questionnaires.storing.store import Store as Store
    from gfactor.studies.questionnaires.study.definition import LANGUAGES as LANGUAGES
    from gfactor.studies.questionnaires.study.definition import Study as Study
    from gfactor.studies.questionnaires.study.folder import StudyFolder as StudyFolder
    from gfactor.studies.questionnaires.study.settings import Adaptive as Adaptive
    from gfactor.studies.questionnaires.study.settings import Conduct as Conduct
    from gfactor.studies.questionnaires.study.settings import Pay as Pay
    from gfactor.studies.questionnaires.study.settings import Payment as Payment
    from gfactor.studies.questionnaires.study.settings import Rules as Rules
    from gfactor.studies.questionnaires.study.settings import Signature as Signature
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
