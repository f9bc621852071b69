"""Small releases of single splits, written from a few texts."""

import json

from fixture_releases import write_task1


def write_cases(folder, texts, gold):
    """Task 1 of 2025: the test decisions by number, and the relevant numbers of each query."""
    write_task1(folder, texts, {f"{query}.txt": [f"{item}.txt" for item in items] for query, items in gold.items()})


def write_fragments(folder, cases):
    """Task 2 of 2025: of each test case the fragment, the base case, the paragraphs, and the number of the gold one."""
    for case, (fragment, base_case, paragraphs) in cases.items():
        items = folder / "task2_test_files_2025" / case / "paragraphs"
        items.mkdir(parents=True)
        (items.parent / "entailed_fragment.txt").write_text(fragment, encoding="utf-8")
        (items.parent / "base_case.txt").write_text(base_case, encoding="utf-8")
        for number, text in enumerate(paragraphs, start=1):
            (items / f"{number:03}.txt").write_text(text, encoding="utf-8")
    labels = json.dumps({case: ["001.txt"] for case in cases})
    (folder / "task2_test_labels_2025.json").write_text(labels, encoding="utf-8")


def write_questions(folder, language, questions, code):
    """Tasks 3 and 4 of 2025: label, quoted articles and statement of each test question, and the text of the code."""
    short, name = {"en": ("en", "English"), "ja": ("jp", "Japanese")}[language]
    package = folder / f"COLIEE2025statute_data-{name}"
    (package / "test").mkdir(parents=True)
    (package / "text").mkdir()
    pairs = "".join(
        f'<pair id="R06-9{place:02}-A" label="{label}"><t1>\n{quoted}\n</t1><t2>\n{statement}\n</t2></pair>\n'
        for place, (label, quoted, statement) in enumerate(questions)
    )
    exam = f'<?xml version="1.0" encoding="UTF-8"?>\n<dataset>\n{pairs}</dataset>\n'
    (package / "test" / f"riteval_R06_{short}.xml").write_text(exam, encoding="utf-8")
    (package / "text" / f"civil_code_{short}-1to724-2.txt").write_text(code, encoding="utf-8")
    return package


def write_torts(folder, instances):
    """The pilot of 2025: of each test instance the facts, the claims of each side with their labels, the decision."""
    package = folder / "LJPJT25"
    package.mkdir()
    lines = []
    for number, (facts, plaintiff, defendant, decision) in enumerate(instances):
        claims = {
            f"{side}_claims": [
                {"id": str(place), "description": text, "is_accepted": accepted}
                for place, (text, accepted) in enumerate(of_side)
            ]
            for side, of_side in (("plaintiff", plaintiff), ("defendant", defendant))
        }
        record = {
            "version": "25",
            "tort_id": str(900_100 + number),
            "undisputed_facts": [{"id": str(place), "description": fact} for place, fact in enumerate(facts)],
            **claims,
            "court_decision": decision,
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    (package / "test001.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
