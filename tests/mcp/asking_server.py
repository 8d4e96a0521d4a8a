"""A server of the old era that asks its host: for an answer of a model, for the roots; and one that logs and hurries.

Standard library only, so that it starts at once. Tools: sample, roots, log, steps. Changed roots are asked for again.
"""

import json
import sys
from typing import Any

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("sample", "roots", "log", "steps", "declared")]
known: dict[str, Any] = {"capabilities": {}, "changes": 0}


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    message: dict[str, Any] = json.loads(line)
    return message


def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Sends a request and returns the reply; what else arrives meanwhile is taken in."""
    send({"id": f"server-{method}", "method": method, "params": params})
    while True:
        message = receive()
        if message.get("id") == f"server-{method}":
            return message
        take(message)


def sample() -> str:
    content = {"type": "text", "text": "How many legs has a cat?"}
    params = {"messages": [{"role": "user", "content": content}], "maxTokens": 50, "systemPrompt": "Be brief."}
    reply = ask("sampling/createMessage", params)
    return str(reply["result"]["content"]["text"]) if "result" in reply else f"refused: {reply['error']['message']}"


def call(name: str, token: Any) -> str:
    if name == "sample":
        return sample()
    if name == "roots":
        roots = ask("roots/list", {})["result"]["roots"]
        return " ".join([*(root["uri"] for root in roots), f"changed {known['changes']} times"])
    if name == "declared":
        return " ".join(sorted(known["capabilities"]))
    if name == "log":
        send({"method": "notifications/message", "params": {"level": "warning", "data": "the disk is nearly full"}})
    if name == "steps":
        for done in (1, 2):
            params = {"progressToken": token, "progress": done, "total": 2, "message": f"step {done}"}
            send({"method": "notifications/progress", "params": params})
    return "done"


def take(message: dict[str, Any]) -> None:
    method, ident, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method == "notifications/roots/list_changed":
        known["changes"] += 1
    elif method == "initialize":
        known["capabilities"] = params["capabilities"]
        info = {"name": "asking", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}}, "serverInfo": info}
        send({"id": ident, "result": result})
    elif method == "tools/list":
        send({"id": ident, "result": {"tools": TOOLS}})
    elif method == "tools/call":
        text = call(params["name"], (params.get("_meta") or {}).get("progressToken"))
        send({"id": ident, "result": {"content": [{"type": "text", "text": text}]}})
    elif method == "logging/setLevel":
        send({"id": ident, "result": {}})
    elif ident is not None and method is not None:
        send({"id": ident, "error": {"code": -32601, "message": "no such method"}})


if __name__ == "__main__":
    while True:
        take(receive())
