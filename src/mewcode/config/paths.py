"""Where MewCode keeps its own files: everything under MEWCODE_HOME, and the one managed file of the company."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT_FILE = ".mewcode.yaml"
MCP_JSON_FILE = ".mcp.json"
DEFAULT_MANAGED_FILE = Path("/etc/mewcode/policy.yaml")


@dataclass(frozen=True)
class Paths:
    """Absolute paths. Nothing is created here: whoever writes first makes the folder, with mode 0700."""

    home: Path
    managed: Path | None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> "Paths":
        """MEWCODE_HOME (default ~/.mewcode) and MEWCODE_MANAGED_CONFIG (empty: none) decide."""
        variables = os.environ if environ is None else environ
        home = Path(variables.get("MEWCODE_HOME") or "~/.mewcode").expanduser()
        managed = variables.get("MEWCODE_MANAGED_CONFIG")
        if managed is None:
            return cls(Path(os.path.abspath(home)), DEFAULT_MANAGED_FILE)  # noqa: PTH100 - keeps symlinks as written
        return cls(Path(os.path.abspath(home)), Path(managed).absolute() if managed else None)  # noqa: PTH100

    @property
    def config(self) -> Path:
        return self.home / "config.yaml"

    @property
    def trust(self) -> Path:
        return self.home / "trust.json"

    @property
    def audit(self) -> Path:
        return self.home / "audit.db"

    @property
    def sessions(self) -> Path:
        return self.home / "sessions"

    @property
    def outputs(self) -> Path:
        return self.home / "outputs"

    @property
    def cache(self) -> Path:
        return self.home / "cache"

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    @property
    def models(self) -> Path:
        return self.home / "models"

    @property
    def tokens(self) -> Path:
        return self.home / "tokens"

    @property
    def history(self) -> Path:
        return self.home / "history"

    @property
    def checkpoints(self) -> Path:
        return self.home / "checkpoints"

    def ensure(self, folder: Path) -> Path:
        """Makes `folder` (and the home) for this user only, and returns it. Raises OSError when it cannot be had."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder


def project_file(workspace: Path) -> Path:
    return workspace / PROJECT_FILE


def mcp_json_file(workspace: Path) -> Path:
    return workspace / MCP_JSON_FILE
