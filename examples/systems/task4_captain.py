"""CAPTAIN at COLIEE 2023, task 4: BERT on summaries of articles; ELECTRA on conditions and statements; an SVM.

Published: accuracy .5842, 59 of 101 correct, thirteenth place (CAPTAIN.gen; Nguyen and Nguyen 2023; overview of 2023,
section 5.3). CAPTAIN.run1: .5743, 58 of 101; CAPTAIN.run2: .5248, 53 of 101.
Same: gen is Japanese: the named BERT reads the question with the articles' summaries. run1 (--run) is English: articles
and question are split into condition and statement, and the named ELECTRA compares the conditions, and the statements;
the answer is yes if both agree. run2 (--run), English too: articles are split into phrases of n words, BERT encodes
phrases and questions, an SVM classifies, and an ensemble combines it with run1.
Differs: nothing that the overview reports; it does not name the summarising model, nor the BERT of run2.
Ours: the summarising model, which was trained on news, and the length of a summary; the rules that split a sentence;
separate models for conditions and statements; if question or articles have no condition, the statements alone decide,
and such questions are not used to train the model of conditions; phrases of 8 words that overlap by half; the BERT of
run2; the SVM reads the embeddings of the question and of the most similar phrase; the conditions, the statements and
the SVM have a vote each; three epochs with learning rate 2e-5.
Run: python examples/systems/task4_captain.py [--dataset ID] [--model tiny]
     python examples/systems/task4_captain.py --run CAPTAIN.run2 --dataset coliee/task4/sample/en/test
"""

import pyterrier as pt
from components.encoded_pairs import EncodedPairs
from components.phrases import SplitPhrases
from components.rule_parts import RulePart
from neural import embedder, entailment_classifier, language_model, stored_replies
from steps import labelled
from system import Models, Split, main, train_split

from ir_coliee import transformers as coliee
from ir_coliee.transformers.queries.passages import SplitArticles
from ir_coliee.transformers.queries.texts import RewriteText

# questions that have this part of a rule, and whose articles have it
WITH_BOTH = pt.apply.generic(lambda rows: rows[rows[["query", "text"]].ne("").all(axis=1)], transform_outputs=list)


def pipeline(split: Split, models: Models) -> pt.Transformer:
    summariser = language_model(models, "csebuetnlp/mT5_multilingual_XLSum", max_tokens=128)
    judge = entailment_classifier(models, "cl-tohoku/bert-base-japanese-whole-word-masking")
    return answered(split, RewriteText(summariser, **stored_replies(models)), judge)


def run1(split: Split, models: Models) -> pt.Transformer:
    return coliee.MajorityVote(*condition_and_statement(split, models), default="N")


def run2(split: Split, models: Models) -> pt.Transformer:
    from sklearn.svm import SVC

    phrases = SplitArticles(split.language) >> SplitPhrases()
    svm = EncodedPairs(embedder(models, "bert-base-uncased", token_pooling="mean"), SVC())
    return coliee.MajorityVote(*condition_and_statement(split, models), answered(split, phrases, svm))


def condition_and_statement(split: Split, models: Models) -> list[pt.Transformer]:
    voters = []
    for seed, of_rule in enumerate(("condition", "statement")):
        judge = entailment_classifier(models, "google/electra-base-discriminator", seed)
        parted = RulePart(of_rule, split.language)
        voters.append(answered(split, parted >> WITH_BOTH if of_rule == "condition" else parted, judge))
    return voters


def answered(split: Split, change: pt.Transformer, judge: pt.Estimator) -> pt.Transformer:
    train = train_split(split)
    judge.fit(*labelled(train, coliee.QuotedArticles(train.id) >> change))
    return coliee.QuotedArticles(split.id) >> change >> judge >> coliee.AnswersAsDocuments()


OTHERS = {"CAPTAIN.run1": run1, "CAPTAIN.run2": run2}

if __name__ == "__main__":
    main("task4", "CAPTAIN", pipeline, __doc__, language="ja", others=OTHERS)
