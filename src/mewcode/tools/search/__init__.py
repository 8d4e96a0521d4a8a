"""ToolSearch: finds deferred tools by name or by words, in any language.

Its index (`tools/search/index.py`) is imported at the first search.
"""

from mewcode.tools.search.announcements import ToolAnnouncements
from mewcode.tools.search.answer import definition_of
from mewcode.tools.search.discovered import DiscoveredTools
from mewcode.tools.search.reminder import reminder
from mewcode.tools.search.tool import SearchLimits, ToolSearch

__all__ = [
    "DiscoveredTools",
    "SearchLimits",
    "ToolAnnouncements",
    "ToolSearch",
    "definition_of",
    "reminder",
]
