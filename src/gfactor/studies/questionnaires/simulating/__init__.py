"""Bots that take a study through its real pages, to test it and the power of its checks."""

from gfactor.studies.questionnaires.simulating.bot import Bot, Visit
from gfactor.studies.questionnaires.simulating.response_models import (
    RESPONSE_MODELS,
    ResponseModel,
    response_model,
)
from gfactor.studies.questionnaires.simulating.simulation import (
    Simulation,
    model_of_examinee,
    serving,
    simulate,
)

__all__ = [
    "RESPONSE_MODELS",
    "Bot",
    "Simulation",
    "ResponseModel",
    "Visit",
    "response_model",
    "model_of_examinee",
    "serving",
    "simulate",
]
