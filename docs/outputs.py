"""Writes the outputs that the pages show, from real runs: `python docs/outputs.py [PAGE...]`.

Below `<!-- output of: COMMAND -->` stands a block that holds what COMMAND prints. The commands of a page run one after
the other in a home and a workspace of their own, after those of `<!-- first: COMMAND -->`. What differs from run to run
(paths, times, ids of processes) is written as below. `tests/house/test_outputs.py` holds the pages against this.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import mewcode

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "README.zh-CN.md", "docs/audit.md", "docs/mcp.md", "docs/rules.md")
PATIENCE = 120
STEP = re.compile(
    r"<!-- (?P<kind>first|output of): (?P<command>.+?) -->\n(?:```text\n.*?^```\n)?", re.DOTALL | re.MULTILINE
)
STABLE = (
    (r"\(pid \d+\)", "(pid 4321)"),
    (r"[ \d]{3}\.\d\d s  ", "  0.10 s  "),
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-12-01T09:30:00.000Z"),
    (r"\t\d+\.\d+\t", "\t1.234\t"),
    (r"mcp-time [\d.]+|time (?:unknown|[\d.]+)$", "time 1.0.0"),
)


def page_with_outputs(page: Path) -> str:
    """The page's text, its blocks as the program writes them now."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        workspace = place / "shop"
        workspace.mkdir()
        environment = _environment(place)

        def shown(found: re.Match[str]) -> str:
            command = found["command"]
            said = _run(command, workspace, environment)
            mark = f"<!-- {found['kind']}: {command} -->\n"
            return mark if found["kind"] == "first" else f"{mark}```text\n$ {command}\n{_stable(said, place)}\n```\n"

        return STEP.sub(shown, page.read_text("utf-8"))


def _environment(place: Path) -> dict[str, str]:
    programs = place / "programs"
    programs.mkdir()
    server = ROOT / "tests" / "house" / "time_server.py"
    for name, line in {"mewcode": "-m mewcode", "uvx": f'"{server}"'}.items():
        begin = '#!/bin/sh\n[ "$1" = mcp-server-time ] && shift\n'
        (programs / name).write_text(f'{begin}exec "{sys.executable}" {line} "$@"\n')
        (programs / name).chmod(0o755)
    return {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(place),
        "USER": "anna",
        "MEWCODE_MANAGED_CONFIG": "",
        "MEWCODE_LANG": "en",
    }


def _run(command: str, workspace: Path, environment: dict[str, str]) -> str:
    ended = subprocess.run(
        ["bash", "-c", f"{command} 2>&1"],
        cwd=workspace,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return ended.stdout.rstrip("\n")


def _stable(text: str, place: Path) -> str:
    text = text.replace(str(Path(mewcode.__file__).parent), "…/mewcode").replace(str(place), "~")
    for pattern, written in STABLE:
        text = re.sub(pattern, written, text, flags=re.MULTILINE)
    return "\n".join(line.rstrip() for line in text.expandtabs(2).splitlines())


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        page = ROOT / name
        page.write_text(page_with_outputs(page), encoding="utf-8")
