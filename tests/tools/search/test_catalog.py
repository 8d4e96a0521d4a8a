"""`mewcode tools search` over files, as scripts and benchmarks use it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mewcode.cli.tools import app
from mewcode.errors import UsageError

CATALOG = [
    {"server": "github", "name": "create_issue", "description": "Opens an issue.", "inputSchema": {"type": "object"}},
    {"server": "weather", "name": "forecast", "description": "Weather forecast.", "inputSchema": None},
]


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    file = tmp_path / "catalog.jsonl"
    file.write_text("\n".join(map(json.dumps, CATALOG)) + "\n\n", encoding="utf-8-sig")
    return file


def test_a_file_of_tools_is_ranked(catalog: Path) -> None:
    done = CliRunner().invoke(app, ["search", "weather", "--catalog", str(catalog), "--limit", "1", "--json"])
    (row,) = json.loads(done.stdout)
    assert {"server": "weather", "tool": "forecast"}.items() <= row.items()
    assert set(row) == {"name", "server", "tool", "score"}


def test_each_query_of_a_file_gets_a_line(catalog: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"id": "a", "query": "open an issue"}\n{"id": "b", "query": "天气"}\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["search", "--catalog", str(catalog), "--queries", str(queries), "--json"])
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == ["a", "b"]
    assert [line["results"][0]["tool"] for line in lines] == ["create_issue", "forecast"]


@pytest.mark.parametrize("content", ["{", "[]", '{"server": "x"}'])
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text(content + "\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["search", "words", "--catalog", str(file)])
    assert isinstance(done.exception, UsageError)
    assert "line 1" in str(done.exception)


def test_without_words_there_is_nothing_to_search(catalog: Path) -> None:
    done = CliRunner().invoke(app, ["search", "--catalog", str(catalog)])
    assert isinstance(done.exception, UsageError)
