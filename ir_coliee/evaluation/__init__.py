"""A run's life after retrieval: the organisers' files, their checks, the figures, the cut-off search."""
