"""What the model is told of run_command."""

from mewcode.tools.builtin.schema import PATH_RULES, Schema, flag, parameters, text
from mewcode.tools.builtin.settings import BuiltinSettings


def command_description(settings: BuiltinSettings) -> str:
    return (
        "Runs a command line with bash in the workspace. It gets no input and no terminal, so use options that ask "
        f"nothing. It ends after {settings.command_timeout:g} s unless `timeout` gives more (at most "
        f"{settings.command_timeout_most:g} s); processes that it leaves behind are ended with it. Output beyond "
        f"{settings.command_characters} characters is shown with head, tail and failing lines, and is whole in a file "
        "that read_file reads. Each command starts afresh: `cd` and variables do not last. With `background` it "
        "answers at once with a job's id: for servers and watchers. Then `job` with `action` `output` shows what is "
        "new, `stop` ends it. To read, search, find or edit files use the tools for that."
    )


def command_parameters(settings: BuiltinSettings) -> Schema:
    timeout = {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": settings.command_timeout_most,
        "description": "Seconds after which the command is ended.",
        "default": settings.command_timeout,
    }
    return parameters(
        {
            "command": text("The command line.", minLength=1),
            "cwd": text(f"The directory to run it in. {PATH_RULES}", default="."),
            "timeout": timeout,
            "background": flag("Run it as a job and answer at once."),
            "job": text("The id of a job, to look after it instead of running a command."),
            "action": text("What to do with the job.", enum=["output", "stop"], default="output"),
        }
    )
