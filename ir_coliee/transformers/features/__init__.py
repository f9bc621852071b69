"""Features of candidates, and learning to rank.

Feature transformers append numbers to the column ``features`` of each candidate; `LearnedRanker` scores candidates with
a learner that is fitted to these features. `ScoreColumns` collects candidates with the scores of several pipelines,
from which `ScoreFeatures` and `CrossQueryFeatures` are computed.
"""
