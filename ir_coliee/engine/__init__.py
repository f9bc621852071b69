"""Lexical engine: sparse term counts, scored exactly and exhaustively. It needs neither PyTerrier nor pandas."""
