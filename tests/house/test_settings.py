"""Every setting does something."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

import mewcode
from mewcode.config.reference import sections

SOURCE = Path(mewcode.__file__).parent
SCHEMA = SOURCE / "config" / "schema"
FIELDS = {field for _, group in sections() for field in group.model_fields}
READ_OTHERWISE = {
    "mcp_servers.NAME.args",  # by a property of the entry itself
    "mcp_servers.NAME.type",  # likewise
    "ui.language",  # by `terminal/hints.py`, before there are settings
}


def names_of_groups() -> dict[str, set[str]]:
    """The words by which code gets at a group: the last key of its path, and its class."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, group in sections():
        found[group.__name__] |= {group.__name__, *re.findall(r"[a-z_]+", path or "settings")[-1:]}
    return found


def words_in(node: ast.AST) -> set[str]:
    """The names in an expression, also in an annotation that is written as text."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Attribute):
            found.add(part.attr)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            found.update(re.findall(r"\w+", part.value))
    return found


def reads_in(source: Path) -> Iterator[tuple[str, str]]:
    """What a file reads, as (what of, which attribute): `x.limits.per_minute`, and `limits = x.limits` before it.

    A variable counts for what it was made from, for its own name, and for the class that it is said to be: so this
    overlooks an idle setting where another of its name is read nearby, and never blames one that is read.
    """
    nodes = list(ast.walk(ast.parse(source.read_text(encoding="utf-8"))))
    stands_for: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if isinstance(node, ast.arg) and node.annotation is not None:
            stands_for[node.arg] |= words_in(node.annotation)
        elif isinstance(node, ast.AnnAssign):
            for name in words_in(node.target):
                stands_for[name] |= words_in(node.annotation)
        elif isinstance(node, ast.Assign | ast.NamedExpr | ast.For | ast.comprehension):
            value = node.value if isinstance(node, ast.Assign | ast.NamedExpr) else node.iter
            made_from = words_in(value)
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name in words_in(target):
                    stands_for[name] |= made_from
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in FIELDS:
            words = words_in(node.value)
            for _ in range(2):  # `self.settings = settings`, and `settings: JwtSettings` before it
                words |= {meant for word in words for meant in stands_for.get(word, ())}
            yield from ((word, node.attr) for word in words)


def test_every_setting_is_read_somewhere() -> None:
    read = {pair for path in SOURCE.rglob("*.py") if SCHEMA not in path.parents for pair in reads_in(path)}
    groups = names_of_groups()

    def is_read(group: type[BaseModel], field: str) -> bool:
        return any((name, field) in read for name in groups[group.__name__])

    idle = {
        f"{path}.{field}" for path, group in sections() for field in group.model_fields if not is_read(group, field)
    }
    assert idle == READ_OTHERWISE
