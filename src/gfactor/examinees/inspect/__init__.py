"""Inspect's model providers as examinees; reading their outputs needs no Inspect."""

from gfactor.examinees.inspect.output import Resolve, reply_of_output
from gfactor.examinees.inspect.provider import InspectExaminee

__all__ = ["InspectExaminee", "Resolve", "reply_of_output"]
