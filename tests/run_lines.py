"""The answers of run files, line by line, for the tests of runs."""

from ir_coliee.evaluation.runs import load_run, read_answers


def saved(folder, content, name="some.run"):
    """A run file with this content."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read_lines(dataset, path):
    """The rows of a run file, with the columns of its table as attributes."""
    return [*load_run(dataset, path).table.itertuples(index=False)]


def pairs(lines):
    return [(line.qid, line.docno) for line in lines]


def errors(dataset, path):
    """Line and problem of what cannot be read; nothing is raised."""
    return [(error.line, error.problem) for error in read_answers(dataset, path).errors]
