import configparser
import json
import pickle
from importlib.metadata import EntryPoint
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest
from fixture_releases import write_task1
from rows import whole
from zips import write_zip

from ir_coliee.editions import SPLITS
from ir_coliee.engine import term_counts
from ir_coliee.errors import ColieeError, ColieeHint, ColieeWarning, ExistingFileError
from ir_coliee.text.analysers import English, Pretokenised, Shingles
from ir_coliee.transformers import LexicalIndex, LexicalIndexer, ParagraphRetriever, TextScorer
from ir_coliee.transformers.retrieval import indexes as index_module

TEST = "coliee/task1/2025/test"
CORPUS = [{"docno": "900002", "text": "Lamp, gate; lamp"}, {"docno": "900001", "text": "A well"}]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A data folder, and a home of ir_datasets that holds the caches of all else."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    return folder


@pytest.fixture
def indexed(monkeypatch):
    """Notes the analyser whenever documents are counted."""
    seen = []
    read_corpus = term_counts.read_corpus

    def noting(corpus, analyser, *given):
        seen.append(analyser)
        return read_corpus(corpus, analyser, *given)

    monkeypatch.setattr(term_counts, "read_corpus", noting)
    return seen


def put(home, texts=("A lamp", "A gate, a lamp")):
    return write_task1(home, dict(enumerate(texts, 900001)))


def entries(home):
    root = home / ".cache" / "ir_coliee"
    return sorted(path.name for path in root.iterdir()) if root.is_dir() else []


# --- the cache -------------------------------------------------------------------------------------


def test_an_index_is_opened_from_the_cache_and_one_of_changed_files_is_built_anew(home, indexed):
    folder = put(home)
    first, second = LexicalIndex.from_dataset(TEST), LexicalIndex.from_dataset(TEST)
    assert (indexed, len(entries(home))) == (["words"], 1)
    assert whole(second) == whole(first)
    assert (second.lengths.tolist(), second.docnos.tolist()) == ([2.0, 4.0], ["900001", "900002"])
    (folder / "900001.txt").write_text("A well")
    assert "well" in LexicalIndex.from_dataset(TEST).vocabulary
    (folder / "900001.txt").rename(folder / "900003.txt")
    assert "900003" in LexicalIndex.from_dataset(TEST).docnos
    assert indexed == ["words", "words", "words"]


def test_what_a_password_protects_is_not_laid_open_in_the_cache(home, monkeypatch):
    monkeypatch.setenv("COLIEE_PASSWORD", "sesame")
    write_zip(home / "task1_test_files_2025.zip", {"900001.txt": "A lamp", "900002.txt": "A gate"}, "sesame")
    assert sorted(LexicalIndex.from_dataset(TEST).vocabulary) == ["a", "gate", "lamp"]
    assert entries(home) == []


# --- folders ---------------------------------------------------------------------------------------


def test_the_declared_entry_point_opens_an_artifact(tmp_path, monkeypatch):
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parents[3] / "setup.cfg")
    name, _, target = setup["options.entry_points"]["pyterrier.artifact"].strip().splitlines()[0].partition(" = ")

    declared = EntryPoint(name, target, "pyterrier.artifact")
    monkeypatch.setattr(pt.utils, "entry_points", lambda group: [declared] if group == declared.group else [])
    index = LexicalIndex.build(CORPUS).save(tmp_path / "index")
    opened = pt.Artifact.load(str(tmp_path / "index"))
    assert type(opened) is LexicalIndex
    assert whole(index) == whole(opened)
    assert pt.inspect.artifact_type_format(opened) == tuple(name.split("."))
    assert whole(LexicalIndex.load(str(tmp_path / "index"))) == whole(index)


def test_the_manifest_says_what_is_indexed(tmp_path):
    LexicalIndex.build(CORPUS).save(tmp_path / "index")
    manifest = json.loads((tmp_path / "index" / "pt_meta.json").read_text())
    assert manifest == {
        **{"type": "lexical_index", "format": "coliee", "package_hint": "ir_coliee"},
        **{"format_version": 2, "analyser": "words", "analyser_version": 1},
    }


@pytest.mark.parametrize("send", ["to_hf", "to_zenodo", "to_p2p"])
def test_an_index_is_sent_to_nobody(tmp_path, send):
    for index in (LexicalIndex.build(CORPUS), LexicalIndex.build(CORPUS).save(tmp_path / "index")):
        with pytest.raises(ColieeError, match="data-use agreement"):
            getattr(index, send)(*([] if send == "to_p2p" else ["somebody/index"]))


def test_an_opened_index_can_be_pickled_after_use(tmp_path):
    index = LexicalIndex.build(CORPUS).save(tmp_path / "index")
    before = len(pickle.dumps(index))
    assert (index.counts.sum(), index.lengths.sum(), index.collection.tokens) == (5, 5, 5)
    assert len(pickle.dumps(index)) <= before + 100
    assert whole(pickle.loads(pickle.dumps(index))) == whole(index)


# --- the indexer -----------------------------------------------------------------------------------


def test_the_indexer_ends_a_pipeline(tmp_path):
    upper = pt.apply.text(lambda row: row["text"].replace("well", "gate"))
    index = (upper >> LexicalIndexer(tmp_path / "index")).index(iter(CORPUS))
    assert sorted(index.vocabulary) == ["a", "gate", "lamp"]
    assert whole(LexicalIndex(tmp_path / "index")) == whole(index)


def test_the_indexer_refuses_a_place_before_it_reads_a_document(tmp_path):
    (tmp_path / "index").mkdir()
    documents = iter(CORPUS)
    with pytest.raises(ExistingFileError):
        LexicalIndexer(tmp_path / "index").index(documents)
    assert len(list(documents)) == 2


# --- several analysers of a dataset ----------------------------------------------------------------

RECIPE = ["case", *(Shingles(words, base="case", min_df=1) for words in (2, 3))]


def test_several_indexes_of_a_dataset_come_from_one_reading_and_then_from_the_cache(home, indexed):
    put(home, ["A red lamp", "A gate, a red lamp"])
    first = LexicalIndex.each_from_dataset(TEST, RECIPE)
    assert indexed == ["case"]
    assert len(entries(home)) == 3
    second = LexicalIndex.each_from_dataset(TEST, [*reversed(RECIPE), "case"])
    assert indexed == ["case"]
    assert [index.analyser for index in first] == RECIPE
    assert [whole(index) for index in second[-2::-1]] == [whole(index) for index in first]
    assert whole(second[-1]) == whole(first[0])
    assert whole(LexicalIndex.from_dataset(TEST, analyser="case")) == whole(first[0])
    assert indexed == ["case"]


def test_of_several_indexes_those_that_are_missing_alone_are_made(home, indexed, monkeypatch):
    put(home, ["A red lamp", "A gate, a red lamp"])
    LexicalIndex.each_from_dataset(TEST, RECIPE[:2])
    made = []
    count_each = index_module.count_each
    monkeypatch.setattr(index_module, "count_each", lambda *a, **o: made.append(a[1]) or count_each(*a, **o))
    indexes = LexicalIndex.each_from_dataset(TEST, [*RECIPE, "words", English(stem=False), Shingles(2, base="case")])
    assert made == [[RECIPE[2], Shingles(2, base="case")], ["words", English(stem=False)]]
    assert indexed == ["case", "case", "words"]
    assert [index.analyser for index in indexes] == [*RECIPE, "words", English(stem=False), Shingles(2, base="case")]


def test_of_several_indexes_a_damaged_one_is_made_and_the_others_opened(home, indexed):
    put(home)
    LexicalIndex.each_from_dataset(TEST, ["words", "case"])
    manifests = {json.loads(path.read_text())["analyser"]: path for path in home.glob(".cache/*/*/pt_meta.json")}
    manifests["case"].write_text("")
    indexed.clear()
    with pytest.warns(ColieeHint, match=r"^Damaged entries of the cache .* are computed again\.$"):
        assert [len(index) for index in LexicalIndex.each_from_dataset(TEST, ["words", "case"])] == [2, 2]
    assert indexed == ["case"]


def test_an_unknown_analyser_among_several_is_refused_before_a_document_is_read(home, indexed):
    put(home)
    for analyser, message in (("stems", "got 'stems'"), (Pretokenised(), "cannot tokenise texts")):
        with pytest.raises(ValueError, match=message):
            LexicalIndex.each_from_dataset(TEST, ["words", analyser])
        with pytest.raises(ValueError, match=message):
            LexicalIndex.from_dataset(TEST, analyser=analyser)
    assert (indexed, entries(home)) == ([], [])
    assert LexicalIndex.each_from_dataset(TEST, []) == []


# --- articles --------------------------------------------------------------------------------------

CODE = "Part I General Provisions\nArticle 1\nA lamp is lit at dusk.\nArticle 2\nA gate is shut.\n"


def test_an_index_of_articles_is_opened_from_the_cache_until_their_file_changes(home, indexed):
    code, articles = home / SPLITS["coliee/task3/2025/en/test"].files["articles"][0], "coliee/task3/2025/en"
    for _ in range(2):  # written anew, to the same content; and the same articles by another id
        code.write_text(CODE)
        for dataset in (articles, f"{articles}/test"):
            assert LexicalIndex.from_dataset(dataset).docnos.tolist() == ["1", "2"]
    assert (indexed, len(entries(home))) == (["words"], 1)
    code.write_text(f"{CODE}Article 3\nDeleted\n")
    sizes = [len(LexicalIndex.from_dataset(f"{articles}{view}")) for view in ("", "/deleted", "", "/deleted")]
    assert (sizes, indexed) == ([2, 3, 2, 3], ["words", "words", "words"])


# --- given tokens ----------------------------------------------------------------------------------

GIVEN = [{"docno": "900002", "toks": {"la##": 2, "mp": 2}}, {"docno": "900001", "toks": ["mp", "\n"]}]


def test_an_index_of_given_tokens_answers_weighted_tokens_and_its_own_documents(tmp_path):
    indexer = LexicalIndexer(tmp_path / "index", analyser=Pretokenised())
    assert pt.inspect.indexer_inputs(indexer) == [["docno", "toks"]]
    assert repr(indexer).endswith("analyser=Pretokenised())")
    bm25 = indexer.index(iter(GIVEN)).bm25()
    by_tokens = bm25(pd.DataFrame({"qid": ["1", "2"], "query_toks": [{"la##": 0.5, "x": 1}, {"\n": 1}]}))
    assert by_tokens["docno"].tolist() == ["900002", "900001"]
    by_document = bm25(pd.DataFrame({"qid": ["1"], "query_docno": ["900002"]}))
    assert by_document["docno"].tolist() == ["900002", "900001"]


def test_an_index_of_given_tokens_refuses_a_text_wherever_one_comes():
    index = LexicalIndex.build(GIVEN, analyser=Pretokenised())
    queries = pt.new.queries(["mp"])
    for retriever in (index.bm25(), ParagraphRetriever(index), ParagraphRetriever(index, query_aggregate="max")):
        with pytest.raises(ColieeError, match=r"Give queries as query_toks"):
            retriever(queries)
        with pytest.raises(ColieeError, match=r"Give queries as query_toks"):
            retriever(queries.assign(docno="900001"))
        assert len(retriever(queries[:0])) == 0
        assert len(retriever(queries.assign(query_toks=[{"mp": 1.0}]))) == 2
    for arguments in ({"analyser": Pretokenised()}, {"statistics": index}):
        with pytest.raises(ValueError, match=r"Pretokenised\(\) cannot tokenise texts"):
            TextScorer(**arguments)


@pytest.mark.parametrize("analyser", ["words", Shingles(2, min_df=1), Shingles(2, hashed=False), Pretokenised()])
def test_a_weighted_token_that_is_no_string_is_a_term_of_no_index(analyser):
    documents = [{"docno": "900001", "text": "a lamp", "toks": ["lamp"]}]
    bm25 = LexicalIndex.build(documents, analyser=analyser).bm25()
    with pytest.warns(ColieeWarning, match="1 of 1 queries have no term of the index"):
        assert len(bm25(pd.DataFrame({"qid": ["1"], "query_toks": [{5: 1.0, None: 1.0}]}))) == 0
