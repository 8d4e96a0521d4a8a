"""git's subcommands: what each does, and which of its options write, run or change that."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mewcode.governance.commands.call import Call, text_word
from mewcode.governance.commands.options import Arguments
from mewcode.governance.commands.program import Program, classes
from mewcode.governance.commands.tables.shells import posix_text


def _always(arguments: Arguments) -> bool:
    return True


@dataclass(frozen=True)
class Subcommand:
    """`asks` says whether these arguments of a query only ask (`git branch` lists, `git branch x` makes)."""

    options: Program = field(default_factory=Program)
    classes: frozenset[str] = frozenset()
    network: bool = False
    asks: Callable[[Arguments], bool] = _always
    runs_operands: Callable[[Call, Arguments], None] | None = None


_DIFF = Program(
    takes_value=(
        "-n",
        "-L",
        "-S",
        "-G",
        "-U",
        "-O",
        "--author",
        "--grep",
        "--since",
        "--until",
        "--format",
        "--pretty",
        "--max-count",
    ),
    writes=("--output",),
    runs=("--ext-diff", "--textconv"),
)
_GREP = Program(
    takes_value=("-e", "-A", "-B", "-C", "-f", "-m"),
    runs=("-O", "--open-files-in-pager", "--ext-grep"),
    descends=(),
)


def _first_is(*names: str) -> Callable[[Arguments], bool]:
    def asks(arguments: Arguments) -> bool:
        return not arguments.operands or arguments.operands[0].text in names

    return asks


def _first_required(*names: str) -> Callable[[Arguments], bool]:
    """`git stash` alone acts."""

    def asks(arguments: Arguments) -> bool:
        return bool(arguments.operands) and arguments.operands[0].text in names

    return asks


def _branch_asks(arguments: Arguments) -> bool:
    if arguments.has(
        "-d",
        "-D",
        "--delete",
        "-m",
        "-M",
        "--move",
        "-c",
        "-C",
        "--copy",
        "-u",
        "--set-upstream-to",
        "--unset-upstream",
        "--edit-description",
        "-f",
        "--force",
        "-t",
        "--track",
    ):
        return False
    listing = arguments.has(
        "-l",
        "--list",
        "--contains",
        "--merged",
        "--no-merged",
        "--no-contains",
        "--points-at",
        "-a",
        "-r",
        "--all",
        "--remotes",
    )
    return listing or not arguments.operands


def _tag_asks(arguments: Arguments) -> bool:
    if arguments.has("-d", "--delete", "-a", "-s", "-f", "-m", "-F", "--force", "-u", "--annotate", "--sign"):
        return False
    return (
        arguments.has("-l", "--list", "-v", "--verify", "--contains", "--points-at", "--merged")
        or not arguments.operands
    )


def _config_asks(arguments: Arguments) -> bool:
    if arguments.has(
        "--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch", "--get-color", "--get-colorbool"
    ):
        return not arguments.has("--unset", "--add", "--replace-all", "--edit", "-e")
    return bool(arguments.operands) and arguments.operands[0].text in ("list", "get")


def _config_writes(call: Call, arguments: Arguments) -> None:
    """Settings of git choose programs that git runs: no rule may allow changing them."""
    if not _config_asks(arguments):
        call.doubt("option_runs", option="config")


def _runs_text(call: Call, arguments: Arguments) -> None:
    """`bisect run CMD`, `submodule foreach CMD`."""
    words = arguments.operands
    if words and words[0].text in ("run", "foreach"):
        if len(words) > 1:
            posix_text(call, text_word(words[1:]))
        call.doubt("option_runs", option=words[0].text)


QUERIES: Mapping[str, Subcommand] = {
    **dict.fromkeys(
        ("log", "diff", "show", "whatchanged", "diff-tree", "diff-index", "diff-files", "range-diff", "shortlog"),
        Subcommand(_DIFF),
    ),
    **dict.fromkeys(
        (
            *(
                "status",
                "rev-parse",
                "rev-list",
                "ls-files",
                "ls-tree",
                "describe",
                "blame",
                "annotate",
                "cat-file",
                "name-rev",
            ),
            *(
                "merge-base",
                "for-each-ref",
                "show-ref",
                "show-branch",
                "check-ignore",
                "check-attr",
                "check-mailmap",
                "count-objects",
            ),
            *(
                "cherry",
                "var",
                "version",
                "help",
                "whatis",
                "verify-commit",
                "verify-tag",
                "get-tar-commit-id",
                "fsck",
                "merge-tree",
            ),
        ),
        Subcommand(
            Program(
                takes_value=("-n", "-L", "--since", "--until", "--format"),
                writes=("--output",),
                runs=("--textconv", "--filters", "--ext-diff"),
            )
        ),
    ),
    "grep": Subcommand(_GREP),
    "branch": Subcommand(
        Program(
            acts={
                "-D": classes("@git_history"),
                "-d": classes("@git_history"),
                "--delete": classes("@git_history"),
                "-M": classes("@git_history"),
                "-f": classes("@git_history"),
                "--force": classes("@git_history"),
            }
        ),
        asks=_branch_asks,
    ),
    "tag": Subcommand(
        Program(
            acts={"-d": classes("@git_history"), "--delete": classes("@git_history"), "-f": classes("@git_history")}
        ),
        asks=_tag_asks,
    ),
    "stash": Subcommand(classes=frozenset(("@git_history",)), asks=_first_required("list", "show")),
    "remote": Subcommand(asks=_first_is("get-url", "show", "-v")),
    "worktree": Subcommand(
        Program(acts={"-f": classes("@git_history"), "--force": classes("@git_history")}), asks=_first_is("list")
    ),
    "reflog": Subcommand(classes=classes("@git_history"), asks=_first_is("show", "list", "exists")),
    "notes": Subcommand(asks=_first_is("list", "show")),
    "submodule": Subcommand(asks=_first_is("status", "summary"), runs_operands=_runs_text),
    "bisect": Subcommand(asks=_first_is("log", "view"), runs_operands=_runs_text),
    "config": Subcommand(asks=_config_asks, runs_operands=_config_writes),
    "symbolic-ref": Subcommand(asks=lambda arguments: len(arguments.operands) < 2 and not arguments.has("-d")),
    "ls-remote": Subcommand(Program(runs=("--upload-pack", "--exec")), network=True, asks=lambda arguments: False),
}
_HISTORY = classes("@git_history")
_NET = ("--upload-pack", "--receive-pack", "--exec", "-u", "--config", "-c", "--template")
_CHANGES: Mapping[str, Subcommand] = {
    "add": Subcommand(Program(runs=("-e", "--edit"))),
    "stage": Subcommand(),
    "init": Subcommand(Program(runs=("--template",))),
    "commit": Subcommand(
        Program(
            takes_value=(
                "-m",
                "-F",
                "-C",
                "-c",
                "-t",
                "--message",
                "--author",
                "--date",
                "--trailer",
                "--fixup",
                "--squash",
            ),
            acts={"--amend": _HISTORY},
        )
    ),
    "rm": Subcommand(classes=classes("@delete")),
    "clean": Subcommand(Program(takes_value=("-e",)), classes=classes("@delete")),
    "mv": Subcommand(classes=classes("@move")),
    "checkout": Subcommand(Program(takes_value=("-b", "-B"), acts={"-B": _HISTORY}), classes=classes("@overwrite")),
    "restore": Subcommand(Program(takes_value=("-s", "--source")), classes=classes("@overwrite", "@git_history")),
    "switch": Subcommand(
        Program(
            takes_value=("-c", "-C"),
            acts={"-C": _HISTORY, "-f": _HISTORY, "--discard-changes": _HISTORY, "--force": _HISTORY},
        )
    ),
    "reset": Subcommand(classes=_HISTORY),
    "rebase": Subcommand(Program(runs=("-x", "--exec", "-i", "--interactive", "-s", "--strategy")), classes=_HISTORY),
    "merge": Subcommand(Program(takes_value=("-m", "-X"), runs=("-s", "--strategy"))),
    "cherry-pick": Subcommand(Program(runs=("--strategy",))),
    "revert": Subcommand(Program(runs=("--strategy",))),
    "am": Subcommand(),
    "apply": Subcommand(classes=classes("@overwrite")),
    "filter-branch": Subcommand(
        Program(
            runs=(
                "--tree-filter",
                "--index-filter",
                "--env-filter",
                "--msg-filter",
                "--commit-filter",
                "--parent-filter",
                "--tag-name-filter",
                "--setup",
            )
        ),
        classes=_HISTORY,
    ),
    "filter-repo": Subcommand(classes=_HISTORY),
    "replace": Subcommand(classes=_HISTORY),
    "update-ref": Subcommand(classes=_HISTORY),
    "gc": Subcommand(classes=_HISTORY),
    "prune": Subcommand(classes=_HISTORY),
    "repack": Subcommand(),
    "update-index": Subcommand(),
    "read-tree": Subcommand(classes=classes("@overwrite")),
    "write-tree": Subcommand(),
    "hash-object": Subcommand(),
    "archive": Subcommand(Program(writes=("-o", "--output"), runs=("--remote", "--exec"))),
    "bundle": Subcommand(Program(), classes=classes("@overwrite")),
    "format-patch": Subcommand(
        Program(writes=("-o", "--output-directory", "--output"), runs=("--ext-diff",)), classes=classes("@overwrite")
    ),
    "lfs": Subcommand(network=True),
    "clone": Subcommand(Program(takes_value=("-b", "--branch", "--depth", "-o"), runs=_NET), network=True),
    "fetch": Subcommand(Program(takes_value=("--depth",), runs=("--upload-pack",)), network=True),
    "pull": Subcommand(Program(runs=("--upload-pack", "-s", "--strategy")), network=True),
    "push": Subcommand(
        Program(
            takes_value=("-o",),
            runs=("--receive-pack", "--exec"),
            acts={
                "-f": _HISTORY,
                "--force": _HISTORY,
                "--force-with-lease": _HISTORY,
                "-d": _HISTORY,
                "--delete": _HISTORY,
                "--mirror": _HISTORY,
            },
        ),
        classes=classes("@publish"),
        network=True,
    ),
    "send-email": Subcommand(
        Program(runs=("--smtp-server", "--sendmail-cmd", "--to-cmd", "--cc-cmd")),
        classes=classes("@publish"),
        network=True,
    ),
    "request-pull": Subcommand(network=True),
}
SUBCOMMANDS: Mapping[str, Subcommand] = {**QUERIES, **_CHANGES}
