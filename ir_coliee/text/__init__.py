"""Pure functions on legal text: they need no pandas and read no files."""
