"""Batch APIs of vendors: many requests in one, answered within a day, at half the price.

Each format is a file: OpenAI's (a file of requests, a batch, a file of results), Anthropic's
(message batches) and Google's (requests and responses within the batch). A batch is found again by
the token that it carries, so that a process that was killed between submitting and noting the
vendor's id submits nothing twice.
"""

from gfactor.examinees.http.batches.anthropic import AnthropicBatches
from gfactor.examinees.http.batches.format import (
    BATCH_WINDOW_S,
    DISCOUNT,
    LONGEST_WAIT_S,
    BatchFormat,
    BatchProgress,
    RequestFiles,
    Search,
    Ticket,
)
from gfactor.examinees.http.batches.google import GoogleBatches
from gfactor.examinees.http.batches.openai import OpenAIBatches
from gfactor.examinees.http.endpoint import Endpoint

FORMATS = {"openai": OpenAIBatches, "anthropic": AnthropicBatches, "google": GoogleBatches}
"""Formats of batches by name."""


def batch_format(name: str, endpoint: Endpoint) -> BatchFormat:
    """Return the format with a name in `FORMATS`, for the model of an endpoint."""
    return FORMATS[name](endpoint)


__all__ = [
    "BATCH_WINDOW_S",
    "DISCOUNT",
    "FORMATS",
    "LONGEST_WAIT_S",
    "AnthropicBatches",
    "BatchFormat",
    "BatchProgress",
    "GoogleBatches",
    "OpenAIBatches",
    "RequestFiles",
    "Search",
    "Ticket",
    "batch_format",
]
