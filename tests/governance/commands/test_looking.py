"""Programs that look, and the options with which they do more: run something, write, send, open what was not named."""

import subprocess
from pathlib import Path

import pytest
from tests.governance.house import allow, build, deny

from mewcode.calls import Effect, Principal
from mewcode.governance.request import Request

RUNNING = (
    "jobs -x rm VICTIM",
    "strace -o '|rm VICTIM' ls",
    "ltrace -f -o '|rm VICTIM' ls",
    "strace -E LD_PRELOAD=./x.so ls",
    "strace rm VICTIM",
    "valgrind --db-command='rm VICTIM' ls",
    "identify '|rm VICTIM'",
    "identify ephemeral:VICTIM",
    "exiftool -if 'unlink \"VICTIM\"' f",
    "exiftool -config f x",
    "exiftool -all= VICTIM",
    "sdiff --diff-program=./x a b",
    "diff3 --diff-prog=./x a b c",
    "cloc --vcs='rm VICTIM' .",
    "cloc --extract-with='rm VICTIM' f",
    "nm --plugin ./x.so f",
    "nm @options",
    "objdump @options",
    "ldd ./x",
    "cowsay -f ./x.cow hi",
    "COWPATH=. cowsay -f x hi",
    "less --lesskey-content='#env' f",
    "less --lesskey-src=f f",
    "bat --config-file f",
    "pee 'rm VICTIM' < f",
    "mispipe 'rm VICTIM' ls",
    "echo '~!rm VICTIM' | mail -s x a",
    "tcpdump -z ./x",
    "nmap --script=./x h",
    "openssl engine -t ./x.so",
    "openssl req -config f",
    "ssh-keygen -D ./x.so",
    "ssh-add -s ./x.so",
    "gcc -fplugin=./x.so f.c",
    "gcc -wrapper ./x f.c",
    "gcc @options",
    "clang -Xclang -load -Xclang ./x.so f.c",
    "ld -plugin ./x.so",
    "javac -processor X f",
)
"""A deny on rm and an allow on every command: none of these runs."""
ACTING = (
    "sdiff -o VICTIM a b",
    "ptx -G a VICTIM",
    "cloc --out=VICTIM .",
    "scc -o VICTIM",
    "base64 -o VICTIM f",
    "ss -K dst 1",
    "ss -D VICTIM",
    "lsof -D b VICTIM",
    "bat cache --build",
    "gron http://127.0.0.1/x",
    "identify http://127.0.0.1/x",
    "getent hosts secret.example.com",
    "getent ahosts $X",
    "hostname other",
    "date 01010101",
    "lastlog -C -u x",
    "strace -o VICTIM ls",
    "yq -n 'load_str(\"VICTIM\")'",
    "jq -L . 'import \"VICTIM\" as $x; $x' f",
    "xmllint --noent f.xml",
    "xmllint --xinclude f.xml",
    "wc --files0-from=VICTIM",
)
"""Never unasked, for want of a rule."""
LOOKING = (
    "exiftool -json -G f",
    "identify f.png",
    "sdiff a b",
    "diff -u a b",
    "diff3 a b c",
    "ptx a",
    "cloc .",
    "tokei",
    "gron f.json",
    "nm f",
    "objdump -d f",
    "readelf -a f",
    "strings f",
    "base64 f",
    "base64 -d f",
    "wc -l f",
    "du -sh .",
    "ss -tlnp",
    "lsof -i",
    "getent passwd root",
    "hostname",
    "hostname -f",
    "date",
    "date +%s",
    "date -d yesterday +%F",
    "date -u",
    "lastlog",
    "jq -r .a f",
    "jq '.important' f",
    "yq .downloads f.yaml",
    "xmllint --format f.xml",
    "bat f",
    "jobs -l",
    "strace ls",
    "cowsay hi",
)
FAR_AWAY = (
    "aws s3 rm s3://x/y",
    "aws ec2 terminate-instances --instance-ids i",
    "gcloud compute instances delete x",
    "gsutil rm gs://x",
    "az vm delete -n x",
    "heroku apps:destroy x",
    "helm uninstall x",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name in ("VICTIM", "f", "f.c", "a", "b", "c", "f.json", "f.xml", "f.yaml", "f.png"):
        (tmp_path / name).write_text("x\n")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def effect(workspace: Path, line: str, *rules: str) -> Effect:
    given = [deny(rule[1:]) if rule.startswith("-") else allow(rule) for rule in rules]
    house = build(workspace, given)
    tool = house.registry.get("run_command")
    assert tool is not None
    request = Request(tool, {"command": line}, Principal("alice"), (house.workspace,))
    return house.gate.policy.decide(request).effect


@pytest.mark.parametrize("line", RUNNING)
def test_what_runs_another_command_is_let_through_by_no_rule_for_every_command(workspace: Path, line: str) -> None:
    assert effect(workspace, line, "-run_command(rm *)", "run_command(*)") is not Effect.ALLOW
    assert effect(workspace, line) is not Effect.ALLOW


@pytest.mark.parametrize("line", ACTING)
def test_what_does_more_than_look_is_asked_about(workspace: Path, line: str) -> None:
    assert effect(workspace, line) is Effect.ASK


@pytest.mark.parametrize("line", LOOKING)
def test_what_only_looks_runs_unasked(workspace: Path, line: str) -> None:
    assert effect(workspace, line) is Effect.ALLOW


@pytest.mark.parametrize("line", FAR_AWAY)
def test_removing_far_away_is_removing(workspace: Path, line: str) -> None:
    assert effect(workspace, line, "-run_command(@delete)", "run_command(*)") is Effect.DENY
