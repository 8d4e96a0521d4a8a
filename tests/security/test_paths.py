"""Paths through the gate: whatever the spelling, nothing leaves the workspace and no rule on a path is escaped."""

import os
import shutil
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.security.house import WITHIN, call, options, result, write_settings

from mewcode.app.house import App, open_app
from mewcode.calls import Question, ToolResult

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(os.name == "nt", reason="symlinks")]
HIDDEN, BESIDE = "hidden-content", "content-beside"
FILES = ("read_file(*)", "write_file(*)", "edit_file(*)", "search_code(*)", "find_files(*)")
EVERYTHING = (*FILES, "run_command(*)")


def settings(allowed: tuple[str, ...]) -> str:
    denied = [f"{tool}({folder}/**)" for tool in ("read_file", "write_file") for folder in ("secret", "gehéim")]
    rules = [(rule, "allow") for rule in allowed] + [(rule, "deny") for rule in denied]
    lines = "".join(f'  - {{rule: "{rule}", effect: {effect}}}\n' for rule, effect in rules)
    return f"sandbox: 'off'\npermissions:\n{lines}"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """`secret` and `gehéim` are denied, `outside` lies beside the workspace; links lead to them in every way."""
    write_settings(settings(EVERYTHING))
    root, outside = tmp_path / "workspace", tmp_path / "outside"
    for folder in (root / "secret", root / "gehéim", root / "src" / "deep", outside):
        folder.mkdir(parents=True)
        (folder / "key").write_text(HIDDEN if folder.name in ("secret", "gehéim") else "open")
    (outside / "key").write_text(BESIDE)
    (root / "a.txt").write_text("open")
    for name, target in LINKS.items():
        (root / name).symlink_to(target.format(root=root, outside=outside))
    return root


LINKS = {
    "file": "secret/key",
    "absolute": "{root}/secret/key",
    "folder": "secret",
    "chain": "folder",
    "chain2": "chain",
    "up": "..",
    "out": "../outside",
    "out_file": "../outside/key",
    "src/back": "../secret",
    "src/deep/far": "../../chain2",
    "around": "../workspace/secret",
    "slash": "/",
    "self": "/proc/self/cwd",
}
PATHS = (
    "secret/key", "./secret/key", "secret//key", "secret/./key", "src/../secret/key", "src/deep/../../secret/key",
    "{root}/secret/key", "../workspace/secret/key", "a.txt/../secret/key", "file", "absolute", "folder/key",
    "chain/key",
    "chain2/key", "src/back/key", "src/deep/far/key", "around/key", "folder/../secret/key", "up/workspace/secret/key",
    "out/key", "out_file", "up/outside/key", "slash{outside}/key", "slash{root}/secret/key", "../outside/key",
    "{outside}/key", "src/../../outside/key", "out/../outside/key", "folder/../../outside/key",
    "SECRET/KEY", "Secret/key", "SECRET/../secret/key", "/proc/self/cwd/secret/key", "/proc/self/root{root}/secret/key",
    "/proc/self/root{outside}/key", "/proc/thread-self/cwd/secret/key", "self/secret/key", "/dev/fd/../cwd/secret/key",
    "~/../../../../../../../../{outside}/key", "gehéim/key", "gehe\u0301im/key", "GEHÉIM/key", "secret/key/", "secret",
    "secret\u200b/key", "ｓecret/key", "secret/key\0", "file:///{root}/secret/key", "folder", "chain2", "out", "slash",
)  # fmt: skip


def spelled(path: str, root: Path) -> str:
    return path.format(root=root, outside=root.parent / "outside")


async def shown(app: App, tool: str, arguments: dict[str, object]) -> str:
    reply = await call(app, tool, arguments)
    return reply.text if isinstance(reply, ToolResult) else ""


@pytest.mark.parametrize("allowed", [FILES, EVERYTHING], ids=["files", "everything"])
async def test_no_spelling_reads_what_is_denied_or_lies_outside(workspace: Path, allowed: tuple[str, ...]) -> None:
    """A rule that allows every command lets commands read beside the workspace, never what is denied."""
    write_settings(settings(allowed))
    async with open_app(options(workspace)) as app:
        assert await shown(app, "read_file", {"path": "a.txt"}), "reading works"
        for path in PATHS:
            text = spelled(path, workspace)
            for tool, arguments in (
                ("read_file", {"path": text}),
                ("search_code", {"query": "hidden-|content-", "path": text}),
                ("run_command", {"command": f"cat '{text}'".replace("\0", "")}),
                ("run_command", {"command": "cat key", "cwd": text}),
                ("run_command", {"command": f"cd '{text}' && cat key".replace("\0", "")}),
            ):
                told = await shown(app, tool, arguments)
                assert HIDDEN not in told, (tool, text)
                assert BESIDE not in told or (tool == "run_command" and allowed is EVERYTHING), (tool, text)
            assert "key" not in await _names(app, text), text
        assert HIDDEN not in await shown(app, "search_code", {"query": "content"})


@pytest.mark.parametrize("line", [
    "cat $(echo secret/key)",
    "cat /proc/self/cwd/secret/key",
    "cat self/secret/key",
    "cat s*t/key",
    "cat s?cret/k[e]y",
    "cd src && cat ../s*/key",
    "for f in */key; do cat $f; done",
    "cat < $(echo secret/key)",
    "head -c 100 s\\ecret/key",
    "cat {secret,src}/key",
    "tar -cf - secret | cat",
    "find . -name key -exec cat {} +",
    "ls | while read f; do cat $f/key; done",
    "ls */key | xargs cat",
    "cp -r secret copy; cat copy/key",
    "ln -s secret other; cat other/key",
    "git diff --no-index /dev/null secret/key",
])  # fmt: skip
async def test_a_rule_for_every_command_opens_no_path_that_another_rule_closes(workspace: Path, line: str) -> None:
    async with open_app(options(workspace)) as app:
        assert HIDDEN not in await shown(app, "run_command", {"command": line})


async def _names(app: App, path: str) -> str:
    """What a listing of the path tells beyond the question itself."""
    reply = await call(app, "find_files", {"pattern": "**/*", "path": path})
    if isinstance(reply, Question) or reply.is_error:
        return ""
    return "\n".join(line for line in reply.text.splitlines() if not line.startswith(("src/key", "src/deep/key", "No")))


async def test_no_spelling_writes_what_is_denied_or_lies_outside(workspace: Path) -> None:
    write_settings(settings(FILES))
    before = _contents(workspace)
    async with open_app(options(workspace)) as app:
        for path in PATHS:
            text = spelled(path, workspace)
            await call(app, "write_file", {"path": text, "content": "overwritten"})
            await call(app, "edit_file", {"path": text, "old": "content", "new": "edited"})
            await call(app, "write_file", {"path": f"{text}/new", "content": "made"})
            await call(app, "run_command", {"command": f"echo overwritten > '{text}'".replace("\0", "")})
    after = _contents(workspace)
    assert {path: text for path, text in before.items() if after.get(path) != text} == {}
    made = {path for path in after if path not in before}
    assert not any(part in path for path in made for part in ("outside", "secret/", "gehéim/"))


def _contents(workspace: Path) -> dict[str, str]:
    folders = (workspace / "secret", workspace / unicodedata.normalize("NFC", "gehéim"), workspace.parent / "outside")
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files}


async def test_a_hard_link_is_not_made_to_what_is_denied_and_writing_one_leaves_the_other_alone(
    workspace: Path,
) -> None:
    outside = workspace.parent / "outside" / "key"
    os.link(outside, workspace / "twin")
    async with open_app(options(workspace)) as app:
        for line in ("ln secret/key open", "cp -l secret/key open", "link secret/key open"):
            await call(app, "run_command", {"command": line})
            assert not (workspace / "open").exists(), line
        await result(app, "read_file", {"path": "twin"})
        written = await result(app, "write_file", {"path": "twin", "content": "new"})
        assert not written.is_error, written.text
    assert (workspace / "twin").read_text() == "new"
    assert outside.read_text() == BESIDE


@pytest.mark.parametrize("line", [
    "mount --bind secret open && cat open/key",
    "unshare -rm sh -c 'mount --bind secret src; cat src/key'",
    "bwrap --dev-bind / / --bind secret src cat src/key",
    "chroot . cat /secret/key",
    "nsenter -t 1 -m cat secret/key",
])  # fmt: skip
async def test_no_mount_opens_what_is_denied(workspace: Path, line: str) -> None:
    async with open_app(options(workspace)) as app:
        assert HIDDEN not in await shown(app, "run_command", {"command": line})


MOUNTED = """
import subprocess, sys, anyio, pathlib
from tests.security.house import call, options
from mewcode.app.house import open_app
root = pathlib.Path(sys.argv[1])
subprocess.run(["mount", "--bind", str(root.parent / "outside"), str(root / "src")], check=True)
async def main():
    async with open_app(options(root)) as app:
        print((await call(app, "read_file", {"path": "src/key"})).text)
        print(getattr(await call(app, "read_file", {"path": "src/../../outside/key"}), "text", ""))
        print(getattr(await call(app, "read_file", {"path": "src/../secret/key"}), "text", ""))
anyio.run(main)
"""


def test_what_is_mounted_beneath_the_workspace_belongs_to_it_and_opens_nothing_else(workspace: Path) -> None:
    """Whoever mounts it has decided so; `..` out of the mount is still the workspace's."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("no user namespaces are permitted here")
    ran = subprocess.run(
        ["unshare", "-rm", sys.executable, "-c", MOUNTED, str(workspace)],
        capture_output=True, text=True, timeout=WITHIN, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count(BESIDE) == 1
    assert HIDDEN not in ran.stdout


@contextmanager
def swapping(swap: Callable[[], None]) -> Iterator[None]:
    """Somebody swaps a place back and forth meanwhile."""
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            swap()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


async def test_a_place_that_turns_into_a_link_meanwhile_never_leads_out(workspace: Path) -> None:
    place, real, link = workspace / "place", workspace / "real", workspace / "link"
    real.mkdir()
    (real / "key").write_text("open")
    link.symlink_to(workspace.parent / "outside")
    real.rename(place)

    def swap() -> None:
        with suppress(OSError):  # a write meanwhile may have made the place anew
            place.rename(real)
            link.rename(place)
            place.rename(link)
            real.rename(place)
        if real.exists() and place.is_dir() and not place.is_symlink():
            shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):
            real.rename(place)

    async with open_app(options(workspace)) as app:
        with swapping(swap):
            for number in range(60):
                assert BESIDE not in await shown(app, "read_file", {"path": "place/key", "offset": number % 3 + 1})
                assert BESIDE not in await shown(app, "search_code", {"query": f"content|{number}", "path": "place"})
                await call(app, "write_file", {"path": f"place/new{number}", "content": "x"})
    assert sorted(path.name for path in (workspace.parent / "outside").iterdir()) == ["key"]
