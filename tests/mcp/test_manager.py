"""Many servers at once, the catalogue between sessions, trust, and tools that change behind one's back."""

import json
import shlex
from pathlib import Path

import anyio
import pytest
from tests.mcp.running import PATIENCE, call, fault, python_server, running, until

from mewcode.calls import ErrorKind
from mewcode.mcp import Catalogue, Gatekeeper, Ports, ServerDefinition, ToolChoice
from mewcode.mcp.definition import fingerprint_of
from mewcode.mcp.ports import SilentObserver
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio


async def test_twenty_servers_come_up_together_and_one_that_never_answers_holds_nobody_up() -> None:
    servers = [fault(f"s{number}", "ok") for number in range(20)]
    async with running(fault("silent", "hang_init", connect_timeout=PATIENCE), *servers, wait=False) as manager:
        with anyio.fail_after(PATIENCE - 5):
            for server in servers:
                assert await manager.wait_ready(server.name) is ServerState.READY
        assert manager.servers["silent"].source.state is ServerState.CONNECTING
        assert len(manager.registry) == 20


async def test_a_server_that_never_answers_does_not_hold_up_the_end() -> None:
    async with running(fault("silent", "hang_init"), wait=False) as manager:
        await until(lambda: manager.servers["silent"].connection.attempt)
        with anyio.fail_after(PATIENCE / 2):
            await manager.stop()
        assert manager.servers["silent"].source.state is ServerState.STOPPED


async def test_a_call_waits_for_its_own_server_while_that_connects(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path)
    slow = fault("slow", "slow_init")
    async with running(slow, catalogue=catalogue):
        pass
    async with running(slow, catalogue=catalogue, wait=False) as manager:
        assert manager.servers["slow"].source.state is ServerState.CONNECTING
        assert (await call(manager, "slow")).text == "useful"


async def test_a_new_session_knows_the_tools_before_the_server_is_up_and_the_era_without_asking(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path)
    definition = fault("s", "silent_discover")
    async with running(definition, catalogue=catalogue) as manager:
        fresh = [tool.name for tool in manager.registry]
    known = catalogue.load(definition)
    assert known is not None
    assert known.era == "legacy"
    async with running(definition, catalogue=catalogue, wait=False) as manager:
        assert [tool.name for tool in manager.registry] == fresh
        before = manager.registry.find("s", "t")
        await manager.wait_all()
        assert manager.registry.find("s", "t") is before


async def test_another_definition_is_another_entry_of_the_catalogue_and_rubbish_is_ignored(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path, now=lambda: 1000.0)
    definition = ServerDefinition("s", ("a", "b"), env={"K": "v"})
    catalogue.save(definition, "legacy", [])
    assert catalogue.load(ServerDefinition("s", ("a", "b"), env={"K": "other value"})) is not None
    assert catalogue.load(ServerDefinition("s", ("a", "c"), env={"K": "v"})) is None
    assert catalogue.load(ServerDefinition("s", ("a", "b"), env={"L": "v"})) is None
    month_later = Catalogue(tmp_path, now=lambda: 1000.0 + 30 * 24 * 3600).load(definition)
    assert month_later is not None
    assert month_later.era is None
    for file in tmp_path.iterdir():
        file.write_text("{broken")
    assert catalogue.load(definition) is None


async def test_a_tool_that_changed_since_the_last_session_is_reported(tmp_path: Path) -> None:
    changed: list[tuple[str, tuple[str, ...]]] = []

    class Observing(SilentObserver):
        def definition_changed(self, server: str, tools: tuple[str, ...]) -> None:
            changed.append((server, tools))

    catalogue = Catalogue(tmp_path)
    definition = fault("s", "ok")
    async with running(definition, catalogue=catalogue):
        pass
    [file] = tmp_path.iterdir()
    saved = json.loads(file.read_text())
    saved["tools"][0]["description"] = "what it was when you agreed"
    file.write_text(json.dumps(saved))
    async with running(definition, catalogue=catalogue, ports=Ports(observer=Observing())) as manager:
        assert changed == [("s", ("t",))]
        tool = manager.registry.find("s", "t")
        assert tool is not None
        assert tool.description == "does t"


async def test_a_server_nobody_trusted_is_shown_and_not_started(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    script = tmp_path / "server.py"
    script.write_text(f"open({str(mark)!r}, 'w')\n")
    definition = python_server("theirs", script, scope="project", trusted=False)
    async with running(definition) as manager:
        source = manager.servers["theirs"].source
        assert source.state is ServerState.NEEDS_TRUST
        assert "mewcode mcp trust theirs" in (source.error or "")
        manager.reconnect("theirs")
        await manager.wait_all()
        assert source.state is ServerState.NEEDS_TRUST
    assert not mark.exists()


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("npx", True),
        ("./npx", False),
        ("/tmp/npx", False),
        ("/opt/mcp/tool", True),
        ("/opt/mcp/../../bin/sh", False),
        ("sh", False),
    ],
)
def test_only_allowed_commands_run(command: str, allowed: bool) -> None:
    keeper = Gatekeeper(["npx", "/opt/mcp/*"])
    assert keeper.allows(ServerDefinition("s", (command, "x"))) is allowed


@pytest.mark.parametrize(
    "line",
    [
        "npx -c 'touch x'",
        "npx --call='touch x'",
        "npx -p a -yc 'touch x'",
        "npx -y some-package sh -c 'touch x'",
        "python3.11 -c 'import os'",
        "python3.11 -uc 'import os'",
        "python3.11 -W ignore -c 'import os'",
        "node -pe 1",
        "node -r ./x --eval=1",
        "/usr/bin/node -p 1",
        "bash -lc 'touch x'",
        "cmd.exe /d /c del",
        "uvx --from x sh -c 'touch x'",
    ],
)
def test_an_allowed_launcher_runs_no_code_that_its_command_line_brings(line: str) -> None:
    command = tuple(shlex.split(line))
    server = ServerDefinition("s", command)
    refused = Gatekeeper([command[0]]).refusal(server)
    assert refused is not None
    assert "would run anything under the name" in refused.text
    assert Gatekeeper([f"{line.partition(' ')[0]} *"]).allows(server)


@pytest.mark.parametrize(
    "line",
    [
        "npx -y @acme/server --config c -c x",
        "npx -p @acme/server server -c x",
        "uvx --from git+https://example.com/x server --call",
        "python3 -u server.py -c x",
        "python3 -m server -c x",
        "node --import tsx server.ts -e 1",
        "docker run -i --rm -e TOKEN acme/server",
        "bash /srv/c.sh -c x",
    ],
)
def test_an_allowed_launcher_starts_servers_with_options_of_their_own(line: str) -> None:
    command = tuple(shlex.split(line))
    assert Gatekeeper([command[0]]).allows(ServerDefinition("s", command))


def test_a_search_path_of_the_entrys_own_makes_another_program_of_an_allowed_name() -> None:
    server = ServerDefinition("s", ("npx", "x"), env={"PATH": "./tools"})
    assert not Gatekeeper(["npx"]).allows(server)
    assert Gatekeeper(["npx x"]).allows(server)
    assert not Gatekeeper(["npx -y @acme/*"]).allows(ServerDefinition("s", ("npx", "-y", "@evil/x")))


def test_a_server_over_http_is_not_a_command() -> None:
    assert Gatekeeper([]).allows(ServerDefinition("s", url="https://example.com/mcp"))


async def test_an_entry_with_a_problem_fails_alone() -> None:
    broken = ServerDefinition("broken", ("x",), problem="config.yaml:3:5: ${TOKEN} is not set")
    async with running(broken, fault("s", "ok")) as manager:
        assert manager.servers["broken"].source.state is ServerState.FAILED
        assert "${TOKEN} is not set" in (manager.servers["broken"].source.error or "")
        assert manager.servers["s"].source.state is ServerState.READY


async def test_tools_are_chosen_and_loaded_as_the_entry_says() -> None:
    choice = ToolChoice(allow=("tool_1*",), deny=("tool_10",), always_load=("tool_11",))
    async with running(fault("s", "many_tools", tools=choice)) as manager:
        names = {tool.original_name: tool.deferred for tool in manager.registry}
        assert "tool_2" not in names
        assert "tool_10" not in names
        assert names["tool_12"] is True
        assert names["tool_11"] is False


async def test_a_server_is_switched_off_and_on_again() -> None:
    async with running(fault("s", "ok")) as manager:
        await manager.disable("s")
        assert manager.servers["s"].source.state is ServerState.OFF
        assert not manager.registry.of_server("s")
        await until(lambda: not manager.servers["s"].running)
        manager.reconnect("s")
        await manager.wait_all()
        assert (await call(manager, "s")).text == "useful"


async def test_a_call_to_a_server_that_failed_says_so_at_once() -> None:
    async with running(fault("s", "ok")) as manager:
        tool = manager.registry.find("s", "t")
        await manager.disable("s")
        assert tool is not None
        from mewcode.calls import Principal, ToolCall

        result = await tool.execute(ToolCall(tool.name, {}, "s", Principal("p")))
        assert result.error is not None
        assert result.error.kind is ErrorKind.SERVER_MISSING
        assert "(off)" in result.error.message


def test_the_fingerprint_is_of_what_is_run_and_not_of_secrets() -> None:
    assert fingerprint_of(("a",), {"K": "1"}, "") == fingerprint_of(("a",), {"K": "2"}, "")
    assert fingerprint_of(("a", "b"), {}, "") != fingerprint_of(("a b",), {}, "")


async def test_a_result_of_32_mib_is_whole_and_the_loop_stays_free(tmp_path: Path) -> None:
    script = tmp_path / "big.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[1] / 'faults')!r})\n"
        "from fault_server import FaultServer\n"
        "class Big(FaultServer):\n"
        "    def call(self, message):\n"
        "        self.text(message, 'x' * (32 << 20))\n"
        "Big(['ok']).run()\n"
    )
    async with running(python_server("s", script)) as manager:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await anyio.sleep(0.005)
                ticks += 1

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(tick)
            result = await call(manager, "s")
            tasks.cancel_scope.cancel()
        assert len(result.text) == 32 << 20
        assert ticks > 5


async def test_leaving_while_a_server_is_asked_for_its_era_ends_it_for_good() -> None:
    """The probe that is cut off by leaving must not be taken for a server that died of it and is tried once more."""
    with anyio.fail_after(PATIENCE):
        async with running(fault("slow", "silent_discover"), wait=False) as manager:
            connection = manager.servers["slow"].connection
            while connection.attempt is None or connection.attempt.wire is None or not connection.attempt.wire.probed:
                await anyio.sleep(0.01)
    assert manager.servers["slow"].source.state is ServerState.STOPPED
    assert connection.attempt.server is not None and connection.attempt.server.process.returncode is not None
