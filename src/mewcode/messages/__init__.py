"""Messages for people: every sentence the program says has a code and stands here in English and Chinese.

An area is one module in `messages/areas/` that holds `MESSAGES = {"area.name": ("English {value}", "中文 {value}")}`.
"""

from mewcode.messages.catalogue import Language, english, language, message
from mewcode.messages.reasons import reason_shown

__all__ = ["Language", "english", "language", "message", "reason_shown"]
