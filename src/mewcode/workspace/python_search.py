"""A program that lists and searches files where there is no ripgrep. It imports nothing of MewCode.

Its one argument is a JSON request, its working directory is what it searches; it prints a JSON object a line:
{"do": "list", "names"}: {"path"}; {"do": "count", "names", "text", "literal"}: {"path", "lines"}, where `names` is an
expression for paths or null;
{"do": "lines", "text", "literal", "context", "limit", "files": [[name, path to open]]}: {"path", "number", "text",
"matched"}.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pathspec import PathSpec
from pathspec.pattern import Pattern

_IGNORE_FILES = (".gitignore", ".ignore", ".rgignore")
_COLUMNS = 500


def main(request: dict[str, Any]) -> int:
    """Answers one request; exit status 2 and a line on standard error for an expression that makes no sense."""
    try:
        matcher = _matcher(request)
    except re.error as error:
        sys.stderr.write(f"the expression is wrong: {error}")
        return 2
    names = request.get("names")
    if request["do"] == "list":
        for path in _files(names):
            _answer({"path": path})
    elif request["do"] == "count":
        for path in _files(names):
            count = sum(1 for line in _read(path) if matcher.search(line))
            if count:
                _answer({"path": path, "lines": count})
    else:
        for name, path in request["files"]:
            for answer in _matches(_read(path), matcher, request["context"], request["limit"]):
                _answer({"path": name, **answer})
    return 0


def _matcher(request: dict[str, Any]) -> re.Pattern[str]:
    text = request.get("text", "")
    return re.compile(re.escape(text) if request.get("literal") else text)


def _files(expression: str | None) -> Iterator[str]:
    wanted = re.compile(expression) if expression else None
    for path in _walk("", []):
        if wanted is None or wanted.fullmatch(path):
            yield path


def _walk(folder: str, rules: list[tuple[str, "PathSpec[Pattern]"]]) -> Iterator[str]:
    rules = [*rules, *((folder, spec) for spec in _ignore_rules(folder))]
    try:
        entries = sorted(os.scandir(folder or "."), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        directory = entry.is_dir(follow_symlinks=False)
        if entry.name == ".git" or _ignored(path + "/" * directory, rules):
            continue
        if directory:
            yield from _walk(path, rules)
        elif entry.is_file(follow_symlinks=False):
            yield path


def _ignore_rules(folder: str) -> "Iterator[PathSpec[Pattern]]":
    for name in _IGNORE_FILES:
        path = Path(folder, name)
        if path.is_symlink() or not path.is_file():
            continue
        with path.open(encoding="utf-8", errors="replace") as file:
            yield _spec(file.read(1 << 20).splitlines())


def _ignored(path: str, rules: list[tuple[str, "PathSpec[Pattern]"]]) -> bool:
    for base, spec in reversed(rules):
        verdict = spec.check_file(path[len(base) + 1 :] if base else path).include
        if verdict is not None:
            return verdict
    return False


def _spec(lines: list[str]) -> "PathSpec[Pattern]":
    return PathSpec.from_lines("gitignore", lines)


def _read(path: str) -> list[str]:
    """The file's lines, none for a binary or unreadable one."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").split("\n")
    if b"\0" in data:
        return []
    return data.decode("utf-8", "replace").removesuffix("\n").split("\n")


def _matches(lines: list[str], matcher: re.Pattern[str], context: int, limit: int) -> Iterator[dict[str, Any]]:
    hits = [index for index, line in enumerate(lines) if matcher.search(line)][: limit + 1]
    near = {at for hit in hits for at in range(max(0, hit - context), min(len(lines), hit + context + 1))}
    found = set(hits)
    for index in sorted(near):
        yield {"number": index + 1, "text": _cut(lines[index]), "matched": index in found}


def _cut(line: str) -> str:
    line = line.removesuffix("\r")
    return line if len(line) <= _COLUMNS else line[:_COLUMNS] + " [... omitted end of long line]"


def _answer(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
