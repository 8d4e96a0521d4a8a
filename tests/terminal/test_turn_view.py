"""What stands on the screen while an answer grows: each part of it once."""

import pytest

from mewcode.agent import events
from mewcode.terminal.composer import Composer
from mewcode.terminal.face import Face
from mewcode.terminal.ink import Ink
from mewcode.terminal.transcript import Transcript
from mewcode.terminal.turn_view import TurnView, tail_of


class Recorder(Face):
    """Keeps what is printed, and what the living part shows below it at that moment."""

    width = 80
    tail_lines = 10

    def __init__(self) -> None:
        from prompt_toolkit.completion import DummyCompleter

        super().__init__(Composer(None, DummyCompleter(), lambda text, images: None), Ink(colour=False))
        self.frames: list[tuple[str, str]] = []

    async def run(self) -> None: ...
    def exit(self) -> None: ...
    def fail(self, error: BaseException) -> None: ...
    def hint(self, text: str, seconds: float = 2.0) -> None: ...
    def refresh(self) -> None: ...

    def print(self, text: str, meaning: str | None = None) -> None:
        self.frames.append((text, self.live.rendered if self.live.tail else ""))


@pytest.mark.anyio
async def test_a_block_that_is_printed_stands_no_longer_in_the_part_that_grows() -> None:
    face = Recorder()
    view = TurnView(face, Transcript(), lambda change: None)
    await view.show(events.TextDelta("First block"))
    tail_of(face)
    assert face.live.rendered == "\nFirst block"
    await view.show(events.TextDelta(".\n\nSecond"))
    assert face.frames == [("\nFirst block.", "\nSecond")]
    view.end()
    assert face.frames[1:] == [("\nSecond", "")]
