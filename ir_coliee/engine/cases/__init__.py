"""Evidence that a decision notices another: everything is computed on the token numbers of distinct texts.

`TokenSequences` has the texts, a `TextPool` selects queries and candidate texts of it. Each score is a function of a
pool that returns a dense matrix, queries x texts.
"""
