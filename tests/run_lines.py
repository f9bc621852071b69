"""The answers of run files, line by line, for the tests of runs."""

from ir_coliee.evaluation.runs import open_run, read_run


def saved(folder, content, name="some.run"):
    """A run file with this content."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read_lines(dataset, path):
    """The rows of a run file, with the columns of its table as attributes."""
    return [*read_run(dataset, path).itertuples(index=False)]


def pairs(lines):
    return [(line.qid, line.docno) for line in lines]


def errors(dataset, path):
    """Line and problem of what cannot be read; nothing is raised."""
    return [(error.line, error.problem) for error in open_run(path).answers(dataset).errors]
