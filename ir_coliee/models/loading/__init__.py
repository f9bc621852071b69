"""How checkpoints are loaded: options, tokenizers, layouts, and what identifies a checkpoint."""
