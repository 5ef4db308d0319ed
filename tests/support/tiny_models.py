"""Tiny models with random weights, made and saved on the spot: nothing is downloaded.

A byte-level vocabulary, so that every text can be read and written; weights from NumPy's generator,
so that every version of PyTorch gets the same. Whoever imports this has torch and transformers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

CONTEXT = 512
IMAGE_TOKENS = 16
_SPECIAL = ("<pad>", "<s>", "</s>", "<image>", "<|user|>", "<|assistant|>")

_TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>"
    "{% if m.content is string %}{{ m.content }}{% else %}{% for c in m.content %}"
    "{% if c.type == 'image' %}<image>{% else %}{{ c.text }}{% endif %}"
    "{% endfor %}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def vision_language_model(folder: Path, seed: int = 0) -> Path:
    """LLaVA of 44,000 weights: 28 x 28 pixels in 16 patches, two layers of vision, two of text."""
    import transformers  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(
            hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
            image_size=28, patch_size=7, projection_dim=16,
        ),
        text_config=_text(transformers),
        image_token_index=_SPECIAL.index("<image>"),
        image_seq_length=IMAGE_TOKENS,
        vision_feature_select_strategy="default",
    )  # fmt: skip
    # The processor that needs no torchvision.
    pictures = transformers.CLIPImageProcessorPil(
        size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28}
    )
    transformers.LlavaProcessor(
        image_processor=pictures, tokenizer=_tokenizer(), patch_size=7, chat_template=_TEMPLATE,
        vision_feature_select_strategy="default", num_additional_image_tokens=1,
    ).save_pretrained(folder)  # fmt: skip
    _save(transformers.LlavaForConditionalGeneration(config), folder, seed)
    return folder


def language_model(folder: Path, seed: int = 0, template: str | None = _TEMPLATE) -> Path:
    """Llama of 35,000 weights, for text alone."""
    import transformers  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    tokenizer = _tokenizer()
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    _save(transformers.LlamaForCausalLM(_text(transformers)), folder, seed)
    return folder


def _text(transformers: Any) -> Any:
    return transformers.LlamaConfig(
        vocab_size=len(_vocabulary()), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=CONTEXT,
        bos_token_id=1, eos_token_id=2, pad_token_id=0,
    )  # fmt: skip


def _vocabulary() -> dict[str, int]:
    from tokenizers import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        pre_tokenizers,
    )

    words = (*_SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet()))
    return {word: number for number, word in enumerate(words)}


def _tokenizer() -> Any:
    import transformers  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
    from tokenizers import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        Tokenizer,
        decoders,
        models,
        pre_tokenizers,
    )

    tokenizer = Tokenizer(models.BPE(vocab=_vocabulary(), merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
        additional_special_tokens=list(_SPECIAL[3:]),
    )  # fmt: skip


def _save(model: Any, folder: Path, seed: int) -> None:
    import torch  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    rng = np.random.default_rng(seed)
    with torch.no_grad():
        for name, weights in sorted(model.named_parameters()):
            if weights.dim() > 1:
                drawn = rng.normal(0, 0.3, tuple(weights.shape)).astype(np.float32)
                if name.endswith("lm_head.weight"):
                    # The end of a reply is drawn out, so that it comes up now and then.
                    drawn[2] *= 2
                weights.copy_(torch.from_numpy(drawn))
    model.generation_config.update(bos_token_id=1, eos_token_id=2, pad_token_id=0)
    model.save_pretrained(folder)
