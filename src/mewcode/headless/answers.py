"""Answers given in advance to what MCP servers may ask of the person (--answers FILE)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mewcode.errors import UsageError

if TYPE_CHECKING:
    from mewcode.calls import ToolCall
    from mewcode.mcp.ports import Elicitation, ElicitationAnswer


@dataclass(frozen=True)
class PreparedAnswers:
    """By server, then by field. A form is accepted when every field it requires is given and the whole fits its
    schema; everything else, pages to visit included, is declined.
    """

    by_server: Mapping[str, Mapping[str, Any]]

    @classmethod
    def from_file(cls, path: Path) -> "PreparedAnswers":
        """Reads {"server": {"field": value}} from JSON. Raises UsageError for anything else."""
        try:
            value: object = json.loads(path.read_text("utf-8-sig"))
        except (OSError, ValueError) as error:
            raise UsageError("headless.answers_unreadable", file=path, why=error) from error
        servers = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        if not servers or not all(isinstance(fields, dict) for fields in servers.values()):
            why = 'it must look like {"server": {"field": value}}'
            raise UsageError("headless.answers_unreadable", file=path, why=why)
        return cls(servers)

    async def ask(self, request: "Elicitation", call: "ToolCall | None") -> "ElicitationAnswer":
        """The port that servers' questions come through."""
        from mewcode.mcp.ports import ElicitationAnswer

        given = self.by_server.get(request.server)
        if given is None or request.mode != "form":
            return ElicitationAnswer("decline")
        fields = cast("Mapping[str, Any]", request.schema.get("properties") or {})
        content = {name: given[name] for name in fields if name in given}
        return ElicitationAnswer("accept", content) if _fits(content, request.schema) else ElicitationAnswer("decline")


def _fits(content: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    from jsonschema import Draft202012Validator, SchemaError
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        validator = cast("Any", Draft202012Validator)(dict(schema), registry=cast("Any", Registry)())
        return bool(validator.is_valid(dict(content)))
    except (SchemaError, Unresolvable):
        return False
