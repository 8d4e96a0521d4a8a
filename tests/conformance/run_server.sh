#!/bin/sh
# Runs the official conformance suite against our server, both requirement sets: run_server.sh [RESULTS-FOLDER]
# Through the gateway, with the fixture server of this folder behind it. Needs what tests/servers/install.sh installs.
# Every scored check has to pass: there is no baseline of failures.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
servers=${MEWCODE_TEST_SERVERS:-$root/.cache/servers}
suite=$servers/conformance/node_modules
results=${1:-$root/results/conformance-server}
python=${PYTHON:-python3}
failed=0
mkdir -p "$results"

if [ ! -f "$servers/conformance/.installed" ]; then
    echo "the conformance suite is not installed; run tests/servers/install.sh" >&2
    exit 1
fi

home=$(mktemp -d)
server=
trap 'kill "$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$home"' EXIT
mkdir "$home/work" "$home/settings"
cat >"$home/settings/config.yaml" <<SETTINGS
mcp_servers:
  fixture:
    {command: "$python", args: [-m, tests.conformance.fixture], cwd: "$root", env: {PYTHONPATH: "$root"}, sampling: true}
permissions:
  - {rule: "mcp_*(*)", effect: allow}
  - {rule: "read_resource(*)", effect: allow}
  - {rule: "get_prompt(*)", effect: allow}
limits: {per_minute: 100000}
trust: {escalate: false}
SETTINGS

(
    cd "$home/work"
    exec env MEWCODE_HOME="$home/settings" "$python" -m mewcode serve \
        --http 127.0.0.1:0 --no-auth --upstreams all --prefix "" 2>"$results/server.log"
) &
server=$!
url=
for _ in $(seq 300); do
    url=$(grep -om1 'http://[^ ]*/mcp' "$results/server.log" 2>/dev/null) && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
done
if [ -z "$url" ]; then
    cat "$results/server.log" >&2
    exit 1
fi

for revision in 2025-11-25 2026-07-28; do
    echo "== conformance of the server, $revision"
    "$suite/node/bin/node" "$suite/@modelcontextprotocol/conformance/dist/index.js" server \
        --url "$url" --requirements "$revision" --output-dir "$results/$revision" >"$results/$revision.log" 2>&1 ||
        failed=1
    sed -n '/=== SUMMARY/,$p' "$results/$revision.log"
done
exit "$failed"
