"""`vllm:PATH?dtype=bfloat16&tensor_parallel_size=2`: a model that vLLM computes here."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from gfactor.errors import MissingExtraError, ParameterError
from gfactor.examinees.base import EXAMINEES, Spec
from gfactor.examinees.local import LocalExaminee
from gfactor.examinees.local.generation import checked_dtype, checked_parameters, whole_number
from gfactor.examinees.local.vllm_engine import Vllm

BATCH = 256
"""Default number of questions that are passed to vLLM at once."""

_NUMBERS = ("max_model_len", "tensor_parallel_size")
"""Arguments of `vllm.LLM` that are whole numbers from 1."""


@EXAMINEES.register("vllm")
def make(*, spec: Spec, **_: Any) -> LocalExaminee:
    """Make an examinee of a model that vLLM loads, from a folder or the Hugging Face Hub.

    `dtype`, `quantization` and `max_model_len` are part of the examinee's name, because they change
    the results; `batch`, `tensor_parallel_size` and `gpu_memory_utilization`, which change only the
    speed, are not.

    Raises MissingExtraError without vLLM, ParameterError for an unknown parameter.
    """
    checked_parameters(
        spec,
        ("dtype", "quantization", "max_model_len", "batch", "tensor_parallel_size",
         "gpu_memory_utilization"),
    )  # fmt: skip
    parameters = spec.parameters
    settings: dict[str, Any] = {n: whole_number(spec, n, 1) for n in _NUMBERS if n in parameters}
    checked_dtype(spec)
    settings |= {name: parameters[name] for name in ("dtype", "quantization") if name in parameters}
    if "gpu_memory_utilization" in parameters:
        settings["gpu_memory_utilization"] = _share(spec)
    if find_spec("vllm") is None:
        raise MissingExtraError(f"the examinee {spec}", "vllm")
    named = ("dtype", "quantization", "max_model_len")
    named_settings = {
        name: parameters[name] for name in named if parameters.get(name, "auto") != "auto"
    }
    engine = Vllm(spec.argument, **settings)
    return LocalExaminee(
        str(Spec("vllm", spec.argument, named_settings)), engine, whole_number(spec, "batch", BATCH)
    )


def _share(spec: Spec) -> float:
    text = spec.parameters["gpu_memory_utilization"]
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ParameterError(f"examinee {str(spec)!r}: gpu_memory_utilization is from 0 to 1")
    return share
