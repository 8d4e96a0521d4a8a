"""What an upstream says of its tools and results reaches a gateway's clients; what it gets wrong costs little."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.clients import ERAS, http, shared, text_of

pytestmark = pytest.mark.anyio

FAULTS = Path(__file__).parents[1] / "faults"
TOOLS = """
RICH = {
    "name": "rich", "title": "Rich", "description": "has everything",
    "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}},
                    "x-vendor": 1},
    "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    "icons": [{"src": "https://example.com/i.png", "mimeType": "image/png"}],
    "_meta": {"example.com/cost": 3},
}
ODD = [
    {"name": "odd_required", "description": "one", "inputSchema": {"type": "object", "required": True}},
    {"name": "odd_properties", "inputSchema": {"type": "object", "properties": {"a": "string", "b": None}}},
    {"name": "odd_output", "inputSchema": {}, "outputSchema": {"type": "array", "required": True}},
    {"name": "odd_notes", "title": "Two", "inputSchema": {}, "annotations": {"readOnlyHint": "yes"}, "icons": "none",
     "outputSchema": {"type": "object"}},
]
class Upstream(FaultServer):
    def list_tools(self, message):
        self.reply(message, result={"tools": [RICH, *ODD]})
    def call(self, message):
        self.reply(message, result={
            "content": [{"type": "text", "text": "three", "annotations": {"audience": ["user"]},
                         "_meta": {"example.com/page": 1}}],
            "structuredContent": {"n": 3},
            "_meta": {"example.com/trace": "t", "io.modelcontextprotocol/serverInfo": {}},
        })
Upstream([]).run()
"""


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a gateway before it."""
    folder = tmp_path_factory.mktemp("upstream")
    script = folder / "upstream.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(FAULTS)!r})\nfrom fault_server import FaultServer\n{TOOLS}")
    text = (
        f"mcp_servers: {{up: {{command: {sys.executable}, args: ['{script}']}}}}\n"
        'permissions: [{rule: "mcp_*(*)", effect: allow}]\n'
    )
    with shared(folder, text, "--no-auth", "--upstreams", "up", "--prefix", "") as running:
        yield running.served.url


@pytest.mark.parametrize("era", ERAS)
async def test_annotations_schemas_icons_meta_and_structured_content_are_passed_on(upstream: str, era: str) -> None:
    async with http(upstream, era=era) as client:
        tools: dict[str, Any] = {tool.name: tool for tool in (await client.list_tools()).tools}
        result = await client.call_tool("rich", {"a": "x"})
    rich = tools["rich"].model_dump(by_alias=True, mode="json", exclude_none=True)
    assert rich["inputSchema"]["properties"] == {"a": {"$ref": "#/$defs/x"}}
    assert rich["inputSchema"]["$defs"] == {"x": {"type": "string"}}
    assert rich["inputSchema"]["x-vendor"] == 1
    assert rich["outputSchema"]["required"] == ["n"]
    assert rich["annotations"]["idempotentHint"] is True
    assert rich["annotations"]["readOnlyHint"] is True
    assert rich["icons"][0]["src"] == "https://example.com/i.png"
    assert rich["_meta"]["example.com/cost"] == 3
    assert result.structured_content == {"n": 3}
    assert result.meta is not None
    assert result.meta["example.com/trace"] == "t"
    [block] = result.content
    assert block.annotations is not None
    assert block.meta == {"example.com/page": 1}


@pytest.mark.parametrize("era", ERAS)
async def test_what_one_tool_says_wrongly_costs_that_part_only(upstream: str, era: str) -> None:
    async with http(upstream, era=era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert text_of(await client.call_tool("odd_required", {})) == "three"
    assert {"rich", "odd_required", "odd_properties", "odd_output", "odd_notes"} <= set(tools)
    assert tools["odd_properties"].input_schema["properties"].keys() == {"a", "b"}
    assert tools["odd_required"].description == "one"
    assert tools["odd_notes"].title == "Two"
    assert tools["odd_notes"].output_schema is not None
