"""ToolSearch and its index: finds deferred tools by name or by words, in any language."""

from mewcode.tools.search.announcements import ToolAnnouncements
from mewcode.tools.search.answer import definition_of
from mewcode.tools.search.discovered import DiscoveredTools
from mewcode.tools.search.entry import SearchEntry
from mewcode.tools.search.index import Found, SearchIndex
from mewcode.tools.search.reminder import reminder
from mewcode.tools.search.tool import ToolSearch

__all__ = [
    "DiscoveredTools",
    "Found",
    "SearchEntry",
    "SearchIndex",
    "ToolAnnouncements",
    "ToolSearch",
    "definition_of",
    "reminder",
]
