"""Recall, latency and tokens of the tool search.

    python benchmarks/tool_search.py FOLDER [--pools 80,500,2800,10k] [--semantic]

FOLDER holds `score.py`, pools of tools and labelled queries in the form that `mewcode tools search --catalog --queries`
reads. Prints recall at 1, 3, 5 and 10, the time of an index and of a search (95th percentile), and how many tokens
(estimated from above) a first request spends on tools. Times are processor times: a loaded machine does not change them
much.
"""

import argparse
import importlib.util
import json
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from mewcode.tools import ServerSource, ServerState, ToolRegistry
from mewcode.tools.search import ToolSearch, reminder
from mewcode.tools.search.answer import definition_of
from mewcode.tools.search.entry import SearchEntry
from mewcode.tools.search.index import SearchIndex
from mewcode.tools.search.semantic import Meaning
from mewcode.tools.search.tokens import estimate_tokens
from mewcode.tools.search.tool import DEFAULT_LIMITS

LIMIT = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pools", default="80,500,2800,10k")
    parser.add_argument("--semantic", action="store_true")
    options = parser.parse_args()
    judge = load(options.folder / "score.py")
    queries = judge.lines(options.folder / "queries_dev.jsonl")
    pools = judge.pools()
    print(f"{'pool':6}{'queries':18}{'n':>5}   R@1   R@3   R@5  R@10   index s  search ms (p50, p95)")
    for name in options.pools.split(","):
        recall(judge, name, pools[name], queries, semantic=options.semantic)
    print(f"\n{'pool':6}{'tools':>6}  all definitions  reminder + tool_search  saved   an answer of five")
    for name in options.pools.split(","):
        tokens(name, pools[name][0])


def load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("judge", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def encoded_index(catalog: list[dict[str, Any]]) -> SearchIndex:
    meaning = Meaning()
    index = index_of(catalog, meaning)
    assert meaning.wait(1_800), "mewcode[semantic] is not installed, or took too long"
    return index


def index_of(catalog: list[dict[str, Any]], meaning: Meaning | None = None) -> SearchIndex:
    index = SearchIndex(meaning)
    for tool in catalog:
        key = f"{tool['server']}/{tool['name']}"
        text, schema = tool.get("description") or "", tool.get("inputSchema") or {}
        index.add(SearchEntry(key, tool["server"], tool["name"], text, schema))
    return index


def recall(
    judge: ModuleType, name: str, catalogs: list[list[dict[str, Any]]], queries: list[dict[str, Any]], *, semantic: bool
) -> None:
    started = time.process_time()
    rankers = [index_of(catalog) for catalog in catalogs]
    built = (time.process_time() - started) / len(rankers)
    if semantic:
        rankers = [encoded_index(catalog) for catalog in catalogs]
    ids = [{f"{tool['server']}/{tool['name']}" for tool in catalog} for catalog in catalogs]
    scored: list[tuple[dict[str, Any], list[float]]] = []
    times: list[float] = []
    for query in queries:
        fit = [sum(any(n in known for n in need[:1]) for need in query["gold"]) for known in ids]
        home = fit.index(max(fit))
        gold = judge.restrict(query, ids[home])
        if not gold:
            continue
        started = time.process_time()
        found = rankers[home].search(query["query"], LIMIT, per_server=DEFAULT_LIMITS.of_one_server(LIMIT))
        if query["type"] in judge.NEEDS:
            times.append(time.process_time() - started)
        scored.append((query, judge.recall([one.entry.key for one in found], gold)))
    times.sort()
    middle, high = (1000 * times[int(len(times) * share)] for share in (0.5, 0.95))
    for label, language, needs in (
        ("English needs", "en", True),
        ("Chinese needs", "zh", True),
        ("requests", "", False),
    ):
        rows = [r for q, r in scored if (q["type"] in judge.NEEDS) == needs and q["lang"].startswith(language)]
        means = [100 * sum(column) / len(rows) for column in zip(*rows, strict=True)]
        print(f"{name:6}{label:18}{len(rows):5}" + "".join(f"{m:6.1f}" for m in means), end="")
        print(f"   {built:7.3f}  {middle:.2f}, {high:.2f}")


def tokens(name: str, catalog: list[dict[str, Any]]) -> None:
    rows = [{key: tool.get(key) for key in ("name", "description", "inputSchema")} for tool in catalog]
    whole = sum(estimate_tokens(json.dumps(row, ensure_ascii=False)) for row in rows)
    registry = registry_of(catalog)
    search = ToolSearch(registry)
    spent = estimate_tokens(reminder(registry, registry.sources)) + estimate_tokens(definition_of(search))
    answers = [definition_of(tool) for tool in list(registry)[:5]]
    answer = sum(map(estimate_tokens, answers))
    print(f"{name:6}{len(catalog):6}  {whole:15,}  {spent:22,}  {100 * (1 - spent / whole):5.1f} %  {answer:6,}")


def registry_of(catalog: list[dict[str, Any]]) -> ToolRegistry:
    from mewcode.calls import ToolCall, ToolResult
    from mewcode.tools import Tool

    class Offered(Tool):
        deferred = True

        def __init__(self, row: dict[str, Any]) -> None:
            self.server, self.description = row["server"], row.get("description") or ""
            self.name = f"mcp_{row['server']}_{row['name']}"
            self.parameters = row.get("inputSchema") or {}

        async def execute(self, call: ToolCall) -> ToolResult:
            return ToolResult()

    registry = ToolRegistry()
    for row in catalog:
        tool = Offered(row)
        if registry.get(tool.name) is None:
            registry.add(tool)
        registry.sources[row["server"]] = ServerSource(row["server"], f"mcp_{row['server']}_", ServerState.READY)
    return registry


if __name__ == "__main__":
    main()
