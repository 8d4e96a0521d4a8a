"""Changes one value in YAML text and leaves every other character where it is: comments, order, quotes, blank lines."""

from dataclasses import dataclass
from typing import Any

from mewcode.config.node import Key
from mewcode.config.yaml_dump import STEP, dump_block, dump_flow
from mewcode.config.yaml_nodes import compose


class NotEditableError(Exception):
    """The text is built in a way (aliases, merged keys) that a change by machine would spoil."""


@dataclass(frozen=True)
class Splice:
    """Text to put in place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.text + text[self.end :]


def put(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Sets the value at `keys`; groups on the way are made when they are missing."""
    node, depth = _walk(text, keys)
    if depth == len(keys):
        return _replace_value(text, keys, node, value)
    for key in reversed(keys[depth + 1 :]):
        value = {key: value}
    return _add(text, node, {keys[depth]: value}, None if depth == 0 else _key_of(text, keys[:depth]))


def append(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Adds an item to the list at `keys`, which is made when it is missing."""
    node, depth = _walk(text, keys)
    if depth < len(keys) or _is_empty(node):
        return put(text, keys, [value])
    if type(node).__name__ != "SequenceNode":
        raise NotEditableError
    if node.flow_style:
        return _into_flow(text, node, dump_flow(value)).apply(text)
    line = f"{' ' * node.start_mark.column}- {dump_flow(value)}\n"
    return _after_line(text, _content_end(text, node), line)


def remove(text: str, keys: tuple[str, ...]) -> str:
    """Takes the entry at `keys` out. Unchanged when it is not there."""
    parent, depth = _walk(text, keys[:-1])
    pair = _pair(parent, keys[-1]) if depth == len(keys) - 1 else None
    if pair is None:
        return text
    key_node, value_node = pair
    if parent.flow_style:
        return _out_of_flow(text, parent, key_node, value_node).apply(text)
    start = text.rfind("\n", 0, key_node.start_mark.index) + 1
    end = _line_end(text, _value_end(text, key_node, value_node))
    return Splice(start, end, "").apply(text)


def _replace_value(text: str, keys: tuple[str, ...], node: Any, value: Any) -> str:
    if type(node).__name__ == "ScalarNode" and not _is_empty(node) and not isinstance(value, dict | list):
        return Splice(node.start_mark.index, node.end_mark.index, dump_flow(value)).apply(text)
    parent = _walk(text, keys[:-1])[0]
    key_node = _key_of(text, keys)
    if parent.flow_style:
        return Splice(node.start_mark.index, node.end_mark.index, dump_flow(value)).apply(text)
    start = text.rfind("\n", 0, key_node.start_mark.index) + 1
    end = _line_end(text, _value_end(text, key_node, node))
    return Splice(start, end, dump_block({keys[-1]: value}, key_node.start_mark.column)).apply(text)


def _add(text: str, node: Any, entry: dict[str, Any], key_node: Any) -> str:
    """Adds an entry to the mapping `node`, whose own key is `key_node` (None for the whole file)."""
    if node is None or (_is_empty(node) and key_node is None):
        return _at_end(text, dump_block(entry, 0))
    if _is_empty(node):
        indent = key_node.start_mark.column + STEP
        if (
            key_node.end_mark.index < node.start_mark.index
            and text[node.start_mark.index : node.end_mark.index].strip()
        ):
            return Splice(
                node.start_mark.index, node.end_mark.index, "\n" + dump_block(entry, indent).rstrip("\n")
            ).apply(text)
        return _after_line(text, key_node.end_mark.index, dump_block(entry, indent))
    if type(node).__name__ != "MappingNode":
        raise NotEditableError
    if node.flow_style:
        return _into_flow(text, node, dump_flow(entry)[1:-1]).apply(text)
    block = dump_block(entry, node.value[0][0].start_mark.column)
    return _after_line(text, _content_end(text, node), block)


def _walk(text: str, keys: tuple[str, ...]) -> tuple[Any, int]:
    """The deepest node on the way, and how many keys lead to it."""
    node = compose(text)
    for depth, key in enumerate(keys):
        pair = _pair(node, key)
        if pair is None:
            return node, depth
        if pair[1].anchor or _is_alias(pair):
            raise NotEditableError  # the same text stands for other places, too
        node = pair[1]
    return node, len(keys)


def _key_of(text: str, keys: tuple[str, ...]) -> Any:
    pair = _pair(_walk(text, keys[:-1])[0], keys[-1])
    if pair is None:
        raise NotEditableError
    return pair[0]


def _pair(node: Any, key: Key) -> tuple[Any, Any] | None:
    if type(node).__name__ != "MappingNode":
        return None
    return next(((name, value) for name, value in node.value if name.value == key), None)


def _is_alias(pair: tuple[Any, Any]) -> bool:
    """The value was written further up."""
    return pair[1].start_mark.index < pair[0].start_mark.index


def _is_empty(node: Any) -> bool:
    """Nothing, null, {} or []."""
    if node is None:
        return True
    return not node.value if type(node).__name__ != "ScalarNode" else str(node.tag).endswith(":null")


def _content_end(text: str, node: Any) -> int:
    """Where a node's last character stands; what follows it is blank, a comment or the next key."""
    if type(node).__name__ == "ScalarNode" or node.flow_style or not node.value:
        return _trimmed(text, node.start_mark.index, node.end_mark.index)
    last = node.value[-1]
    return _value_end(text, *last) if isinstance(last, tuple) else _content_end(text, last)


def _value_end(text: str, key_node: Any, value_node: Any) -> int:
    """An alias stands elsewhere; a key without a value ends with its colon."""
    end = _content_end(text, value_node)
    if _is_alias((key_node, value_node)):
        raise NotEditableError
    return max(end, text.find(":", key_node.end_mark.index) + 1)


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


def _line_end(text: str, position: int) -> int:
    """Behind the line break that follows."""
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


def _after_line(text: str, position: int, lines: str) -> str:
    end = _line_end(text, position)
    broken = "" if end and text[end - 1 : end] == "\n" else "\n"
    return Splice(end, end, broken + lines).apply(text)


def _at_end(text: str, lines: str) -> str:
    kept = text.rstrip("\n")
    if kept.endswith("\n..."):
        raise NotEditableError
    return f"{kept}\n\n{lines}" if kept.strip() else text + lines


def _into_flow(text: str, node: Any, item: str) -> Splice:
    closing = node.end_mark.index - 1
    inside = text[node.start_mark.index + 1 : closing].rstrip()
    at = node.start_mark.index + 1 + len(inside)
    return Splice(at, at, item if not inside else f" {item}" if inside.endswith(",") else f", {item}")


def _out_of_flow(text: str, parent: Any, key_node: Any, value_node: Any) -> Splice:
    start, end = key_node.start_mark.index, _value_end(text, key_node, value_node)
    closing = parent.end_mark.index - 1
    comma = text.find(",", end, closing)
    if comma >= 0:
        following = len(text[comma + 1 : closing]) - len(text[comma + 1 : closing].lstrip())
        return Splice(start, comma + 1 + following, "")
    before = text.rfind(",", parent.start_mark.index, start)
    return Splice(before if before >= 0 else start, end, "")
