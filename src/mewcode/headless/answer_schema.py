"""The JSON Schema that a run's final answer must match (--output-schema)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from mewcode.errors import UsageError

REPAIRS = 2
"""How often the model may mend an answer that does not match."""

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n?```", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Checked:
    """`problem` is None when `value` matches."""

    value: Any = None
    problem: str | None = None


class AnswerSchema:
    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema

    @classmethod
    def from_file(cls, path: Path) -> "AnswerSchema":
        """Raises UsageError for a file that is not there, not JSON, or not a schema."""
        from jsonschema import SchemaError
        from jsonschema.validators import validator_for  # pyright: ignore[reportUnknownVariableType]

        try:
            schema: object = json.loads(path.read_text("utf-8-sig"))
        except (OSError, ValueError) as error:
            raise UsageError("headless.schema_unreadable", file=path, why=error) from error
        if not isinstance(schema, dict):
            raise UsageError("headless.schema_unreadable", file=path, why="it is not a JSON object")
        try:
            cast("Any", validator_for(cast("dict[str, Any]", schema))).check_schema(schema)
        except SchemaError as error:
            raise UsageError("headless.schema_unreadable", file=path, why=error.message) from error
        return cls(cast("dict[str, Any]", schema))

    def request(self) -> str:
        """What to add to the task."""
        schema = json.dumps(self.schema, ensure_ascii=False)
        return f"When you are done, answer with nothing but one JSON value that matches this JSON Schema:\n{schema}"

    def repair(self, problem: str) -> str:
        return f"Your answer does not match the JSON Schema: {problem}\nAnswer again with nothing but the JSON value."

    def check(self, text: str) -> Checked:
        """The JSON value in an answer, bare or in a code fence, and whether it matches."""
        try:
            value = _parsed(text)
        except ValueError as error:
            return Checked(problem=f"it is not JSON ({error})")
        problem = self._problem(value)
        return Checked(value, problem)

    def _problem(self, value: Any) -> str | None:
        from jsonschema.exceptions import best_match  # pyright: ignore[reportUnknownVariableType]
        from jsonschema.validators import validator_for  # pyright: ignore[reportUnknownVariableType]
        from referencing import Registry
        from referencing.exceptions import Unresolvable

        # An empty registry of our own: the default one would fetch a remote $ref over the network.
        registry = cast("Any", Registry)()
        validator = cast("Any", validator_for(self.schema))(self.schema, registry=registry)
        try:
            error = cast("Any", best_match(validator.iter_errors(value)))
        except Unresolvable as unresolvable:
            raise UsageError("headless.schema_reference", reference=unresolvable) from unresolvable
        return None if error is None else f"{error.json_path}: {error.message}"


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        fenced = cast("list[str]", _FENCED.findall(text))
        if not fenced:
            raise
        return json.loads(fenced[-1])
