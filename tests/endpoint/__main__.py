"""Runs the scripted endpoint by hand: `python -m tests.endpoint --script FILE [--port N] [--log FILE]`.

Prints its two base URLs as one JSON line, then serves until interrupted. The script is a JSON list (see
turns.script_from_json); with `--repeat` it starts again at its end. `--log` gets each request as a JSON line.
"""

import argparse
import json
import time
from pathlib import Path

from tests.endpoint.server import serve
from tests.endpoint.turns import Recorded, Turn, script_from_json


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.endpoint")
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--repeat", action="store_true")
    options = parser.parse_args()
    turns = script_from_json(options.script.read_text())

    def answer(request: Recorded) -> Turn:
        if options.log:
            line = {"path": request.path, "time": request.time, "json": request.json}
            with options.log.open("a") as log:
                log.write(json.dumps(line, ensure_ascii=False) + "\n")
        index = request.index % len(turns) if options.repeat else min(request.index, len(turns) - 1)
        return turns[index]

    with serve(answer, port=options.port) as endpoint:
        print(json.dumps({"openai": endpoint.url, "anthropic": endpoint.anthropic_url}), flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
