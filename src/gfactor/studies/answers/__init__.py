"""Answers of people: how each answer type is entered, printed, read, compared and exported.

| what happens to an answer | where |
|---|---|
| it is entered in the fields of a form | `fields` (`inputs_of`, `read_inputs`) |
| it is printed for people, and read from a text | `written` (`printed`, `read_answer`) |
| two are compared | `same_answer`, by the scoring rule of the type |
| it is exported | `exported`, in the form that scoring reads |

`ANSWER_TYPES` describes each type in words.
"""

from gfactor.studies.answers.types import ANSWER_TYPES, TypeOfAnswer, exported, same_answer
from gfactor.studies.answers.written import UnreadableError, printed, read_answer

__all__ = [
    "ANSWER_TYPES",
    "TypeOfAnswer",
    "UnreadableError",
    "exported",
    "printed",
    "read_answer",
    "same_answer",
]
