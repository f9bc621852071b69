"""Random runs with rankings, to compare analyses with a plain computation."""

import itertools
import random

import ir_datasets


def gold_of(dataset_id):
    """The relevant items of each query, as a dict of sets; queries without relevant items have an empty set."""
    gold = {query.query_id: set() for query in ir_datasets.load(dataset_id).queries_iter()}
    for label in ir_datasets.load(dataset_id).qrels_iter():
        if label.relevance > 0:
            gold[label.query_id].add(label.doc_id)
    return gold


def random_runs(dataset_id, num_runs, seed=7):
    """Answer sets and rankings: relevant items in random places between random other items of the collection."""
    chance = random.Random(seed)
    gold = gold_of(dataset_id)
    others = sorted(set().union(*gold.values())) + ["8", "9", "12", "15"] * ("task3" in dataset_id)
    answers, rankings = {}, {}
    for number in range(num_runs):
        ranking, answer = {}, {}
        for query_id, relevant in gold.items():
            pool = [
                item for item in {*others, *relevant} if item.split("_")[0] != query_id or "rationale" in dataset_id
            ]
            pool = sorted(set(chance.sample(sorted(pool), min(6, len(pool)))) | set(sorted(relevant)[: number % 3 + 1]))
            chance.shuffle(pool)
            ranking[query_id] = {item: float(len(pool) - place) for place, item in enumerate(pool)}
            answer[query_id] = dict(itertools.islice(ranking[query_id].items(), chance.randint(0, 4)))
        answers[f"run{number}"], rankings[f"run{number}"] = answer, ranking
    return answers, rankings
