"""Builds and tests: they run the project's own code, which a rule allows by its class."""

import re

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, classes, same

BUILD_TARGET = re.compile(
    r"all|build|compile|debug|release|dist|lint|format-check|typecheck|type-check|fmt-check|docs?|lib|bin|prod(?:uction)?|dev-build|(?:build|lint|compile|typecheck)[:_-][\w:.-]+"
)
TEST_TARGET = re.compile(r"(?:tests?|check|spec|coverage|unit|integration|e2e|verify|bench(?:mark)?)(?:[:_-][\w:.-]+)?")
_PUBLISH_TARGET = re.compile(r".*(?:publish|deploy|release|upload|push).*")


def classify_target(call: Call, name: str) -> None:
    """The usual names of targets and scripts; any other is a command of its own."""
    if TEST_TARGET.fullmatch(name):
        call.classes.add("@test")
    elif BUILD_TARGET.fullmatch(name) and name != "release":
        call.classes.add("@build")
    elif _PUBLISH_TARGET.fullmatch(name):
        call.classes.add("@publish")
    elif re.fullmatch(r"clean|distclean|mrproper|purge|reset", name):
        call.classes.add("@delete")


def _make(call: Call) -> None:
    """Variables on the command line replace the makefile's: `make CC='rm x'`, and `$(shell …)` runs."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if call.arguments.has("-n", "--just-print", "--dry-run"):
        call.doubt("option_runs", option="-n")
    targets = [word for word in call.arguments.operands if "=" not in word.text]
    for word in call.arguments.operands:
        name, equals, value = word.text.partition("=")
        if equals and (
            not re.fullmatch(r"[A-Z_]*(?:DEBUG|VERBOSE|V|PREFIX|DESTDIR|BUILD|TYPE|MODE|JOBS|ENV)\+?", name)
            or re.search(r"[$`|;&]", value)
        ):
            call.doubt("option_runs", option=word.text[:60])
    for file in call.arguments.values("-f", "--file", "--makefile"):
        call.read(file)
        call.opaque = True
        if not file.literal or file.substitution or file.text == "-" or file.text.startswith(("/dev/", "/proc/")):
            call.doubt("runs_file", word=file.text[:60])
    if not targets:
        call.classes.add("@build")
    for word in targets:
        classify_target(call, word.text)


def _first(table: dict[str, frozenset[str]]) -> "Program":
    """The first operand names what is done."""

    def handler(call: Call) -> None:
        for word in call.arguments.doubtful:
            call.doubt_argument(word)
        if call.arguments.operands:
            call.classes.update(table.get(call.arguments.operands[0].text, frozenset()))

    return Program(handler=handler, runs=("--config", "-exec", "-toolexec", "--init-script", "-I", "--require"))


def _go(call: Call) -> None:
    _doubt(call)
    operands = call.arguments.operands
    verb = operands[0].text if operands else ""
    known = {"test": "@test", "vet": "@build", "build": "@build", "publish": "@publish"}
    if verb in known:
        call.classes.add(known[verb])
    if verb in ("version", "list", "doc", "env") and not any(word.text.startswith("-w") for word in call.rest):
        call.reads_only = verb in ("version", "doc")
    if verb in ("get", "install", "mod"):
        call.classes.add("@network")
    if any(
        word.text.lstrip("-").startswith(("exec", "toolexec", "vettool", "overlay", "modfile"))
        for word in call.rest
        if word.text.startswith("-")
    ):
        call.doubt("option_runs", option="-exec")


def _doubt(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


_LOADS = re.compile(
    r"-(?:wrapper|fplugin|specs|-specs|plugin|-plugin|load|fpass-plugin|fuse-ld|iplugindir|processor|-processor-path"
    r"|processorpath|J-|Xplugin|Clinker|Zcodegen-backend|dynamic-linker)"
)


def _compiler(call: Call) -> None:
    """Options that load code, and `@FILE`, which holds more options."""
    _doubt(call)
    for word in call.rest:
        given = word.text.removeprefix("-Wl,").removeprefix("-Xclang=").partition("=")[0]
        if word.prefix.startswith("@") or _LOADS.match(word.text) or _LOADS.match(given):
            call.doubt("option_runs", option=word.text[:60])


def _pytest(call: Call) -> None:
    """`-p`, `-c`, `--rootdir` and `-o` load other code."""
    _doubt(call)
    if any(
        word.text.startswith(("-p", "-c", "--confcutdir", "--rootdir", "-o", "--override-ini", "--pyargs"))
        for word in call.rest
    ):
        plugin = [word for word in call.rest if re.fullmatch(r"-pno:\w+|no:\w+", word.text)]
        if not plugin:
            call.doubt("option_runs", option="-p")


_TEST, _BUILD, _PUBLISH = classes("@test"), classes("@build"), classes("@publish")
_CARGO = {
    **dict.fromkeys(("test", "t", "bench", "nextest"), _TEST),
    **dict.fromkeys(("build", "b", "check", "c", "clippy", "doc", "fmt"), _BUILD),
    **dict.fromkeys(("publish", "yank", "owner", "login"), _PUBLISH),
    **dict.fromkeys(("install", "update", "fetch", "add"), classes("@network")),
    "clean": classes("@delete"),
}
_GRADLE = {
    **dict.fromkeys(("test", "check", "verify", "integrationTest"), _TEST),
    **dict.fromkeys(("build", "assemble", "compile", "package", "jar", "classes", "compileJava"), _BUILD),
    **dict.fromkeys(("publish", "deploy", "release", "upload"), _PUBLISH),
    "clean": classes("@delete"),
}

PROGRAMS: Table = {
    **same(
        Program(
            takes_value=("-C", "-j", "-l", "-W", "-o", "-I"),
            runs=("--eval", "-E"),
            reads_files=("-f", "--file", "--makefile"),
            handler=_make,
        ),
        "make gmake bmake nmake",
    ),
    "just": Program(handler=_make, runs=("--shell", "--shell-arg", "-c", "--command")),
    "task": Program(handler=_make),
    "ninja": Program(
        classes=_BUILD, takes_value=("-C", "-j", "-f"), reads_files=("-f",), acts={"-t": classes("@delete")}
    ),
    "rake": Program(
        takes_value=("-f", "--rakefile"),
        runs=("-e", "--execute", "-p", "--execute-print", "-E", "--execute-continue", "-r", "--require"),
    ),
    "meson": _first({"compile": _BUILD, "test": _TEST, "setup": _BUILD}),
    "cmake": Program(classes=_BUILD, runs=("-P", "-E", "-C")),
    "ctest": Program(classes=_TEST, runs=("-S", "--build-and-test")),
    "bazel": _first({"build": _BUILD, "test": _TEST, "clean": classes("@delete")}),
    "cargo": _first(_CARGO),
    "go": Program(single_dash_long=True, handler=_go),
    "mvn": _first(_GRADLE),
    "gradle": _first(_GRADLE),
    "ant": _first(_GRADLE),
    "dotnet": _first(
        {
            "build": _BUILD,
            "test": _TEST,
            "publish": classes("@build"),
            "nuget": _PUBLISH,
            "restore": classes("@network"),
        }
    ),
    "swift": _first({"build": _BUILD, "test": _TEST}),
    "mix": _first({"test": _TEST, "compile": _BUILD, "hex.publish": _PUBLISH}),
    "pytest": Program(
        classes=_TEST,
        writes=("--junitxml", "--junit-xml", "--log-file", "--basetemp"),
        takes_value=("-k", "-m", "-n", "-W"),
        handler=_pytest,
    ),
    "py.test": Program(
        classes=_TEST,
        writes=("--junitxml", "--junit-xml", "--log-file", "--basetemp"),
        takes_value=("-k", "-m", "-n", "-W"),
        handler=_pytest,
    ),
    **same(
        Program(classes=_TEST, runs=("--require", "-r", "--globalSetup", "--setupFiles", "-c", "--config")),
        "jest vitest mocha ava tap phpunit rspec ctest-3 nose2 tox nox",
    ),
    **same(
        Program(
            classes=_BUILD,
            runs=("--config", "-c", "--plugin", "--rulesdir", "--load-plugins", "--init-hook", "--python-executable"),
        ),
        "tsc eslint prettier ruff mypy pyright pylint flake8 black isort biome golangci-lint staticcheck"
        " rubocop shellcheck hadolint stylelint yamllint markdownlint",
    ),
    **same(
        Program(classes=_BUILD, runs=("-B",), writes=("-o",), handler=_compiler),
        "gcc g++ cc c++ clang clang++ rustc javac ld as",
    ),
}
