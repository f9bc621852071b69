"""A cross-encoder that is fine-tuned on task 3, for systems of task 4."""

from neural import cross_encoder
from steps import hardest, labelled, texts
from system import Models, Split

from ir_coliee import editions
from ir_coliee.transformers import LexicalIndex, PairScorer


def article_scorer(train: Split, models: Models, published: str, *, negatives: int) -> PairScorer:
    """Fine-tune a cross-encoder for one epoch on the relevant articles of questions and the nearest others by BM25.

    Parameters
    ----------
    train : Split
        The train split of task 4.
    models : Models
        The checkpoints.
    published : str
        The checkpoint.
    negatives : int
        The number of articles for each question that are not relevant.
    """
    split = editions.split(train.id.replace("/task4/", "/task3/"))
    analyser = "bigrams" if split.language == "ja" else "words"
    bm25 = LexicalIndex.from_dataset(split.id, analyser=analyser).bm25(num_results=50)
    pairs = hardest(labelled(split, bm25 >> texts(split)), negatives)
    return cross_encoder(models, published, epochs=1, max_tokens=512).fit(*pairs)
