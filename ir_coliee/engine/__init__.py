"""Lexical engine: sparse term counts, scored exactly and exhaustively. It does not need PyTerrier."""
