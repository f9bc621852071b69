"""The learned baseline of task 1: candidates and features within pools that are built as the organisers build tests."""
