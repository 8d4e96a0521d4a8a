"""How Codex is driven: `npm install @openai/codex`."""

import json
import subprocess

from benchmarks.clients.scene import TOKEN_VARIABLE, Scene

PROGRAM = "codex"
CONFIG = """
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
[model_providers.scripted]
name = "scripted"
base_url = {endpoint}
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[mcp_servers.mewcode]
startup_timeout_sec = 120
required = true
{server}
"""


def run(program: str, at: Scene) -> str:
    """Asks it to read the file, with our server as its only one; returns what it says."""
    if at.url is None:
        command, *arguments = at.command
        server = f"command = {json.dumps(command)}\nargs = {json.dumps(arguments)}\n"
        server += f"env = {{ MEWCODE_HOME = {json.dumps(str(at.home))} }}"
    else:
        server = f"url = {json.dumps(at.url)}\nbearer_token_env_var = {json.dumps(TOKEN_VARIABLE)}"
    home = at.folder / "codex"
    home.mkdir()
    (home / "config.toml").write_text(CONFIG.format(endpoint=json.dumps(at.endpoint.url), server=server))
    options = ["--skip-git-repo-check", "--sandbox", "danger-full-access", "--cd", str(at.work)]
    environ = {**at.environ, "CODEX_HOME": str(home), "SCRIPTED_KEY": "scripted"}
    done = subprocess.run(
        [program, "exec", *options, "Read secret.txt and say what is in it."],
        cwd=at.work,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout + done.stderr
