"""The first start, without a key, a local server or the embedded model."""

import os
import stat
from pathlib import Path

from tests.terminal.pty_session import CTRL_C, ENTER, ESCAPE, running

ARMED = "type to narrow"
HOOK = """\
import mewcode.models.local.weights as weights
weights.embedded_model = lambda folder: None
import mewcode.models.local_servers as servers
servers.find_local_servers = lambda environ: []
"""


def without_models(folder: Path) -> dict[str, str]:
    hook = folder / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(HOOK)
    return {
        "PYTHONPATH": os.pathsep.join([str(hook), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "OLLAMA_HOST": "",
    }


def test_a_key_is_asked_for_in_a_few_keystrokes_and_never_shown(tmp_path: Path) -> None:
    home = Path(os.environ["MEWCODE_HOME"])
    with running(tmp_path, environ=without_models(tmp_path)) as session:
        session.wait_for("Which model?", "the embedded model", "anthropic", "needs a key (ANTHROPIC_API_KEY)", ARMED)
        session.send("deepseek")
        session.wait_for("▸ deepseek")
        session.send(ENTER)
        session.wait_for("Key for deepseek (not shown):")
        session.send("sk-very-secret" + ENTER)
        session.wait_for("deepseek-", "default ·", gone="Which model?")
        assert b"sk-very-secret" not in session.raw
        session.quit()
    key = home / "keys" / "deepseek"
    assert key.read_text() == "sk-very-secret" and stat.S_IMODE(key.stat().st_mode) == 0o600
    written = (home / "config.yaml").read_text()
    assert "sk-very-secret" not in written and "model: deepseek" in written


def test_all_of_it_is_chinese_in_a_chinese_session_and_the_next_step_is_said(tmp_path: Path) -> None:
    environ = {**without_models(tmp_path), "MEWCODE_LANG": "zh"}
    with running(tmp_path, environ=environ) as session:
        session.wait_for("请输入任务", "选择模型", "内置模型", "需要密钥", "输入可筛选")
        session.send("内置" + ENTER)
        session.wait_for("pip install 'mewcode[local]'")
        session.send("/mode" + ENTER)
        session.wait_for("模式", "只读，先给出计划")


def test_a_message_without_a_model_asks_for_one_and_is_not_lost(tmp_path: Path) -> None:
    with running(tmp_path, environ=without_models(tmp_path)) as session:
        session.wait_for("Which model?", ARMED)
        session.send(ESCAPE)
        session.wait_for("No model chosen.", gone="Which model?")
        session.say("hello there")
        session.wait_for("Which model?", ARMED)
        session.send(ESCAPE)
        session.wait_for("back in the line", gone="Which model?")
        session.wait_for("> hello there", "default · no model")
        session.send(CTRL_C)
        session.wait_for("default ·")
        assert session.quit() == 0
