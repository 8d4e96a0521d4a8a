"""An index that follows a registry: what changed there is changed here at the next search, and nothing else."""

from mewcode.tools.base import Tool
from mewcode.tools.registry import ToolRegistry
from mewcode.tools.search.entry import SearchEntry
from mewcode.tools.search.index import Meaning, SearchIndex


class RegistryIndex:
    """`index` is up to date whenever it is asked for."""

    def __init__(self, registry: ToolRegistry, meaning: Meaning | None = None) -> None:
        self._registry = registry
        self._meaning = meaning
        self._index = SearchIndex(meaning)
        self._indexed: dict[str, Tool] = {}
        self._version = -1

    @property
    def index(self) -> SearchIndex:
        if self._version != self._registry.version:
            self._follow()
        return self._index

    def close(self) -> None:
        if self._meaning is not None:
            self._meaning.close()

    def _follow(self) -> None:
        current = {tool.name: tool for tool in self._registry}
        for name in self._indexed.keys() - current.keys():
            self._index.remove(name)
        for name, tool in current.items():
            if self._indexed.get(name) is not tool:
                self._index.add(SearchEntry.of(tool))
        self._indexed, self._version = current, self._registry.version
