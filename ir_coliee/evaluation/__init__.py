"""Evaluation of runs: reading and writing run files, scoring, comparison, tuning of cut-offs and leaderboards."""
