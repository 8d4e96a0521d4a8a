"""Other vendors' clients against our server, over stdio and HTTP, with a scripted endpoint as their model.

    npm install --prefix DIR @anthropic-ai/claude-code @openai/codex
    PATH=DIR/node_modules/.bin:$PATH python benchmarks/clients/run.py [--only claude|codex] [--door stdio|http] [-v]

Each client is asked to read a file; its model calls `read_file` of our server and then says what came back. It counts
when the client's answer has the word that only the file knows, the model was given our fenced result, and the audit has
the call. No account is needed, and nothing leaves the machine. A client that is not installed is skipped with that
reason. Prints one JSON line for each client and door; exits with 1 when one failed.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.clients import claude_code, codex
from benchmarks.clients.scene import judge, offered, scene

CLIENTS = {"claude": claude_code, "codex": codex}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=tuple(CLIENTS))
    parser.add_argument("--door", choices=("stdio", "http"))
    parser.add_argument("-v", "--verbose", action="store_true", help="Show what a client that failed said.")
    options = parser.parse_args()
    failed = False
    for name, client in CLIENTS.items():
        if options.only not in (None, name):
            continue
        program = shutil.which(client.PROGRAM)
        if program is None:
            print(json.dumps({"client": name, "skipped": f"{client.PROGRAM} is not installed"}))
            continue
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=120)
        for door in ("stdio", "http"):
            if options.door not in (None, door):
                continue
            wrong = tried(client, program, door, verbose=options.verbose)
            failed = failed or bool(wrong)
            print(json.dumps({"client": name, "version": shown.stdout.strip(), "door": door, "wrong": wrong}))
    sys.exit(failed)


def tried(client: object, program: str, door: str, *, verbose: bool) -> list[str]:
    with tempfile.TemporaryDirectory() as folder, scene(Path(folder), door) as at:
        began = time.monotonic()
        output = client.run(program, at)  # type: ignore[attr-defined]
        wrong = judge(at, door, output)
        if wrong and verbose:
            print(output, file=sys.stderr)
            for request in at.endpoint.requests:
                tools = (request.json or {}).get("tools") or []
                print(request.path, offered(tools), [tool.get("name") for tool in tools], file=sys.stderr)
        print(f"{time.monotonic() - began:.1f} s", file=sys.stderr)
        return wrong


if __name__ == "__main__":
    main()
