"""What every test may use."""

import os
from collections.abc import Generator
from typing import Any

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the developer's own settings, sessions, keys or audit, and messages are in English."""
    monkeypatch.setenv("MEWCODE_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("MEWCODE_MANAGED_CONFIG", "")
    monkeypatch.setenv("MEWCODE_LANG", "en")
    for name in ("MEWCODE_MODEL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


MISSING = ("not installed", "needs ", "there is no ripgrep")
"""Reasons that speak of something CI could have installed; platforms and users are another matter."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the tests out that play whole programs through many steps, unless they are asked for."""
    if os.environ.get("MEWCODE_SLOW_TESTS"):
        return
    slow, quick = [], []
    for item in items:
        (slow if item.get_closest_marker("slow") else quick).append(item)
    config.hook.pytest_deselected(items=slow)
    items[:] = quick


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """With MEWCODE_NO_SKIPS set, as in CI, a test that is skipped for want of a program fails instead."""
    report = yield
    if os.environ.get("MEWCODE_NO_SKIPS") and report.skipped and isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2])
        if any(word in reason for word in MISSING):
            report.outcome, report.longrepr = "failed", f"{item.nodeid} was skipped: {reason}"
    return report
