"""Evidence for articles of a code, from labelled exam questions and from the structure of exams and codes (task 3).

`ArticleKernelRidge` and `TranslationModel` are fitted to labelled questions and score all articles. `SiblingFeatures`,
`StructureFeatures`, `ReferenceFeatures` and `QuestionNumberFeatures` compute features of scores and places. A question
is never scored by labels of its own exam year.
"""

from ir_coliee.transformers.articles.kernel_ridge import ArticleKernelRidge
from ir_coliee.transformers.articles.question_number_features import QuestionNumberFeatures
from ir_coliee.transformers.articles.sibling_features import SiblingFeatures
from ir_coliee.transformers.articles.structure_features import ReferenceFeatures, StructureFeatures
from ir_coliee.transformers.articles.translation_model import TranslationModel

__all__ = [
    "ArticleKernelRidge",
    "QuestionNumberFeatures",
    "ReferenceFeatures",
    "SiblingFeatures",
    "StructureFeatures",
    "TranslationModel",
]
