"""Where the audit is kept."""

from pathlib import Path


def audit_url(setting: str | None, default: Path) -> str:
    """The URL from the settings (`audit.url`), else the file `default`."""
    return setting or f"sqlite:///{default}"
