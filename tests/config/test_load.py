"""Layers over each other, each value with its place, each mistake with its name."""

from pathlib import Path

import pytest
from tests.config.loading import World

from mewcode.config import secrets_of
from mewcode.errors import SettingsError

PRODUCT = (Path(__file__).parent / "product_settings.yaml").read_text(encoding="utf-8")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_without_files_every_setting_has_its_default(world: World) -> None:
    loaded = world.load()
    assert loaded.settings.limits.per_minute == 600
    assert loaded.settings.tools.run_command.timeout == 15.0
    assert str(loaded.source_of("limits.per_minute")) == "default"
    assert (loaded.problems, loaded.files, loaded.broken) == ((), (), False)


def test_the_settings_of_the_product_page_load_as_they_stand(world: World) -> None:
    world.user(PRODUCT)
    world.environ = {"ZHIPU_API_KEY": "zhipu-key", "GITHUB_TOKEN": "ghp_token", "API_TOKEN": "api-token"}
    loaded = world.load()
    settings = loaded.settings
    assert loaded.problems == ()
    assert settings.providers["glm"].api_key == "zhipu-key"
    github, remote = settings.mcp_servers["github"], settings.mcp_servers["remote-tool"]
    assert github.argv == ("npx", "-y", "@modelcontextprotocol/server-github")
    assert (github.env, github.cwd) == ({"GITHUB_TOKEN": "ghp_token"}, world.workspace)
    assert (remote.headers, remote.timeout) == ({"Authorization": "Bearer api-token"}, 30.0)
    assert [rule.effect for rule in settings.permissions] == ["allow", "deny", "ask", "allow"]
    assert settings.roles["dev"].limits.per_minute == 60
    assert settings.audit.retention == 365 * 86400
    assert settings.sandbox.mode == "workspace"
    assert {"zhipu-key", "ghp_token", "api-token"} <= secrets_of(loaded)


def test_the_product_page_with_nothing_set_disables_only_what_needs_it(world: World) -> None:
    world.user(PRODUCT)
    world.environ = {"API_TOKEN": "api-token"}
    loaded = world.load()
    assert list(loaded.settings.mcp_servers) == ["github", "remote-tool"]
    assert "GITHUB_TOKEN" in (loaded.settings.mcp_servers["github"].problem or "")
    assert loaded.settings.mcp_servers["remote-tool"].problem is None
    assert "ZHIPU_API_KEY" in (loaded.settings.providers["glm"].problem or "")
    assert [(p.key, p.place.line) for p in loaded.errors] == [
        ("providers.glm.api_key", 4),
        ("mcp_servers.github.env.GITHUB_TOKEN", 9),
    ]
    assert not loaded.broken


def test_stronger_layers_win_key_by_key(world: World) -> None:
    world.user("model: openai:a\nlimits: {per_minute: 100, concurrent: 8}\nui: {theme: dark}\n")
    world.project("limits: {per_minute: 50}\n")
    loaded = world.load({"limits.concurrent": 4, "ui": {"keys": "vi"}})
    assert (loaded.settings.limits.per_minute, loaded.settings.limits.concurrent) == (50, 4)
    assert (loaded.settings.ui.theme, loaded.settings.ui.keys) == ("dark", "vi")
    scopes = [loaded.source_of(key).scope for key in ("model", "limits.per_minute", "limits.concurrent", "mode")]
    assert scopes == ["user", "project", "command_line", "default"]


def test_what_the_company_sets_stands_and_may_be_tightened(world: World) -> None:
    world.managed("limits: {per_minute: 100, concurrent: 10}\nmode: default\nmodel: openai:a\nui: {theme: light}\n")
    world.user("limits: {per_minute: 500, concurrent: 5}\nmode: auto\nmodel: openai:b\nui: {theme: dark}\n")
    settings = world.load({"mode": "plan", "model": "openai:c"}).settings
    assert (settings.limits.per_minute, settings.limits.concurrent) == (100, 5)
    assert (settings.mode, settings.model, settings.ui.theme) == ("plan", "openai:a", "light")


def test_rules_of_all_files_count_together_with_their_place(world: World) -> None:
    world.managed("permissions: [{rule: a, effect: deny}]")
    world.user("permissions:\n  - {rule: b, effect: allow}\n")
    world.project("permissions:\n  - {rule: c, effect: ask}\n")
    loaded = world.load({"permissions": [{"rule": "d", "effect": "allow"}]})
    found = {rule.rule: (rule.scope, rule.place.line) for rule in loaded.settings.permissions}
    assert found == {"a": ("managed", 1), "b": ("user", 2), "c": ("project", 2), "d": ("command_line", None)}


def test_a_server_replaces_the_whole_entry_of_its_name(world: World) -> None:
    world.user("mcp_servers: {a: {command: x, env: {K: v}, timeout: 5}, b: {command: y}}")
    world.project("mcp_servers: {a: {url: 'http://h/mcp'}}")
    world.trusted = True
    servers = world.load().settings.mcp_servers
    assert (servers["a"].url, servers["a"].env, servers["a"].timeout, servers["a"].scope) == (
        "http://h/mcp",
        {},
        None,
        "project",
    )
    assert servers["b"].command == "y"


def test_mcp_json_is_read_as_other_programs_write_it(world: World) -> None:
    world.trusted = True
    world.environ = {"T": "tok-en-1"}
    world.mcp_json(
        """{"mcpServers": {
            "a": {"command": ["npx", "-y", "a"], "environment": {"K": "${T}"}, "disabled": true, "timeout": 5000},
            "b": {"type": "streamable-http", "url": "http://h/mcp", "alwaysAllow": ["x"]},
            "c": {"type": "local", "command": "c"}, "d": {"httpUrl": "http://h/d"}}}"""
    )
    world.user("mcp_servers: {d: {command: mine}}")
    loaded = world.load()
    servers = loaded.settings.mcp_servers
    a = servers["a"]
    assert (a.argv, a.env, a.enabled, a.timeout) == (("npx", "-y", "a"), {"K": "tok-en-1"}, False, 5.0)
    assert (servers["b"].transport, servers["c"].transport, servers["d"].command) == ("http", "stdio", "mine")
    assert [problem.severity for problem in loaded.problems] == ["warning", "warning"]
    assert "alwaysAllow" in loaded.problems[0].message


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("limts: {per_minute: 3}", ":1:1", "“limits”"),
        ("limits: {per_minut: 3}", ":1:10", "“per_minute”"),
        ("mcpServers: {}", ":1:1", "“mcp_servers”"),
        ("per_minute: 3", ":1:1", "“limits.per_minute”"),
        ("limits: {per_minute: lots-SECRET}", ":1:22", "a whole number"),
        ("limits: {deadlines: {a: soon-SECRET}}", ":1:25", "30s"),
        ("mode: plam", ":1:7", "“plan”"),
        ("agent: {compact_at: 3}", ":1:21", "< 1.0"),
        ("permissions: [{rule: a}]", ":1:15", "permissions[0].effect"),
        ("permissions: {rule: a-SECRET}", ":1:14", "a list"),
        ("mcp_servers: {a: {comand: x}}", ":1:19", "“command”"),
        ("mcp_servers: {a: {command: x, url: 'http://SECRET'}}", ":1:18", "both"),
        ("mcp_servers: {a: {enabled: true}}", ":1:18", "needs a command"),
        ("mcp_servers: {a: SECRET}", ":1:18", "mapping"),
        ("providers: {a: {base_url: SECRET}}", ":1:27", "http://"),
        ("telemetry: {headers: {A: '${NOT_SET}'}}", ":1:26", "NOT_SET"),
        ("sandbox: paranoid", ":1:10", "strict"),
        ("limits: 3", ":1:9", "mapping"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_the_right_word(world: World, text: str, place: str, words: str) -> None:
    world.user(text)
    (problem,) = world.load().errors
    assert str(problem).startswith(f"{world.paths.config}{place}: ")
    assert words in problem.message
    assert "SECRET" not in str(problem)


def test_what_is_wrong_is_left_out_and_the_rest_counts(world: World) -> None:
    world.user(
        "model: openai:a\nmode: fast\nlimits: {per_minute: x, concurrent: 3}\n"
        "rol: {}\nroles: {a: {tools: [b], reed: [c]}}\n"
    )
    loaded = world.load()
    settings = loaded.settings
    assert (settings.model, settings.mode, settings.limits.concurrent) == ("openai:a", "default", 3)
    assert loaded.settings.roles == {}, "half a role would be another role"
    assert loaded.broken
    assert len(loaded.errors) == 4


@pytest.mark.parametrize("layer", ["user", "project"])
def test_a_file_that_cannot_be_read_breaks_nothing_but_says_so(world: World, layer: str) -> None:
    getattr(world, layer)("model: [")
    loaded = world.load()
    assert loaded.broken
    assert len(loaded.errors) == 1


def test_a_server_with_a_mistake_is_out_of_use_by_itself(world: World) -> None:
    world.user("mcp_servers: {a: {command: x, timeout: soon}, b: {command: y}}")
    loaded = world.load()
    assert loaded.settings.mcp_servers["a"].problem
    assert loaded.settings.mcp_servers["b"].problem is None
    assert not loaded.broken


def test_a_broken_entry_hides_the_weaker_one_of_its_name(world: World) -> None:
    world.user("mcp_servers: {a: {command: mine}}")
    world.managed("mcp_servers: {a: {command: theirs, env: {K: '${NOT_SET}'}}}")
    entry = world.load().settings.mcp_servers["a"]
    assert (entry.command, entry.scope) == ("theirs", "managed")
    assert entry.problem


@pytest.mark.parametrize(
    "text", ["mode: [", "mode: fast", "permissions: [{rule: a}]", "unknown: 1", "audit: {url: '${NOPE}'}"]
)
def test_a_broken_managed_file_ends_everything(world: World, text: str) -> None:
    world.managed(text)
    with pytest.raises(SettingsError, match=r"policy\.yaml:1:\d+") as caught:
        world.load()
    assert caught.value.exit_code == 2


def test_a_list_of_allowed_commands_that_cannot_be_read_allows_none(world: World) -> None:
    world.user("mcp_allowed_commands: npx")
    assert world.load().settings.mcp_allowed_commands == []
    world.user("mcp_allowed_commands: [npx")
    assert world.load().settings.mcp_allowed_commands == []
    world.user("mcp_allowed_commands:")
    assert world.load().settings.mcp_allowed_commands is None


def test_a_wrong_command_line_is_an_error_at_once(world: World) -> None:
    with pytest.raises(SettingsError, match="mode"):
        world.load({"mode": "fast"})


def test_a_file_of_servers_on_the_command_line_needs_no_trust(world: World, tmp_path: Path) -> None:
    file = tmp_path / "more.json"
    file.write_text('{"mcpServers": {"a": {"command": "x"}}}')
    assert world.load(mcp_config=file).settings.mcp_servers["a"].scope == "command_line"
    with pytest.raises(SettingsError, match="nowhere"):
        world.load(mcp_config=tmp_path / "nowhere.json")


def test_rules_are_checked_by_whoever_knows_their_language(world: World) -> None:
    world.user("permissions:\n  - {rule: bad, effect: allow}\n  - {rule: good, effect: allow}\n")
    loaded = world.load(check_rule=lambda rule: "never matches" if rule == "bad" else None)
    assert [(p.place.line, p.key) for p in loaded.errors] == [(2, "permissions[0].rule")]


def test_no_value_of_a_secret_shows_in_messages_or_in_the_printed_form(world: World) -> None:
    world.environ = {"KEY": "sk-very-secret"}
    world.user(
        "providers: {a: {api_key: '${KEY}', timeout: '${KEY}'}}\nstate: {url: 'redis://u:hunter22@h'}\nmode: '${KEY}'\n"
    )
    loaded = world.load()
    assert {"sk-very-secret", "hunter22"} <= loaded.secrets
    assert "sk-very-secret" not in " ".join(map(str, loaded.problems)) + repr(loaded.settings)


def test_names_with_dots_have_a_source(world: World) -> None:
    world.user("mcp_servers: {my.server: {command: x}}\nlimits: {deadlines: {'a.b': 3}}\n")
    loaded = world.load()
    assert loaded.source_of("mcp_servers.my.server.command").column == 36
    assert loaded.source_of("limits.deadlines.a.b").line == 2
