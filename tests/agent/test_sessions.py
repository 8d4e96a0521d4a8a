"""Saved sessions: private, resumable after any death, found by id only."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agent.house import House, events_of
from tests.agent.scripted import Reply, ScriptedModel

from mewcode.agent import SessionStore, Spent
from mewcode.agent.exports import export_session
from mewcode.agent.journal import Journal, read_records
from mewcode.errors import UsageError


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    return SessionStore(tmp_path / "sessions", tmp_path / "outputs")


def test_only_the_owner_may_read_a_session(store: SessionStore, tmp_path: Path) -> None:
    session = store.create(tmp_path, "m")
    assert stat.S_IMODE(session.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(session.path.parent.stat().st_mode) == 0o700


def test_a_torn_last_line_is_dropped_and_the_next_record_begins_a_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with Journal(path) as journal:
        journal.append({"type": "a"})
    with path.open("ab") as file:
        file.write(b'{"type":"b", "te')
    assert [record["type"] for record in read_records(path)] == ["a"]
    with Journal(path) as journal:
        journal.append({"type": "c"})
    assert [record["type"] for record in read_records(path)] == ["a", "c"]


@given(st.integers(0, 400))
def test_a_session_cut_at_any_byte_gives_its_whole_records(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "s.jsonl"
    with Journal(path) as journal:
        for number in range(20):
            journal.append({"n": number, "text": "é\ud800"})
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    with Journal(path) as journal:
        journal.append({"n": "new"})
    numbers = [record["n"] for record in read_records(path)]
    assert numbers == [*range(whole[:cut].count(b"\n")), "new"]


def test_a_damaged_line_in_the_middle_does_not_lose_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"n":1}\n\x00\xff{\n[2]\n{"n":3}\n')
    assert [record["n"] for record in read_records(path)] == [1, 3]


def test_two_processes_never_write_one_session(store: SessionStore, tmp_path: Path) -> None:
    session = store.create(tmp_path, "m")
    with pytest.raises(UsageError, match="open in another process"):
        store.open(session.id)
    session.close()
    store.open(session.id).close()


@pytest.mark.parametrize("name", ["../../etc/passwd", "", ".", "a/b", "a\0", "*", "-x", "nope"])
def test_an_id_never_leads_out_of_the_folder(store: SessionStore, tmp_path: Path, name: str) -> None:
    store.create(tmp_path, "m").close()
    for act in (store.open, store.summary, store.delete):
        with pytest.raises(UsageError, match="no session"):
            act(name)


def test_a_link_in_the_place_of_a_session_is_not_written_through(store: SessionStore, tmp_path: Path) -> None:
    target = tmp_path / "target.jsonl"
    session = store.create(tmp_path, "m")
    session.close()
    session.path.rename(target)
    session.path.symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        store.open(session.id)


def test_a_beginning_of_an_id_is_enough_where_only_one_fits(store: SessionStore, tmp_path: Path) -> None:
    first = store.create(tmp_path, "m")
    second = store.create(tmp_path, "m")
    assert store.summary(second.id[:-1]).id == second.id
    with pytest.raises(UsageError, match="More than one"):
        store.summary(first.id[:8])


def test_the_newest_session_of_a_folder_is_found(store: SessionStore, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    assert store.latest(here) is None
    mine = store.create(here, "m")
    store.create(there, "m")
    assert store.latest(here) == mine.id


@pytest.mark.anyio
async def test_a_fork_begins_with_all_that_was_said_and_leaves_the_first_alone(tmp_path: Path) -> None:
    house = House(tmp_path)
    async with house.agent(ScriptedModel(Reply("one"))) as agent:
        await events_of(agent.run("count"))
    fork = house.store.fork(agent.session.id)
    fork.close()
    model = ScriptedModel(Reply("two"))
    async with house.agent(model, fork.id) as forked:
        await events_of(forked.run("go on"))
    assert [type(message).__name__ for message in model.requests[0].messages] == [
        "ModelRequest",
        "ModelResponse",
        "ModelRequest",
    ]
    assert house.store.summary(fork.id).parent == agent.session.id
    assert (house.store.summary(agent.session.id).turns, house.store.summary(fork.id).turns) == (1, 2)


def test_deleting_a_session_removes_what_it_saved(store: SessionStore, tmp_path: Path) -> None:
    session = store.create(tmp_path, "m")
    outputs = store.outputs_of(session.id)
    outputs.mkdir(parents=True)
    (outputs / "call.txt").write_text("x")
    with pytest.raises(UsageError):
        store.delete(session.id)
    session.close()
    store.delete(session.id)
    assert not session.path.exists()
    assert not outputs.exists()


def test_a_file_that_is_no_session_is_passed_over(store: SessionStore, tmp_path: Path) -> None:
    store.create(tmp_path, "m").turn_ended("done", Spent())
    (tmp_path / "sessions" / "notes.jsonl").write_text("hello\n")
    assert [summary.turns for summary in store.list()] == [1]
    with pytest.raises(UsageError, match="cannot be read"):
        store.open("notes")


@pytest.mark.anyio
async def test_exports_hold_what_was_said_and_nothing_can_break_out_of_them(tmp_path: Path) -> None:
    house = House(tmp_path)
    script = "</pre><script>alert(1)</script>"
    model = ScriptedModel(Reply("I look.", [("look", {"value": "```\n# not a heading"})]), f"Seen {script}")
    async with house.agent(model) as agent:
        await events_of(agent.run("Please look <now>"))
    page = export_session(house.store, agent.session.id, "html")
    assert script not in page
    assert "&lt;script&gt;" in page
    assert "Please look &lt;now&gt;" in page
    markdown = export_session(house.store, agent.session.id, "markdown")
    assert "## You\n\nPlease look <now>" in markdown
    assert "````\necho ```\n# not a heading\n````" in markdown
    document = json.loads(export_session(house.store, agent.session.id, "json"))
    assert (document["id"], document["turns"]) == (agent.session.id, 1)
