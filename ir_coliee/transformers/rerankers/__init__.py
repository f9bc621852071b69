"""Rerankers: cross-encoders and monoT5 for pairs of texts, and language models that read several candidates."""
