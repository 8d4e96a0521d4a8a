"""Turns the agent's events into lines: what is over is printed, what goes on is in the live area."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from mewcode.agent import events
from mewcode.agent.render import clean
from mewcode.calls import FileChange, ToolResult
from mewcode.messages import message
from mewcode.terminal.call_lines import (
    declined_line,
    finished_command,
    finished_line,
    one_line,
    title_of,
    todo_title,
)
from mewcode.terminal.diffs import diff_lines, paint_diff
from mewcode.terminal.face import Face
from mewcode.terminal.live import RunningCall
from mewcode.terminal.markdown import render_markdown, render_tail
from mewcode.terminal.stream import MarkdownStream
from mewcode.terminal.transcript import Transcript

Contents = Callable[[FileChange], tuple[str, str] | None]
"""A changed file before and after, where both are text that is kept; it reads files, so it is called in a thread."""

_NOTICES = {events.NoticeLevel.INFO: "dim", events.NoticeLevel.WARNING: "warn", events.NoticeLevel.ERROR: "bad"}


class TurnView:
    """One for a session. `thinking` is the setting ui.thinking: folded, shown or hidden."""

    def __init__(self, screen: Face, transcript: Transcript, contents: Contents, thinking: str = "folded") -> None:
        self._screen = screen
        self._live = screen.live
        self._transcript = transcript
        self._contents = contents
        self._thinking = thinking
        self._stream = MarkdownStream()
        self._titles: dict[str, str] = {}
        self._answer = ""
        self._working = message("terminal.working")
        self._spoken = False
        """Whether a part of the current answer was printed already."""

    def begin(self, *, embedded: bool = False) -> None:
        """`embedded`: the model runs here, and may take a minute before its first word."""
        self._working = message("terminal.working_embedded" if embedded else "terminal.working")
        self._live.begin(self._working)

    def end(self) -> None:
        self._finish_text()
        self._finish_thinking()
        self._live.end()
        self._screen.refresh()

    async def show(self, event: events.Event) -> None:
        match event:
            case events.TextDelta(text):
                self._text(text)
            case events.ThinkingDelta(text):
                self._live.thinking += text
                self._live.busy = message("terminal.thinking")
            case events.TextVoided():
                self._void()
            case events.TextFinished():
                self._finish_text()
            case events.ToolCallStarted(call_id, tool, server, arguments):
                self._call_started(call_id, tool, server, arguments)
            case events.ToolCallOutput(call_id, text):
                if call_id in self._live.calls:
                    self._live.calls[call_id].add_output(clean_output(text))
            case events.ToolCallProgress(call_id, done, total, note):
                if call_id in self._live.calls:
                    self._live.calls[call_id].progress = (done, total, one_line(note) if note else None)
            case events.ToolCallFinished(call_id, tool, result, shown, seconds):
                await self._call_finished(call_id, tool, result, shown, seconds)
            case events.Notice(text, level):
                self._print(clean(text), _NOTICES[level])
            case events.Compacted(before, after):
                self._print(message("terminal.compacted", before=before, after=after), "dim")
            case _:
                pass
        self._live.changed = True

    # --- the model's words -------------------------------------------------------------------------------------

    def _text(self, text: str) -> None:
        self._finish_thinking()
        self._live.busy = message("terminal.writing")
        whole = self._stream.feed(text)
        self._live.tail = self._stream.rest
        if whole:
            tail_of(self._screen)  # so that the frame with the printed block does not show the block a second time
            self._print_answer(whole)

    def _finish_text(self) -> None:
        rest = self._stream.finish()
        self._live.tail = ""
        if rest.strip():
            self._print_answer(rest)
        if self._answer:
            self._transcript.add(message("terminal.answer"), self._answer)
        self._answer, self._spoken = "", False

    def _print_answer(self, text: str) -> None:
        text = clean(text)
        rendered = render_markdown(text, self._screen.width, self._screen.ink)
        if rendered.strip():
            self._screen.print(f"\n{rendered}")
            self._spoken = True
        self._answer += text

    def _void(self) -> None:
        self._stream.finish()
        self._live.tail = self._answer = ""
        if self._spoken:
            self._print(message("terminal.voided"), "warn")
        self._spoken = False

    def _finish_thinking(self) -> None:
        thought = clean(self._live.thinking).strip()
        self._live.thinking = ""
        if not thought:
            return
        self._transcript.add(message("terminal.thought"), thought)
        if self._thinking == "shown":
            self._print(thought, "dim")
        elif self._thinking == "folded":
            self._print(f"∴ {message('terminal.thought_folded', lines=thought.count(chr(10)) + 1)}", "dim")

    # --- calls -------------------------------------------------------------------------------------------------

    def _call_started(self, call_id: str, tool: str, server: str | None, arguments: Mapping[str, Any]) -> None:
        self._finish_text()
        self._finish_thinking()
        title = self._titles[call_id] = title_of(tool, server, arguments)
        self._live.calls[call_id] = RunningCall(title)
        self._screen.began(title)

    async def _call_finished(self, call_id: str, tool: str, result: ToolResult, shown: str, seconds: float) -> None:
        self._live.calls.pop(call_id, None)
        title = self._titles.pop(call_id, tool)
        seconds = max(0.0, seconds - self._live.waited.pop(call_id, 0.0))
        if tool == "todo" and isinstance(result.structured, dict):
            items = cast("Mapping[str, Any]", result.structured).get("items", ())  # pyright: ignore[reportUnknownMemberType]
            self._live.todo, title = items, todo_title(items)
            result = replace(result, content=())  # how many lines the model was told is no news
        self._live.busy = self._working
        width, ink = self._screen.width, self._screen.ink
        if call_id in self._live.declined and result.is_error:
            text = declined_line(title, width, ink)
        else:
            finished = finished_command if tool == "run_command" else finished_line
            text = finished(title, result, seconds, width, ink)
        for change in result.files:
            diff = await asyncio.to_thread(self._diff, change)
            if diff:
                text += "\n" + paint_diff(diff, width, ink)
                self._transcript.add(title, "\n".join(diff))
        self._screen.print(text)
        self._transcript.add(title, clean(shown))

    def _diff(self, change: FileChange) -> list[str]:
        contents = self._contents(change)
        return diff_lines(*contents) if contents else []

    def _print(self, text: str, meaning: str) -> None:
        self._screen.print(text, meaning)


def clean_output(text: str) -> str:
    """Live output without control sequences; carriage returns stay, for progress displays that use them."""
    return "\r".join(clean(part) for part in text.replace("\r\n", "\n").split("\r"))


def tail_of(screen: Face) -> None:
    """Renders the growing end of the answer anew; called some times a second, not for each delta. It begins with the
    empty line that it will have when it is printed."""
    live = screen.live
    tail = clean(live.tail) if live.tail.strip() else ""
    live.rendered = f"\n{render_tail(tail, screen.width, screen.ink, screen.tail_lines)}" if tail else ""
