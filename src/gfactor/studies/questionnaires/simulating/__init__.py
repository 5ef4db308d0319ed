"""Bots that take a study through its real pages: to try it, and to know what its checks find."""

from gfactor.studies.questionnaires.simulating.bot import Bot, Visit
from gfactor.studies.questionnaires.simulating.crowd import Crowd, simulate
from gfactor.studies.questionnaires.simulating.minds import MINDS, Mind, mind_for
from gfactor.studies.questionnaires.simulating.observers import mind_of_examinee
from gfactor.studies.questionnaires.simulating.served import serving

__all__ = [
    "MINDS",
    "Bot",
    "Crowd",
    "Mind",
    "Visit",
    "mind_for",
    "mind_of_examinee",
    "serving",
    "simulate",
]
