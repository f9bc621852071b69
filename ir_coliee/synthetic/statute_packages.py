"""Releases of tasks 3, 4 and 5: the package of an edition in one language, with the civil code and all exam years."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ir_coliee.editions import SPLITS, Split, edition
from ir_coliee.synthetic import civil_code_text, civil_code_xml
from ir_coliee.synthetic.civil_code import Code, write_code
from ir_coliee.synthetic.exam_questions import Question, plant_in_questions, write_questions
from ir_coliee.synthetic.exam_years import exam_year
from ir_coliee.synthetic.fixed_texts import fixed_text
from ir_coliee.synthetic.pair_files import pair_file
from ir_coliee.synthetic.release import Release, ReleaseFile, Settings, SplitCounts
from ir_coliee.synthetic.styles import statute_style

_GOLD_PER_QUESTION = 1.3  # default if the edition states no count
_UNLABELLED_FORMS: Mapping[str, str] = MappingProxyType({"en": "unlabelled in English", "ja": "unlabelled in Japanese"})
#: The irregularities that give the first exam year another form, and the form.
_FORMS_OF_FIRST_YEAR: Mapping[str, str] = MappingProxyType(
    {
        "first exam year as in the call": "head behind the caption",
        "first exam year with article tags": "article tags in t1",
    }
)


def statute_release(splits: Sequence[Split], settings: Settings) -> Release:
    """Return a release of the statute tasks in one language."""
    package = _Package(splits, settings)
    package.release.files = package.files()
    return package.release


class _Package:
    """The package of an edition in one language."""

    def __init__(self, splits: Sequence[Split], settings: Settings) -> None:
        self.settings = settings
        # all statute tasks have the same files, and task 3 states the gold articles
        by_name = {split.name: split for split in sorted(splits, key=lambda split: split.task, reverse=True)}
        self.splits = [by_name[name] for name in ("train", "test") if name in by_name]
        self.language, self.edition = splits[0].language, splits[0].edition
        self.style = statute_style(splits[0], irregular=settings.irregular)
        self.requested = self.style.irregularities
        self.has_second_folder = "file twice" in self.requested and bool(self.style.second_folder)
        self.is_unanswered = "test without labels" in self.requested
        self.release = Release([self.style.folder, *([self.style.second_folder] if self.has_second_folder else [])])

    def files(self) -> Iterator[ReleaseFile]:
        """Yield the civil code and the exam years."""
        code = write_code(self.style.outline, self.language, self.settings)
        years = [(split, year) for split in self.splits for year in split.exam_years]
        questions: dict[str, list[Question]] = {}
        yield from self._readme()
        yield from self._code(code)
        for number in self.settings.numbers(len(years), self.splits[0].id.rpartition("/")[0], "exam years"):
            split, year = years[number]
            questions[year] = self._questions(split, year, code)
            yield from self._exam_year(split, year, questions[year])
        for split in self.splits:
            if split.name == "test":
                yield from self._test(split, [question for year in split.exam_years for question in questions[year]])
        self._count(code, questions)

    def _readme(self) -> Iterator[ReleaseFile]:
        yield self.style.path("", "README.txt"), fixed_text("readme").encode()
        if "example answers" in self.requested:
            self.release.plant("example answers", *self.style.example_answers)
            for name in self.style.example_answers:
                yield self.style.path("", name), fixed_text("example answers").encode()

    def _code(self, code: Code) -> Iterator[ReleaseFile]:
        split = self.splits[-1]
        place = self.style.path(self.style.code_folder, split.files["articles"][0])
        if split.code_format == "law XML":
            yield place, civil_code_xml.law_xml(code)
            if self.style.derived_code_file and "derived files missing" in self.requested:
                self.release.plant("derived files missing", self.style.derived_code_file)
            elif self.style.derived_code_file:
                yield self.style.path("", self.style.derived_code_file), civil_code_xml.article_xml(code)
        elif self.language == "ja":
            yield place, civil_code_text.japanese_text(code)
        elif split.code_format == "wrapped text":
            yield place, civil_code_text.wrapped_english_text(code, self.requested)
            civil_code_text.record_irregularities_of_wrapped_text(code, self.requested, self.release)
        else:
            crlf = "code with CRLF" in self.requested
            if crlf:
                self.release.plant("code with CRLF", self.style.folder)
            yield place, civil_code_text.english_text(code, crlf=crlf)

    def _questions(self, split: Split, year: str, code: Code) -> list[Question]:
        queries, gold = _true_counts(split, year)
        size = self.settings.scaled(queries, minimum=12 if self.settings.irregular else 3)
        excluded = [question for question in split.excluded if question.partition("-")[0] == year]
        n_gold = round(size * gold / queries)
        questions = write_questions(exam_year(year), size, n_gold, code, excluded, self.settings)
        if split.name == "train" and year == split.exam_years[-1]:
            plant_in_questions(questions, self.language, self.requested, self.release)
        return questions

    def _exam_year(self, split: Split, year: str, questions: list[Question]) -> Iterator[ReleaseFile]:
        """Yield the files of an exam year with answers; none for a test whose answers are not published."""
        style, is_test = self.style, split.name == "test"
        if is_test and self.is_unanswered:
            return
        name = split.files[year][0]
        written = pair_file(questions, self._form(split, year))
        yield style.path(style.test_folder if is_test else style.train_folder, name), written
        if style.derived_train_file and not is_test:
            derived = style.derived_train_file.format(exam_year=year)
            if "derived files missing" in self.requested:
                self.release.plant("derived files missing", derived.rpartition("/")[2])
            else:
                yield style.path("", derived), pair_file(questions, "Japanese from article tags")
        if self.has_second_folder and year in style.repeated_exam_years:
            self.release.plant("file twice", name)
            yield f"{style.second_folder}/{name}", written

    def _form(self, split: Split, year: str) -> str:
        """The form of an exam year's file."""
        for irregularity, form in _FORMS_OF_FIRST_YEAR.items():
            if irregularity in self.requested and split.name == "train" and year == split.exam_years[0]:
                self.release.plant(irregularity, year)
                return form
        return self.style.pair_form or exam_year(year).english_form

    def _test(self, split: Split, questions: Sequence[Question]) -> Iterator[ReleaseFile]:
        """Yield the test as it was handed out: without labels, and for task 3 without articles."""
        style, name = self.style, self.style.unlabelled_test_file
        if name and (style.always_unlabelled or self.is_unanswered):
            yield style.path(style.test_folder, name), pair_file(questions, "unlabelled without articles")
        elif name and "test without labels too" in self.requested:
            self.release.plant("test without labels too", name)
            folder = style.second_folder if self.has_second_folder else style.folder
            yield f"{folder}/{name}", pair_file(questions, _UNLABELLED_FORMS[self.language])
        if self.is_unanswered:
            self.release.plant("test without labels", name)
        for gold_file in split.optional_files.get("gold", ())[:1]:
            gold = [f"{question.id} Q0 {article.number} 1\n" for question in questions for article in question.articles]
            yield style.path(style.test_folder, gold_file), "".join(gold).encode()
        for answer_file in split.optional_files.get("answers", ())[:1]:
            if self.is_unanswered:
                answers = "".join(f"{question.id}\t{question.label}\n" for question in questions)
                yield style.path(style.test_folder, answer_file), answers.encode()

    def _count(self, code: Code, questions_by_year: Mapping[str, Sequence[Question]]) -> None:
        found = edition(self.edition)
        test_years = {year for split in self.splits if split.name == "test" for year in split.exam_years}
        for split in found.splits.values() if found else ():
            if split.language != self.language or not split.exam_years:
                continue
            questions = [q for year in split.exam_years for q in questions_by_year[year] if q.id not in split.excluded]
            is_unanswered = self.is_unanswered and test_years.issuperset(split.exam_years)
            if split.task == "task3":
                has_gold = not is_unanswered or "gold" in split.optional_files
                gold = sum(len(question.articles) for question in questions) if has_gold else 0
            else:
                labelled = sum(question.label in ("Y", "N") for question in questions)
                gold = labelled if not is_unanswered or "answers" in split.optional_files else 0
            docs = len(code.articles_in_force) if split.task == "task3" else 2
            self.release.splits[split.id] = SplitCounts(len(questions), docs, gold)


def _true_counts(split: Split, year: str) -> tuple[int, float]:
    """Questions and gold articles of an exam year; typical ones where the edition does not state them."""
    counts = SPLITS[f"{split.id.removesuffix(split.name)}{year.lower()}"].counts
    if "queries" in counts:
        gold = counts.get("qrels") if split.task == "task3" else None
        return counts["queries"], _GOLD_PER_QUESTION * counts["queries"] if gold is None else gold
    typical = exam_year(year)
    return typical.questions, typical.gold_articles
