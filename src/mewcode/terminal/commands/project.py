"""/init and /review: messages to the model that everybody needs."""

from typing import TYPE_CHECKING

from mewcode.terminal.said import Said
from mewcode.terminal.slash import Command, meaning

if TYPE_CHECKING:
    from mewcode.terminal.session import Session

INIT = """\
Write the file AGENTS.md at the root of this project, for coding agents that will work here. Look at the project \
first: its README, its manifest and build files, its tests, its layout. If there is an AGENTS.md, improve it. \
Say, briefly and only what is true and not obvious: what the project is; the commands to build, test (all, and \
one test), lint and run; how the code is laid out; conventions that a newcomer would get wrong. At most 60 lines."""

REVIEW = """\
Review the changes of this working tree as a careful colleague would{what}. Look at `git diff` (staged and not) and, \
where that is empty, at the newest commit; read around what changed. Change nothing. List what matters, the worst \
first: each with file and line, what goes wrong and when, and what to do. Say so if all is well."""


async def init(session: "Session", arguments: str) -> None:
    said = f"/init {arguments}".strip()
    session.turns.say(Said(said, (meaning(said, f"{INIT}\n\n{arguments}".strip()),)))


async def review(session: "Session", arguments: str) -> None:
    what = f", looking especially at: {arguments}" if arguments else ""
    said = f"/review {arguments}".strip()
    session.turns.say(Said(said, (meaning(said, REVIEW.format(what=what)),)))


PROJECT = (
    Command("init", "terminal.about_init", init),
    Command("review", "terminal.about_review", review, "[WHAT]"),
)
