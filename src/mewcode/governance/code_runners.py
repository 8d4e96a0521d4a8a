"""Tools of servers that run what they are handed: another road to what a rule on commands closes."""

import re

from mewcode.governance.request import Request

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ALONE = frozenset({"bash", "shell", "sh", "terminal", "repl", "eval", "exec", "powershell", "subprocess"})
_VERBS = frozenset({"run", "execute", "exec", "eval", "evaluate", "interpret", "start", "spawn"})
_LANGUAGES = frozenset({"python", "javascript", "js", "typescript", "node", "ruby"})
_OBJECTS = _LANGUAGES | {"command", "commands", "cmd", "code", "script", "process", "program", "cell", "notebook"}


def runs_code(request: Request) -> bool:
    """Whether the tool is a server's and its name says that it runs commands or code, whatever its hints say."""
    if request.is_builtin:
        return False
    words = {word.lower() for word in _WORD.findall(request.name.original)}
    return bool(words & _ALONE) or bool(words & _VERBS and words & _OBJECTS)
