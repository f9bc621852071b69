"""Synthetic releases of the statute tasks: packages, forms of the pair files and of the civil code, irregularities."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from ir_coliee.editions import SPLITS
from ir_coliee.synthetic import write_release

TINY = 0.002
HALF = 0.5
KANJI = "一二三四五六七八九十百千"
ENGLISH = ["2017", "2019", "2020", "2021", "2022", "2023", "2024", "2025"]
JAPANESE = [*ENGLISH, "2026"]
RELEASES = [("en", edition) for edition in ENGLISH] + [("ja", edition) for edition in JAPANESE]


def top_of(folder, edition, language):
    name = {"en": "English", "ja": "Japanese"}[language]
    return folder / (
        f"COLIEE-2017_{name}_Training_Data" if edition == "2017" else f"COLIEE{edition}statute_data-{name}"
    )


def pairs_of(path):
    return list(ElementTree.parse(path).getroot().iter("pair"))


def kanji_to_int(numeral):
    total = digit = 0
    for character in numeral:
        if character in "十百千":
            total, digit = total + (digit or 1) * {"十": 10, "百": 100, "千": 1000}[character], 0
        else:
            digit = KANJI.index(character) + 1
    return total + digit


def japanese_number(head):
    first, *branches = head.removeprefix("第").replace("条", "").split("の")
    return "-".join(str(kanji_to_int(number)) for number in (first, *branches))


def gold_of(pair):
    """Return the articles of a pair, from tags or from heads at the start of a line."""
    if tags := [tag.text or tag.get("id") for tag in pair.iter("article")]:
        return tags
    found = []
    for line in (pair.findtext("t1") or "").splitlines():
        if english := re.match(r"(?:\([A-Z][^()]*\) ?)?Article (\d+(?:-\d+)*)(?![\d-])(?!, )", line):
            found.append(english[1])
        elif japanese := re.match(rf"第?([{KANJI}]+条(?:の[{KANJI}]+)*)[ \u3000]", line):
            found.append(japanese_number(japanese[1]))
    return found


def files_of_years(folder, edition, language):
    """Return the file with answers of each exam year."""
    pattern = re.compile(r"(?:riteval|simple)_([HR]\d\d)(?:_en|_jp)?\.xml")
    names = sorted(top_of(folder, edition, language).rglob("*.xml"), key=lambda path: path.parts)
    # of 2026 the built file comes behind the one with tags
    return {m[1]: path for path in reversed(names) if path.parent.name != "train" or edition != "2026"
            if (m := pattern.fullmatch(path.name))}  # fmt: skip


def live_articles(folder, edition, language):
    """Return the numbers of the articles in force, found by the beginnings of lines."""
    (path,) = (p for p in top_of(folder, edition, language).rglob("*") if re.match(r"civil(_|\.xml)|129AC", p.name))
    text = path.read_text(encoding="utf-8-sig")
    if edition == "2026":
        articles = ElementTree.fromstring(text.encode()).iterfind("LawBody/MainProvision//Article")
        numbers = [a.get("Num").replace("_", "-") for a in articles if a.findtext(".//Sentence") != "削除"]
        return numbers[: numbers.index("725")]
    if language == "ja":
        heads = re.findall(rf"(?m)^(第[{KANJI}]+条(?:の[{KANJI}]+)*)\u3000(?!削除)", text)
        return [japanese_number(head) for head in heads]
    return re.findall(r"(?m)^Article (\d+(?:-\d+)*) {1,2}(?! |[Dd]eleted)", text)


def by_two_numbers(number):
    first, _, branch = number.partition("-")
    return int(first), int(branch or 0)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "edition"), RELEASES)
@pytest.mark.parametrize("scale", [TINY, 0.05])
def test_a_release_has_the_planted_counts(tmp_path, language, edition, scale):
    planted = write_release(f"coliee/task3/{edition}/{language}", tmp_path, scale=scale, seed=1)
    if edition == "2026":
        (top_of(tmp_path, edition, language) / "civil.xml").unlink()
    pairs = {year: pairs_of(path) for year, path in files_of_years(tmp_path, edition, language).items()}
    articles = live_articles(tmp_path, edition, language)
    assert len(set(articles)) == len(articles)
    checked = 0
    for split in SPLITS.values():
        if (split.edition, split.language) == (edition, language) and split.exam_years:
            asked = [p for year in split.exam_years for p in pairs[year] if p.get("id") not in split.excluded]
            retrieval = len(articles), sum(len(gold_of(pair)) for pair in asked)
            answers = 2, sum(pair.get("label") in ("Y", "N") for pair in asked)
            assert tuple(planted.splits[split.id]) == (len(asked), *(retrieval if split.task == "task3" else answers))
            checked += 1
    assert checked == len(planted.splits) > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "edition", "live", "last"),
    [
        ("en", "2017", 1098, "1044"),
        ("ja", "2017", 1098, "1044"),
        ("en", "2020", 768, "724-2"),
        ("ja", "2025", 768, "724-2"),
        ("ja", "2026", 787, "724-2"),
    ],
)
def test_at_full_size_the_code_has_as_many_articles_as_the_true_one(tmp_path, language, edition, live, last):
    write_release(f"coliee/task3/{edition}/{language}", tmp_path)
    if edition == "2026":
        (top_of(tmp_path, edition, language) / "civil.xml").unlink()
    articles = live_articles(tmp_path, edition, language)
    assert (len(articles), articles[-1]) == (live, last)
    assert articles == sorted(articles, key=by_two_numbers)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "edition"), [("en", "2025"), ("en", "2017"), ("ja", "2017"), ("ja", "2026")])
def test_at_full_size_the_counts_are_those_of_the_table(tmp_path, language, edition):
    planted = write_release(f"coliee/task3/{edition}/{language}", tmp_path)
    for split_id, counts in planted.splits.items():
        known = {entity: int(number) for entity, number in SPLITS[split_id].counts.items()}
        assert {entity: getattr(counts, entity) for entity in known} == known, split_id


# --- ids -------------------------------------------------------------------------------------------


def ids_of(folder, edition, language):
    return {
        year: [p.get("id") for p in pairs_of(path)] for year, path in files_of_years(folder, edition, language).items()
    }


def test_questions_are_numbered_from_901_and_those_that_are_not_scored_are_there(tmp_path):
    for edition in ("2023", "2025"):
        write_release(f"coliee/task3/{edition}/en", tmp_path, scale=TINY)
        ids = ids_of(tmp_path, edition, "en")
        excluded = set(SPLITS[f"coliee/task3/{edition}/en/test"].excluded)
        assert excluded
        assert excluded <= {query for queries in ids.values() for query in queries}
        for year, queries in ids.items():
            invented = [query for query in queries if query not in excluded]
            assert invented
            assert [q for q in invented if not re.fullmatch(rf"({year}|{year.replace('R01', 'R1')})-9\d\d-\w", q)] == []
            assert len(set(queries)) == len(queries)


@pytest.mark.parametrize(("scale", "unpadded", "size"), [(TINY, 1, 3), (1, 46, 111)])
def test_r01_has_ids_of_two_spellings(tmp_path, scale, unpadded, size):
    write_release("coliee/task3/2025/en", tmp_path, scale=scale)
    ids = ids_of(tmp_path, "2025", "en")["R01"]
    assert len(ids) == size
    assert sum(query.startswith("R1-") for query in ids) == unpadded
    assert next(i for i, query in enumerate(ids) if query.startswith("R1-")) > 0


def test_the_options_are_those_of_their_year(tmp_path):
    write_release("coliee/task3/2025/en", tmp_path, scale=0.2)
    options = {year: {query[-1] for query in ids} for year, ids in ids_of(tmp_path, "2025", "en").items()}
    assert options["H18"] == set("12345")
    assert options["H26"] == set("ACEGI")
    assert options["R05"] == set("AIUEO")


# --- something to find -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "edition", "words"), [("en", "2025", r"[a-z]+"), ("ja", "2026", r"[^は、のをにとがする。\s]{2}")]
)
def test_a_statement_shares_more_words_with_its_article_than_with_others(tmp_path, language, edition, words):
    write_release(f"coliee/task3/{edition}/{language}", tmp_path, scale=0.5)
    top = top_of(tmp_path, edition, language)
    found = asked = 0
    path = top / "train" / f"riteval_R03_{'en' if language == 'en' else 'jp'}.xml"
    tags = pairs_of(top / "simple" / "simple_R03_jp.xml") if edition == "2026" else pairs_of(path)
    quoted = {}
    for pair, tagged in zip(pairs_of(path), tags):
        (first, *others) = gold_of(tagged)
        if not others:
            quoted[first] = set(re.findall(words, pair.findtext("t1").lower()))
    for pair, tagged in zip(pairs_of(path), tags):
        gold = gold_of(tagged)
        if len(gold) == 1:
            statement = set(re.findall(words, pair.findtext("t2").lower()))
            found += max(quoted, key=lambda number: len(quoted[number] & statement)) == gold[0]
            asked += 1
    assert asked >= 30
    assert found > 0.7 * asked


@pytest.mark.parametrize("language", ["en", "ja"])
def test_false_statements_can_be_told_by_words_of_theirs(tmp_path, language):
    write_release(f"coliee/task3/2025/{language}", tmp_path, scale=0.3)
    pairs = [pair for path in files_of_years(tmp_path, "2025", language).values() for pair in pairs_of(path)]
    words = {"en": r"[a-z]+", "ja": r"[^は、のをにとがする。，\s]{2}"}[language]
    said = {label: " ".join(p.findtext("t2").lower() for p in pairs if p.get("label") == label) for label in "YN"}
    found = {label: Counter(re.findall(words, text)) for label, text in said.items()}
    telling = [word for word, n in found["N"].items() if n > 20 and n > 5 * found["Y"][word]]
    assert len(telling) >= 3


# --- packages --------------------------------------------------------------------------------------


def names_in(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_package_of_2017(tmp_path):
    for language, code in (("en", "civil_english.txt"), ("ja", "civil_japanese_utf8.txt")):
        write_release(f"coliee/task3/2017/{language}", tmp_path, scale=TINY)
        years = [f"riteval_H{year}.xml" for year in range(18, 29)]
        assert names_in(top_of(tmp_path, "2017", language)) == {"README.txt", code, *years}


def test_the_package_of_2020_has_the_gold_of_its_test_as_a_run(tmp_path):
    planted = write_release("coliee/task3/2020/en", tmp_path, scale=TINY, irregularities=True)
    top = top_of(tmp_path, "2020", "en")
    assert {path.name for path in (top / "test").iterdir()} == {"TestData_en.xml", "task3_test_labels.txt"}
    lines = [line.split(" ") for line in (top / "test" / "task3_test_labels.txt").read_text().splitlines()]
    tests = pairs_of(top / "test" / "TestData_en.xml")
    assert {line[0] for line in lines} == {pair.get("id") for pair in tests}
    assert {line[2] for line in lines} <= set(live_articles(tmp_path, "2020", "en"))
    assert [child.tag for pair in tests for child in pair] == ["t2"] * len(tests)
    assert tuple(planted.splits["coliee/task3/2020/en/test"])[::2] == (len(tests), len(lines))
    assert planted.splits["coliee/task4/2020/en/test"].qrels == 0


def test_the_package_of_2025_and_that_of_its_test(tmp_path):
    planted = write_release("coliee/task3/2025/en", tmp_path, scale=TINY, irregularities=True)
    top, second = planted.paths
    assert {"README.txt", "text/civil_code_en-1to724-2.txt", "train/riteval_H18_en.xml", "test/riteval_R06_en.xml"} <= (
        names_in(top)
    )
    reference = ["riteval_H30_en.xml", "riteval_R01_en.xml", "riteval_R02_en.xml"]
    assert names_in(second) == {"TestData_en.xml", *reference}
    for name in reference:
        assert (second / name).read_bytes() == (top / "train" / name).read_bytes()
    unlabelled, labelled = pairs_of(second / "TestData_en.xml"), pairs_of(top / "test" / "riteval_R06_en.xml")
    assert [pair.attrib for pair in unlabelled] == [{"id": pair.get("id")} for pair in labelled]
    assert [gold_of(pair) for pair in unlabelled] == [gold_of(pair) for pair in labelled]


def test_the_package_of_2026_before_and_after_the_program_of_the_organisers(tmp_path):
    for irregularities in (False, True):
        write_release("coliee/task3/2026/ja", tmp_path / str(irregularities), scale=TINY, irregularities=irregularities)
    built, simple = (names_in(top_of(tmp_path / str(irregularities), "2026", "ja")) for irregularities in (False, True))
    law = "129AC0000000089_20240524_506AC0000000033.xml"
    assert {law, "civil.xml", "simple/simple_H18_jp.xml", "train/riteval_R06_jp.xml", "test/simple_R07_jp.xml"} <= built
    assert {law, "simple/simple_H18_jp.xml", "test/TestData_jp.xml", "test/QA.txt"} <= simple
    assert not [name for name in simple if name.startswith("train") or "civil" in name or "R07" in name]


def test_the_answers_of_2026_are_a_file_of_their_own_before_the_questions_come_back(tmp_path):
    planted = write_release("coliee/task3/2026/ja", tmp_path, scale=TINY, irregularities=True)
    top = top_of(tmp_path, "2026", "ja")
    answers = [line.split("\t") for line in (top / "test" / "QA.txt").read_text().splitlines()]
    assert [query for query, _ in answers] == [pair.get("id") for pair in pairs_of(top / "test" / "TestData_jp.xml")]
    assert {label for _, label in answers} <= {"Y", "N"}
    assert planted.splits["coliee/task4/2026/ja/test"].qrels == len(answers)
    assert planted.splits["coliee/task3/2026/ja/test"].qrels == 0


def test_what_is_built_in_2026_is_the_caption_and_the_text_of_the_tagged_articles(tmp_path):
    write_release("coliee/task3/2026/ja", tmp_path, scale=0.05)
    top = top_of(tmp_path, "2026", "ja")
    code = {a.get("num"): a for a in ElementTree.parse(top / "civil.xml").getroot()}
    checked = captionless = 0
    for year in ("H18", "R06"):
        tagged = pairs_of(top / "simple" / f"simple_{year}_jp.xml")
        built = pairs_of(top / "train" / f"riteval_{year}_jp.xml")
        for simple, pair in zip(tagged, built):
            assert (simple.attrib, simple.findtext("t2").strip()) == (pair.attrib, pair.findtext("t2").strip())
            articles = [code[tag.text] for tag in simple.iter("article")]
            pieces = [[a.findtext("caption"), a.findtext("text")] if a.findtext("caption") else [a.findtext("text")]
                      for a in articles]  # fmt: skip
            captionless += sum(len(piece) == 1 for piece in pieces)
            assert pair.findtext("t1") == "\n".join(line for piece in pieces for line in piece)
            checked += 1
    assert checked >= 6
    assert not (top / "train" / "riteval_H18_jp.xml").read_bytes().endswith(b"\n")


def law_text(article):
    """An article of the law XML by the rules of the organisers' program."""

    def text(element):
        return "".join(split for split in element.itertext()) if element is not None else ""

    for ruby in article.iter("Ruby"):
        for reading in ruby.findall("Rt"):
            ruby.remove(reading)
    lines = []
    for number, paragraph in enumerate(article.findall("Paragraph")):
        before = article.findtext("ArticleTitle") if number == 0 else paragraph.findtext("ParagraphNum")
        sentences = paragraph.findall("ParagraphSentence/Sentence")
        lines.append(f"{before}\u3000{''.join(map(text, sentences))}")
        for item in paragraph.findall("Item"):
            columns = item.findall("ItemSentence/Column") or [item.find("ItemSentence")]
            lines.append("\u3000".join([item.findtext("ItemTitle"), *map(text, columns)]))
            lines += [f"{text(s.find('Subitem1Title'))}\u3000{text(s.find('Subitem1Sentence'))}"
                      for s in item.findall("Subitem1")]  # fmt: skip
    return "\n".join(lines)


def test_the_law_and_the_file_built_of_it_have_the_same_articles(tmp_path):
    write_release("coliee/task3/2026/ja", tmp_path, scale=HALF)
    top = top_of(tmp_path, "2026", "ja")
    code = [
        (a.get("num"), a.findtext("text"), a.findtext("caption"))
        for a in ElementTree.parse(top / "civil.xml").getroot()
    ]
    root = ElementTree.parse(next(top.glob("129AC*"))).getroot()
    articles = list(root.iterfind("LawBody/MainProvision//Article"))
    text = next(top.glob("129AC*")).read_text()
    assert "<Rt>" in text
    assert "<Column>" in text
    assert "<Subitem1 " in text
    law = [(a.get("Num").replace("_", "-"), law_text(a), a.findtext("ArticleCaption") or "") for a in articles]
    end = [number for number, *_ in law].index("725")
    assert law[:end] == [(number, text, caption or "") for number, text, caption in code]
    assert len(law) > end + 1
    assert root.find("LawBody/SupplProvision//Article") is not None
    assert {element.tag for element in root.iter()} >= {"Part", "Chapter", "Section", "Subsection", "Division"}


# --- the civil code as text ------------------------------------------------------------------------


def test_every_line_of_the_english_code_is_of_a_known_form(tmp_path):
    write_release("coliee/task3/2025/en", tmp_path, scale=HALF)
    data = (top_of(tmp_path, "2025", "en") / "text" / "civil_code_en-1to724-2.txt").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    title, *lines = data.decode("utf-8-sig").splitlines()
    assert title == "Civil Code (Part I, Part II and Part III)"
    forms = {
        "heading": r"(Part|Chapter) [IVXL]+ [A-Z]\w+ .+|(Section|Subsection|Division) \d+ [A-Z]\w+ .+",
        "caption": r"\([A-Z][^()]*\)",
        "deleted": r"Article \d+  Deleted",
        "range to": r"Articles \d+ to \d+  Deleted",
        "range through": r"Articles \d+ through \d+  Deleted",
        "range and": r"Articles \d+ and \d+  Deleted",
        "article": r"Article \d+(-\d+)?  (\(1\) )?[A-Z][a-z]+ .*\.",
        "paragraph": r"\([2-9]\) [A-Z].*\.",
        "item": r"\([ivx]+\) [A-Z].*\.",
        "subitem": r"\([ab]\) [A-Z].*\.",
        "reference": r".* under Article \d+(-\d+)?, paragraph \(1\)\.",
    }
    seen = {name for name, form in forms.items() for line in lines if re.fullmatch(form, line)}
    assert seen == set(forms)
    assert [line for line in lines if not any(re.fullmatch(form, line) for form in forms.values())] == []
    for caption, below in pairwise(lines):
        assert (
            not caption.startswith("(") or not re.fullmatch(forms["caption"], caption) or below.startswith("Article ")
        )
    without = [line for above, line in pairwise(lines) if line.startswith("Article ") and not above.startswith("(")]
    assert without


@pytest.mark.parametrize(
    ("edition", "irregularities", "line_end"), [("2024", True, b"\n"), ("2025", True, b"\r\n"), ("2025", False, b"\n")]
)
def test_the_line_ends_of_the_english_code(tmp_path, edition, irregularities, line_end):
    write_release(f"coliee/task3/{edition}/en", tmp_path, scale=TINY, irregularities=irregularities)
    data = (top_of(tmp_path, edition, "en") / "text" / "civil_code_en-1to724-2.txt").read_bytes()
    assert data.endswith(b"." + line_end)
    assert (b"\r" in data) is (b"\r" in line_end)


def test_every_line_of_the_japanese_code_is_of_a_known_form(tmp_path):
    write_release("coliee/task3/2025/ja", tmp_path, scale=HALF)
    text = (top_of(tmp_path, "2025", "ja") / "text" / "civil_code_jp-1to724-2.txt").read_text()
    number = f"[{KANJI}]+"
    forms = {
        "heading": rf"第{number}[編章節款目]\u3000.+",
        "caption": r"（[^（）]+）",
        "deleted": rf"第{number}条\u3000削除",
        "range": rf"第{number}条から第{number}条まで\u3000削除",
        "two": rf"第{number}条及び第{number}条\u3000削除",
        "article": rf"第{number}条(の{number})?\u3000.*する。",
        "paragraph": r"[２-９]\u3000.*する。",
        "item": rf"{number}\u3000.*する。",
        "subitem": r"[イロハ]\u3000.*する。",
        "reference": rf".*第{number}条(の{number})?第一項の規定により.*",
    }
    lines = text.splitlines()[1:]
    assert {name for name, form in forms.items() for line in lines if re.fullmatch(form, line)} == set(forms)
    assert [line for line in lines if not any(re.fullmatch(form, line) for form in forms.values())] == []


def accepted_heads(lines):
    """Return the heads that are not wrapped references: the numbers of heads only increase."""
    heads = []
    for line in lines:
        found = re.match(r"Article (\d+(?:-\d+)*)(?=\s)", line)
        if found and (not heads or by_two_numbers(found[1]) > by_two_numbers(heads[-1])):
            heads.append(found[1])
    return heads


@pytest.mark.parametrize("irregularities", [False, True])
def test_the_wrapped_code_of_2017(tmp_path, irregularities):
    planted = write_release("coliee/task3/2017/en", tmp_path, scale=1, irregularities=irregularities)
    data = (top_of(tmp_path, "2017", "en") / "civil_english.txt").read_bytes()
    assert data.isascii()
    assert data.count(b"\n") == data.count(b"\r\n")
    lines = data.decode().splitlines()
    assert len(accepted_heads(lines)) == 1105
    first_beyond = lines.index(next(line for line in lines if line.startswith("Article 725")))
    assert max(map(len, lines[:first_beyond])) <= 75 < max(map(len, lines[first_beyond:]))
    assert [line for line in lines[:first_beyond] if re.match(r"Article \d+  ", line)] == []
    assert [line for line in lines[first_beyond:] if re.match(r"Article \d+ \S", line)] == []
    assert {line.split("  ")[-1].split(" ")[-1] for line in lines if line.endswith("eleted")} == {"Deleted", "deleted"}
    false_heads = [line for line in lines if re.match(r"Article 7 dapo|Part IV \(|Part 2 dapo|Articles 3 to 5", line)]
    assert len(false_heads) == (4 if irregularities else 0)
    assert set(planted.irregularities) >= ({"line like a head", "caption with brackets"} if irregularities else set())
    wrapped_captions = [line for line in lines if re.fullmatch(r"\([^()]*", line)]
    assert len(wrapped_captions) == len(planted.irregularities.get("wrapped caption", ()))


# --- forms of the pair files -----------------------------------------------------------------------


def text_of(folder, edition, language, year):
    return files_of_years(folder, edition, language)[year].read_bytes().decode("utf-8")


@pytest.fixture(scope="module")
def of_2025(tmp_path_factory):
    folder = tmp_path_factory.mktemp("2025")
    write_release("coliee/task3/2025/en", folder, scale=0.2)
    return folder


@pytest.mark.parametrize(
    ("year", "patterns", "absent"),
    [
        ("H18", [r'standalone="no"', r"(?m)^Article \d+(-\d+)?$"], [r"(?m)^Article \S+ .", r"(?m)^\([A-Z]", r"\n\n"]),
        (
            "R02",
            [r"(?m)^Article \d+(-\d+)? (\(1\) )?[A-Z]", r"</pair>\n\n<pair"],
            [r"(?m)^Article \S+$", r"(?m)^\([A-Z]"],
        ),
        (
            "R04",
            [r"(?m)^ <t1>$", r"(?m)^ </pair>$", r"(?m)^Article \S+$", r"(?m)^Article \S+\(1\) ", r"(?m)^\([A-Z]"],
            [],
        ),
        ("R05", [r"(?m)^Article [\d-]+\(1\) [A-Z]", r"(?m)^Article [\d-]+ [A-Z]", r"(?m)^\([A-Z]"], [r"(?m)^ <t1>"]),
        ("R06", [r"(?m)^Article [\d-]+ \(1\) [A-Z]", r"(?m)^\([A-Z]"], [r"(?m)^Article [\d-]+\("]),
    ],
)
def test_the_english_forms_by_exam_year(of_2025, year, patterns, absent):
    text = text_of(of_2025, "2025", "en", year)
    assert [pattern for pattern in patterns if not re.search(pattern, text)] == []
    assert [pattern for pattern in absent if re.search(pattern, text)] == []
    assert text.endswith("</dataset>\n")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_forms_of_2017(tmp_path, language):
    write_release(f"coliee/task3/2017/{language}", tmp_path, scale=0.2, irregularities=True)
    text = text_of(tmp_path, "2017", language, "H20")
    if language == "en":
        assert text.count("\n") == text.count("\r\n")
        assert re.search(r"\n\([A-Z][a-z ]+\)Article \d+\(1\)[A-Z].*\.\(2\)[A-Z]", text, re.IGNORECASE)
        assert re.search(r'<t1>\r\n<article id="\d+"/>', text_of(tmp_path, "2017", "en", "H18"))
    else:
        assert re.search(rf"\n第[{KANJI}]+条\u3000", text)
        assert re.search(rf"\n第[{KANJI}]+条 ", text)


def test_the_form_of_the_call_of_2019(tmp_path):
    write_release("coliee/task3/2019/en", tmp_path, scale=0.2, irregularities=True)
    text = text_of(tmp_path, "2019", "en", "H18")
    assert re.search(r'<pair label="[YN]" id="H18-901-1">', text)
    assert re.search(r"(?m)^\([A-Z][^()]+\)Article \d", text)
    assert re.search(r"(?m)^\([A-Z][^()]+\) Article \d", text)


def test_the_japanese_form_until_2025_and_its_commas(tmp_path):
    write_release("coliee/task3/2025/ja", tmp_path, scale=0.2)
    text = text_of(tmp_path, "2025", "ja", "R05")
    assert re.search(rf"(?m)^第[{KANJI}]+条(の[{KANJI}]+)? \S", text)
    assert re.search(r"(?m)^２ \S", text)
    statements = {year: "".join(p.findtext("t2") for p in pairs_of(files_of_years(tmp_path, "2025", "ja")[year]))
                  for year in ("H18", "R05")}  # fmt: skip
    assert ("，" in statements["H18"], "、" in statements["H18"]) == (True, False)
    assert ("，" in statements["R05"], "、" in statements["R05"]) == (False, True)


@pytest.mark.parametrize(("language", "edition"), RELEASES)
def test_irregular_questions_are_written_as_planted(tmp_path, language, edition):
    planted = write_release(f"coliee/task3/{edition}/{language}", tmp_path, scale=TINY, irregularities=True, seed=5)
    last = SPLITS[f"coliee/task3/{edition}/{language}/train"].exam_years[-1]
    text = text_of(tmp_path, edition, language, last).replace("\r\n", "\n")
    written = {found[1]: found[0] for found in re.finditer(r" *<pair id=[\"']([^\"']+).*?</pair>", text, re.DOTALL)}
    pairs = {pair.get("id"): pair for pair in pairs_of(files_of_years(tmp_path, edition, language)[last])}
    numbers = set(live_articles(tmp_path, edition, language))
    checks = {
        "quotation marks": lambda p, w: "&quot;" in w and '"' in p.findtext("t2"),
        "several lines": lambda p, w: len(p.findtext("t2").strip().splitlines()) > 1,
        "trailing blanks": lambda p, w: "</t1>   \n" in w,
        "statement on the line of its tags": lambda p, w: re.search(r"<t2>\S.*</t2>", w),
        "single quotes": lambda p, w: w.strip().startswith("<pair id='"),
        "stray heading": lambda p, w: re.search(r"(?m)^(Section 3 |第三節　)", w),
        "paragraphs missing": lambda p, w: gold_of(p),
        "article not in the code": lambda p, w: set(gold_of(p)) - numbers,
        "other characters": lambda p, w: "’" in w and "α" in w,
        "empty items": lambda p, w: re.search(r"(?m)^\(ii\)$", w),
        "head without its first character": lambda p, w: re.search(rf"(?m)^[{KANJI}]+条", w),
        "option before the statement": lambda p, w: p.findtext("t2").strip().startswith(f"{p.get('id')[-1]}. "),
        "no article": lambda p, w: p.find("article") is None and p.find("t1") is None,
        "label neither Y nor N": lambda p, w: p.get("label") == "?",
        "question given twice": lambda p, w: text.count(p.get("id")) == 2,
    }
    found = {irregularity: ids for irregularity, ids in planted.irregularities.items() if irregularity in checks}
    assert set(found) >= {"label neither Y nor N", "question given twice", "article not in the code"}
    assert {p.get("id") for p in pairs.values() if p.get("label") not in "YN"} == {*found["label neither Y nor N"]}
    for irregularity, ids in found.items():
        assert [query for query in ids if not checks[irregularity](pairs[query], written[query])] == [], irregularity
    outside = {query for query, pair in pairs.items() if set(gold_of(pair)) - numbers}
    assert outside == set(planted.irregularities["article not in the code"])


@pytest.mark.parametrize(("language", "second"), [("en", "(2) "), ("ja", "２")])
def test_where_paragraphs_are_missing_the_code_has_more(tmp_path, language, second):
    planted = write_release(f"coliee/task3/2025/{language}", tmp_path, scale=TINY, irregularities=True)
    (query,) = planted.irregularities["paragraphs missing"]
    (pair,) = [p for p in pairs_of(files_of_years(tmp_path, "2025", language)["R05"]) if p.get("id") == query]
    code = next((top_of(tmp_path, "2025", language) / "text").iterdir()).read_text(encoding="utf-8-sig")
    quoted = pair.findtext("t1")
    bodies = [line for line in quoted.splitlines() if line.endswith(("。", "."))]
    assert not any(line.startswith(second) for line in bodies)
    behind = [code.partition(body.partition(" ")[2][-20:])[2].splitlines()[1:8] for body in bodies]
    assert any(line.startswith(second) for lines in behind for line in lines)
