"""The socket that is listened on."""

import socket

from mewcode.server.http.listener import bind
from mewcode.server.options import Address


def test_answers_are_not_held_back_and_early_connections_wait() -> None:
    with bind(Address("127.0.0.1", 0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP, "asyncio would leave Nagle's algorithm on"
        with socket.create_connection(listener.getsockname(), timeout=10):
            pass
