"""The door for scripts and CI: one task, no questions, an exit code that says how it ended."""

from mewcode.headless.answer_schema import AnswerSchema
from mewcode.headless.answers import PreparedAnswers
from mewcode.headless.outputs import Output, RunStart, open_output
from mewcode.headless.progress import Progress
from mewcode.headless.prompts import PromptName
from mewcode.headless.result import EXIT_CODES, RunResult, RunStatus
from mewcode.headless.runner import Run, RunHouse, RunOptions
from mewcode.headless.signals import Signals, watched_signals
from mewcode.headless.task import Task, read_task

__all__ = [
    "EXIT_CODES",
    "AnswerSchema",
    "Output",
    "PreparedAnswers",
    "Progress",
    "PromptName",
    "Run",
    "RunHouse",
    "RunOptions",
    "RunResult",
    "RunStart",
    "RunStatus",
    "Signals",
    "Task",
    "open_output",
    "read_task",
    "watched_signals",
]
