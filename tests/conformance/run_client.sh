#!/bin/sh
# Runs the official conformance suite against our client, both requirement sets: run_client.sh [RESULTS-FOLDER]
# Needs what tests/servers/install.sh installs. Every scored check has to pass: there is no baseline of failures.
set -eu

side=client
. "$(dirname "$0")/suite.sh"

for revision in 2025-11-25 2026-07-28; do
    echo "== conformance of the client, $revision"
    conformance client --command "$python $root/tests/conformance/client.py" --requirements "$revision" \
        --timeout "${MEWCODE_CONFORMANCE_TIMEOUT:-600000}" --output-dir "$results/$revision" >"$results/$revision.log" 2>&1 ||
        failed=1
    sed -n '/=== /,$p' "$results/$revision.log" | tail -n 80
done
exit "$failed"
