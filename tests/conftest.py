"""What every test may use."""

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
