"""What servers tell by themselves, as far as a person should see it at once: the rest is in the logs."""

import time
from collections import defaultdict, deque
from collections.abc import Callable

from mewcode.messages import message
from mewcode.terminal.cleaning import bare_line
from mewcode.terminal.width import cut

SEVERE = ("error", "critical", "alert", "emergency")
MOST, SECONDS = 5, 60.0
"""Lines of one server in that time: a server that talks without end must not push the work off the screen."""
LONGEST = 300


class TerminalObserver:
    """The host's `Observer`. `show` prints a line in a meaning's colour; `other_offers` hears that prompts or resources
    are others than before."""

    def __init__(self, show: Callable[[str, str], None], other_offers: Callable[[], None]) -> None:
        self._show = show
        self._other_offers = other_offers
        self._shown: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=MOST))

    def notice(self, server: str, text: str) -> None:
        return

    def log(self, server: str, level: str, text: str) -> None:
        if level in SEVERE:
            self._tell(server, message("terminal.server_says", server=server, text=cut(bare_line(text), LONGEST)))

    def resource_updated(self, server: str, uri: str) -> None:
        return

    def lists_changed(self, server: str) -> None:
        self._other_offers()

    def definition_changed(self, server: str, tools: tuple[str, ...]) -> None:
        names = cut(bare_line(", ".join(tools)), LONGEST)
        self._tell(server, message("terminal.tools_changed", server=server, tools=names))

    def _tell(self, server: str, text: str) -> None:
        times, now = self._shown[server], time.monotonic()
        if len(times) < MOST or now - times[0] > SECONDS:
            times.append(now)
            self._show(text, "warn")
