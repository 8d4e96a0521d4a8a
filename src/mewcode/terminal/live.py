"""What is going on right now: the part of the screen above the input line that changes many times a second."""

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from prompt_toolkit.formatted_text import StyleAndTextTuples

from mewcode.messages import message
from mewcode.terminal.width import cut

Fragments: TypeAlias = StyleAndTextTuples
"""Pairs of style and text, as prompt_toolkit draws them."""

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
OUTPUT_LINES = 5
"""The newest lines of a running command that are shown below it."""
MOST_CALLS = 6
_BAR = 16


@dataclass
class RunningCall:
    """A call that has begun. `title` is its one line; `output` its newest lines; times are seconds."""

    title: str
    began: float = field(default_factory=time.monotonic)
    output: deque[str] = field(default_factory=lambda: deque[str](maxlen=OUTPUT_LINES))
    partial: str = ""
    progress: tuple[float, float | None, str | None] | None = None

    def add_output(self, text: str) -> None:
        """Live output; a carriage return starts its line again, as progress displays do."""
        lines = (self.partial + text).split("\n")
        self.partial = lines.pop().rpartition("\r")[2]
        self.output.extend(line.rstrip("\r").rpartition("\r")[2] for line in lines)


class Live:
    """Plain state; `fragments` draws it. `changed` is set by whoever changes something, and cleared by who draws."""

    def __init__(self) -> None:
        self.calls: dict[str, RunningCall] = {}
        self.tail = self.rendered = ""
        """The growing end of the model's answer, as it came and as it is shown."""
        self.busy = ""
        """What the agent does, "" when it waits for the person."""
        self.since = 0.0
        self.thinking = ""
        self.queued: list[str] = []
        self.todo: Sequence[Mapping[str, Any]] = ()
        self.waited: dict[str, float] = {}
        """Seconds that each call has waited for an answer of the person."""
        self.declined: set[str] = set()
        """Calls that the person has turned down."""
        self.asking = False
        """Whether the person is asked something: nothing spins then."""
        self.changed = False

    def begin(self, what: str) -> None:
        self.busy, self.since, self.changed = what, time.monotonic(), True

    def answered(self, call_id: str, seconds: float, *, allowed: bool) -> None:
        """The person took `seconds` for an answer: that is not the time that the call takes."""
        self.waited[call_id] = self.waited.get(call_id, 0.0) + seconds
        if call_id in self.calls:
            self.calls[call_id].began += seconds
        if not allowed:
            self.declined.add(call_id)

    def end(self) -> None:
        for one in (self.calls, self.waited, self.declined):
            one.clear()
        self.tail = self.rendered = self.busy = self.thinking = ""
        self.changed = True

    def fragments(self, width: int, height: int) -> Fragments:
        """At most `height` lines; the newest are kept."""
        calls = [] if self.asking else list(self.calls.values())
        lines = [*self._call_lines(calls, width), *self._todo_lines(width), *self._busy_line(width)]
        lines += [[("class:dim", cut(f"  {message('terminal.queued')} {text}", width))] for text in self._queued()]
        shown = lines[-height:] if height > 0 else []
        return [piece for line in shown for piece in (*line, ("", "\n"))][:-1]

    # --- lines -------------------------------------------------------------------------------------------------

    def _call_lines(self, calls: Sequence[RunningCall], width: int) -> Iterator[Fragments]:
        for call in calls[:MOST_CALLS]:
            seconds = time.monotonic() - call.began
            timing = f" {seconds:.0f} s" if seconds >= 1 else ""
            title = cut(call.title, width - 3 - len(timing))
            yield [("class:accent", f"{_spin()} "), ("", title), ("class:dim", timing)]
            if call.progress is not None:
                yield [("class:dim", cut(f"  {_bar(*call.progress)}", width))]
            newest = [*call.output, call.partial][-OUTPUT_LINES:]
            for line in filter(str.strip, newest):
                yield [("class:dim", cut(f"  │ {line.expandtabs(4)}", width - 1))]
        if len(calls) > MOST_CALLS:
            yield [("class:dim", f"  + {len(calls) - MOST_CALLS}")]

    def _todo_lines(self, width: int) -> Iterator[Fragments]:
        if not self.busy or self.asking:
            return
        marks = {"done": ("class:dim", "  ✓ "), "in_progress": ("class:accent", "  ▸ ")}
        for item in self.todo:
            style, mark = marks.get(str(item.get("status")), ("", "  · "))
            yield [(style, cut(mark + " ".join(str(item.get("content", "")).split()), width - 1))]

    def _busy_line(self, width: int) -> Iterator[Fragments]:
        if not self.busy or self.calls or self.asking:
            return
        seconds = time.monotonic() - self.since
        text = f"{self.busy} {seconds:.0f} s" if seconds >= 1 else self.busy
        hint = message("terminal.esc_hint")
        yield [("class:accent", f"{_spin()} "), ("class:dim", cut(f"{text} · {hint}", width - 3))]

    def _queued(self) -> Iterator[str]:
        return (" ".join(text.split()) for text in self.queued)


def _spin() -> str:
    return SPINNER[int(time.monotonic() * 10) % len(SPINNER)]


def _bar(done: float, total: float | None, note: str | None) -> str:
    said = f" {note}" if note else ""
    if not total or total <= 0:
        return f"{done:g}{said}"
    share = min(1.0, max(0.0, done / total))
    full = round(share * _BAR)
    return f"{'━' * full}{'─' * (_BAR - full)} {share * 100:.0f}%{said}"
