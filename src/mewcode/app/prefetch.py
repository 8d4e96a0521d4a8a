"""What the first call of a tool will need, imported while the model still speaks."""

import threading


def prefetch_tools() -> None:
    """Begins it in a thread of its own. A call that comes earlier waits for the import that is under way."""
    threading.Thread(target=_import, name="prefetch-tools", daemon=True).start()


def _import() -> None:
    from mewcode.agent import saved_messages
    from mewcode.governance import commands, schema
    from mewcode.governance.audit import appender
    from mewcode.tools.builtin.hands import editing, finding, reading, running, searching, writing
    from mewcode.workspace.ripgrep import find_ripgrep

    _ = commands, schema, appender, editing, finding, reading, running, searching, writing
    saved_messages.prepare()
    find_ripgrep()
