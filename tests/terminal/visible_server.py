"""An MCP server of the old era for what a person sees of servers. Standard library only, so that it starts at once.

Tools: work (reports progress until the file named by `until` is there), form (asks by a form with a field of each
kind), visit (asks the person to visit a page), picture (answers with an image).
"""

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

TITLES = ("work", "form", "visit", "picture")
TOOLS = [
    {
        "name": name,
        "description": f"does {name}",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": name == "work"},
    }
    for name in TITLES
]
FIELDS: dict[str, Any] = {
    "name": {"type": "string", "title": "Your name", "minLength": 2},
    "age": {"type": "integer", "minimum": 18, "maximum": 120},
    "plan": {"type": "string", "enum": ["free", "team"], "enumNames": ["Free", "Team"], "default": "free"},
    "letters": {"type": "boolean", "title": "Letters", "description": "one a month"},
    "mail": {"type": "string", "format": "email"},
}
FORM = {"type": "object", "properties": FIELDS, "required": ["name", "age", "mail"]}
PAGE = "https://login.example.com/consent?state=af0ifjsldkj"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
replies: dict[str, dict[str, Any]] = {}
arrived = threading.Condition()


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask(number: int, params: dict[str, Any]) -> str:
    """What the person answered, as text."""
    ident = f"ask-{number}"
    send(id=ident, method="elicitation/create", params=params)
    with arrived:
        arrived.wait_for(lambda: ident in replies)
    result = replies[ident].get("result") or {}
    return f"{result.get('action')} {json.dumps(result.get('content'), ensure_ascii=False)}"


def work(token: Any, arguments: dict[str, Any]) -> str:
    ends, done = time.monotonic() + 60, 0
    while time.monotonic() < ends and not Path(arguments.get("until", "/")).exists():
        done = min(done + 1, 3)
        step = {"progress": done, "total": 4, "message": f"step {done} {arguments.get('title', '')}"}
        send(method="notifications/progress", params={"progressToken": token, **step})
        time.sleep(0.05)
    return "worked"


def answer(number: int, name: str, token: Any, arguments: dict[str, Any]) -> None:
    content: dict[str, Any] = {"type": "text"}
    if name == "work":
        content["text"] = work(token, arguments)
    elif name == "form":
        content["text"] = ask(number, {"message": "Who shall it be?", "requestedSchema": FORM})
    elif name == "visit":
        page = {"mode": "url", "elicitationId": f"visit-{number}", "url": PAGE}
        content["text"] = ask(number, {"message": "Please allow access to your calendar.", **page})
    else:
        content = {"type": "image", "mimeType": "image/png", "data": PIXEL}
    send(id=number, result={"content": [content]})


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "initialize":
            info = {"name": "visible", "version": "1"}
            send(
                id=number,
                result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info},
            )
        elif method == "tools/list":
            send(id=number, result={"tools": TOOLS})
        elif method == "tools/call":
            token = (params.get("_meta") or {}).get("progressToken")
            parts = (number, params["name"], token, params.get("arguments") or {})
            threading.Thread(target=answer, args=parts, daemon=True).start()
        elif method is None:
            with arrived:
                replies[str(number)] = message
                arrived.notify_all()
        elif number is not None:
            send(id=number, error={"code": -32601, "message": "no such method"})


if __name__ == "__main__":
    main()
