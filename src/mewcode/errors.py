"""The errors that MewCode raises on purpose; each knows its exit code and speaks through the message catalogue."""

from mewcode.messages import message


class MewCodeError(Exception):
    """Something failed and the text says what, on what, why, and what the reader can do.

    `code` is the message's code in the catalogue, `values` fill it in.
    """

    exit_code = 1

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(message(code, **values))
        self.code = code
        self.values = values


class UsageError(MewCodeError):
    """A command line that makes no sense."""

    exit_code = 2


class SettingsError(MewCodeError):
    """A settings file that cannot be used."""

    exit_code = 2


class WorkspaceError(MewCodeError):
    """A file, search or process that could not be had."""


class ToolFailedError(MewCodeError):
    """A tool did not do what it was asked; the text goes to the model."""


class RefusedError(MewCodeError):
    """A call was denied, or there was nobody to ask."""

    exit_code = 3


class ServerMissingError(MewCodeError):
    """A required MCP server is not there."""

    exit_code = 4


class ModelError(MewCodeError):
    """The language model or its provider failed."""

    exit_code = 5


class LimitReachedError(MewCodeError):
    """A limit on turns, time, cost, rate, or an open breaker."""

    exit_code = 6


class AuditError(MewCodeError):
    """The audit could not be written or read: nothing runs unrecorded."""
