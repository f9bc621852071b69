"""Tasks 3, 4 and 5: the packages of an edition in one language, with the civil code and all exam years."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ir_coliee.editions import SPLITS, Split
from ir_coliee.synthetic import exams, law, law_files
from ir_coliee.synthetic.exams import Question
from ir_coliee.synthetic.law import Code
from ir_coliee.synthetic.release import Order, Release, ReleaseFile, SplitCounts

_LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "ja": "Japanese"})
_SUFFIXES: Mapping[str, str] = MappingProxyType({"en": "en", "ja": "jp"})
_LINKS_OF_A_QUESTION = 1.3  # where the table gives no number
#: The older exam years that came with the test of 2025, as extra tests.
_REFERENCE_YEARS = ("H30", "R01", "R02")
_NAME_OF_LAW = "129AC0000000089_20240524_506AC0000000033.xml"
_ENGLISH_LETTERS: Mapping[str, str] = MappingProxyType(
    {"R02": "E", "R03": "E", "R04": "F", "R05": "G", "R06": "G inline"}
)


def release(splits: Sequence[Split], order: Order) -> Release:
    """A made-up release of an edition of the statute tasks in one language."""
    package = _Package(splits, order)
    package.made.files = package.files()
    return package.made


class _Package:
    """The package of an edition and language in the making."""

    def __init__(self, splits: Sequence[Split], order: Order) -> None:
        self.edition, self.language, self.order = splits[0].edition, splits[0].language, order
        retrieval = {split.name: split for split in splits if split.task == "task3"}
        self.train_years = retrieval["train"].exam_years
        (self.test_year,) = retrieval["test"].exam_years
        self.excluded = retrieval["test"].excluded
        language = _LANGUAGES[self.language]
        self.top = (
            f"COLIEE-2017_{language}_Training_Data"
            if self.edition == "2017"
            else f"COLIEE{self.edition}statute_data-{language}"
        )
        self.made = Release([self.top], iter(()))
        # the package of the test of task 4, in which older years came again
        self.second = (
            f"COLIEE2025statute_task4_test-{language}" if self.edition == "2025" and order.irregularities else ""
        )
        if self.second:
            self.made.targets.append(self.second)
        # some tests are given as they were before the answers were published
        self.unanswered = order.irregularities and self.edition in ("2020", "2026")

    def files(self) -> Iterator[ReleaseFile]:
        """The civil code and the exam years."""
        code = law.make(self.edition, self.language, self.order)
        years = (*self.train_years, self.test_year)
        asked: dict[str, list[Question]] = {}
        yield from self._readme()
        yield from self._code(code)
        for number in self.order.progress(range(len(years))):
            year = years[number]
            asked[year] = self._questions(year, code)
            yield from self._exam(year, asked[year])
        yield from self._tests(asked)
        self._count(code, asked)

    def _questions(self, year: str, code: Code) -> list[Question]:
        counts = _counts(self.edition, self.language, year)
        size = self.order.scaled(counts["queries"], least=12 if self.order.irregularities else 3)
        links = round(size * counts.get("qrels", _LINKS_OF_A_QUESTION * counts["queries"]) / counts["queries"])
        excluded = self.excluded if year == self.test_year else ()
        questions = exams.ask(year, size, links, code, excluded, self.order)
        if self.order.irregularities and year == self.train_years[-1]:
            for form in exams.irregular_forms(self.edition, self.language):
                fitting = [number for number, question in enumerate(questions) if exams.can_be(question, form)]
                for number in fitting[:1]:
                    exams.made_irregular(questions, form, number, self.language)
                    self.made.plant(form, questions[number].id)
        return questions

    def _readme(self) -> Iterator[ReleaseFile]:
        text = "<encoding:UTF-8>\nA made-up release: every word of it is invented.\n"
        yield f"{self.top}/README.txt", text.encode()
        if self.order.irregularities:
            sample = "/* made up */\nH98-1-2 Q0 213 1 0.8 univABC\n/* end */\n"
            names = ("H18.task1.YOURID",) if self.edition == "2017" else ("task3.YOURID", "task3-L.YOURID")
            self.made.plant("sample answers", *names)
            for name in names:
                yield f"{self.top}/{name}", sample.encode()

    def _code(self, code: Code) -> Iterator[ReleaseFile]:
        irregularities = self.order.irregularities
        if self.edition == "2026":
            yield f"{self.top}/{_NAME_OF_LAW}", law_files.law_xml(code)
            if not irregularities:  # only after the participant has run the organisers' program
                yield f"{self.top}/civil.xml", law_files.civil_xml(code)
        elif self.edition == "2017":
            if self.language == "ja":
                yield f"{self.top}/civil_japanese_utf8.txt", law_files.japanese_text(code)
                return
            yield f"{self.top}/civil_english.txt", law_files.english_text_of_2017(code, irregularities=irregularities)
            if irregularities:
                captioned = {article.number for article in code.live if article.caption}
                self.made.plant("line like a head", *map(str, law_files.FALSE_HEADS))
                self.made.plant("wrapped caption", *captioned.intersection([law_files.WRAPPED_CAPTION]))
                self.made.plant("caption with brackets", *captioned.intersection([law_files.CAPTION_WITH_BRACKETS]))
        else:
            crlf = irregularities and self.edition == "2025"
            text = law_files.english_text(code, crlf=crlf) if self.language == "en" else law_files.japanese_text(code)
            yield f"{self.top}/text/civil_code_{_SUFFIXES[self.language]}-1to724-2.txt", text
            if crlf and self.language == "en":
                self.made.plant("code with CRLF", self.top)

    def _exam(self, year: str, questions: list[Question]) -> Iterator[ReleaseFile]:
        """An exam year's file with answers; of a test that is not answered yet, none."""
        is_test = year == self.test_year
        if is_test and self.unanswered:
            return
        folder = "test" if is_test else "train"
        letter = self._letter(year)
        written = exams.pair_file(questions, letter)
        suffix = _SUFFIXES[self.language]
        if self.edition == "2017":
            yield f"{self.top}/riteval_{year}.xml", written
        elif self.edition == "2026":
            yield f"{self.top}/{'test' if is_test else 'simple'}/simple_{year}_{suffix}.xml", written
            if not is_test and not self.order.irregularities:
                yield f"{self.top}/train/riteval_{year}_{suffix}.xml", exams.pair_file(questions, "L")
        else:
            yield f"{self.top}/{folder}/riteval_{year}_{suffix}.xml", written
        if self.second and year in _REFERENCE_YEARS:
            self.made.plant("file twice", f"riteval_{year}_{suffix}.xml")
            yield f"{self.second}/riteval_{year}_{suffix}.xml", written

    def _letter(self, year: str) -> str:
        """The form of an exam year's file."""
        irregularities = self.order.irregularities
        if self.language == "ja":
            return {"2017": "B", "2026": "K"}.get(self.edition, "I labelled")
        if self.edition == "2017":
            return "A2" if irregularities and year == self.train_years[0] else "A"
        if self.edition == "2019" and irregularities and year == self.train_years[0]:
            return "C"
        return _ENGLISH_LETTERS.get(year, "D")

    def _tests(self, asked: Mapping[str, Sequence[Question]]) -> Iterator[ReleaseFile]:
        """The test as it was handed out: without labels, for task 3 without articles too."""
        questions = asked[self.test_year]
        name = f"TestData_{_SUFFIXES[self.language]}.xml"
        if self.edition == "2020" or self.unanswered:
            yield f"{self.top}/test/{name}", exams.pair_file(questions, "J")
        elif self.order.irregularities and self.edition != "2017":
            self.made.plant("test without labels too", name)
            letter = {"en": "H", "ja": "I"}[self.language]
            yield f"{self.second or self.top}/{name}", exams.pair_file(questions, letter)
        if self.edition == "2020":
            gold = [f"{q.id} Q0 {article.number} 1\n" for q in questions for article in q.articles]
            yield f"{self.top}/test/task3_test_labels.txt", "".join(gold).encode()
        if self.unanswered:
            self.made.plant("test without labels", name)
        if self.unanswered and self.edition == "2026":
            yield f"{self.top}/test/QA.txt", "".join(f"{q.id}\t{q.label}\n" for q in questions).encode()

    def _count(self, code: Code, asked: Mapping[str, Sequence[Question]]) -> None:
        for split in SPLITS.values():
            if (split.edition, split.language) != (self.edition, self.language) or not split.exam_years:
                continue
            questions = [q for year in split.exam_years for q in asked[year] if q.id not in split.excluded]
            unanswered = self.unanswered and split.exam_years == (self.test_year,)
            if split.task == "task3":
                has_gold = not unanswered or "gold" in split.optional_files
                gold = sum(len(question.articles) for question in questions) if has_gold else 0
            else:
                labelled = sum(question.label in ("Y", "N") for question in questions)
                gold = labelled if not unanswered or "answers" in split.optional_files else 0
            docs = len(code.live) if split.task == "task3" else 2
            self.made.splits[split.id] = SplitCounts(len(questions), docs, gold)


def _counts(edition: str, language: str, year: str) -> Mapping[str, int]:
    """The table's counts of an exam year; of editions in which its years are not counted, those of 2025."""
    own = SPLITS[f"coliee/task3/{edition}/{language}/{year.lower()}"].counts
    return own if "queries" in own else SPLITS[f"coliee/task3/2025/en/{year.lower()}"].counts
