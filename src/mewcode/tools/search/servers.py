"""What each server is about, on the whole: a tool of the server that fits the query is the likelier one."""

from collections.abc import Mapping

from mewcode.tools.search.postings import Postings


class ServerProfiles:
    """The average of a server's tools. A profile is made anew when it is asked for after a change."""

    def __init__(self) -> None:
        self._tools: dict[str, dict[str, Mapping[str, float]]] = {}
        self._stale: set[str] = set()
        self.postings = Postings()

    def put(self, server: str, key: str, terms: Mapping[str, float]) -> None:
        self._tools.setdefault(server, {})[key] = terms
        self._stale.add(server)

    def remove(self, server: str, key: str) -> None:
        self._tools.get(server, {}).pop(key, None)
        self._stale.add(server)

    def refresh(self) -> None:
        """Brings the profiles of changed servers up to date."""
        for server in self._stale:
            tools = self._tools.get(server)
            if not tools:
                self._tools.pop(server, None)
                self.postings.remove(server)
                continue
            self.postings.put(server, _average(list(tools.values())))
        self._stale.clear()


def _average(tools: list[Mapping[str, float]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for terms in tools:
        for term, weight in terms.items():
            sums[term] = sums.get(term, 0.0) + weight
    return {term: total / len(tools) for term, total in sums.items()}
