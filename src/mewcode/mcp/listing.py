"""Pages through a list to its end, and not beyond."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mewcode.mcp.repair import Report, entries
from mewcode.mcp.surroundings import MOST_ENTRIES

MOST_PAGES = 500

Page = Mapping[str, Any]
Fetch = Callable[[str | None], Awaitable[Page]]
"""Takes a cursor and returns the answer as it came."""


async def all_entries(
    fetch: Fetch, key: str, identity: str, report: Report, most: int = MOST_ENTRIES
) -> list[dict[str, Any]]:
    """All entries of a paged list, or the first `most`; an exact repeat is one entry. A cursor that was there before
    ends the list."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        page = await fetch(cursor)
        found += entries(page, key, identity, report)
        following = page.get("nextCursor")
        if not isinstance(following, str) or not following or len(found) > most:
            return _first(_distinct(found), most, key, report)
        if following in seen:
            report(f"its list of {key} goes round in circles (cursor {following[:40]!r}); it was ended there")
            return _first(_distinct(found), most, key, report)
        seen.add(following)
        cursor = following
    report(f"its list of {key} does not end; it was ended after {MOST_PAGES} pages")
    return _first(_distinct(found), most, key, report)


def _first(found: list[dict[str, Any]], most: int, key: str, report: Report) -> list[dict[str, Any]]:
    if len(found) > most:
        report(f"its list of {key} is too long; the first {most} were taken")
    return found[:most]


def _distinct(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    by_value: set[str] = set()
    for entry in found:
        value = repr(entry)
        if value not in by_value:
            by_value.add(value)
            kept.append(entry)
    return kept
