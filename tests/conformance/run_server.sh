#!/bin/sh
# Runs the official conformance suite against our server, both requirement sets: run_server.sh [RESULTS-FOLDER]
# Through the gateway, with the fixture server of this folder behind it; then what concerns no fixture on the server
# alone. Needs what tests/servers/install.sh installs.
# Every scored check has to pass: there is no baseline of failures.
set -eu

side=server
. "$(dirname "$0")/suite.sh"

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

serve() { # serve NAME ARGUMENT...: starts a server; its address is in $url
    log=$results/$1.log
    shift
    (
        cd "$home/work"
        exec env MEWCODE_HOME="$home/settings" "$python" -m mewcode serve --http 127.0.0.1:0 --no-auth "$@" 2>"$log"
    ) &
    server=$!
    url=
    for _ in $(seq 600); do
        url=$(grep -om1 'http://[^ ]*/mcp' "$log") && return
        kill -0 "$server" 2>/dev/null || break
        sleep 0.2
    done
    cat "$log" >&2
    exit 1
}

suite() { # suite RESULTS ARGUMENT...: runs the suite against $url
    out=$results/$1
    shift
    conformance server --url "$url" --output-dir "$out" "$@" >"$out.log" 2>&1 || failed=1
}

serve gateway --upstreams all --prefix ""
for revision in 2025-11-25 2026-07-28; do
    echo "== conformance of the gateway, $revision"
    suite "$revision" --requirements "$revision"
    sed -n '/=== SUMMARY/,$p' "$results/$revision.log"
done
kill "$server"
wait "$server" || failed=1

serve alone
echo "== conformance of the server alone: transport, lifecycle, security"
alone() { # alone REVISION SCENARIO...
    revision=$1
    shift
    for scenario in "$@"; do
        suite "alone-$revision-$scenario" --scenario "$scenario" --spec-version "$revision"
        echo "$revision $scenario: $(grep -E '^(Passed|Total):' "$results/alone-$revision-$scenario.log" | tail -n 1)"
    done
}
alone 2025-11-25 server-initialize server-session-lifecycle ping logging-set-level tools-list resources-list \
    prompts-list completion-complete server-sse-multiple-streams dns-rebinding-protection
alone 2026-07-28 tools-list resources-list prompts-list sep-2164-resource-not-found caching http-header-validation \
    server-sse-multiple-streams dns-rebinding-protection input-required-result-unsupported-methods
exit "$failed"
