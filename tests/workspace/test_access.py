"""Which paths are let in, and where they lead."""

import os
import sys
import unicodedata
from pathlib import Path

import pytest

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.scope_errors import OutOfScopeError


@pytest.mark.parametrize(
    "text",
    ["src/main.py", "./src//main.py", "src/deep/../main.py", "src/./deep/.././main.py", "../workspace/src/main.py"],
)
def test_every_spelling_of_a_path_inside_leads_to_the_same_file(access: Access, workspace: Path, text: str) -> None:
    assert access.resolve(text).path == workspace / "src/main.py"
    assert access.resolve(str(workspace / "src/main.py")).relative == "src/main.py"


@pytest.mark.parametrize(
    "text",
    [
        "../outside/secret.txt",
        "src/../../outside/secret.txt",
        "/etc/passwd",
        "/",
        "..",
        "src/../..",
        "~/secret.txt",
        "~root/x",
        "/proc/self/environ",
        "/proc/self/root/etc/passwd",
        "/proc/self/cwd",
        "/dev/fd/0",
    ],
)
def test_a_path_outside_is_refused(access: Access, text: str) -> None:
    with pytest.raises(OutOfScopeError):
        access.resolve(text)


def test_an_absolute_path_out_of_the_root_and_back_is_judged_by_where_it_ends(access: Access, workspace: Path) -> None:
    assert access.resolve(f"{workspace}/../workspace/src").path == workspace / "src"
    with pytest.raises(OutOfScopeError):
        access.resolve(f"{workspace}/../outside/secret.txt")


def test_the_existence_of_a_file_outside_is_not_told(access: Access, workspace: Path) -> None:
    messages = set()
    for name in ("secret.txt", "nothing.txt"):
        with pytest.raises(OutOfScopeError) as caught:
            access.resolve(f"../outside/{name}")
        messages.add(str(caught.value).replace(name, "NAME"))
    assert len(messages) == 1
    there, not_there = (access.resolve(f"../{folder}/../workspace/src/main.py") for folder in ("outside", "nothing"))
    assert there == not_there


def test_links_that_stay_inside_are_followed_wherever_they_stand(access: Access, workspace: Path) -> None:
    (workspace / "direct").symlink_to("src")
    (workspace / "absolute").symlink_to(workspace / "src")
    (workspace / "src" / "up").symlink_to("../src/deep")
    for text in ("direct/main.py", "absolute/main.py", "direct/up/../main.py"):
        assert access.resolve(text).path == workspace / "src/main.py"
    assert access.resolve("absolute/up/inner.py").path == workspace / "src/deep/inner.py"


@pytest.mark.parametrize("target", ["/etc", "../outside", "../../workspace/../outside", "/proc/self/root/etc"])
def test_a_link_that_leads_out_is_refused_in_the_middle_and_at_the_end(
    access: Access, workspace: Path, target: str
) -> None:
    (workspace / "out").symlink_to(target)
    for text in ("out", "out/secret.txt", "out/passwd", "src/../out/secret.txt"):
        with pytest.raises(OutOfScopeError):
            access.resolve(text)


def test_a_link_out_is_refused_for_a_new_file_too(access: Access, workspace: Path, outside: Path) -> None:
    (workspace / "dangling").symlink_to(outside / "new.txt")
    with pytest.raises(OutOfScopeError):
        access.resolve("dangling", for_writing=True)


def test_a_loop_of_links_ends(access: Access, workspace: Path) -> None:
    (workspace / "one").symlink_to("two")
    (workspace / "two").symlink_to("one")
    with pytest.raises(WorkspaceError, match="too many symbolic links"):
        access.resolve("one")


def test_a_root_may_be_named_by_a_link_to_it(access: Access, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(workspace)
    assert access.resolve(str(tmp_path / "alias" / "src" / "main.py")).path == workspace / "src/main.py"


@pytest.mark.parametrize("text", ["a\0b", "", "  ", "bad\ud800name"])
def test_what_is_no_path_is_refused_with_a_reason(access: Access, text: str) -> None:
    with pytest.raises(WorkspaceError, match="not a usable path"):
        access.resolve(text)


def test_a_name_that_is_too_long_is_an_error_of_ours(access: Access) -> None:
    with pytest.raises(WorkspaceError):
        access.resolve("x" * 5_000)
    with pytest.raises(WorkspaceError):
        access.resolve("y/" * 5_000)


def test_a_file_is_not_a_directory(access: Access) -> None:
    with pytest.raises(WorkspaceError, match="not a directory"):
        access.resolve("src/main.py/more")


def test_a_missing_path_keeps_its_missing_directories(access: Access) -> None:
    with access.locate("new/deeper/file.txt", for_writing=True) as place:
        assert place.missing == ("new", "deeper")
        assert place.name == "file.txt"
    with pytest.raises(WorkspaceError):
        access.resolve("new/../src/main.py")


def test_a_name_in_the_other_unicode_form_is_found(access: Access, workspace: Path) -> None:
    composed, decomposed = (unicodedata.normalize(form, "résumé.txt") for form in ("NFC", "NFD"))
    (workspace / decomposed).write_text("x")
    found = access.resolve(composed)
    assert found.exists
    assert unicodedata.normalize("NFC", found.relative) == composed


def test_both_forms_are_two_files_where_the_file_system_says_so(access: Access, workspace: Path) -> None:
    names = [unicodedata.normalize(form, "é.txt") for form in ("NFC", "NFD")]
    for name in names:
        (workspace / name).write_text(name)
    if len(list(workspace.glob("*.txt"))) == 1:
        pytest.skip("this file system does not tell the forms apart")
    assert [access.resolve(name).relative for name in names] == names


def test_patterns_are_blind_to_the_unicode_form(workspace: Path) -> None:
    (workspace / unicodedata.normalize("NFD", "geheim-é.txt")).write_text("x")
    access = Access((workspace,), read=("**", "!" + unicodedata.normalize("NFC", "geheim-é.txt")))
    with pytest.raises(OutOfScopeError):
        access.resolve(unicodedata.normalize("NFC", "geheim-é.txt"))


def test_read_patterns_take_out_what_lies_beneath(workspace: Path) -> None:
    access = Access((workspace,), read=("src/**", "!src/deep"))
    assert access.resolve("src/main.py").exists
    with pytest.raises(OutOfScopeError, match="read paths"):
        access.resolve("src/deep/inner.py")
    with pytest.raises(OutOfScopeError, match="read paths"):
        access.resolve("other.txt")


def test_a_link_does_not_open_what_a_pattern_takes_out(workspace: Path) -> None:
    (workspace / "harmless.py").symlink_to("src/deep/inner.py")
    access = Access((workspace,), read=("**", "!src/deep/"))
    with pytest.raises(OutOfScopeError):
        access.resolve("harmless.py")


def test_write_patterns_hold_for_writing_only(workspace: Path) -> None:
    access = Access((workspace,), write=("docs/**",))
    assert access.resolve("src/main.py").exists
    assert not access.resolve("docs/new.md", for_writing=True).exists
    with pytest.raises(OutOfScopeError, match="write paths"):
        access.resolve("src/main.py", for_writing=True)


def test_a_read_only_root_is_read_and_not_written(workspace: Path, tmp_path: Path) -> None:
    outputs = tmp_path.resolve() / "outputs"
    outputs.mkdir()
    (outputs / "1.txt").write_text("x")
    access = Access((workspace,), read_only_roots=(outputs,))
    assert access.resolve(str(outputs / "1.txt")).exists
    with pytest.raises(OutOfScopeError, match="read-only root"):
        access.resolve(str(outputs / "1.txt"), for_writing=True)


def test_a_read_only_root_within_a_root_stays_read_only(workspace: Path) -> None:
    access = Access((workspace,), read_only_roots=(workspace / "src",))
    assert not access.may_write(workspace / "src" / "main.py")
    assert access.may_write(workspace / "other.py")
    with pytest.raises(OutOfScopeError):
        access.resolve("src/main.py", for_writing=True)


def test_without_roots_nothing_is_let_in() -> None:
    with pytest.raises(OutOfScopeError, match="no roots"):
        Access(()).resolve("x")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_the_kernels_files_stay_closed_even_under_a_root_that_holds_them() -> None:
    access = Access((Path("/"),))
    assert access.resolve("/etc/passwd").exists
    for text in ("/proc/self/environ", "/proc/self/root/proc/1/environ", f"/proc/{os.getpid()}/mem"):
        with pytest.raises(OutOfScopeError):
            access.resolve(text)


@pytest.mark.parametrize("nested", [False, True])
def test_many_names_are_judged_as_single_ones_are(workspace: Path, nested: bool) -> None:
    inner = (workspace / "src" / "deep",) if nested else ()
    access = Access((workspace,), read_only_roots=inner, read=("**", "!main.py", "!other/"))
    for folder in (workspace, workspace / "src"):
        namer = access.namer(folder)
        for name in ("main.py", "deep/inner.py", "other/x", "a.txt"):
            path = folder / name
            assert namer(name) == (access.shown(path) if access.may_read(path) else None)
