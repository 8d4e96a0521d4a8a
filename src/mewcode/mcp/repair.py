"""Mends what servers send before the SDK validates it.

The SDK's models refuse a whole list for one bad entry, and a whole result for one unknown block. So they are handed an
envelope that always validates, which carries the answer as it came under `WIRE`; what it means is read from there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from mewcode.mcp.shapes import as_list, as_object
from mewcode.mcp.tool_definition import object_schema

WIRE = "mewcode/wire"
"""The key in `_meta` under which the untouched answer travels."""

Report = Callable[[str], None]
"""Takes a sentence about something that was mended; the caller reports each once."""

_EMPTY: Mapping[str, Mapping[str, Any]] = {
    "tools/list": {"tools": []},
    "tools/call": {"content": []},
    "resources/list": {"resources": []},
    "resources/templates/list": {"resourceTemplates": []},
    "resources/read": {"contents": []},
    "prompts/list": {"prompts": []},
    "prompts/get": {"messages": []},
    "completion/complete": {"completion": {"values": []}},
}
_CACHED = frozenset({"tools/list", "resources/list", "resources/templates/list", "resources/read", "prompts/list"})


def mend(method: str, result: Any, report: Report) -> dict[str, Any]:
    """What the SDK gets instead of `result`, the answer to a request of `method`."""
    answer = dict(as_object(result))
    if not isinstance(result, dict):
        report(f"{method}: the result is {type(result).__name__}, not an object")
    if method == "initialize":
        return _initialize(answer, report)
    if method == "server/discover":
        return _discover(answer)
    if method not in _EMPTY or answer.get("resultType") not in (None, "complete"):
        return answer
    envelope: dict[str, Any] = {**_EMPTY[method], "resultType": "complete", "_meta": {WIRE: answer}}
    if method in _CACHED:
        envelope |= {"ttlMs": 0, "cacheScope": "private"}
    if method == "tools/list":
        envelope["tools"] = _tools(answer, report)
    return envelope


def entries(answer: Mapping[str, Any], key: str, identity: str, report: Report) -> list[dict[str, Any]]:
    """The usable entries of a list in an answer: objects with a text under `identity`."""
    if not isinstance(answer.get(key), list):
        report(f"the answer has no list of {key}")
        return []
    usable: list[dict[str, Any]] = []
    for listed in as_list(answer.get(key)):
        entry = as_object(listed)
        if isinstance(entry.get(identity), str):
            usable.append(dict(entry))
        else:
            report(f"an entry of {key} has no {identity} and was left out: {str(listed)[:80]}")
    return usable


def _initialize(answer: dict[str, Any], report: Report) -> dict[str, Any]:
    mended = dict(answer)
    info = as_object(answer.get("serverInfo"))
    if not isinstance(info.get("name"), str):
        report("initialize: the server does not say what it is (serverInfo)")
        mended["serverInfo"] = {"name": "", "version": ""}
    else:
        mended["serverInfo"] = {"name": info["name"], "version": str(info.get("version") or "")}
    mended["capabilities"] = _capabilities(answer.get("capabilities"))
    if not isinstance(answer.get("instructions"), str):
        mended.pop("instructions", None)
    return mended


def _discover(answer: dict[str, Any]) -> dict[str, Any]:
    mended = {"ttlMs": 0, "cacheScope": "private", "resultType": "complete", **answer}
    mended["capabilities"] = _capabilities(answer.get("capabilities"))
    if not isinstance(answer.get("instructions"), str):
        mended.pop("instructions", None)
    return mended


def _capabilities(value: Any) -> dict[str, Any]:
    """Only members that are objects: `"tools": true` and `null` are meant as objects often enough."""
    mended: dict[str, Any] = {}
    for name, member in as_object(value).items():
        if isinstance(member, dict):
            mended[name] = {key: setting for key, setting in as_object(member).items() if setting is not None}
        elif member is True:
            mended[name] = {}
    return mended


def _tools(answer: Mapping[str, Any], report: Report) -> list[dict[str, Any]]:
    """Just what the SDK acts on: the name, and the schema in which it looks for headers to mirror."""
    tools: list[dict[str, Any]] = []
    for wire in entries(answer, "tools", "name", report):
        if not isinstance(wire.get("inputSchema"), dict):
            report(f"tool {wire['name']}: inputSchema is missing; it takes anything")
        elif wire["inputSchema"].get("type") != "object":
            report(f"tool {wire['name']}: inputSchema is not of type object; taken as one")
        sent, schema = as_object(wire.get("inputSchema")), object_schema(wire.get("inputSchema"))
        if odd := [key for key, value in sent.items() if key != "type" and schema.get(key) != value]:
            report(f"tool {wire['name']}: its inputSchema has {', '.join(odd)} of a wrong shape")
        tools.append({"name": wire["name"], "inputSchema": schema, "_meta": {WIRE: wire}})
    return tools
