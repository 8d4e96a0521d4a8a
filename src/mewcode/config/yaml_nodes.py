"""The one place that calls the YAML library: text to its nodes, which carry their places."""

from typing import Any


def compose(text: str) -> Any:
    """The root node, None for an empty text. Raises ruamel's YAMLError, and RecursionError for deep nesting."""
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).compose(text)  # pyright: ignore[reportUnknownMemberType]
