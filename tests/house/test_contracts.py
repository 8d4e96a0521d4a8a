"""What ARCHITECTURE.md promises, held against the code."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
LONGEST_FILE = 500


def test_a_package_imports_only_from_floors_below_its_own() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_every_package_says_what_it_is_for() -> None:
    silent = [path for path in SOURCES if path.name == "__init__.py" and not path.read_text().startswith('"""')]
    assert silent == []


def test_no_file_is_longer_than_anybody_reads_in_one_go() -> None:
    too_long = {str(path): n for path in SOURCES if (n := len(path.read_text().splitlines())) > LONGEST_FILE}
    assert too_long == {}


def test_only_the_gate_executes_tools() -> None:
    """`.execute(` of a Tool: in the gate's last stage, and where a tool hands on to its own parts."""
    allowed = {"governance/stages/run.py", "mcp/manager.py", "mcp/wrapper.py"}
    callers = {
        path.relative_to(ROOT / "src/mewcode").as_posix()
        for path in SOURCES
        if "tool.execute(" in path.read_text() or ".caller.execute(" in path.read_text()
    }
    assert callers <= allowed
