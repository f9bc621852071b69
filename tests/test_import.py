"""What `import ir_coliee` does, seen from fresh interpreters: it registers, and nothing else."""

import json
import os
import subprocess
import sys

import ir_measures
import pytest

import ir_coliee

AUDIT = """
import json, os, site, sys, sysconfig, warnings
import ir_datasets, ir_measures  # what the parents open, import and warn of is not ours
own = os.path.dirname(os.path.abspath({package!r}))
installed = [sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *site.getsitepackages()]
roots = tuple(os.path.realpath(folder) + os.sep for folder in (*installed, own))
seen, before = [], {{*sys.modules}}

def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "socket.connect"):
        path = arguments[0]
        if not isinstance(path, (str, bytes, os.PathLike)):
            path = "" if isinstance(path, int) else str(path)
        path = os.path.realpath(os.fsdecode(path)) if path else ""
        if path and not (path + os.sep).startswith(roots):
            seen.append(path)

warnings.simplefilter("error")
sys.addaudithook(note)
{statement}
packages = {{name.partition(".")[0] for name in {{*sys.modules}} - before}} - {{*sys.stdlib_module_names}}
print(json.dumps([seen, sorted(name for name in packages if not name.startswith("__editable__"))]))
"""


def effects(statement, home):
    """The files and folders outside the installation that a statement touches, and the packages that it imports."""
    environment = {**os.environ, "HOME": str(home), "COLIEE_HOME": str(home), "IR_DATASETS_HOME": str(home)}
    program = AUDIT.format(package=ir_coliee.__file__, statement=statement)
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert finished.stderr == ""
    return json.loads(finished.stdout)  # so that nothing else was printed


@pytest.mark.slow
def test_import_touches_no_file_imports_no_other_package_and_prints_nothing(tmp_path):
    mine = str(tmp_path / "mine")
    files, packages = effects(f"import pathlib, typer; pathlib.Path({mine!r}).touch()", tmp_path)
    assert (mine in files, "typer" in packages) == (True, True), "the audit sees both"
    (tmp_path / "task1_test_files_2025").mkdir()
    assert effects("import ir_coliee", tmp_path) == [[], ["ir_coliee"]]


def test_every_public_name_is_there_and_every_measure_can_be_parsed_by_name():
    assert sorted(ir_coliee.__all__) == dir(ir_coliee)
    for name in ir_coliee.__all__:
        value = getattr(ir_coliee, name)
        if name[0].isupper():
            assert ir_measures.parse_measure(name) == value
        else:
            assert callable(value) or name == "__version__"
