"""Going back: the conversation, the files, and what the person changed since."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.endpoint import Call, ModelEndpoint, Turn, serve
from tests.terminal.pty_session import DOWN, ENTER, ESCAPE, PtySession, running, settings_for

STATUS = "accept edits ·"


@contextmanager
def after_a_change(workspace: Path) -> Generator[tuple[PtySession, ModelEndpoint], None, None]:
    """A session in which a tool changed one file and made another; the list of moments is open."""
    (workspace / "kept.txt").write_text("old\n")
    turns = [
        Turn("Hello."),
        Turn(
            calls=[
                Call("read_file", {"path": "kept.txt"}),
                Call("edit_file", {"path": "kept.txt", "old": "old", "new": "new"}),
                Call("write_file", {"path": "made.txt", "content": "made\n"}),
            ]
        ),
        Turn("Changed."),
        Turn("Another way."),
    ]
    with (
        serve(turns) as endpoint,
        running(workspace, "--mode", "accept-edits", settings=settings_for(endpoint)) as session,
    ):
        session.wait_for(STATUS)
        session.say("hello")
        session.wait_for("Hello.")
        session.say("change it")
        session.wait_for("Changed.", gone="Esc interrupts")
        yield session, endpoint


def test_conversation_and_files_go_back_and_the_message_is_in_the_line_again(tmp_path: Path) -> None:
    with after_a_change(tmp_path) as (session, endpoint):
        session.send(ESCAPE)
        session.read(0.3)
        session.send(ESCAPE)
        session.wait_for("Go back to before", "▸ change it", "hello")
        session.send(ENTER)
        session.wait_for("What goes back?", "conversation and files", "kept.txt, made.txt")
        session.send(ENTER)
        session.wait_for("restored", "removed", "> change it")
        assert (tmp_path / "kept.txt").read_text() == "old\n" and not (tmp_path / "made.txt").exists()
        session.send(" differently" + ENTER)
        session.wait_for("Another way.")
        sent = str(endpoint.requests[-1].json["messages"])
        assert "hello" in sent and "change it differently" in sent and "Changed." not in sent


def test_what_the_person_changed_since_stays_unless_they_say_otherwise(tmp_path: Path) -> None:
    with after_a_change(tmp_path) as (session, _):
        (tmp_path / "kept.txt").write_text("mine\n")
        session.say("/rewind")
        session.wait_for("Go back to before")
        session.send(ENTER)
        session.wait_for("What goes back?")
        session.send(DOWN + DOWN + ENTER)
        session.wait_for("You changed kept.txt since. Overwrite your changes?", "▸ no, leave those files")
        session.send(ENTER)
        session.wait_for("left as you changed it", "removed")
        assert (tmp_path / "kept.txt").read_text() == "mine\n" and not (tmp_path / "made.txt").exists()
        session.say("/rewind")
        session.wait_for("▸ change it")
        session.send(ENTER)
        session.wait_for("What goes back?")
        session.send(DOWN + DOWN + ENTER)
        session.wait_for("Overwrite your changes?")
        session.send(DOWN + ENTER)
        session.wait_for("restored")
        assert (tmp_path / "kept.txt").read_text() == "old\n"
