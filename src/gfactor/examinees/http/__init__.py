"""Examinees behind an HTTP server that speaks OpenAI's chat completions."""

from gfactor.examinees.http.client import HttpExaminee
from gfactor.examinees.http.endpoint import Endpoint, read_key
from gfactor.examinees.http.pricing import Budget, Price, read_prices

__all__ = ["Budget", "Endpoint", "HttpExaminee", "Price", "read_key", "read_prices"]
