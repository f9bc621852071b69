"""Transformers that decide which items may be an answer: pools, filters, duplicates and cut-offs."""
