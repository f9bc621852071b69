"""What `import ir_coliee` does, seen from fresh interpreters: it registers, and nothing else."""

import json
import os
import subprocess
import sys
from functools import cache

import ir_measures
import pytest

import ir_coliee


@cache
def fresh(code):
    """What a fresh interpreter prints as JSON when it runs the code."""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(finished.stdout)


def modules_after(statement):
    return set(fresh(f"import json, sys\n{statement}\nprint(json.dumps(list(sys.modules)))"))


@pytest.mark.slow
def test_no_other_package_is_imported_than_the_parents_import():
    def packages(statement):
        names = {name.partition(".")[0] for name in modules_after(statement)}
        return {name for name in names if not name.startswith("__editable__")} - set(sys.stdlib_module_names)

    assert packages("import ir_coliee") - packages("import ir_datasets, ir_measures") == {"ir_coliee"}


@pytest.mark.slow
def test_the_audit_below_would_see_a_file_of_the_users(tmp_path):
    seen = opened_by(f"open({str(tmp_path / 'mine')!r}, 'w')", home=tmp_path)
    assert seen == [str(tmp_path / "mine")]


AUDIT = """
import json, os, site, sys, sysconfig
import ir_datasets, ir_measures  # what the parents open is not ours
own = os.path.dirname(os.path.abspath({package!r})) if {package!r} else ""
installed = [sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *site.getsitepackages()]
roots = tuple(os.path.realpath(folder) + os.sep for folder in (*installed, own))
seen = []

def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "socket.connect"):
        path = arguments[0]
        if not isinstance(path, (str, bytes, os.PathLike)):
            path = "" if isinstance(path, int) else str(path)
        path = os.path.realpath(os.fsdecode(path)) if path else ""
        if path and not (path + os.sep).startswith(roots):
            seen.append(path)

sys.addaudithook(note)
{statement}
print(json.dumps(seen))
"""


def opened_by(statement, home):
    """The files and folders outside the installation that a statement touches, seen by an audit hook."""
    environment = {**os.environ, "HOME": str(home), "COLIEE_HOME": str(home), "IR_DATASETS_HOME": str(home)}
    finished = subprocess.run(
        [sys.executable, "-c", AUDIT.format(package=ir_coliee.__file__, statement=statement)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return json.loads(finished.stdout)


@pytest.mark.slow
def test_import_touches_no_file_outside_python_and_the_package(tmp_path):
    (tmp_path / "task1_test_files_2025").mkdir()
    assert opened_by("import ir_coliee", home=tmp_path) == []


@pytest.mark.slow
def test_import_writes_nothing_to_the_terminal():
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import ir_coliee"], capture_output=True, text=True, check=False
    )
    if "ir_coliee" not in finished.stderr and finished.returncode:
        pytest.skip("a parent package warns on import")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


@pytest.mark.slow
def test_every_public_name_is_there_and_every_measure_can_be_parsed_by_name():
    assert sorted(ir_coliee.__all__) == dir(ir_coliee)
    for name in ir_coliee.__all__:
        value = getattr(ir_coliee, name)
        if name[0].isupper():
            assert ir_measures.parse_measure(name) == value
        else:
            assert callable(value) or name == "__version__"
