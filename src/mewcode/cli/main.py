"""The entry point: answers --version without importing anything, opens a session, hands the rest to the commands."""

import sys

GARBAGE_THRESHOLD = 20_000
"""New objects between two looks for garbage. With Python's 700, imports alone cause hundreds of looks, all in vain."""


def main() -> None:
    """Runs `mewcode` with the arguments of this process."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from mewcode import __version__

        sys.stdout.write(f"mewcode {__version__}\n")
        return
    from mewcode.cli.start import interactive, open_session

    wanted = interactive(arguments)
    if wanted is not None:
        raise SystemExit(open_session(wanted))
    import gc

    gc.set_threshold(GARBAGE_THRESHOLD)
    from mewcode.cli.commands import run

    raise SystemExit(run(arguments))
