"""The tools that the model is told of. The list grows only at its end, so that the prefix of requests is stable."""

from collections.abc import Callable, Sequence

from mewcode.models.interface import ToolSpec
from mewcode.tools.base import Tool


class ToolList:
    """Keeps the order in which tools were first seen. A tool that went away stays (a call to it gets a clear error);
    one whose definition changed is replaced where it stands, since a stale schema would be worse than a cold cache.
    """

    def __init__(self, current: Callable[[], Sequence[Tool]], only: tuple[str, ...] | None = None) -> None:
        self._current = current
        self._only = only
        self._specs: dict[str, ToolSpec] = {}

    def specs(self) -> tuple[ToolSpec, ...]:
        for tool in self._current():
            if self._only is None or tool.name in self._only:
                self._specs[tool.name] = ToolSpec(tool.name, tool.description, tool.model_parameters)
        return tuple(self._specs.values())
