"""Task 4, a start in 2026: a language model that is fine-tuned with LoRA on the questions of earlier exams.

The model (Qwen/Qwen3-4B, English and Japanese) reads the articles and the statement, and learns to reply with yes or
no. Its answer is the more probable one, as it was trained on both answers equally often. There is no cut-off to fit.
Plan for one card of 24 GB and the edition of 2025, estimated from the layers' operations, not measured: training
0.5 h (11 GB), answering a minute (9 GB). `--quantise 4bit` (QLoRA) halves the memory. The hours assume 30 Tflop/s and
texts of the largest size. The checkpoints are suggestions that were not run here; `--model KIND=NAME` takes others.
Run: python examples/task4_neural.py [--dataset ID] [--model tiny] [--out FOLDER]
The options are those of the systems of 2023 (examples/README.md). The same command continues an interrupted run.
"""

import pyterrier as pt
from neural_steps import Models, Split, judge, lora, main, qrels, stored_replies, topics, train_split

from ir_coliee import transformers as coliee


def pipeline(split: Split, models: Models) -> pt.Transformer:
    train = train_split(split)
    options = lora(models, "judge", batch_size=4, tiny=models.tiny("causal"))
    answers = coliee.Entailment(judge(models), f"plain.{split.language}", training=options, **stored_replies(models))
    answers.fit(coliee.QuotedArticles(train.id)(topics(train)), qrels(train))
    return coliee.QuotedArticles(split.id) >> answers >> coliee.AnswersAsDocuments()


if __name__ == "__main__":
    main("task4", "neural", pipeline, __doc__)
