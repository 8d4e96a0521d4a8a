"""How a run ended: the last event of stream-json, the document of json, and the exit code."""

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from mewcode.agent import Refusal, Spent, TurnFinished, TurnStatus
from mewcode.errors import MewCodeError


class RunStatus(str, Enum):
    """What became of a run; each has one exit code (docs/headless.md)."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    SERVER_MISSING = "server_missing"
    MODEL_ERROR = "model_error"
    LIMIT = "limit"
    INTERRUPTED = "interrupted"
    TERMINATED = "terminated"
    USAGE = "usage"


EXIT_CODES = {
    RunStatus.DONE: 0,
    RunStatus.FAILED: 1,
    RunStatus.USAGE: 2,
    RunStatus.REFUSED: 3,
    RunStatus.SERVER_MISSING: 4,
    RunStatus.MODEL_ERROR: 5,
    RunStatus.LIMIT: 6,
    RunStatus.INTERRUPTED: 130,
    RunStatus.TERMINATED: 143,
}


@dataclass(frozen=True)
class RunResult:
    """`structured` is the answer as JSON where a schema was asked for. `seconds` is wall time."""

    status: RunStatus
    text: str = ""
    structured: Any = None
    session: str | None = None
    model: str | None = None
    spent: Spent = Spent()  # noqa: RUF009 - frozen
    refusals: tuple[Refusal, ...] = ()
    servers: tuple[dict[str, Any], ...] = ()
    error: str | None = None
    seconds: float = 0.0

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.status]

    def to_json(self) -> dict[str, Any]:
        usage = {
            "input_tokens": self.spent.input,
            "output_tokens": self.spent.output,
            "cached_tokens": self.spent.cached,
        }
        return {
            "status": self.status.value,
            "exit_code": self.exit_code,
            "text": self.text,
            "structured": self.structured,
            "error": self.error,
            "usage": usage,
            "cost": self.spent.cost,
            "turns": self.spent.steps,
            "refusals": [asdict(refusal) for refusal in self.refusals],
            "servers": list(self.servers),
            "session": self.session,
            "model": self.model,
            "duration_ms": round(self.seconds * 1000),
        }


def status_of(finished: TurnFinished) -> RunStatus:
    """What a turn's end means for the run. A signal is told apart by whoever caught it."""
    if finished.status is TurnStatus.DONE:
        if finished.last_step_refused:
            return RunStatus.REFUSED
        return RunStatus.LIMIT if finished.last_step_limited else RunStatus.DONE
    return {
        TurnStatus.LIMIT: RunStatus.LIMIT,
        TurnStatus.MODEL_ERROR: RunStatus.MODEL_ERROR,
        TurnStatus.INTERRUPTED: RunStatus.INTERRUPTED,
        TurnStatus.FAILED: status_of_error(finished.error),
    }[finished.status]


def status_of_error(error: MewCodeError | None) -> RunStatus:
    """By the exit code that the error knows."""
    code = 1 if error is None else error.exit_code
    return next((status for status, exit_code in EXIT_CODES.items() if exit_code == code), RunStatus.FAILED)
