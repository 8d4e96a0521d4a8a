"""Opens an interactive session and returns its exit code."""


def open_terminal(
    *, resume: str | None = None, newest: bool = False, model: str | None = None, mode: str | None = None
) -> int:
    """Raises what the parts raise: SettingsError, ModelError where there is no model, UsageError for the session."""
    import anyio

    from mewcode.app.loading import workspace_here
    from mewcode.app.options import AppOptions
    from mewcode.calls import Door

    options = AppOptions(door=Door.TERMINAL, workspace=workspace_here(), model=model, mode=known_mode(mode))

    async def main() -> None:
        from mewcode.app.conversations import SessionChoice, open_conversation
        from mewcode.app.house import open_app
        from mewcode.terminal.plain import PlainSession

        async with open_app(options) as app, open_conversation(app, SessionChoice(resume, newest)) as conversation:
            await PlainSession(conversation.agent, conversation.notices).run()

    anyio.run(main)
    return 0


def known_mode(mode: str | None) -> str | None:
    """Raises UsageError for a mode that does not exist."""
    from mewcode.errors import UsageError
    from mewcode.governance.modes import Mode

    if mode is not None and mode not in {known.value for known in Mode}:
        raise UsageError("terminal.mode_unknown", mode=mode)
    return mode
