"""When an answer cannot be used: the model is told what was wrong, a bounded number of times; then one clear error."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mewcode.agent.tool_calls import DoneCall, WantedCall
from mewcode.calls import ErrorKind
from mewcode.errors import LimitReachedError, ModelError

MAX_TIMES = 3

_EMPTY = (
    "Your last answer was empty: neither text nor a tool call. Go on with the task, or say what you found and what is "
    "left open."
)
_REFUSED = (
    "Your last answer was withheld by a content filter. If the task is legitimate, go on with it in other words; "
    "otherwise say in a sentence why you will not do it."
)
_CUT = (
    "Your last answer was cut off at the limit of its length. Go on exactly where it stopped, without repeating. "
    "Write large files in several smaller steps."
)
_CONFUSED_KINDS = frozenset({ErrorKind.INVALID_ARGUMENTS, ErrorKind.UNKNOWN_TOOL})


@dataclass
class Recovery:
    """Counts what went wrong in a row. `model` is the name for error messages."""

    model: str
    stop_on_repeat: bool = False
    _empty: int = 0
    _refused: int = 0
    _cut: int = 0
    _confused: int = 0
    _last_calls: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def after_empty(self) -> str:
        """What to tell the model. Raises ModelError when it was told often enough."""
        self._empty += 1
        if self._empty >= MAX_TIMES:
            raise ModelError("agent.model_empty", model=self.model, times=self._empty)
        return _EMPTY

    def after_refusal(self) -> str:
        self._refused += 1
        if self._refused >= 2:
            raise ModelError("agent.model_refused", model=self.model)
        return _REFUSED

    def after_cut(self) -> str:
        self._cut += 1
        if self._cut > MAX_TIMES:
            raise ModelError("agent.model_cut", model=self.model, times=self._cut)
        return _CUT

    def after_answer(self) -> None:
        """The model said something usable."""
        self._empty = self._refused = self._cut = 0

    def before_calls(self, calls: Sequence[WantedCall]) -> None:
        """Raises LimitReachedError when the model repeats itself and its profile says to stop then."""
        wanted = [(call.tool, repr(sorted(call.arguments.items()))) for call in calls]
        if self.stop_on_repeat and wanted == self._last_calls:
            raise LimitReachedError("agent.repeated_call", tool=calls[0].tool)
        self._last_calls = wanted

    def after_calls(self, done: Sequence[DoneCall]) -> None:
        """Raises ModelError when whole steps in a row could not be understood."""
        errors = [call.result.error for call in done]
        if not all(error is not None and error.kind in _CONFUSED_KINDS for error in errors):
            self._confused = 0
            return
        self._confused += 1
        if self._confused > MAX_TIMES:
            problem = next(" ".join(error.message.split())[:200] for error in errors if error is not None)
            raise ModelError("agent.model_confused", model=self.model, times=self._confused, problem=problem)
