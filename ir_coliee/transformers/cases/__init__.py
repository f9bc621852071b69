"""Retrieval of noticed cases by single families of evidence, and features of whole pools."""

from ir_coliee.transformers.cases.pool_features import PoolFeatures

__all__ = ["PoolFeatures"]
