"""The line at the bottom: mode, model, context, cost, servers, branch, jobs; what matters most stays longest."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from prompt_toolkit.utils import get_cwidth

from mewcode.messages import message
from mewcode.terminal.live import Fragments


@dataclass
class Status:
    """Plain state, drawn by `fragments`. Tokens are counts, cost is US dollars (None: not known)."""

    mode: str = "default"
    model: str = ""
    context: int = 0
    window: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    servers: Counter[str] | None = None
    branch: str = ""
    jobs: int = 0
    opening: bool = True
    trouble: str = ""

    def fragments(self, width: int) -> Fragments:
        """The parts that fit, dropped from the least important on."""
        parts = [part for part in self._parts() if part[1]]
        while parts and sum(get_cwidth(text) + 3 for _, text, _ in parts) > width:
            parts.remove(max(parts, key=lambda part: part[2]))
        pieces: Fragments = [("", "  ")]
        for index, (style, text, _) in enumerate(parts):
            pieces += [("class:dim", " · " if index else ""), (style, text)]
        return pieces

    def _parts(self) -> list[tuple[str, str, int]]:
        """Style, text and how easily it is given up: 0 last."""
        model = self.trouble or self.model or message("terminal.opening")
        return [
            (f"class:{self.mode}", message(f"terminal.mode_{self.mode.replace('-', '_')}"), 0),
            ("class:bad" if self.trouble else "class:dim", model.partition(":")[2] or model, 2),
            ("class:dim", self._context(), 1),
            ("class:dim", self._cost(), 4),
            self._servers(),
            ("class:accent", message("terminal.jobs", count=self.jobs) if self.jobs else "", 5),
            ("class:dim", self.branch, 6),
        ]

    def _context(self) -> str:
        if not self.window or not self.context:
            return ""
        return f"{self.context * 100 // self.window}% / {shortened(self.window)}"

    def _cost(self) -> str:
        if not self.tokens:
            return ""
        cost = f" ${self.cost:.2f}" if self.cost else ""
        return f"{shortened(self.tokens)} tok{cost}"

    def _servers(self) -> tuple[str, str, int]:
        states = self.servers or Counter()
        total = sum(states.values()) - states["off"]
        if not total:
            return ("class:dim", "", 3)
        ready = states["ready"]
        bad = states["failed"] + states["needs-auth"] + states["needs-trust"]
        style = "class:bad" if bad else "class:dim" if ready == total else "class:warn"
        return (style, message("terminal.servers", ready=ready, total=total), 3)


def shortened(count: int) -> str:
    """1234 as 1.2k."""
    if count < 1000:
        return str(count)
    if count < 1_000_000:
        return f"{count / 1000:.1f}k" if count < 10_000 else f"{count // 1000}k"
    return f"{count / 1_000_000:.1f}M"


def branch_of(workspace: Path) -> str:
    """The git branch checked out above `workspace`, read from its files; "" where there is none."""
    for folder in (workspace, *workspace.parents):
        git = folder / ".git"
        try:
            if git.is_file():
                git = folder / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            head = (git / "HEAD").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            continue
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else head[:8]
    return ""
