"""Evidence about the paragraphs of noticed cases, one pool of paragraphs for each query (task 2).

Texts are token numbers (`TokenTexts`). Paragraphs are given pool by pool (`Pools`), in the order of their case.
"""
