# What both runs of the official conformance suite begin with; to be read in by one of them, after `set -eu`.
# Gives: root, servers, results (a folder: the first argument, or results/conformance-$side), python, failed, and
# conformance ARGUMENT... for the suite itself. `side` is client or server.

root=$(cd "$(dirname "$0")/../.." && pwd)
servers=${MEWCODE_TEST_SERVERS:-$root/.cache/servers}
results=${1:-$root/results/conformance-$side}
python=${PYTHON:-python3}
failed=0
mkdir -p "$results"

if [ ! -f "$servers/conformance/.installed" ]; then
    echo "the conformance suite is not installed; run tests/servers/install.sh" >&2
    exit 1
fi

conformance() {
    modules=$servers/conformance/node_modules
    "$modules/node/bin/node" "$modules/@modelcontextprotocol/conformance/dist/index.js" "$@"
}
