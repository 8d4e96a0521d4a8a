"""Settings for a door: the files, the user's consents, and what the command line adds."""

from pathlib import Path

from mewcode.app.options import AppOptions
from mewcode.config import LoadedSettings, Paths, TrustStore, load_settings


def load_for(options: AppOptions, paths: Paths) -> LoadedSettings:
    """Raises SettingsError (exit 2) for a broken managed file or command line; other problems are in the result."""
    trust = TrustStore(paths.trust)
    return load_settings(
        paths=paths,
        workspace=options.workspace,
        overrides=dict(options.overrides),
        environ=options.environ,
        is_trusted=(lambda kind, fingerprint: True) if options.trust_project else trust.is_trusted,
        mcp_config=options.mcp_config,
        check_rule=_problem_of_rule,
    )


def workspace_here(directory: Path | None = None) -> Path:
    """The workspace is the directory that MewCode is started in, resolved."""
    return (directory or Path.cwd()).resolve()


def _problem_of_rule(text: str) -> str | None:
    from mewcode.calls import Effect
    from mewcode.errors import MewCodeError
    from mewcode.governance import parse_rule

    try:
        parse_rule(text, Effect.ASK)
    except MewCodeError as error:
        return str(error)
    return None
