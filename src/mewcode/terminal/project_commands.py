"""Commands that a project keeps in `.mewcode/commands/*.md`: a message with places for arguments."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(".mewcode") / "commands"
LONGEST = 100_000
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")


@dataclass(frozen=True)
class ProjectCommand:
    """`text` is what is sent; `$ARGUMENTS` in it, and `$1` to `$9`, stand for what the person wrote behind the name."""

    name: str
    text: str
    about: str


def project_commands(workspace: Path) -> dict[str, ProjectCommand]:
    """Those of the workspace by name. They are the person's words only once the person has sent them: nothing in
    such a file runs by itself, and what the model does about it goes through the gate."""
    found: dict[str, ProjectCommand] = {}
    for path in sorted((workspace / FOLDER).glob("*.md")):
        if _NAME.fullmatch(path.stem) and (command := _read(path)) is not None:
            found[path.stem] = command
    return found


def expanded(command: ProjectCommand, arguments: str) -> str:
    words = arguments.split()
    text = command.text.replace("$ARGUMENTS", arguments)
    filled = re.sub(r"\$([1-9])", lambda found: (words + [""] * 9)[int(found.group(1)) - 1], text)
    uses = "$ARGUMENTS" in command.text or re.search(r"\$[1-9]", command.text)
    return filled if uses or not arguments else f"{filled}\n\n{arguments}"


def _read(path: Path) -> ProjectCommand | None:
    from mewcode.agent.render import clean

    try:
        text = clean(path.read_text(encoding="utf-8", errors="replace")[:LONGEST])
    except OSError:
        return None
    front = _FRONT.match(text)
    body = text[front.end() :] if front else text
    described = re.search(r"^description:\s*(.+)$", front.group(1), re.MULTILINE) if front else None
    about = described.group(1) if described else next((line for line in body.splitlines() if line.strip()), "")
    return ProjectCommand(path.stem, body.strip(), " ".join(about.split())[:120].lstrip("# "))
