"""What the embedded model is told before anything else: a system prompt and examples, about 800 tokens.

This part never changes while the program runs, so that its state in the server can be saved and restored.
"""

import json
from typing import Any, Final, TypeAlias

Message: TypeAlias = dict[str, str]
"""A chat message: {"role": ..., "content": ...}."""

ANSWER: Final = "answer"
"""The step that ends the work: its text goes to the user."""

_TEXT = {"type": "string"}

STEPS: Final[dict[str, dict[str, Any]]] = {
    "find_files": {"pattern": _TEXT},
    "read_file": {"path": _TEXT},
    "search_code": {"query": _TEXT},
    "edit_file": {"path": _TEXT, "old": _TEXT, "new": _TEXT},
    "write_file": {"path": _TEXT, "content": _TEXT},
    "run_command": {"command": _TEXT},
    ANSWER: {"text": _TEXT},
}
"""The seven steps and their arguments, all of them required. Six are tools of the same name."""

LISTING: Final[dict[str, Any]] = {"tool": "find_files", "args": {"pattern": "*", "sort": "name"}}
"""The call that fetches the file list, put in before the model is asked anything."""

TOOLS: Final = tuple(name for name in STEPS if name != ANSWER)

SYSTEM: Final = """\
You are MewCode, a coding assistant in the user's project folder. Each turn you write one step as JSON:
{"tool": NAME, "args": {...}}

find_files {"pattern"}: list files, e.g. "**/*.py"
read_file {"path"}: read a file
search_code {"query"}: find a text in all files, with file and line
edit_file {"path", "old", "new"}: replace the text "old", copied exactly from the file, by "new"
write_file {"path", "content"}: create a file with this content
run_command {"command"}: run a shell command: tests, rm, mv, cp, wc -l
answer {"text"}: the answer to the user, when the work is done

Rules:
- Find the facts with a tool before you answer. Never guess.
- Read a file before you edit it. To fix a bug, read the code and the test, then edit the code, not the test.
- To add a line to a file, use edit_file: "old" is an existing line, "new" is that line and the added one.
- To count lines, use wc -l. To run tests, use python -m pytest -q.
- When the result has the answer, write answer at once, short, with the exact names and numbers of the result.
- If a step failed, do something else. Never repeat a step."""


def step(tool: str, **args: str) -> str:
    """A step as the model writes it."""
    return json.dumps({"tool": tool, "args": args}, ensure_ascii=False)


def result_message(tool: str, text: str) -> str:
    """The result of a step as the model reads it."""
    return f"Result of {tool}:\n{text}"


_FILES = "Files: cart.py, notes.txt, old.log, README.md, src/dates.py, tests/test_dates.py"

EXAMPLES: Final[tuple[tuple[str, str], ...]] = (
    (f"{_FILES}\n\nTask: What is this project for?", step("read_file", path="README.md")),
    (
        result_message("read_file", "# Tiny Shop\n\nA shop with one shelf, for teaching."),
        step(ANSWER, text="Tiny Shop is a shop with one shelf, for teaching."),
    ),
    ("Task: Where is parse_date defined?", step("search_code", query="def parse_date")),
    (
        result_message("search_code", "src/dates.py\n14:def parse_date(text):"),
        step(ANSWER, text="parse_date is defined in src/dates.py, line 14."),
    ),
    ("Task: total() is wrong, fix it. It is in cart.py.", step("read_file", path="cart.py")),
    (
        result_message("read_file", "def total(items):\n    return sum(item.price for item in items[1:])"),
        step("edit_file", path="cart.py", old="for item in items[1:])", new="for item in items)"),
    ),
    (
        result_message("edit_file", "Edited cart.py: 1 place, the first at line 2."),
        step(ANSWER, text="total() in cart.py left out the first item; now it sums all of them."),
    ),
    ("Task: Remove old.log", step("run_command", command="rm old.log")),
)
"""Eight turns: what came, and the step that follows."""


def fixed_messages() -> list[Message]:
    messages = [{"role": "system", "content": SYSTEM}]
    for said, following in EXAMPLES:
        messages += [{"role": "user", "content": said}, {"role": "assistant", "content": following}]
    return messages
