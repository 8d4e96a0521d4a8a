"""Twelve small tasks for the embedded model, each in a fresh little repository, through the real `mewcode run`.

    python benchmarks/local_tasks.py [--model local:qwen2.5-coder-1.5b] [--only NAME ...] [--json FILE]

Each task has a check on the files or on the facts in the answer. Prints one line a task and the sum; goal: 8 of 12.
Everything that the embedded profile asks about is allowed, since nobody is there to answer.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

DEADLINE = 900

README = """# Weather Kite

Weather Kite is a small library that reads station files and tells the mean temperature.

## Use

    from kite import mean_temperature
"""
STATIONS = '''"""Reads station files."""

import json


def load_stations(path):
    with open(path) as file:
        return json.load(file)


def station_names(stations):
    # TODO: sort by country
    return [station["name"] for station in stations]
'''
MEAN = '''"""Temperatures."""


def mean_temperature(values):
    return sum(values) / len(values)


def to_fahrenheit(celsius):
    return celsius * 9 / 5 + 32
'''
TEST = """from kite.mean import mean_temperature, to_fahrenheit


def test_mean():
    assert mean_temperature([1, 2, 3]) == 2


def test_fahrenheit():
    assert to_fahrenheit(100) == 212
"""


def make_repository(folder: Path) -> None:
    files = {
        "README.md": README,
        "kite/__init__.py": "from kite.mean import mean_temperature\n",
        "kite/stations.py": STATIONS,
        "kite/mean.py": MEAN,
        "tests/test_mean.py": TEST,
        "settings.json": '{\n  "host": "localhost",\n  "port": 8080,\n  "debug": false\n}\n',
        "notes.txt": "".join(f"note number {number}\n" for number in range(1, 18)),
        "requirements.txt": "requests\nrich\n",
        "old_report.log": "nothing of use\n",
        "conftest.py": "",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for arguments in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *arguments], cwd=folder, check=True)


def break_mean(folder: Path) -> None:
    file = folder / "kite/mean.py"
    file.write_text(file.read_text().replace("/ len(values)", "/ (len(values) + 1)"))


def break_fahrenheit(folder: Path) -> None:
    file = folder / "kite/mean.py"
    file.write_text(file.read_text().replace("+ 32", "+ 23"))


@dataclass(frozen=True)
class Task:
    name: str
    prompt: str
    check: Callable[[Path, str], bool]
    prepare: Callable[[Path], None] = lambda folder: None


def says(*patterns: str) -> Callable[[Path, str], bool]:
    return lambda folder, answer: all(re.search(pattern, answer, re.IGNORECASE) for pattern in patterns)


def tests_pass(folder: Path, answer: str) -> bool:
    intact = (folder / "tests/test_mean.py").read_text() == TEST
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return intact and subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def created_script(folder: Path, answer: str) -> bool:
    file = folder / "hello.py"
    if not file.is_file():
        return False
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=30, check=False)
    return "hello" in done.stdout.lower()


def port_changed(folder: Path, answer: str) -> bool:
    try:
        return json.loads((folder / "settings.json").read_text()) == {"host": "localhost", "port": 9090, "debug": False}
    except ValueError:
        return False


TASKS = (
    Task("readme", "What does the README call this project?", says("weather kite")),
    Task("definition", "In which file is the function load_stations defined?", says(r"stations\.py")),
    Task("failing-test", "Run the tests and tell me which test fails.", says("test_mean"), break_mean),
    Task(
        "add-line",
        "Add the line httpx to requirements.txt.",
        lambda folder, answer: (folder / "requirements.txt").read_text().split() == ["requests", "rich", "httpx"],
    ),
    Task("list-python", "List the Python files of this project.", says(r"stations\.py", r"mean\.py", r"test_mean\.py")),
    Task("create-script", "Create a script hello.py that prints hello.", created_script),
    Task("change-port", "Change the port in settings.json to 9090.", port_changed),
    Task(
        "delete-file",
        "Delete the file old_report.log.",
        lambda folder, answer: not (folder / "old_report.log").exists() and (folder / "notes.txt").exists(),
    ),
    Task("todo", "Which file mentions TODO?", says(r"stations\.py")),
    Task("count-lines", "How many lines does notes.txt have?", says(r"\b17\b")),
    Task("fix-bug", "to_fahrenheit in kite/mean.py is wrong: it should add 32. Fix it.", tests_pass, break_fahrenheit),
    Task("make-test-pass", "A test fails. Make it pass.", tests_pass, break_mean),
)

ALLOW = ("read_file(*)", "search_code(*)", "find_files(*)", "write_file(*)", "edit_file(*)", "run_command(*)")


@dataclass(frozen=True)
class Outcome:
    name: str
    right: bool
    seconds: float
    exit_code: int
    answer: str
    calls: list[str]


def run_task(task: Task, model: str, home: Path) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_repository(folder)
        task.prepare(folder)
        allow = [word for rule in ALLOW for word in ("--allow", rule)]
        confirm = ["--confirm", "run_command(*)"]
        command = [sys.executable, "-m", "mewcode", "run", task.prompt, "--model", model, "--output", "stream-json"]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environ = {**os.environ, "MEWCODE_HOME": str(home), "PATH": path}
        begun = time.monotonic()
        try:
            done = subprocess.run(
                [*command, *allow, *confirm],
                cwd=folder,
                env=environ,
                capture_output=True,
                text=True,
                timeout=DEADLINE,
                check=False,
            )
            code, output, errors = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            code, output, errors = -1, "", "deadline"
        seconds = time.monotonic() - begun
        events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        result = next((event for event in events if event.get("type") == "result"), {})
        answer = str(result.get("text") or "")
        calls = [
            json.dumps({key: event.get(key) for key in ("tool", "name", "arguments") if event.get(key)})
            for event in events
            if event.get("type") == "tool_call"
        ]
        return Outcome(task.name, task.check(folder, answer), seconds, code, answer or errors[-300:], calls)


def main() -> None:
    parser = argparse.ArgumentParser(prog="local_tasks")
    parser.add_argument("--model", default="local:qwen2.5-coder-1.5b")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--home", type=Path, help="A MEWCODE_HOME with the weights in it.")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--calls", action="store_true", help="Show each task's tool calls.")
    options = parser.parse_args()
    home = options.home or Path(tempfile.mkdtemp(prefix="mewcode-home-"))
    outcomes: list[Outcome] = []
    for task in TASKS:
        if options.only and task.name not in options.only:
            continue
        outcome = run_task(task, options.model, home)
        outcomes.append(outcome)
        mark = "right" if outcome.right else "WRONG"
        print(
            f"{mark}  {outcome.name:15} {outcome.seconds:6.1f} s  {' '.join(outcome.answer.split())[:110]}", flush=True
        )
        if options.calls:
            print("".join(f"         {call[:200]}\n" for call in outcome.calls), end="", flush=True)
    right = sum(outcome.right for outcome in outcomes)
    mean = sum(outcome.seconds for outcome in outcomes) / max(len(outcomes), 1)
    print(f"{right} of {len(outcomes)} right, {mean:.1f} s a task, {options.model}")
    if options.json:
        options.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1))


if __name__ == "__main__":
    main()
