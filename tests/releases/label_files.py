"""Label files of 2018 and 2019 as the organisers write them."""


def entry_of_task1(folder, names, answers, prefix="some/prefix/"):
    """An entry of task 1. ``names``: id and file name of each candidate; ``answers``: what the element holds."""
    place = f"{prefix}{folder}"
    candidates = [f'<candidate_case id="{i}">{place}/candidates/{n}.txt</candidate_case>' for i, n in names]
    noticed = "" if answers is None else f"<cases_noticed>{answers}</cases_noticed>"
    return (
        f'<entry id="{folder}">\n<fact>{place}/fact.txt</fact>\n<summary>{place}/summary.txt</summary>\n'
        f"{''.join(candidates)}\n{noticed}\n</entry>\n"
    )


def paragraphs_of(folder, names):
    """The paragraph elements of a query of task 2, which name files."""
    return [f'<paragraph id="{name}">p/{folder}/paragraphs/{name}.txt</paragraph>' for name in names]


def entry_of_task2(folder, paragraphs, answers):
    inner = "".join(paragraphs)
    return (
        f'<entry id="{folder}"><fact>p/{folder}/fact.txt</fact><supporting_case>{inner}</supporting_case>'
        f"<entailing_paragraphs>{answers}</entailing_paragraphs></entry>"
    )


def of_2018(*entries):
    return f"<COLIEE_2018>{''.join(entries)}</COLIEE_2018>"


def packaged(task, folder, items, answers, id_=None):
    """An instance as the packaging script writes it. ``answers`` None: without the element."""
    query = f"{folder}/base_case.txt"
    if task == "task2":
        query = f"<base_case>{query}</base_case><entailed_fragment>{folder}/entailed_fragment.txt</entailed_fragment>"
    wrapper, item, tag = {
        "task1": ("candidate_cases", "candidate_case", "cases_noticed"),
        "task2": ("noticed_case", "paragraph", "entailing_paragraphs"),
    }[task]
    inner = " ".join(f"<{item} id='{i}'>{i}.txt</{item}>" for i in items)
    written = "" if answers is None else f"\t<{tag}>{','.join(answers)}</{tag}>\n"
    return (
        f"<instance id='{id_ or folder}'>\n\t<query>{query}</query>\n"
        f"\t<{wrapper}>{inner}</{wrapper}>\n{written}</instance>\n"
    )


def of_2019(task, *instances):
    return f"<COLIEE task='{task[-1]}'>\n{''.join(instances)}</COLIEE>\n"
