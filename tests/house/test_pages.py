"""The documents hold: commands on the pages run, programs on them work, settings on them load."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.endpoint import Turn, serve
from tests.mcp.running import FAULT_SERVER

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PATIENCE = 120


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks that are said to be of a language."""
    fenced = re.findall(r"^```([^\n]*)\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [block for said, block in fenced if said == language]


@pytest.fixture
def shell(tmp_path: Path) -> "Shell":
    return Shell(tmp_path)


class Shell:
    """A stranger's terminal: `mewcode` and `python` on the PATH; launchers of servers start one that behaves."""

    def __init__(self, folder: Path) -> None:
        self.home = Path(os.environ["MEWCODE_HOME"])
        self.home.mkdir(parents=True, exist_ok=True)
        self.work = folder / "work"
        self.work.mkdir()
        programs = folder / "programs"
        programs.mkdir()
        server = f'exec "{sys.executable}" "{FAULT_SERVER}" ok'
        time = f'exec "{sys.executable}" "{Path(__file__).with_name("time_server.py")}"'
        lines = {"mewcode": f'exec "{sys.executable}" -m mewcode "$@"', "python": f'exec "{sys.executable}" "$@"'}
        for name, line in {**lines, "uvx": time, "npx": server}.items():
            (programs / name).write_text(f"#!/bin/sh\n{line}\n")
            (programs / name).chmod(0o755)
        self._environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "BASE": "main"}

    def settings(self, text: str) -> None:
        (self.home / "config.yaml").write_text(text)

    def __call__(self, line: str, code: int = 0) -> str:
        """What a line writes to standard output."""
        ended = subprocess.run(
            ["bash", "-e", "-c", line],
            cwd=self.work,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert ended.returncode == code, (line, ended.stdout, ended.stderr)
        return ended.stdout + (ended.stderr if code else "")

    def know(self, name: str, value: str) -> None:
        self._environment[name] = value

    def git(self) -> None:
        self("git init -q -b main . && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m one")
        self("git update-ref refs/remotes/origin/main HEAD")


def recipes() -> Iterator[tuple[str, str, str]]:
    parts = (DOCS / "rules-cookbook.md").read_text("utf-8").split("\n## ")[1:]
    for part in parts:
        [rules] = re.findall(r"```yaml\n(.*?)```", part, re.DOTALL)
        [expected] = re.findall(r"```yaml expect\n(.*?)```", part, re.DOTALL)
        yield part.splitlines()[0], rules, expected


@pytest.mark.parametrize(("title", "rules", "expected"), list(recipes()), ids=lambda text: text[:20])
def test_a_recipe_for_rules_does_what_the_page_says(shell: Shell, title: str, rules: str, expected: str) -> None:
    shell.settings(f"sandbox: 'off'\nmcp_servers: {{github: {{command: npx}}}}\n{rules}")
    for folder in ("customers", "migrations", "src", "tests"):
        (shell.work / folder).mkdir()
    (shell.work / "table.yaml").write_text(expected)
    shell("mewcode config check && mewcode policy check")
    shell("mewcode policy test table.yaml")


def test_the_server_on_the_page_works_as_the_page_says(shell: Shell) -> None:
    page = DOCS / "writing-a-server.md"
    [program] = blocks(page, "python")
    (shell.work / "shelf.py").write_text(program)
    [commands] = blocks(page, "sh")
    made, added, tested, wrote, found, sought = commands.strip().splitlines()
    shell(made)
    shell(added)
    assert "search_notes, add_note" in shell(tested)
    assert "added release-day" in shell(wrote)
    assert "release-day" in shell(found)
    assert "mcp_shelf_search_notes" in shell(sought).splitlines()[0]
    assert "choose another name" in shell(wrote, code=1)
    [settings] = blocks(page, "yaml")
    (shell.work / ".mewcode.yaml").write_text(settings)
    shell("mewcode config check")


def test_the_workflow_on_the_page_runs(shell: Shell) -> None:
    [workflow] = blocks(DOCS / "ci.md", "yaml")
    steps = yaml.safe_load(workflow)["jobs"]["review"]["steps"]
    [step] = [step for step in steps if step.get("name") == "review"]
    shell.git()
    with serve([Turn("nothing is wrong")]) as endpoint:
        shell.settings(scripted(endpoint.url))
        shell(step["run"])
    assert (
        '"status": "done"' in (shell.work / "review.json").read_text()
        or "done" in (shell.work / "review.json").read_text()
    )
    exported = re.findall(r"`(mewcode audit export [^`]+)`", (DOCS / "ci.md").read_text("utf-8"))
    shell(exported[0])


def scripted(url: str) -> str:
    return (
        f"model: scripted:m\nproviders:\n  scripted: {{type: openai, base_url: '{url}', api_key: k}}\nsandbox: 'off'\n"
    )


READMES = ("README.md", "README.zh-CN.md")


@pytest.mark.parametrize("name", READMES)
def test_the_commands_of_the_readme_run(shell: Shell, name: str) -> None:
    lines = [line for block in blocks(ROOT / name, "") for line in block.splitlines()]
    commands = [
        line for line in lines if line.startswith(("mewcode mcp", "mewcode tools", "mewcode policy", "mewcode audit"))
    ]
    asked = [line for line in lines if line.startswith("mewcode run")]
    assert len(commands) == 6 and len(asked) == 2
    with serve([Turn("it is noon")] * 2) as endpoint:
        shell.settings(scripted(endpoint.url))
        for line in commands + asked:
            shell(line)
    with_settings = blocks(ROOT / name, "yaml")[0]
    (shell.work / ".mewcode.yaml").write_text(with_settings)
    shell("mewcode config check")


FILLED = {
    "1234": "$CALL",
    "jsonl|csv|cef": "csv",
    "FILE": "out.txt",
    "[--here] [--json]": "--here --json",
    "markdown|html|json [--output out.txt]": "html --output out.txt",
    "ID... [--yes]": "$SESSION --yes",
    "ID": "$SESSION",
    "NAME": "files",
}
"""What the pages leave open."""
OTHERWISE = {"mewcode mcp login files": 2}
"""What cannot work here, with its exit code: a server over stdio has no login."""
ELSEWHERE = {"mewcode model test"}
"""Left to the tests of the embedded model: it loads a gigabyte where the weights are installed."""
PREPARED = {
    "audit.md": ['mewcode tools call find_files --args \'{"pattern": "*"}\''],
    "headless.md": ["mewcode run hello", "echo change > change.txt"],
    "mcp.md": ["mkdir data"],
    "models.md": [],
    "tool-search.md": [
        """echo '{"server": "s", "name": "create_issue", "description": "Creates one."}' > tools.jsonl""",
        """echo '{"id": 1, "query": "issue"}' > queries.jsonl""",
    ],
}
"""What a page takes for granted."""


def commands_of(page: Path) -> list[str]:
    """Lines in a shell's block or indented by four blanks, without what explains them."""
    lines = [line for language in ("sh", "") for block in blocks(page, language) for line in block.splitlines()]
    lines += [line[4:] for line in page.read_text("utf-8").splitlines() if line.startswith("    ")]
    return [re.split(r"\s{3,}| +#", line)[0].strip() for line in lines if line.startswith(("mewcode ", "git diff "))]


@pytest.mark.parametrize("page", PREPARED)
def test_the_commands_of_a_page_run(shell: Shell, page: str) -> None:
    commands = commands_of(DOCS / page)
    assert commands
    shell.git()
    with serve([Turn("an answer")] * 8) as endpoint:
        shell.settings(scripted(endpoint.url))
        for line in PREPARED[page]:
            shell(line)
        shell.know("DATABASE_URL", "x")
        shell.know("SESSION", next((file.stem for file in (shell.home / "sessions").glob("*.jsonl")), ""))
        if page == "audit.md":
            shell.know("CALL", str(json.loads(shell("mewcode audit list --json"))[0]["seq"]))
        for line in (line for line in commands if line not in ELSEWHERE):
            for word, value in FILLED.items():
                line = line.replace(word, value)
            shell(line, code=OTHERWISE.get(line, 0))
