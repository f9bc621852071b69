"""The tasks of COLIEE, and the sections of an edition file that describe them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: The official name of each task.
TASK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "task1": "Legal Case Retrieval",
        "task2": "Legal Case Entailment",
        "task3": "Statute Law Retrieval",
        "task4": "Legal Textual Entailment",
        "task5": "Statute Law Question Answering",
        "prediction": "Legal Judgment Prediction for Japanese Tort Cases: Tort Prediction",
        "rationale": "Legal Judgment Prediction for Japanese Tort Cases: Rationale Extraction",
    }
)

#: The section of an edition file that describes the files of each task: several tasks can use the same files.
PACKAGE_SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "task1": "task1",
        "task2": "task2",
        "task3": "statutes",
        "task4": "statutes",
        "task5": "statutes",
        "prediction": "pilot",
        "rationale": "pilot",
    }
)

#: Languages of the datasets, with the abbreviation that file names have.
LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "en", "ja": "jp"})

#: The name of each language.
LANGUAGE_NAMES: Mapping[str, str] = MappingProxyType({"en": "English", "ja": "Japanese"})

#: The name of the folder that contains each query's items, by layout.
ITEM_FOLDERS: Mapping[str, str] = MappingProxyType({"pools": "candidates", "cases": "paragraphs"})

#: Layouts of the files of a release.
LAYOUTS: Mapping[str, str] = MappingProxyType(
    {
        "flat": "all decisions in one folder, named by a number; the label file names the queries",
        "pools": "a folder for each query, with its candidate decisions",
        "cases": "a folder for each query, with the paragraphs of the noticed case",
        "pairs": "a file for each exam year, with the text of the gold articles of each question",
        "simple pairs": "a file for each exam year, with the numbers of the gold articles of each question",
        "JSON Lines": "a line for each tort instance",
    }
)

#: Formats of gold labels.
LABEL_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "JSON": "an object of lists, by query",
        "XML": "an index of queries with their items",
        "article heads": "the heads of the articles that a question quotes",
        "article tags": "an <article> element for each gold article of a question",
        "label attribute": "the attribute label of a question: Y or N",
        "true or false": "true, false or null in a line of JSON",
    }
)

#: Formats of the Civil Code.
CODE_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "wrapped text": "plain text, partly wrapped, with all five parts of the code",
        "text": "plain text with a line for each article, paragraph and item",
        "law XML": "the XML of the public law service, or the organisers' civil.xml made of it",
    }
)
