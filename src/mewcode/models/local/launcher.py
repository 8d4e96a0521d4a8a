"""Runs llama.cpp's HTTP server in a process of its own. Started by its path, not imported by MewCode.

Reads one JSON line from standard input (see `server.LaunchSettings`), answers with one JSON line ({"url": ...} or
{"error": ...}) on standard output, and lives until standard input ends: when MewCode dies, however it dies, the
operating system closes that pipe. The API key comes this way too, so that no process listing shows it.
"""

import importlib
import json
import os
import sys
from typing import Any


def main() -> None:
    # The folder of this file must not lend its modules to whatever is imported below.
    sys.path.pop(0)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # llama.cpp writes to standard output as it likes; only our one line may go there
    settings = json.loads(sys.stdin.readline())
    try:
        server = start(settings)
    except BaseException as error:  # noqa: BLE001 - the parent tells the user, whatever it was
        answers.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        answers.flush()
        os._exit(1)
    answers.write(json.dumps({"url": server.listening_address}) + "\n")
    answers.flush()
    sys.stdin.read()
    os._exit(0)


def start(settings: dict[str, Any]) -> Any:
    xllamacpp: Any = importlib.import_module("xllamacpp")  # it has no types
    params = xllamacpp.CommonParams()
    params.model.path = settings["model"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [settings["api_key"]]
    params.cors_origins = "http://127.0.0.1"
    params.n_ctx = settings["context"]
    params.n_parallel = 1
    params.cpuparams.n_threads = settings["threads"]
    params.cpuparams_batch.n_threads = settings["batch_threads"]
    params.slot_save_path = settings["slots"]
    params.cache_ram_mib = 256
    params.warmup = False
    params.ui = False
    params.offline = True
    params.verbosity = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
