"""A secret that no header can carry is named, never quoted: the HTTP libraries' own errors would quote it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = """\
model: mine:m
providers: {mine: {type: openai, base_url: "http://127.0.0.1:9/v1", api_key: "${TOKEN}"}}
mcp_servers:
  remote: {url: "http://127.0.0.1:9/mcp", headers: {Authorization: "Bearer ${TOKEN}"}}
  older: {url: "http://127.0.0.1:9/sse", type: sse, headers: {X-Key: "${TOKEN}"}}
"""


@pytest.mark.parametrize("unfit", ["hush-hush\nhush", "hush-hush，hush"], ids=["line break", "full-width comma"])
@pytest.mark.parametrize(
    ("command", "names"),
    [
        (["mcp", "test", "remote"], "Authorization"),
        (["mcp", "list"], "X-Key"),
        (["run", "hello"], "api_key of mine"),
    ],
)
def test_an_unfit_secret_is_named_and_not_said(tmp_path: Path, unfit: str, command: list[str], names: str) -> None:
    home = Path(os.environ["MEWCODE_HOME"])
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(SETTINGS)
    environ = {**os.environ, "TOKEN": unfit, "COLUMNS": "400"}
    done = subprocess.run(
        [sys.executable, "-m", "mewcode", *command],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        encoding="utf-8",
    )
    assert names in done.stdout + done.stderr
    written = [path.read_text("utf-8", "replace") for path in home.rglob("*") if path.is_file()]
    assert not [text for text in (done.stdout, done.stderr, *written) if "hush" in text]
