"""Searching gives the same answer in the same order, whatever program does it and whatever the repository wants."""

import os
import sys
from pathlib import Path

import pytest

from mewcode.errors import WorkspaceError
from mewcode.workspace import finding, search_engine
from mewcode.workspace.access import Access
from mewcode.workspace.code_search import Found, Query, search_code
from mewcode.workspace.finding import find_files
from mewcode.workspace.scope_errors import OutOfScopeError

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["ripgrep", "python"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test that uses this runs with ripgrep and without."""
    if request.param == "python":
        monkeypatch.setattr("mewcode.workspace.ripgrep.find_ripgrep", lambda: None)
        monkeypatch.setattr(finding, "find_ripgrep", lambda: None)
    return request.param


@pytest.fixture
def tree(workspace: Path) -> Path:
    (workspace / ".gitignore").write_text("build/\n*.log\n!keep.log\n")
    (workspace / ".git").mkdir()
    (workspace / ".git" / "config").write_text("needle in git\n")
    (workspace / "build").mkdir()
    (workspace / "build" / "out.py").write_text("needle ignored\n")
    (workspace / "debug.log").write_text("needle ignored\n")
    (workspace / "keep.log").write_text("needle kept\n")
    (workspace / ".github").mkdir()
    (workspace / ".github" / "ci.yml").write_text("needle: hidden\n")
    (workspace / "b.py").write_text("one\nneedle b1\nthree\nneedle b2\nfive\n")
    (workspace / "a.py").write_text("Needle A\nneedle a\n")
    (workspace / "src" / "c.ts").write_text("x needle(1) [a] $y\r\n")
    (workspace / "data.bin").write_bytes(b"\0\1needle\0")
    (workspace / "-dash.py").write_text("--pre=evil\n")
    return workspace


def shown(found: Found) -> list[tuple[str, int, str, bool]]:
    return [(line.path, line.number, line.text, line.matched) for line in found.lines]


async def test_matches_come_in_order_of_path_and_line(engine: str, access: Access, tree: Path) -> None:
    found = await search_code(Query("needle"), access)
    assert [(line.path, line.number) for line in found.lines] == [
        (".github/ci.yml", 1),
        ("a.py", 2),
        ("b.py", 2),
        ("b.py", 4),
        ("keep.log", 1),
        ("src/c.ts", 1),
    ]
    assert (found.shown, found.total, found.files, found.incomplete) == (6, 6, 5, False)
    assert found.lines[-1].text == "x needle(1) [a] $y"


async def test_context_lines_are_told_from_matches(engine: str, access: Access, tree: Path) -> None:
    found = await search_code(Query("b1", context=1, glob="*.py"), access)
    assert shown(found) == [("b.py", 1, "one", False), ("b.py", 2, "needle b1", True), ("b.py", 3, "three", False)]


async def test_the_limit_counts_matching_lines_and_the_total_is_told(engine: str, access: Access, tree: Path) -> None:
    found = await search_code(Query("needle", limit=3, context=1), access)
    assert (found.shown, found.total) == (3, 6)
    assert [line.path for line in found.lines if line.matched] == [".github/ci.yml", "a.py", "b.py"]


async def test_a_file_can_be_searched_alone(engine: str, access: Access, tree: Path) -> None:
    found = await search_code(Query("needle", path="b.py", limit=1), access)
    assert shown(found) == [("b.py", 2, "needle b1", True)]
    assert found.total == 2


@pytest.mark.parametrize("path", ["src", "./src/", "src/../src"])
async def test_a_directory_can_be_searched_alone(engine: str, access: Access, tree: Path, path: str) -> None:
    assert [line.path for line in (await search_code(Query("needle", path=path), access)).lines] == ["src/c.ts"]


@pytest.mark.parametrize("query", ["needle(1) [a] $y", "(", "a] $"])
async def test_a_literal_query_is_taken_as_it_is(engine: str, access: Access, tree: Path, query: str) -> None:
    if query == "(":
        assert (await search_code(Query(query, literal=True, glob="*.ts"), access)).shown == 1
        return
    assert (await search_code(Query(query, literal=True), access)).shown == 1


@pytest.mark.parametrize("query", ["--pre=evil", "--pre", "-e", "--files", "--help", "-"])
async def test_a_query_that_begins_with_a_dash_is_a_query(engine: str, access: Access, tree: Path, query: str) -> None:
    found = await search_code(Query(query, literal=True), access)
    assert all(query in line.text for line in found.lines)
    assert found.shown == (1 if query in "--pre=evil" else 0)


@pytest.mark.parametrize("glob", ["--pre=touch evil", "-e", "--hidden"])
async def test_a_glob_that_begins_with_a_dash_is_a_glob(engine: str, access: Access, tree: Path, glob: str) -> None:
    assert (await search_code(Query("needle", glob=glob), access)).shown == 0
    assert not (tree / "evil").exists()


async def test_a_bad_expression_is_a_clear_error(engine: str, access: Access, tree: Path) -> None:
    with pytest.raises(WorkspaceError, match="search cannot be made"):
        await search_code(Query("needle("), access)
    with pytest.raises(WorkspaceError, match="search cannot be made"):
        await search_code(Query("needle(", path="a.py"), access)


async def test_settings_of_ripgrep_have_no_effect(
    access: Access, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    for place in (tmp_path / "rc", tree / ".ripgreprc", tree / "ripgreprc"):
        place.write_text(f"--pre={trap}\n--follow\n--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "rc"))
    assert (await search_code(Query("needle"), access)).total == 6
    assert not (tmp_path / "sprung").exists()


async def test_links_are_not_followed_out(engine: str, access: Access, tree: Path, outside: Path) -> None:
    (tree / "link.txt").symlink_to(outside / "secret.txt")
    (tree / "folder").symlink_to(outside)
    assert (await search_code(Query("secret"), access)).total == 0
    assert (await find_files("*.txt", access)).names == ()
    for path in ("link.txt", "folder", "../outside"):
        with pytest.raises(OutOfScopeError):
            await search_code(Query("secret", path=path), access)
        with pytest.raises(OutOfScopeError):
            await find_files("*", access, path=path)


async def test_nothing_outside_the_read_scope_is_named_or_counted(engine: str, tree: Path) -> None:
    access = Access((tree,), read=("**", "!b.py", "!src/"))
    found = await search_code(Query("needle"), access)
    assert {line.path for line in found.lines} == {".github/ci.yml", "a.py", "keep.log"}
    assert (found.total, found.files) == (3, 3)
    assert "b.py" not in (await find_files("*.py", access)).names


async def test_a_file_that_turns_into_a_link_between_the_two_runs_shows_nothing(
    access: Access, tree: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = search_engine.engine("needle", literal=False, deadline=30)
    count = real.count

    async def swapping(*arguments: object) -> object:
        counts = await count(*arguments)  # type: ignore[arg-type]
        (tree / "a.py").unlink()
        (tree / "a.py").symlink_to(outside / "secret.txt")
        return counts

    (outside / "secret.txt").write_text("needle of the secret\n")
    monkeypatch.setattr(real, "count", swapping)
    monkeypatch.setattr("mewcode.workspace.code_search.engine", lambda *_, **__: real)
    found = await search_code(Query("needle"), access)
    assert "b.py" in {line.path for line in found.lines}
    assert not any("secret" in line.text for line in found.lines)


async def test_odd_names_are_shown_as_they_are(engine: str, access: Access, workspace: Path) -> None:
    names = ["with space.py", "new\nline.py", "日本語.py", "a:1:b.py"]
    for name in names:
        (workspace / name).write_text("needle\n")
    if sys.platform == "linux":
        (workspace / os.fsdecode(b"latin-\xe9.py")).write_text("needle\n")
        names.append(os.fsdecode(b"latin-\xe9.py"))
    found = await search_code(Query("needle"), access)
    assert sorted(line.path for line in found.lines) == sorted(names)


async def test_long_lines_are_cut(engine: str, access: Access, workspace: Path) -> None:
    (workspace / "min.js").write_text("needle " + "x" * 100_000 + "\n")
    found = await search_code(Query("needle"), access)
    assert len(found.lines[0].text) < 700


async def test_utf_16_is_searched(engine: str, access: Access, workspace: Path) -> None:
    (workspace / "wide.txt").write_text("needle in utf-16\n", encoding="utf-16")
    assert (await search_code(Query("needle"), access)).lines[0].text == "needle in utf-16"


async def test_the_deadline_ends_a_search(access: Access, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mewcode.workspace.ripgrep.find_ripgrep", lambda: None)
    (workspace / "trap.txt").write_text("a" * 50 + "!\n")
    found = await search_code(Query("(a+)+$", deadline=0.5), access)
    assert found.incomplete


async def test_many_files_come_in_the_same_order_each_time(access: Access, workspace: Path) -> None:
    for number in range(300):
        (workspace / f"f{number:03}.txt").write_text("needle\n" * 3)
    first = await search_code(Query("needle", limit=400), access)
    assert first.shown == 400
    assert first.total == 900
    assert [line.path for line in first.lines] == [f"f{number // 3:03}.txt" for number in range(400)]
    assert await search_code(Query("needle", limit=400), access) == first


async def test_files_are_found_by_glob(engine: str, access: Access, tree: Path) -> None:
    found = await find_files("*.py", access, order="name")
    assert found.names == ("-dash.py", "a.py", "b.py", "src/deep/inner.py", "src/main.py")
    assert (await find_files("src/*.py", access)).names == ("src/main.py",)
    assert (await find_files("**/deep/*", access)).names == ("src/deep/inner.py",)
    assert (await find_files("*.py", access, path="src/deep")).names == ("src/deep/inner.py",)
    assert (await find_files("*.log", access)).total >= 1
    assert not any(name.startswith((".git/", "build/")) for name in (await find_files("*", access)).names)


async def test_the_newest_file_comes_first_and_the_rest_is_counted(engine: str, access: Access, tree: Path) -> None:
    os.utime(tree / "b.py", (2_000_000_000, 2_000_000_000))
    os.utime(tree / "a.py", (1_900_000_000, 1_900_000_000))
    found = await find_files("*.py", access, limit=2)
    assert found.names == ("b.py", "a.py")
    assert found.total == 5
