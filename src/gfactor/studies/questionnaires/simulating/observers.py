"""Examinees as participants: an observer looks at every picture first, then fills in the forms."""

from __future__ import annotations

import math
import random

from gfactor.administration import Condition, render
from gfactor.examinees import make_examinee
from gfactor.items import Item, ItemBank
from gfactor.scoring.questions import CHOSEN, question_about
from gfactor.scoring.replies import read_reply
from gfactor.studies.questionnaires.simulating.response_models import Answered, ResponseModel


async def model_of_examinee(spec: str, bank: ItemBank) -> ResponseModel:
    """A model that answers as an examinee does ("observer:limited?acuity=0.4&seed=1").

    Every item of the bank is put to the examinee once, before the first page is asked for; where
    no answer can be read in a reply, the form gets "no idea" or the first option. Times are
    lognormal around 8 s.

    Raises UnknownNameError or ParameterError where the specification is not one.
    """
    examinee = make_examinee(spec, bank=bank, jobs=1)
    answers: dict[str, tuple[str, ...]] = {}
    try:
        for item in bank:
            reply = await examinee(render(item, Condition()))
            answers[item.id] = _parts(item, reply.text)
    finally:
        await examinee.close()

    def model(item: Item, source: random.Random) -> Answered:
        return Answered(answers[item.id], math.exp(source.gauss(math.log(8.0), 0.4)))

    return model


def _parts(item: Item, text: str) -> tuple[str, ...]:
    if item.answer_type == "turns":
        return (text or "no idea",)
    if item.answer_type not in CHOSEN:
        return tuple(text.splitlines()) or ("no idea",)
    read = read_reply(text, "ok", question_about(item, "default")).lenient.answer
    if read is None:
        return (item.choices[0].label,)
    return tuple(map(str, read)) if isinstance(read, tuple | frozenset) else (str(read),)
