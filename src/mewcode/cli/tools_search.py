"""`mewcode tools search`: the ranking that ToolSearch gives a model, for people, scripts and benchmarks."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import anyio
import typer

from mewcode.cli.missing_servers import say_missing_servers
from mewcode.cli.options import AsPrincipal, JsonOutput, McpConfig, TrustProject
from mewcode.cli.output import print_json, print_rows, print_text
from mewcode.errors import UsageError

if TYPE_CHECKING:
    from mewcode.app.options import AppOptions
    from mewcode.tools.search.index import Found, SearchIndex


def search(
    words: Annotated[list[str] | None, typer.Argument(help="What you need, in any language.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1_000, help="At most this many.")] = 5,
    as_json: JsonOutput = False,
    catalog: Annotated[
        Path | None, typer.Option("--catalog", help="Rank the tools of this JSON-lines file instead of your own.")
    ] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", help='Answer each {"id", "query"} of this JSON-lines file, a line each.')
    ] = None,
    mcp_config: McpConfig = None,
    trust_project: TrustProject = False,
    who: AsPrincipal = None,
) -> None:
    """Find tools by words, the best first."""
    text = " ".join(words or ())
    if not text and queries is None:
        raise UsageError("search.no_words")
    if catalog is None:
        index = anyio.run(_own_index, _options(mcp_config, trust_project, who))
    else:
        index = _catalog_index(catalog)
    if queries is not None:
        for row in _json_lines(queries):
            results = _rows(index.search(str(row.get("query", "")), limit, per_server=per_server(limit)))
            print_text(json.dumps({"id": row.get("id"), "results": results}, ensure_ascii=False))
        return
    rows = _rows(index.search(text, limit, per_server=per_server(limit)))
    if as_json:
        print_json(rows)
        return
    print_rows(("TOOL", "SERVER", "SCORE"), [(row["name"], row["server"], row["score"]) for row in rows])


def per_server(limit: int) -> int:
    """As ToolSearch has it for the model."""
    from mewcode.tools.search.tool import DEFAULT_LIMITS

    return DEFAULT_LIMITS.of_one_server(limit)


def _rows(found: "list[Found]") -> list[dict[str, Any]]:
    return [
        {
            "name": one.entry.key,
            "server": one.entry.server or None,
            "tool": one.entry.name,
            "score": round(one.score, 4),
        }
        for one in found
    ]


def _catalog_index(file: Path) -> "SearchIndex":
    from mewcode.tools.search.entry import SearchEntry
    from mewcode.tools.search.index import SearchIndex

    index = SearchIndex()
    for number, row in enumerate(_json_lines(file), 1):
        if not isinstance(row.get("name"), str):
            raise UsageError("search.bad_line", file=file, line=number, why='there is no "name"')
        server, schema = str(row.get("server") or ""), row.get("inputSchema")
        key = f"{server}/{row['name']}" if server else row["name"]
        parameters = cast("dict[str, Any]", schema) if isinstance(schema, dict) else {}
        index.add(SearchEntry(key, server, row["name"], str(row.get("description") or ""), parameters))
    return index


def _json_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Raises UsageError, with the line that is to blame."""
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("search.cannot_read", file=file, why=error) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError("search.bad_line", file=file, line=number, why=error) from error
        if not isinstance(row, dict):
            raise UsageError("search.bad_line", file=file, line=number, why="it is no object")
        yield row


def _options(mcp_config: Path | None, trust_project: bool, who: str | None) -> "AppOptions":
    from mewcode.app.loading import workspace_here
    from mewcode.app.options import AppOptions
    from mewcode.calls import Door

    return AppOptions(
        door=Door.TOOLS_CALL,
        workspace=workspace_here(),
        principal=who,
        mcp_config=mcp_config,
        trust_project=trust_project,
    )


async def _own_index(options: "AppOptions") -> "SearchIndex":
    """All that this principal may call, built-in tools too; waits for the servers, as `tools list` does."""
    from mewcode.app.house import open_app
    from mewcode.tools.search.entry import SearchEntry
    from mewcode.tools.search.index import SearchIndex

    async with open_app(options) as house:
        await house.servers.wait_all()
        say_missing_servers(house)
        index = SearchIndex()
        for tool in house.registry.view(house.principal):
            index.add(SearchEntry.of(tool))
        return index
