"""A home, a project and a company's policy in a temporary directory, and one way to load them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mewcode.config import LoadedSettings, Paths, load_settings


@dataclass
class World:
    """Files are written by their role; `load` reads them all."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict[str, str])
    trusted: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def __post_init__(self) -> None:
        self.workspace.mkdir(parents=True)

    @property
    def workspace(self) -> Path:
        return self.root / "project"

    @property
    def paths(self) -> Paths:
        return Paths(self.root / "home", self.root / "policy.yaml")

    def user(self, text: str) -> None:
        self._write(self.paths.config, text)

    def project(self, text: str) -> None:
        self._write(self.workspace / ".mewcode.yaml", text)

    def mcp_json(self, text: str) -> None:
        self._write(self.workspace / ".mcp.json", text)

    def managed(self, text: str) -> None:
        self._write(self.root / "policy.yaml", text)

    def load(self, overrides: Mapping[str, Any] | None = None, **more: Any) -> LoadedSettings:
        return load_settings(
            paths=self.paths,
            workspace=self.workspace,
            overrides=overrides,
            environ=self.environ,
            is_trusted=self._is_trusted,
            **more,
        )

    def _is_trusted(self, kind: str, fingerprint: str) -> bool:
        self.asked.append((kind, fingerprint))
        return self.trusted

    def _write(self, file: Path, text: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
