"""A caller of MCP over HTTP that costs next to nothing: one connection, 2026-07-28, requests written by hand.

Beside it the SDK's client takes as long as a server does, and hides what is measured.
"""

import asyncio
import json
from urllib.parse import urlsplit

VERSION = "2026-07-28"


class HttpCaller:
    """Raises RuntimeError for an answer that is no result."""

    def __init__(self, url: str, token: str | None) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._path = parts.hostname or "", parts.port or 80, parts.path
        self._token = token
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def call(self, tool: str, text: str) -> None:
        """Calls a tool, and makes sure that the answer is that of this call."""
        status, answer = await self.ask(tool, text)
        if status != 200 or text.encode() not in answer or b'"result"' not in answer or b'"isError":true' in answer:
            raise RuntimeError(f"{status}: {answer[:500]!r}")

    async def ask(self, tool: str, text: str) -> tuple[int, bytes]:
        """Calls a tool; the status and the body of the answer, whatever it is."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
        }
        params = {"name": tool, "arguments": {"text": text}, "_meta": meta}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        return await self._post(body, tool)

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    async def _post(self, body: bytes, tool: str) -> tuple[int, bytes]:
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        head = [
            f"POST {self._path} HTTP/1.1",
            f"Host: {self._host}:{self._port}",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            f"MCP-Protocol-Version: {VERSION}",
            "Mcp-Method: tools/call",
            f"Mcp-Name: {tool}",
            f"Content-Length: {len(body)}",
            *([f"Authorization: Bearer {self._token}"] if self._token else []),
        ]
        self._writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)
        return await self._answer(self._reader)

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        if "content-length" in fields:
            body = await reader.readexactly(int(fields["content-length"]))
        else:
            body = b""
            while (size := int(await reader.readuntil(b"\r\n"), 16)) or not body:
                body += await reader.readexactly(size)
                await reader.readexactly(2)
            await reader.readexactly(2)
        if fields.get("connection") == "close":
            await self.close()
        return status, body
