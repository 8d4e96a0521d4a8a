"""The benchmarks can be started: what they import is there."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
PROGRAMS = sorted(path for path in FOLDER.glob("*.py") if "argparse.ArgumentParser(" in path.read_text("utf-8"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_benchmark_says_how_it_is_used(program: Path) -> None:
    done = subprocess.run([sys.executable, program, "--help"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout
