"""Pure functions on legal text: no pandas, no files."""
