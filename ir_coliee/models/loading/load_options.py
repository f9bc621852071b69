"""How the weights of a model are loaded: number format, device, quantisation, attention, revision."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

from ir_coliee.errors import ColieeError
from ir_coliee.frames import one_of, shown
from ir_coliee.models.loading.japanese_dictionaries import dictionary_keywords

Dtype = Literal["float32", "bfloat16", "float16"]
_DTYPES = ("float32", "bfloat16", "float16")
_QUANTISATIONS = ("8bit", "4bit")
_BLOCK = 64  # weights that bitsandbytes quantises to 4 bits together
_ATTENTIONS = ("eager", "sdpa", "flash_attention_2")

# layers that are not quantised: outputs, and layers that are new in a checkpoint without a classification layer
_HEADS = ["lm_head", "embed_out", "classifier", "classification_head", "score", "pooler"]


@dataclass(frozen=True)
class LoadOptions:
    """Options for loading the weights of a checkpoint, for all classes that load one.

    Weights are read from safetensors files only.

    Parameters
    ----------
    dtype : {"float32", "bfloat16", "float16"}, optional
        Number format of the weights. By default that of the checkpoint for language models and embedders, and float32
        for models that are fine-tuned whole, because small updates are lost in half precision.
    device : str, optional
        Name of the torch device. By default a GPU if one is available, otherwise the CPU.
    device_map : str, optional
        Distribution of the layers over several devices, such as ``"auto"``, as defined by the accelerate library. It
        takes the place of ``device``.
    quantise : {"8bit", "4bit"}, optional
        Quantisation of the weights by bitsandbytes (extra ``quantise``): about a quarter or an eighth of the memory
        of float32. A quantised model is fine-tuned with an adapter only.
    attention : {"eager", "sdpa", "flash_attention_2"}, optional
        Implementation of attention. By default the fastest one that torch has for the model.
    revision : str, optional
        Branch, tag or commit of a published checkpoint. By default its main branch.
    allow_remote_code : bool
        Run Python code that comes with the checkpoint. Read the code first.

    Examples
    --------
    >>> LoadOptions(dtype="bfloat16", device="cuda:1")
    LoadOptions(dtype='bfloat16', device='cuda:1')
    """

    dtype: Dtype | None = None
    device: str | None = None
    device_map: str | None = None
    quantise: Literal["8bit", "4bit"] | None = None
    attention: Literal["eager", "sdpa", "flash_attention_2"] | None = None
    revision: str | None = None
    allow_remote_code: bool = False

    def __post_init__(self) -> None:
        one_of("dtype", self.dtype, (*_DTYPES, None))
        one_of("quantise", self.quantise, (*_QUANTISATIONS, None))
        one_of("attention", self.attention, (*_ATTENTIONS, None))
        one_of("allow_remote_code", self.allow_remote_code, (True, False))  # "no" would allow it
        if self.device is not None and self.device_map is not None:
            raise ValueError("device and device_map exclude each other; give one of them.")

    def __repr__(self) -> str:
        changed = [field for field in fields(self) if getattr(self, field.name) != field.default]
        return f"LoadOptions({', '.join(f'{field.name}={getattr(self, field.name)!r}' for field in changed)})"

    @property
    def identity(self) -> dict[str, str]:
        """The options that change what a model computes, for the keys of stored replies and scores."""
        settings = {name: getattr(self, name) for name in ("revision", "dtype", "quantise")}
        return {name: value for name, value in settings.items() if value is not None}

    def source(self) -> dict[str, Any]:
        """Return keyword arguments of ``from_pretrained`` for a configuration."""
        revision = {} if self.revision is None else {"revision": self.revision}
        return {"trust_remote_code": self.allow_remote_code, **revision}

    def tokenizer_keywords(self, name: str) -> dict[str, Any]:
        """Return keyword arguments of ``from_pretrained`` for the tokenizer of a checkpoint."""
        source = self.source()
        return {**source, **dictionary_keywords(name, **source)}

    def keywords(self, default_dtype: Dtype | None = None) -> dict[str, Any]:
        """Return keyword arguments of ``from_pretrained`` for the weights of a model.

        Parameters
        ----------
        default_dtype : str, optional
            The number format if ``dtype`` is not given. By default that of the checkpoint.
        """
        import torch

        dtype = self.dtype or default_dtype
        options = {
            "dtype": "auto" if dtype is None else getattr(torch, dtype),
            "attn_implementation": self.attention,
            "device_map": self.device_map,
            "quantization_config": self._quantisation(),
        }
        if self.quantise is not None and self.device_map is None:  # quantised weights cannot be moved afterwards
            options["device_map"] = {"": self.device or best_device()}
        given = {name: value for name, value in options.items() if value is not None}
        return {"use_safetensors": True, **self.source(), **given}

    def encoder_keywords(self, name: str, default_dtype: Dtype | None = None) -> dict[str, Any]:
        """Return keyword arguments for a checkpoint of sentence-transformers. See `keywords`."""
        source = self.source()
        on_device = self.device_map is None and self.quantise is None
        return {
            **source,
            "processor_kwargs": dictionary_keywords(name, **source),
            "device": self._usable_device() if on_device else None,
            "model_kwargs": self.keywords(default_dtype),
        }

    def place(self, network: Any) -> Any:
        """Move a loaded network to the device, unless its layers were distributed while it was loaded.

        Raises
        ------
        ColieeError
            If the device cannot be used.
        """
        if self.device_map is not None or self.quantise is not None:
            return without_packing(network) if self.quantise == "4bit" else network
        device = self._usable_device()
        try:
            return network.to(device)
        except (RuntimeError, AssertionError) as error:
            raise _unusable(device, str(error).strip().partition("\n")[0]) from None

    def _usable_device(self) -> str:
        import torch

        device = self.device or best_device()
        if device.startswith("cuda") and not torch.backends.cuda.is_built():
            raise _unusable(device, "this installation of torch has no CUDA.")
        return device

    def _quantisation(self) -> Any:
        if self.quantise is None:
            return None
        import torch
        from transformers import BitsAndBytesConfig

        if self.quantise == "8bit":
            return BitsAndBytesConfig(load_in_8bit=True, llm_int8_skip_modules=_HEADS)
        return BitsAndBytesConfig(
            load_in_4bit=True,
            llm_int8_skip_modules=_HEADS,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=getattr(torch, self.dtype or "bfloat16"),
        )


def without_packing(network: Any) -> Any:
    """Return a network whose narrow layers in 4 bits are left unpacked: bitsandbytes packs whole blocks on a CPU."""
    for layer in network.modules():
        if hasattr(layer, "support_avx512bf16_for_cpu") and layer.in_features % _BLOCK:
            layer.support_avx512bf16_for_cpu = False
    return network


def _unusable(device: str, reason: str) -> ColieeError:
    return ColieeError(
        f"device={shown(device)} cannot be used: {reason}\nGive another device, or none for a GPU or the CPU."
    )


def best_device() -> str:
    """Return the name of a GPU if one is available, otherwise that of the CPU."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
