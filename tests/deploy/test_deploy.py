"""What `deploy/` ships, judged by the tools that its readers use, and by MewCode's own settings."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from mewcode.config import Paths, load_settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TOOLS = Path(os.environ.get("MEWCODE_TEST_SERVERS") or ROOT / ".cache" / "servers") / "lint" / "bin"
SECRETS = {
    "MEWCODE_STATE_KEY": "k" * 64,
    "POSTGRES_PASSWORD": "password",
    "MEWCODE_REDIS_URL": "redis://redis:6379/0",
    "MEWCODE_AUDIT_URL": "postgresql://mewcode:password@postgres/audit",
}


def checked(*command: str | Path) -> str:
    """What the tool says; the test fails with it where the tool objects."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def tool(name: str) -> Path:
    if not (TOOLS / name).exists():
        pytest.skip(f"{name} is not installed; run tests/servers/install.sh")
    return TOOLS / name


def manifests() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / "kubernetes" / "mewcode.yaml").read_text()))


def of_kind(kind: str) -> dict[str, Any]:
    return next(one for one in manifests() if one["kind"] == kind)


def assert_settings_make_sense(text: str, home: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(text)
    environ: Mapping[str, str] = {**SECRETS, "MEWCODE_HOME": str(home), "MEWCODE_MANAGED_CONFIG": ""}
    loaded = load_settings(paths=Paths.from_environment(environ), workspace=home, environ=environ)
    assert loaded.problems == ()
    assert loaded.settings.server.state_key == SECRETS["MEWCODE_STATE_KEY"]
    assert (loaded.settings.state.url, loaded.settings.audit.url) != (None, None)


def test_the_systemd_unit_is_one(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze") or pytest.skip("no systemd on this machine")
    unit = (DEPLOY / "mewcode.service").read_text()
    program = tmp_path / "mewcode"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert "ExecStart=/usr/local/bin/mewcode serve" in unit
    placed = tmp_path / "mewcode.service"
    placed.write_text(unit.replace("/usr/local/bin/mewcode", str(program)))
    assert "mewcode.service:" not in checked(analyze, "verify", placed)


def test_the_containerfile_passes_hadolint() -> None:
    checked(tool("hadolint"), DEPLOY / "Containerfile")


def test_the_compose_file_follows_the_specification() -> None:
    checked(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def test_the_manifests_follow_kubernetes_schemas() -> None:
    said = checked(tool("kubernetes-validate"), "--strict", DEPLOY / "kubernetes" / "mewcode.yaml")
    assert said.count(" passed for resource ") == len(manifests())


def test_settings_that_are_shipped_make_sense(tmp_path: Path) -> None:
    assert_settings_make_sense((DEPLOY / "config.yaml").read_text(), tmp_path / "compose")
    assert_settings_make_sense(of_kind("Secret")["stringData"]["config.yaml"], tmp_path / "kubernetes")


def test_replicas_drain_before_they_are_killed_and_some_always_stay() -> None:
    deployment = of_kind("Deployment")["spec"]
    pod = deployment["template"]["spec"]
    container = pod["containers"][0]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["mewcode"]
    drain = 30
    assert pod["terminationGracePeriodSeconds"] > drain
    assert int(compose["stop_grace_period"].removesuffix("s")) > drain
    assert "TimeoutStopSec=45" in (DEPLOY / "mewcode.service").read_text()
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert of_kind("PodDisruptionBudget")["spec"]["minAvailable"] < deployment["replicas"]
    assert "--stateless" in container["args"], "no balancer there keeps old-era sessions at their replica"
