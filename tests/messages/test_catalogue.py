import ast
import importlib
import pkgutil
import re
import string
from pathlib import Path

import pytest

import mewcode
import mewcode.messages.areas as areas
from mewcode.messages import language, message

AREAS = [module.name for module in pkgutil.iter_modules(areas.__path__)]
SOURCES = sorted(Path(mewcode.__file__).parent.rglob("*.py"))


def messages_of(area: str) -> dict[str, tuple[str, str]]:
    return importlib.import_module(f"mewcode.messages.areas.{area}").MESSAGES


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("area", AREAS)
def test_every_message_exists_in_both_languages_with_the_same_values(area: str) -> None:
    for code, (english, chinese) in messages_of(area).items():
        assert code.startswith(f"{area}."), code
        assert english.strip() and chinese.strip(), code
        assert placeholders(english) == placeholders(chinese), code


@pytest.mark.parametrize("area", AREAS)
def test_every_chinese_message_is_chinese(area: str) -> None:
    for code, (english, chinese) in messages_of(area).items():
        words = set(english.replace("{", " {").split()) - placeholders(english)
        has_prose = any(word.isalpha() and word.islower() and len(word) > 3 for word in words)
        assert not has_prose or any("\u4e00" <= letter <= "\u9fff" for letter in chinese), code


def codes_used_in(source: Path) -> set[str]:
    """Literal first arguments of message(...) and of errors raised with a code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        speaks = name == "message" or (name.endswith("Error") and name not in ("OSError", "ValueError"))
        first = node.args[0]
        if speaks and isinstance(first, ast.Constant) and isinstance(first.value, str):
            area, dot, rest = first.value.partition(".")
            if dot and area in AREAS and rest.isidentifier():
                found.add(first.value)
    return found


def test_every_code_that_the_program_uses_is_in_the_catalogue() -> None:
    known = {code for area in AREAS for code in messages_of(area)}
    unknown = {code: str(path) for path in SOURCES for code in codes_used_in(path) - known}
    assert unknown == {}


def said_in(source: Path) -> tuple[set[str], set[str]]:
    """The texts that stand in a file, and what is put together in it, as patterns."""
    texts: set[str] = set()
    patterns: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values)
            patterns.add("".join(parts))
    return texts, patterns


def test_every_message_is_said_somewhere() -> None:
    """By its code. Of the reasons the English travels: `test_reasons.py` holds those."""
    speakers = [said_in(path) for path in SOURCES if path.parent.name != "areas"]
    texts = set[str]().union(*(said for said, _ in speakers))
    begun = {pattern for _, patterns in speakers for pattern in patterns if pattern.startswith(BEGINNINGS)}
    silent = [
        code
        for area in AREAS
        if area != "reasons"
        for code in messages_of(area)
        if code not in texts and not any(re.fullmatch(pattern, code) for pattern in begun)
    ]
    assert silent == []


BEGINNINGS = tuple(re.escape(f"{area}.") for area in AREAS)


def test_the_first_locale_variable_that_is_set_decides_the_language() -> None:
    assert language({"LANG": "zh_CN.UTF-8"}) == "zh"
    assert language({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}) == "en"
    assert language({"MEWCODE_LANG": "zh", "LC_ALL": "en_US.UTF-8"}) == "zh"
    assert language({}) == "en"


def test_a_message_is_filled_in_and_spoken_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    assert message("cli.error", text="it broke") == "mewcode: it broke"
    monkeypatch.setenv("MEWCODE_LANG", "zh")
    assert message("cli.error", text="坏了") == "mewcode：坏了"
