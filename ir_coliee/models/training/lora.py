"""Low-rank adapters (LoRA). They need the extra ``neural``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import check_number, integer_at_least, shown


@dataclass(frozen=True)
class LoRA:
    """Low-rank adapters: small matrices that are trained beside the weights of a checkpoint, which stay as they are.

    Parameters
    ----------
    rank : int
        The rank of the matrices, >= 1. It is the number of trained parameters of a layer divided by the sum of its
        widths.
    alpha : float
        The scale of the adapters, > 0. What they add to a layer is multiplied by ``alpha / rank``.
    dropout : float
        The share of the adapters' inputs that is set to 0 in training, in [0, 1).
    targets : str or tuple of str
        The names of the layers that get adapters. By default, all linear layers but the last.

    References
    ----------
    Hu et al. LoRA: Low-Rank Adaptation of Large Language Models. ICLR 2022. With weights in 4 bits, the method is
    QLoRA: Dettmers et al. QLoRA: Efficient Finetuning of Quantized LLMs. NeurIPS 2023.

    Examples
    --------
    >>> LoRA(rank=8, alpha=16)
    LoRA(rank=8, alpha=16, dropout=0.05, targets='all-linear')
    """

    rank: int = 16
    alpha: float = 32
    dropout: float = 0.05
    targets: str | tuple[str, ...] = "all-linear"

    def __post_init__(self) -> None:
        integer_at_least("rank", self.rank, 1)
        check_number("alpha", self.alpha, "a number > 0", lambda alpha: 0 < alpha < float("inf"))
        check_number("dropout", self.dropout, "a number in [0, 1)", lambda share: 0 <= share < 1)
        names = (self.targets,) if isinstance(self.targets, str) else self.targets
        if not (isinstance(names, tuple) and names and all(isinstance(name, str) and name for name in names)):
            raise ValueError(f"targets must be a name or a tuple of names of layers, got {shown(self.targets)}.")

    def config(self, task_type: str) -> Any:
        """Return the configuration for peft.

        Parameters
        ----------
        task_type : str
            The task in peft's terms: ``SEQ_CLS``, ``CAUSAL_LM``, ``SEQ_2_SEQ_LM`` or ``FEATURE_EXTRACTION``.

        Returns
        -------
        peft.LoraConfig

        Raises
        ------
        MissingExtraError
            If peft is not installed.
        """
        try:
            from peft import LoraConfig
        except ImportError:
            raise MissingExtraError("A low-rank adapter", "neural") from None
        return LoraConfig(
            r=self.rank,
            lora_alpha=self.alpha,
            lora_dropout=self.dropout,
            target_modules=self.targets if isinstance(self.targets, str) else list(self.targets),
            task_type=task_type,
        )
