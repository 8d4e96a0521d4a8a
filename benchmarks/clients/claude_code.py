"""How Claude Code is driven: `npm install @anthropic-ai/claude-code`."""

import json
import subprocess

from benchmarks.clients.scene import TOKEN_VARIABLE, Scene

PROGRAM = "claude"


def run(program: str, at: Scene) -> str:
    """Asks it to read the file, with our server as its only one; returns what it says."""
    if at.url is None:
        own = {"MEWCODE_HOME": str(at.home)}
        server = {"type": "stdio", "command": at.command[0], "args": at.command[1:], "env": own}
    else:
        headers = {"Authorization": f"Bearer ${{{TOKEN_VARIABLE}}}"}
        server = {"type": "http", "url": at.url, "headers": headers}
    config = at.folder / "claude-mcp.json"
    config.write_text(json.dumps({"mcpServers": {"mewcode": server}}))
    command = [program, "-p", "Read secret.txt and say what is in it.", "--mcp-config", str(config)]
    command += ["--strict-mcp-config", "--allowedTools", "mcp__mewcode__read_file", "--output-format", "text"]
    environ = {
        **at.environ,
        "ANTHROPIC_BASE_URL": at.endpoint.anthropic_url,
        "ANTHROPIC_API_KEY": "scripted",
        "ANTHROPIC_MODEL": "scripted",
        "CLAUDE_CONFIG_DIR": str(at.folder / "claude"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ENABLE_TOOL_SEARCH": "false",
        "MCP_TIMEOUT": "120000",
    }
    done = subprocess.run(
        command, cwd=at.work, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
    )
    return done.stdout + done.stderr
