"""Globs match as they do in ripgrep and git."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.workspace.globs import glob_expression, glob_matcher
from mewcode.workspace.ripgrep import find_ripgrep

PATHS = ["a.py", "b.ts", "src/a.py", "src/deep/a.tsx", "src/deep/.b.py", "docs/a[1].md", "a/src/b.ts", "x.y.py"]


@pytest.mark.parametrize(
    "glob",
    ["*.py", "a.*", "src/*", "src/**", "**/a.*", "src/**/*.tsx", "*.{ts,tsx}", "{src,docs}/**/*.{py,md}", "?.py",
     "[ab].*", "[!a].*", "/a.py", "./src/a.py", "**", "*", "src", "a\\[1].md", "*.y.*", "**/deep/**"],
)  # fmt: skip
def test_a_glob_matches_what_ripgrep_says(glob: str, tmp_path: Path) -> None:
    program = find_ripgrep()
    if program is None:
        pytest.skip("there is no ripgrep to compare with")
    for path in PATHS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    arguments = [program, "--no-config", "--files", "--hidden", "--glob", glob.removeprefix("./")]
    listed = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False).stdout.split("\n")
    matches = glob_matcher(glob)
    assert {path for path in PATHS if matches(path)} == {path for path in listed if path}


def test_an_exclamation_mark_takes_out() -> None:
    assert [path for path in ("a.py", "b.md") if glob_matcher("!*.md")(path)] == ["a.py"]
    assert glob_matcher(None)("anything")


@given(st.text(max_size=40), st.text(max_size=40))
def test_every_text_is_a_glob(glob: str, path: str) -> None:
    re.compile(glob_expression(glob)).fullmatch(path)


@given(st.text(st.characters(exclude_characters="*?[]{}\\/!", exclude_categories=("Cs",)), min_size=1, max_size=20))
def test_a_plain_name_matches_itself_at_any_depth(name: str) -> None:
    assert glob_matcher(name)(name)
    assert glob_matcher(name)(f"src/deep/{name}")
    assert not glob_matcher(name)(f"{name}x")
