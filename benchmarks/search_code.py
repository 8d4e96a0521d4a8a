"""search_code against plain `rg` on a large tree: the ratio, and the constant on top of it.

    python benchmarks/search_code.py [DIRECTORY] [--rounds N]

DIRECTORY defaults to the installed packages of the Python that runs this. Each round runs, in turn, `rg PATTERN` as a
person would (no limit, output discarded), and the tool; the figure is the median. The constant is what the tool needs
in an empty directory beyond `rg` there. Goal: tool <= 1.2 * rg + 30 ms.
"""

import argparse
import statistics
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio

from mewcode.calls import Principal, Scope, ToolCall
from mewcode.tools import Tool
from mewcode.tools.builtin import BuiltinSettings, builtin_tools
from mewcode.workspace.ripgrep import find_ripgrep

PATTERNS = ("def __init__", "class \\w+Error", "import", "no such text anywhere 12345", "TODO|FIXME")


def plain(program: str, folder: Path, pattern: str) -> float:
    began = time.perf_counter()
    arguments = [program, "--no-config", "--hidden", "--line-number", "--glob=!.git", "-e", pattern, "."]
    subprocess.run(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - began


async def tool(search: Tool, folder: Path, pattern: str) -> float:
    call = ToolCall("search_code", {"query": pattern}, "bench", Principal("bench"), scope=Scope((folder,)))
    began = time.perf_counter()
    result = await search.execute(call)
    assert result.error is None, result.text
    return time.perf_counter() - began


async def medians(rounds: int, one: Callable[[], float], other: Callable[[], Awaitable[float]]) -> tuple[float, float]:
    """Both in turn, so that a busy machine disturbs them alike; the first round only warms up."""
    ones, others = [], []
    for number in range(rounds + 1):
        first, second = one(), await other()
        if number:
            ones.append(first)
            others.append(second)
    return statistics.median(ones), statistics.median(others)


async def main(folder: Path, rounds: int) -> None:
    program = find_ripgrep()
    assert program is not None, "ripgrep is not installed"
    settings = BuiltinSettings(outputs=Path(tempfile.gettempdir()), search_deadline=120)
    search = next(tool for tool in builtin_tools(settings) if tool.name == "search_code")
    with tempfile.TemporaryDirectory() as name:
        empty = Path(name).resolve()
        alone, ours = await medians(rounds, partial(plain, program, empty, "x"), partial(tool, search, empty, "x"))
    print(
        f"empty directory: rg {alone * 1000:.1f} ms, tool {ours * 1000:.1f} ms, constant {(ours - alone) * 1000:.1f} ms"
    )
    print(f"{folder}")
    for pattern in PATTERNS:
        alone, ours = await medians(
            rounds,
            partial(plain, program, folder, pattern),
            partial(tool, search, folder, pattern),
        )
        over = (ours - 1.2 * alone) * 1000
        ratio, verdict = ours / alone, "meets the goal" if over < 30 else "misses the goal"
        print(f"{pattern!r}: rg {alone * 1000:.0f} ms, tool {ours * 1000:.0f} ms, ratio {ratio:.2f}, {verdict}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", default=sysconfig.get_path("purelib"), type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    anyio.run(main, options.directory.resolve(), options.rounds)
