#!/usr/bin/env python3
"""A stdio MCP server that does what a JSON file says. Usage: script_server.py SPEC.json

`pages`: the answers to tools/list by cursor ("" is the first), as they go out; else `tools` are on one page.
`dies_after`: calls that one process answers. `dies_in`: the call in which it dies without an answer.
`adds`: tools that are there after the first call, with a notification.
`hangs`: methods that are never answered. `notes`: a call leaves SPEC.json.called behind.
`asks`: a call asks the person (elicitation) before it is answered. `cries`: written to standard error at the start.
`exits`: exit code right at the start. Every start is a line with the process id in SPEC.json.starts. Standard library
only.
"""

import json
import os
import sys

PLAIN = {"name": "t", "inputSchema": {"type": "object"}}


class ScriptServer:
    def __init__(self, spec):
        self.spec = spec
        self.tools = list(spec.get("tools", [PLAIN]))
        self.adds = list(spec.get("adds", []))
        self.calls = 0

    def run(self):
        for line in sys.stdin:
            message = json.loads(line)
            if message.get("method") == "tools/call" and self.spec.get("notes"):
                open(f"{sys.argv[1]}.called", "w").close()
            if message.get("method") and "id" in message and message["method"] not in self.spec.get("hangs", []):
                self.answer(message)

    def send(self, **message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def answer(self, message):
        method, ident, params = message["method"], message["id"], message.get("params") or {}
        if method == "initialize":
            self.send(id=ident, result=self.greeting(params))
        elif method == "tools/list":
            self.send(id=ident, result=self.page(params.get("cursor") or ""))
        elif method == "tools/call":
            self.call(ident, params)
        else:
            self.send(id=ident, error={"code": -32601, "message": "Method not found"})

    def greeting(self, params):
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "script", "version": "1"},
        }

    def page(self, cursor):
        pages = self.spec.get("pages")
        return {"tools": self.tools} if pages is None else pages[cursor]

    def call(self, ident, params):
        self.calls += 1
        if self.calls == self.spec.get("dies_in"):
            os._exit(9)
        if self.spec.get("asks"):
            schema = {"type": "object", "properties": {"name": {"type": "string"}}}
            self.send(id="q", method="elicitation/create", params={"message": "Who?", "requestedSchema": schema})
            sys.stdin.readline()
        if self.calls == self.spec.get("dies_after"):
            os.close(0)
        said = json.dumps([params["name"], params.get("arguments")])
        self.send(id=ident, result={"content": [{"type": "text", "text": said}]})
        if self.adds:
            self.tools += self.adds
            self.adds = []
            self.send(method="notifications/tools/list_changed")
        if self.calls == self.spec.get("dies_after"):
            os._exit(9)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    with open(f"{sys.argv[1]}.starts", "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    print(given.get("cries", ""), file=sys.stderr, flush=True)
    if "exits" in given:
        sys.exit(given["exits"])
    ScriptServer(given).run()
