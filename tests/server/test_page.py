"""docs/serve.md: every command on the page is run, in its order, and every setting on it is loaded."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.mcp.running import fault
from tests.server.clients import PATIENCE, environment, http, serving, settings, text_of

from mcp import Client, StdioServerParameters, stdio_client
from mewcode.app.loading import load_for
from mewcode.app.options import AppOptions
from mewcode.calls import Door
from mewcode.config import Paths
from mewcode.mcp.principals import principal_rules

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


class Shell:
    """Runs lines of the page as a person would, with `mewcode` on the PATH and a `claude` that only notes its words.

    `run` are the lines that were run.
    """

    def __init__(self, folder: Path, workspace: Path) -> None:
        self.run: list[str] = []
        self._workspace = workspace
        programs = folder / "programs"
        programs.mkdir()
        self._noted = folder / "noted"
        self._write(programs / "mewcode", f'exec "{sys.executable}" -m mewcode "$@"')
        self._write(programs / "claude", f'printf "%s\\n" "$@" > "{self._noted}"')
        self.environment = {**environment(), "PATH": f"{programs}:{os.environ['PATH']}"}

    def __call__(self, line: str, *, instead: Mapping[str, str] | None = None, code: int = 0) -> str:
        """What a line writes to standard output. `instead` fills in what the page leaves open."""
        self.run.append(line)
        filled = line
        for word, value in (instead or {}).items():
            filled = filled.replace(word, value)
        ended = subprocess.run(
            ["sh", "-c", filled],
            cwd=self._workspace,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
        assert ended.returncode == code, (line, ended.stderr)
        return ended.stdout + (ended.stderr if code else "")

    def words_of_claude(self) -> list[str]:
        return self._noted.read_text().splitlines()

    @staticmethod
    def _write(program: Path, line: str) -> None:
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)


def lines(block: str) -> list[str]:
    return [line for line in block.splitlines() if line.strip()]


async def test_every_command_on_the_page_does_what_it_says(workspace: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path, workspace)
    over_stdio, tokens, serve, connect, end, approvals, gateway, login = map(lines, blocks("sh"))

    settings(blocks("yaml")[0])
    (workspace / "src").mkdir()
    (workspace / "src" / "a.py").write_text("one\n")

    shell(over_stdio[0])
    await works_over_stdio(shell.words_of_claude(), shell, workspace)

    made = [shell(line).strip() for line in tokens]
    alice, bob = made[0], made[1]
    assert alice.startswith("mew_")
    assert alice not in made[2]

    with served_by(serve[0], shell, workspace) as served:
        shell(connect[0], instead={"http://127.0.0.1:8080/mcp": served.url, "$TOKEN": alice})
        words = shell.words_of_claude()
        token = words[words.index("--header") + 1].removeprefix("Authorization: Bearer ")
        url = next(word for word in words if word.startswith("http:"))
        async with http(url, token) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["find_files", "read_file", "search_code"]

        async with http(served.url, bob) as client:
            ids = [await pending(client, text) for text in ("two", "three")]
            listed = shell(approvals[0])
            assert all(one in listed for one in ids)
            shell(f"{approvals[1]}", instead={"ID": f"{ids[0]} --as carol"})
            shell(f"{approvals[2]}", instead={"ID": f"{ids[1]} --as carol"})
            assert "not on a Friday" in text_of(await client.call_tool("edit_file", edit("three")))
            granted = await client.call_tool("edit_file", edit("two"))
            assert not granted.is_error, text_of(granted)
        assert (workspace / "src" / "a.py").read_text() == "two\n"

        assert "edit_file" in shell(end[0])
        shell(end[1])
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:
            answer = await requests.post(served.url, json={}, headers={"Authorization": f"Bearer {alice}"})
        assert answer.status_code == 401

    upstream = fault("notes", "ok")
    arguments = ", ".join(f"'{word}'" for word in upstream.command[1:])
    entry = f"mcp_servers: {{notes: {{command: {upstream.command[0]}, args: [{arguments}]}}}}\n"
    settings(
        blocks("yaml")[0].replace("tools: [read_file, search_code, find_files, edit", "tools: ['mcp_*', edit") + entry
    )
    with served_by(gateway[0], shell, workspace) as served:
        async with http(served.url, bob) as client:
            assert any(tool.name.startswith("mcp_notes_") for tool in (await client.list_tools()).tools)

    settings("mcp_servers: {tickets: {url: 'http://127.0.0.1:9/mcp', credentials: principal}}\n")
    assert "tickets" in shell(login[0] + " --no-browser", code=1)
    shell.run[-1] = login[0]

    assert sorted(shell.run) == sorted(line for block in blocks("sh") for line in lines(block))


def edit(text: str) -> dict[str, Any]:
    return {"path": "src/a.py", "old": "one", "new": text}


async def pending(client: Client, text: str) -> str:
    """The id of the approval that an edit waits for."""
    said = text_of(await client.call_tool("edit_file", edit(text)))
    found = re.search(r"approvals grant (\w+)", said)
    assert found is not None, said
    return found[1]


def served_by(line: str, shell: Shell, workspace: Path) -> Any:
    """The page's command with a free port instead of its own."""
    shell.run.append(line)
    words = shlex.split(line)
    assert words[:4] == ["mewcode", "serve", "--http", "127.0.0.1:8080"]
    return serving(workspace, *words[4:])


async def works_over_stdio(words: list[str], shell: Shell, workspace: Path) -> None:
    command = words[words.index("--") + 1 :]
    assert command == ["mewcode", "serve"]
    program = str(Path(shell.environment["PATH"].split(":")[0]) / command[0])
    parameters = StdioServerParameters(command=program, args=command[1:], env=shell.environment, cwd=workspace)
    with open(workspace.parent / "stdio.log", "a") as log:
        async with Client(stdio_client(parameters, errlog=log), read_timeout_seconds=PATIENCE) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == [
                "read_file",
                "run_command",
                "search_code",
            ]


@pytest.mark.parametrize("number", range(len(blocks("yaml"))))
def test_the_settings_on_the_page_are_valid(workspace: Path, number: int) -> None:
    text = blocks("yaml")[number]
    known = "" if "roles:\n" in text else "roles: {reader: {}, writer: {}}\n"
    settings(known + text)
    (Path(os.environ["MEWCODE_HOME"]) / "alice.token").write_text("secret-of-alice")
    options = AppOptions(Door.SERVE_HTTP, workspace, environ={**os.environ, "ALICE_TICKETS": "ticket-of-alice"})
    loaded = load_for(options, Paths.from_environment())
    assert loaded.problems == ()
    rules = principal_rules(loaded)
    if "credentials: principal" in text:
        assert rules.own["alice", "tickets"].headers == {"Authorization": "Bearer ticket-of-alice"}
        assert rules.own["alice", "notes"].env == {"NOTES_TOKEN": "secret-of-alice"}


def test_the_page_uses_no_option_that_is_not_there() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "mewcode", "serve", "--help"],
        env={**environment(), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout
    named = set(re.findall(r"`(--[a-z-]+)", PAGE)) - {"--as", "--transport", "--header"}
    assert named
    assert {option for option in named if option not in shown} == set()
