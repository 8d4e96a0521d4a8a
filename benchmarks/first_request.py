"""How soon the first request goes out, what a step of the loop costs, and how much memory a run takes.

    python benchmarks/first_request.py [--runs 5] [--importtime]

A scripted endpoint on 127.0.0.1 plays an OpenAI-compatible model. Each round measures, one after the other so that a
busy machine is as hard on each:

- bare: a fresh Python that imports pydantic-ai's OpenAI classes and posts one request: what no Python program of this
  kind can undercut;
- mewcode: `mewcode run` from process start to the arrival of its first request;
- servers: the same `mewcode run` with a server of eighty tools (standard input and output) that an earlier run has made
  known, and that takes three seconds to answer for the first time;
- version: `mewcode --version`.

Then, within the same run of `mewcode`: the gap around a tool call, from the end of an answer with a read_file call to
the arrival of the next request (for the first step, which loads what calls need, and for the others), and the peak
resident memory. Reported are medians, the ratio mewcode / bare (goal 1.15), and what the server costs the first request
(goal 0.1 s).
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.endpoint import Call, ModelEndpoint, Recorded, Turn, serve

STEPS = 20
SLOW_START = 3
"""Seconds that the server of eighty tools takes before it reads anything."""
_BARE = """
from openai import AsyncOpenAI
from pydantic_ai.direct import model_request_stream
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
import urllib.request
urllib.request.urlopen(urllib.request.Request(
    "{url}/chat/completions", data=b'{{"model": "m", "messages": []}}', headers={{"content-type": "application/json"}}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--importtime", action="store_true", help="Print the slowest imports of one run.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        (workspace / "a.txt").write_text("one\n")
        if options.importtime:
            print(_import_times(workspace, Path(folder)))
            return
        rounds = [_round(workspace, Path(folder)) for _ in range(options.runs + 1)][1:]
    for name in rounds[0]:
        values = [each[name] for each in rounds]
        print(f"{name:28} median {statistics.median(values):8.3f}   best {min(values):8.3f}   n={len(values)}")
    ratios = [each["mewcode: first request, s"] / each["bare: first request, s"] for each in rounds]
    print(
        f"{'ratio mewcode / bare':28} median {statistics.median(ratios):8.3f}   best {min(ratios):8.3f}   (goal 1.15)"
    )
    later = [each["with 80 known tools, s"] - each["mewcode: first request, s"] for each in rounds]
    print(f"{'80 known tools cost, s':28} median {statistics.median(later):8.3f}   best {min(later):8.3f}   (goal 0.1)")


def _round(workspace: Path, folder: Path) -> dict[str, float]:
    with serve(_answer) as endpoint:
        environ = _environ(folder, endpoint)
        bare = _first_request([sys.executable, "-c", _BARE.format(url=endpoint.url)], workspace, environ, endpoint)
        endpoint.requests.clear()
        endpoint.answered = 0
        endpoint.ends.clear()
        command = [sys.executable, "-m", "mewcode", "run", "read a.txt"]
        first, peak = _measured(command, workspace, environ, endpoint)
        gaps = [request.time - end for end, request in zip(endpoint.ends, endpoint.requests[1:], strict=False)]
    served = _with_eighty_tools(workspace, folder)
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "mewcode", "--version"], check=True, capture_output=True, env=environ)
    return {
        "bare: first request, s": bare,
        "mewcode: first request, s": first,
        "with 80 known tools, s": served,
        "mewcode --version, s": time.monotonic() - started,
        "gap around the first call, ms": 1000 * gaps[0],
        "gap around further calls, ms": 1000 * statistics.median(gaps[1:]),
        "peak resident memory, MB": peak,
    }


def _with_eighty_tools(workspace: Path, folder: Path) -> float:
    """Seconds to the first request with a server of eighty tools that is known and slow to start."""
    with serve([Turn("done")]) as endpoint:
        environ = _environ(folder, endpoint, name="home-with-server")
        config = Path(environ["MEWCODE_HOME"], "config.yaml")
        script = f"sleep {SLOW_START}; exec {sys.executable} {Path(__file__).with_name('eighty_tools.py')}"
        config.write_text(f"{config.read_text()}mcp_servers:\n  eighty: {{command: sh, args: [-c, '{script}']}}\n")
        listing = [sys.executable, "-m", "mewcode", "mcp", "list"]
        if not Path(environ["MEWCODE_HOME"], "cache").exists():
            subprocess.run(listing, cwd=workspace, env=environ, capture_output=True, check=True)
        return _first_request([sys.executable, "-m", "mewcode", "run", "go"], workspace, environ, endpoint)


def _answer(request: Recorded) -> Turn:
    return (
        Turn(calls=[Call("read_file", {"path": "a.txt", "offset": request.index + 1})])
        if request.index < STEPS
        else Turn("done")
    )


def _environ(folder: Path, endpoint: ModelEndpoint, name: str = "home") -> dict[str, str]:
    home = folder / name
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(
        f"model: scripted:m\nproviders:\n  scripted: {{type: openai, base_url: '{endpoint.url}', api_key: k}}\n"
    )
    return {**os.environ, "MEWCODE_HOME": str(home)}


def _first_request(command: list[str], workspace: Path, environ: dict[str, str], endpoint: ModelEndpoint) -> float:
    started = time.monotonic()
    subprocess.run(command, cwd=workspace, env=environ, capture_output=True, check=True)
    return endpoint.requests[0].time - started


def _measured(
    command: list[str], workspace: Path, environ: dict[str, str], endpoint: ModelEndpoint
) -> tuple[float, float]:
    """Seconds to the first request, and megabytes of resident memory at most."""
    started = time.monotonic()
    process = subprocess.Popen(command, cwd=workspace, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.stdout.read() if process.stdout else b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the run failed: {output.decode()}")
    return endpoint.requests[0].time - started, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def _import_times(workspace: Path, folder: Path) -> str:
    with serve(_answer) as endpoint:
        command = [sys.executable, "-X", "importtime", "-m", "mewcode", "run", "go"]
        done = subprocess.run(
            command, cwd=workspace, env=_environ(folder, endpoint), capture_output=True, text=True, check=True
        )
    rows = re.findall(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)", done.stderr)
    slowest = sorted(((int(total), len(indent), name) for _, total, indent, name in rows), reverse=True)[:60]
    return "\n".join(f"{total / 1000:9.1f} ms  {name}" for total, _, name in slowest)


if __name__ == "__main__":
    main()
