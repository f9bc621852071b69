"""The engine: a sparse matrix of term counts, scored exhaustively and exactly. No PyTerrier, no pandas."""
