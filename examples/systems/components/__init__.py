"""Components that only one published system needs, each with its source."""
