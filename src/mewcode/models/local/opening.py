"""Brings the embedded model up: weights, server, and the saved state of its fixed prompt."""

from contextlib import suppress
from pathlib import Path

from anyio import to_thread

from mewcode.errors import ModelError
from mewcode.models.endpoint import Endpoint
from mewcode.models.local.model import CONTEXT, EmbeddedModel, prompt_fingerprint
from mewcode.models.local.prompt import fixed_messages
from mewcode.models.local.server import LaunchSettings, LlamaServer, start_server
from mewcode.models.local.weights import ready_file, runtime_installed


def open_embedded(endpoint: Endpoint, folder: Path) -> EmbeddedModel:
    """The weights named by `endpoint.model`, in or for `folder`; nothing starts before the first request."""

    async def start() -> LlamaServer:
        return await bring_up(endpoint.model, folder)

    return EmbeddedModel(endpoint.name, start)


async def bring_up(name: str, folder: Path) -> LlamaServer:
    """Raises ModelError: no runtime, no weights, or the server does not start."""
    if not runtime_installed():
        raise ModelError("models.embedded_runtime")
    model = await to_thread.run_sync(ready_file, name, folder)
    slots = folder / "prompts"
    slots.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = folder / "server.log"
    server = await start_server(LaunchSettings.for_this_machine(model, slots, CONTEXT), log)
    try:
        await _restore_prompt(server, slots, f"{model.name}-{model.stat().st_size}")
    except BaseException:
        await server.close()
        raise
    return server


async def _restore_prompt(server: LlamaServer, slots: Path, weights: str) -> None:
    """Reading the fixed prompt takes twenty seconds, restoring its state a tenth of one.

    A state that cannot be had or kept costs time, nothing else.
    """
    import httpx2

    file = f"{prompt_fingerprint(weights)}.bin"
    with suppress(httpx2.HTTPError):
        if (slots / file).is_file():
            answer = await server.client.post("/slots/0?action=restore", json={"filename": file})
            if answer.status_code == 200:
                return
        question = {"messages": [*fixed_messages(), {"role": "user", "content": "Hello"}], "max_tokens": 1}
        await server.client.post("/v1/chat/completions", json=question)
        for old in slots.glob("*.bin"):
            old.unlink(missing_ok=True)
        await server.client.post("/slots/0?action=save", json={"filename": file})
