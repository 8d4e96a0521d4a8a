"""Does a command line carry its program with it? `npx -c 'touch x'` starts npx, and runs something else."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "cmd", "pwsh", "powershell"})
_OPTIONS: Mapping[str, tuple[str, frozenset[str]]] = {
    **dict.fromkeys(("npx", "npm", "pnpm", "bunx", "yarn"), ("c", frozenset({"--call"}))),
    **dict.fromkeys(("python", "pypy"), ("c", frozenset[str]())),
    **dict.fromkeys(("node", "bun", "deno"), ("ep", frozenset({"--eval", "--print", "eval"}))),
    **dict.fromkeys(("perl", "ruby", "lua"), ("eE", frozenset[str]())),
    "php": ("rBRE", frozenset({"--run"})),
}
"""By launcher: the letters and the words after which it takes code."""
_WITH_VALUE = frozenset({"-p", "--package", "-W", "-X", "-r", "--require", "--import", "--loader", "-C"})
"""Options whose value is the next word. `-p` of node is none of them, and is looked for first."""
_NAME = re.compile(r"(?P<name>[a-z]+)[\d.]*(?:\.exe|\.cmd|\.bat)?", re.IGNORECASE)

_IN_SHELL = re.compile(r"-[a-z]*c[a-z]*", re.IGNORECASE)
"""`-c`, `-lc`, and what PowerShell takes for `-Command` and `-EncodedCommand`."""
_OF_CMD = re.compile(r"/[a-z](:\w+)?", re.IGNORECASE)


def inline_code(command: Sequence[str]) -> str | None:
    """The launcher and the option by which code is handed to it, anywhere in the line; None where there is none."""
    for at, word in enumerate(command):
        name = _family(word)
        found = _in_shell(command[at + 1 :]) if name in _SHELLS else _in_options(name, command[at + 1 :])
        if found is not None:
            return f"{word} {found}"
    return None


def _family(word: str) -> str:
    """`python` for `/usr/bin/python3.11`."""
    named = _NAME.fullmatch(PurePath(word.replace("\\", "/")).name)
    return named["name"].lower() if named else ""


def _in_shell(rest: Sequence[str]) -> str | None:
    for word in rest:
        if word.lower() in ("/c", "/k", "--command") or _IN_SHELL.fullmatch(word):
            return word
        if not word.startswith(("-", "+")) and not _OF_CMD.fullmatch(word):
            return None
    return None


def _in_options(name: str, rest: Sequence[str]) -> str | None:
    letters, words = _OPTIONS.get(name, ("", frozenset[str]()))
    skip = False
    for word in rest:
        if skip:
            skip = False
        elif word.partition("=")[0] in words:
            return word
        elif not word.startswith("-") or word == "--":
            return None
        elif not word.startswith("--") and any(letter in word[1:] for letter in letters):
            return word
        else:
            skip = word in _WITH_VALUE
    return None
