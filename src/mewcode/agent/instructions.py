"""AGENTS.md and MEWCODE.md: what a project wants an agent to know; workspace content, so read through the gate."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mewcode.agent.environment import repository_root
from mewcode.agent.ports import AgentPorts
from mewcode.agent.render import render_for_model
from mewcode.calls import Question, ToolCall


@dataclass(frozen=True)
class ProjectInstructions:
    """`text` is fenced and ready for the model; `unread` pairs a file with why it was not read."""

    text: str
    unread: tuple[tuple[str, str], ...] = ()


async def read_instructions(
    ports: AgentPorts, session: str, names: Sequence[str], characters: Callable[[], int]
) -> ProjectInstructions:
    """Reads the files called `names` from the repository's root down to the workspace, at most `characters()` in all.

    What stands nearer to the workspace comes last, so that it has the last word.
    """
    texts: list[str] = []
    unread: list[tuple[str, str]] = []
    left: int | None = None
    for path in _candidates(ports.workspace, names):
        left = characters() if left is None else left
        arguments = {"path": str(path), "full": True}
        outcome = await ports.gate.call(ToolCall("read_file", arguments, session, ports.principal))
        if isinstance(outcome, Question):
            unread.append((str(path), outcome.action))
        elif outcome.is_error:
            unread.append((str(path), outcome.text[:200]))
        elif left > 0:
            text = render_for_model(outcome, fence=ports.fence, characters=left).text
            left -= len(text)
            texts.append(f"From {path}:\n{text}")
    return ProjectInstructions("\n\n".join(texts), tuple(unread))


def _candidates(workspace: Path, names: Sequence[str]) -> Iterator[Path]:
    root = repository_root(workspace) or workspace
    folders = [folder for folder in (workspace, *workspace.parents) if folder == root or root in folder.parents]
    for folder in reversed(folders):
        for name in names:
            path = folder / name
            if path.is_file():
                yield path
