"""The built-in tools as the settings want them."""

from pathlib import Path

from mewcode.config import LoadedSettings, Paths
from mewcode.tools.builtin import BuiltinSettings

PROVIDER_KEY_SUFFIXES = ("_API_KEY", "_AUTH_TOKEN")


def builtin_settings(loaded: LoadedSettings, paths: Paths, environ: dict[str, str]) -> BuiltinSettings:
    """Limits from the settings; provider keys never reach a command unless a setting names them."""
    tools = loaded.settings.tools
    named = set(tools.run_command.env)
    keys = {name for name in environ if name.endswith(PROVIDER_KEY_SUFFIXES)}
    return BuiltinSettings(
        outputs=Path(paths.outputs),
        read_lines=tools.read_file.lines,
        line_characters=tools.read_file.line_characters,
        write_bytes=tools.write_file.max_size,
        search_limit=tools.search_code.limit,
        search_deadline=tools.search_code.timeout,
        find_limit=tools.find_files.limit,
        command_timeout=tools.run_command.timeout,
        command_timeout_most=tools.run_command.max_timeout,
        command_characters=tools.run_command.output,
        command_environment=tuple(tools.run_command.env),
        secret_variables=frozenset(keys - named),
        jobs_at_once=tools.run_command.jobs,
    )
