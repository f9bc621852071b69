"""Transformers that answer questions with yes or no, and baselines for them.

Some add the column ``qanswer`` (Y or N) to queries; others score candidates whose docnos are the labels Y and N.
`AnswersAsDocuments` converts the first form into the second. `AlignmentFeatures` and `PastAnswerFeatures` are features
for learners.
"""
