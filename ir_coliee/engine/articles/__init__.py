"""Evidence of task 3 as functions on dense matrices of scores: questions x articles.

Articles are columns in the order of the code, questions are rows. None of these functions lets a question see its own
label: `kernel_ridge` and `question_numbers` leave out the labels of its exam year, `translations` is fitted to other
exam years, and `past_questions` is given the questions that each question may learn from.
"""
