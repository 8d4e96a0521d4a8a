"""Reasons reach people in their language, and models, stores and the audit in English."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.governance.house import allow, build, deny
from tests.governance.tools import RemoteTool

from mewcode import governance
from mewcode.calls import Question
from mewcode.governance.presets import load_preset
from mewcode.governance.protected import why_protected
from mewcode.governance.risks import _CLASSES, _DEEDS  # pyright: ignore[reportPrivateUsage]
from mewcode.messages import reason_shown
from mewcode.messages.catalogue import area

HAN = re.compile(r"[\u4e00-\u9fff]")
GOVERNANCE = Path(str(governance.__file__)).parent
CALLS = (
    ("run_command", {"command": "rm a"}),
    ("run_command", {"command": "git push"}),
    ("run_command", {"command": "frobnicate"}),
    ("run_command", {"command": "$X a"}),
    ("run_command", {"command": "find . -exec $X {} +"}),
    ("run_command", {"command": "git log --ext-diff"}),
    ("run_command", {"command": "cat .env"}),
    ("run_command", {"command": "cat /etc/hostname"}),
    ("run_command", {"command": "echo x > ../y"}),
    ("write_file", {"path": "a", "content": "x"}),
    ("write_file", {"path": ".github/workflows/a.yml", "content": "x"}),
    ("read_file", {"path": ".env"}),
    ("mcp_mail_send", {"text": "x"}),
)


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEWCODE_LANG", "zh")


def skeleton(text: str) -> str:
    return re.sub(r"\{\w*\}", "{}", text)


def given_to_by_default() -> Iterator[tuple[str, str]]:
    """Every sentence that stands in a call of `by_default`, with {} for its values."""
    for file in GOVERNANCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "by_default"):
                continue
            sentence = node.args[1]
            if isinstance(sentence, ast.Constant):
                yield file.name, str(sentence.value)
            elif isinstance(sentence, ast.JoinedStr):
                parts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in sentence.values]
                yield file.name, "".join(parts)


@pytest.mark.parametrize(("file", "sentence"), sorted(set(given_to_by_default())))
def test_every_default_decision_can_be_said_in_both_languages(file: str, sentence: str) -> None:
    assert sentence in {skeleton(english) for english, _ in area("reasons").values()}, file


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    "reason",
    [
        *_CLASSES.values(),
        *_DEEDS,
        *(
            f"it {entry.reason}"
            for name in ("blacklist", "whitelist")
            for entry in load_preset(name)
            if entry.effect != "allow"
        ),
        *(
            str(why_protected(f"/w/{path}"))
            for path in (".github/workflows/a", ".git/config", ".mewcode.yaml", ".vscode/tasks.json", ".bashrc")
        ),
    ],
)
def test_reasons_of_tables_are_said_in_chinese(reason: str) -> None:
    assert HAN.search(reason_shown(reason)), reason


@pytest.mark.usefixtures("chinese")
@pytest.mark.anyio
@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=str)
async def test_a_question_is_asked_in_chinese_and_kept_in_english(
    tmp_path: Path, tool: str, arguments: dict[str, str]
) -> None:
    house = build(tmp_path, tools=[RemoteTool("mail", "send")])
    reply = await house.call(tool, arguments)
    assert isinstance(reply, Question)
    for reason in reply.reasons:
        assert not HAN.search(reason), reason
        assert HAN.search(reason_shown(reason)), reason


@pytest.mark.usefixtures("chinese")
@pytest.mark.anyio
async def test_doubts_are_said_in_chinese(tmp_path: Path) -> None:
    rules = [allow("mcp_web_*"), allow("run_command(*)")]
    house = build(tmp_path, rules, tools=[RemoteTool("web", "fetch")])
    await house.result("mcp_web_fetch")
    asked = await house.question("run_command", {"command": "touch a"})
    assert reason_shown(asked.reasons[0]) == "上一步读取了外部内容：fetch (server web)"
    refused = await build(tmp_path, [deny("run_command(*)")]).result("run_command", {"command": "ls"})
    assert not HAN.search(refused.text), "the model reads English"


@pytest.mark.usefixtures("chinese")
def test_a_sentence_within_a_sentence_is_said_in_chinese_too_and_a_rules_own_words_stay() -> None:
    assert reason_shown("a.yml is protected: it runs in continuous integration") == "a.yml 受保护：它会在持续集成中运行"
    assert reason_shown("by hand only") == "by hand only"


def test_in_english_nothing_changes() -> None:
    assert reason_shown("it deletes") == "it deletes"
