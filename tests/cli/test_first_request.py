"""What is loaded when the first request to a model goes out."""

import os
import subprocess
import sys
from pathlib import Path

from tests.endpoint import Turn, serve

HEAVY = {"mcp", "sqlalchemy", "jsonschema", "tree_sitter", "prompt_toolkit", "genai_prices.data", "keyring"}

_SCRIPT = """
import sys
from mewcode.cli.main import main

def note_modules(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][1] == {port}:
        print("LOADED", *sys.modules, file=sys.stderr)

sys.addaudithook(note_modules)
sys.argv = ["mewcode", "run", "go"]
main()
"""


def test_nothing_that_only_tools_servers_and_screens_need_is_loaded(tmp_path: Path) -> None:
    with serve([Turn("done")]) as endpoint:
        (tmp_path / "config.yaml").write_text(
            f"model: scripted:m\nproviders:\n  scripted: {{type: openai, base_url: '{endpoint.url}', api_key: k}}\n"
        )
        script = _SCRIPT.format(port=endpoint.port)
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env={**os.environ, "MEWCODE_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=True,
        )
    line = next(line for line in done.stderr.splitlines() if line.startswith("LOADED"))
    assert "pydantic_ai" in line.split()
    assert HEAVY.isdisjoint(line.split())
