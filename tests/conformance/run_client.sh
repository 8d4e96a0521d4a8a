#!/bin/sh
# Runs the official conformance suite against our client, both requirement sets: run_client.sh [RESULTS-FOLDER]
# Needs what tests/servers/install.sh installs. Every scored check has to pass: there is no baseline of failures.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
servers=${MEWCODE_TEST_SERVERS:-$root/.cache/servers}
suite=$servers/conformance/node_modules
results=${1:-$root/results/conformance-client}
python=${PYTHON:-python3}

if [ ! -f "$servers/conformance/.installed" ]; then
    echo "the conformance suite is not installed; run tests/servers/install.sh" >&2
    exit 1
fi

for revision in 2025-11-25 2026-07-28; do
    "$suite/node/bin/node" "$suite/@modelcontextprotocol/conformance/dist/index.js" client \
        --command "$python -m mewcode.mcp.conformance" --requirements "$revision" --timeout "${MEWCODE_CONFORMANCE_TIMEOUT:-300000}" \
        --output-dir "$results/$revision"
done
