"""`hf:PATH?dtype=bfloat16&device=cuda:0&batch=8`: a model that transformers computes here."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gfactor.errors import MissingExtraError, ParameterError
from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.local import LocalExaminee
from gfactor.examinees.local.generation import checked_dtype, checked_parameters, whole_number
from gfactor.examinees.local.hugging_face import HuggingFace

BATCH = 8
"""Default number of questions in a batch."""


@EXAMINEES.register("hf")
def make(*, spec: Spec, **_: Any) -> LocalExaminee:
    """Make an examinee of a model in a folder, or in this machine's cache of the Hugging Face Hub.

    `dtype` is part of the examinee's name, because it changes the results; `device` and `batch`,
    which change only the speed, are not.

    Raises MissingExtraError without transformers, ParameterError for a folder without a model and
    for an unknown parameter.
    """
    checked_parameters(spec, ("dtype", "device", "batch"))
    dtype = checked_dtype(spec)
    if any(find_spec(name) is None for name in ("torch", "transformers", "PIL")):
        raise MissingExtraError(f"the examinee {spec}", "hf")
    batch = whole_number(spec, "batch", BATCH)
    named = {} if dtype == "auto" else {"dtype": dtype}
    engine = HuggingFace(_weights(spec.argument), dtype, spec.parameters.get("device", ""))
    return LocalExaminee(str(Spec("hf", spec.argument, named)), engine, batch)


def _weights(argument: str) -> str:
    """The folder, or the name of a model in the cache; ParameterError if neither exists."""
    folder = Path(argument).expanduser()
    if (folder / "config.json").is_file():
        return str(folder)
    if not folder.exists() and re.fullmatch(r"[\w.-]+/[\w.-]+", argument):
        from huggingface_hub import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
            try_to_load_from_cache,
        )

        if isinstance(try_to_load_from_cache(argument, "config.json"), str):
            return argument
        raise ParameterError(
            f"hf:{argument} is neither a folder nor in the Hugging Face Hub's cache on this "
            f"machine; nothing is downloaded here: run  hf download {argument}  first"
        )
    raise ParameterError(f"hf:{argument}: the folder holds no model (no config.json)")
