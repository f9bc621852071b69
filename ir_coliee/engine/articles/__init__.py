"""Evidence of task 3 as functions on dense matrices of scores: questions x articles.

Articles are columns in the order of the code, questions are rows. No score lets a question see its own label: those
that learn leave out the labels of its exam year, or are given the questions that each question may learn from.
"""
