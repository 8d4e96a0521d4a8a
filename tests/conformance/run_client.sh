#!/bin/sh
# Runs the official conformance suite against our client, both requirement sets: run_client.sh [RESULTS-FOLDER]
# Needs what tests/servers/install.sh installs. Every scored check has to pass: there is no baseline of failures.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
servers=${MEWCODE_TEST_SERVERS:-$root/.cache/servers}
suite=$servers/conformance/node_modules
results=${1:-$root/results/conformance-client}
python=${PYTHON:-python3}
failed=0
mkdir -p "$results"

if [ ! -f "$servers/conformance/.installed" ]; then
    echo "the conformance suite is not installed; run tests/servers/install.sh" >&2
    exit 1
fi

for revision in 2025-11-25 2026-07-28; do
    echo "== conformance of the client, $revision"
    "$suite/node/bin/node" "$suite/@modelcontextprotocol/conformance/dist/index.js" client \
        --command "$python $root/tests/conformance/client.py" --requirements "$revision" \
        --timeout "${MEWCODE_CONFORMANCE_TIMEOUT:-600000}" --output-dir "$results/$revision" >"$results/$revision.log" 2>&1 ||
        failed=1
    sed -n '/=== /,$p' "$results/$revision.log" | tail -n 80
done
exit "$failed"
