"""What ARCHITECTURE.md names is there, and stands in the order that it gives."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "mewcode"
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
OF_OTHERS = {"Protocol"}
"""Names of the language and of libraries."""


def classes_in(path: Path) -> list[str]:
    return [node.name for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.ClassDef)]


def test_every_path_is_there() -> None:
    named = set(re.findall(r"[`(]((?:\w+/)+(?:[\w*]+\.py)?|\w+\.(?:py|toml))[`)]", TEXT))
    assert len(named) > 30
    assert [name for name in named if not [*SOURCE.glob(name), *ROOT.glob(name)]] == []


def test_every_class_is_there_and_where_it_is_said_to_be() -> None:
    everywhere = {name for path in SOURCE.rglob("*.py") for name in classes_in(path)}
    alone = {name.partition(".")[0] for name in re.findall(r"`([A-Z][A-Za-z]+(?:\.\w+)?)`", TEXT)} - OF_OTHERS
    assert len(alone) >= 10
    assert alone - everywhere == set()
    placed = re.findall(r"participant \w+ as (\w+) \(([\w/]+\.py)\)", TEXT)
    assert len(placed) >= 6
    assert [name for name, file in placed if name not in classes_in(SOURCE / file)] == []


def test_the_stages_of_the_gate_come_in_the_order_of_the_drawing() -> None:
    road = re.findall(r"^ {16}(\w+)\(", (SOURCE / "governance" / "gate.py").read_text("utf-8"), re.MULTILINE)
    [drawn] = re.findall(r"G->>S: (Record, .*Permit, .*)$", TEXT, re.MULTILINE)
    later = [name for name in re.findall(r"S->>\w: (\w+):", TEXT) if name in ("Begin", "Run")]
    assert [*drawn.split(", "), *later] == road
