"""A workspace with something outside of it that must never be reached."""

from pathlib import Path

import pytest

from mewcode.workspace.access import Access

SECRET = "the secret outside"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_text(SECRET)
    return folder


@pytest.fixture
def workspace(tmp_path: Path, outside: Path) -> Path:
    folder = tmp_path.resolve() / "workspace"
    (folder / "src" / "deep").mkdir(parents=True)
    (folder / "src" / "main.py").write_text("print('hello')\n")
    (folder / "src" / "deep" / "inner.py").write_text("inner = 1\n")
    return folder


@pytest.fixture
def access(workspace: Path) -> Access:
    return Access((workspace,))
