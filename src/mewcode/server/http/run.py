"""The HTTP door from its opening to its orderly end."""

import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable

import anyio
from anyio.abc import TaskGroup, TaskStatus

from mewcode.server.front import Front
from mewcode.server.houses import Houses
from mewcode.server.http.listener import Listener

_log = logging.getLogger(__name__)


class Draining:
    """Whether the end has begun: probes say so, and no new work should come."""

    def __init__(self) -> None:
        self.begun = False


async def run_http(
    listener: Listener,
    sockets: list[socket.socket],
    front: Front,
    houses: Houses,
    draining: Draining,
    drain: float,
    reload: Callable[[], Awaitable[bool]],
) -> None:
    """Serves until SIGTERM or SIGINT; then lets calls in flight end, `drain` seconds at most. SIGHUP reloads."""
    async with anyio.create_task_group() as tasks:
        await tasks.start(_signals, tasks, listener, front, houses, draining, drain, reload)
        await listener.serve(sockets=sockets)
        tasks.cancel_scope.cancel()


async def _signals(
    tasks: TaskGroup,
    listener: Listener,
    front: Front,
    houses: Houses,
    draining: Draining,
    drain: float,
    reload: Callable[[], Awaitable[bool]],
    *,
    task_status: TaskStatus[None],
) -> None:
    wanted = [signal.SIGTERM, signal.SIGINT]
    if sys.platform == "win32":
        task_status.started()
        await anyio.sleep_forever()  # the event loop there has no signal handlers; Ctrl-C arrives as an exception
    else:
        wanted.append(signal.SIGHUP)
    # Received until the very end: a signal that nobody waits for any more would kill the process in its last steps.
    with anyio.open_signal_receiver(*wanted) as arrived:
        task_status.started()
        async for number in arrived:
            if sys.platform != "win32" and number == signal.SIGHUP:
                await reload()
                continue
            if draining.begun:  # a second signal: at once
                listener.should_exit = True
                continue
            draining.begun = True
            tasks.start_soon(_drain, listener, front, houses, drain)


async def _drain(listener: Listener, front: Front, houses: Houses, drain: float) -> None:
    listener.stop_listening()
    front.listening.close()
    _log.info("ending: %d calls in flight", houses.users)
    with anyio.move_on_after(drain):
        await houses.wait_idle()
    listener.should_exit = True
