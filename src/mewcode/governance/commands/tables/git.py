"""git: global options taken out, so that `git -C x push` is `git push`; which subcommands ask, change, publish."""

import re

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.gitconfig import dangers
from mewcode.governance.commands.listing import of_git
from mewcode.governance.commands.options import Arguments, read_arguments
from mewcode.governance.commands.program import Program, Table
from mewcode.governance.commands.tables.gitcommands import QUERIES, SUBCOMMANDS, Subcommand
from mewcode.governance.commands.tables.shells import posix_text
from mewcode.governance.commands.word import Word, known

_GLOBAL = Program(
    takes_value=(
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--exec-path",
        "--super-prefix",
        "--config-env",
        "--attr-source",
    )
)
_SAFE_SETTING = re.compile(
    r"(user\.(name|email)|color\.\w+|core\.(quotepath|autocrlf|abbrev|ignorecase|precomposeunicode|longpaths)|advice\.\w+"
    r"|log\.\w+|diff\.(renames|renamelimit|context|algorithm|noprefix|mnemonicprefix|colormoved)|column\.\w+|init\.defaultbranch"
    r"|commit\.gpgsign|tag\.gpgsign|pull\.(rebase|ff)|push\.default|merge\.(ff|conflictstyle)|rerere\.enabled|status\.\w+"
    r"|safe\.directory|protocol\.version|gc\.auto|maintenance\.auto|index\.\w+|grep\.\w+|blame\.\w+|help\.autocorrect)=.*",
    re.IGNORECASE | re.DOTALL,
)


def _git(call: Call) -> None:
    call.reads_only = False
    arguments = read_arguments(call.rest, _GLOBAL, stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    aliases = _global_options(call, arguments)
    if not arguments.operands:
        call.reads_only = not arguments.doubtful
        return
    head, *words = arguments.operands
    call.canonical = [known("git"), head, *words]
    subcommand = SUBCOMMANDS.get(head.text) if head.literal else None
    if head.text in aliases:
        _alias(call, aliases[head.text])
    if subcommand is None:
        call.doubt("git_alias", word=head.text[:40])
        return
    _check_repository(call, arguments, head.text)
    _judge(call, subcommand, head.text, words)


def _global_options(call: Call, arguments: Arguments) -> dict[str, Word]:
    """Doubts settings that may run something; gives the aliases that the line itself defines."""
    aliases: dict[str, Word] = {}
    for option in arguments.options:
        if option.name in ("--exec-path", "--config-env") and option.value is not None:
            call.doubt("option_runs", option=option.name)
        if option.name == "-c" and option.value is not None:
            setting = option.value
            if setting.prefix.lower().startswith("alias."):
                name, _, _ = setting.prefix[6:].partition("=")
                aliases[name] = setting.after(len(name) + 7)
            if not setting.literal or not _SAFE_SETTING.fullmatch(setting.text):
                call.doubt("option_runs", option=f"-c {setting.text[:60]}")
    return aliases


def _alias(call: Call, value: Word) -> None:
    if value.prefix.startswith("!"):
        posix_text(call, value.after(1))
    elif value.literal:
        call.run([known("git"), *(known(part) for part in value.text.split())])


def _check_repository(call: Call, arguments: Arguments, name: str) -> None:
    """A repository's own settings may run programs on a mere `git status`."""
    elsewhere = arguments.values("-C", "--git-dir", "--work-tree")
    base = call.walker.findings.cwd
    if base is None or any(not word.literal for word in elsewhere):
        return
    for directory in call.walker.variables.directories:
        places = [] if directory is None else [directory, *(word.text for word in elsewhere)]
        for setting in dangers(base, places, network=SUBCOMMANDS[name].network) if places else ():
            call.doubt("git_config", setting=setting)


def _judge(call: Call, subcommand: Subcommand, name: str, words: list[Word]) -> None:
    arguments = read_arguments(words, subcommand.options)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    for option in arguments.options:
        if option.name in subcommand.options.writes and option.value is not None:
            call.write(option.value, f"git {option.name}", hidden=True)
        if option.name in subcommand.options.runs:
            call.doubt("option_runs", option=option.name)
        if option.name in subcommand.options.acts:
            call.classes.update(subcommand.options.acts[option.name])
    beneath = "all" if subcommand.options.descends is not None else ""
    tracked = not arguments.has("--no-index", "--untracked", "--no-exclude-standard")
    searched = name == "grep" and not arguments.has("-e", "-f")
    for word in arguments.operands[1 if searched else 0 :]:
        call.read(Word(word.text.rpartition(":")[2], word.literal, word.prefix), beneath=beneath, tracked=tracked)
    if beneath:
        call.read(known("."), beneath=beneath, tracked=tracked)
    queries = name in QUERIES and subcommand.asks(arguments)
    call.classes.update(subcommand.classes if not queries else ())
    if queries:
        call.classes.add("@git_query")
        call.reads_only = not call.walker.findings.writes and not (call.classes & {"@delete", "@git_history"})
    call.printed = of_git(name, arguments)
    if subcommand.network:
        call.classes.add("@network")
        for word in arguments.operands:
            found = re.match(r"(?:\w+://)?(?:[^@/]*@)?([\w.-]+)[:/]", word.text)
            if found and ("://" in word.text or "@" in word.text):
                call.host(found[1])
            if re.match(r"(ext|fd)::|.*\bupload-pack\b", word.text) or word.text.startswith("-"):
                call.doubt("option_runs", option=word.text[:60])
    if "@delete" in call.classes:
        call.readings.append("rm " + " ".join(word.quoted for word in arguments.operands))
    if subcommand.runs_operands is not None:
        subcommand.runs_operands(call, arguments)


PROGRAMS: Table = {"git": Program(handler=_git)}
