"""Interpreters: code on the command line or on standard input that the analysis cannot read."""

import re

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, same
from mewcode.governance.commands.tables.shells import run_script
from mewcode.governance.commands.word import Word

_DELETES = re.compile(
    r"unlink|rmtree|rmdir|\bremove\b|removedirs|rmSync|unlinkSync|File\.delete|FileUtils\.rm|\brm\b|\bdel\b"
)
_RUNS = re.compile(r"system|subprocess|popen|exec|spawn|child_process|`|Runtime")
_NETWORK = re.compile(r"urllib|requests|http|socket|fetch\(|net\.", re.IGNORECASE)
_PYTHON_MODULES = {
    "pytest": "@test",
    "unittest": "@test",
    "tox": "@test",
    "nox": "@test",
    "doctest": "@test",
    "build": "@build",
    "mypy": "@build",
    "ruff": "@build",
    "pylint": "@build",
    "flake8": "@build",
    "black": "@build",
    "compileall": "@build",
    "py_compile": "@build",
    "twine": "@publish",
}


def _code(call: Call, text: Word) -> None:
    """Classes that the text shows; what it really does only the interpreter knows."""
    call.opaque = True
    if _DELETES.search(text.text):
        call.classes.add("@delete")
    if _RUNS.search(text.text):
        call.classes.add("@runs")
    if _NETWORK.search(text.text):
        call.classes.add("@network")
    if "mewcode" in text.text:
        call.walker.findings.starts_mewcode = True
    if not text.literal:
        call.doubt_argument(text)


def _interpreter(code: str, values: str = "", loads: tuple[str, ...] = (), harmless: tuple[str, ...] = ()) -> Program:
    """`code`: letters of the options that take code; `values`: letters of options with a value; `loads`: options that
    load more code; `harmless`: the only word behind which nothing runs (`--version`)."""

    def handler(call: Call) -> None:
        call.reads_only = False
        waiting = list(call.rest)
        if len(waiting) == 1 and waiting[0].text in (*harmless, "--version", "--help", "-V"):
            call.reads_only = True
            return
        while waiting:
            word = waiting.pop(0)
            if word.may_be_option and not word.prefix.startswith("-"):
                call.doubt_argument(word)
            if not word.prefix.startswith("-") or word.text == "-":
                _script_or_input(call, word)
                return
            if word.text in ("--eval", "--print", "--run", "--command"):
                _code(call, waiting[0] if waiting else word)
                return
            if word.text.startswith(loads) if loads else False:
                call.doubt("option_runs", option=word.text)
            if word.text.startswith("--"):
                if word.text.startswith(("--eval=", "--print=", "--run=")):
                    _code(call, word)
                    return
                continue
            if not word.literal:
                call.doubt_argument(word)
            if call.name.startswith("python") and _python_module(call, word, waiting):
                return
            found = re.search(rf"[{code}]", word.text[1:])
            if found:
                rest = word.text[1 + found.end() :]
                _code(call, word if rest or not waiting else waiting[0])
                return
            if word.text[-1:] in values and waiting:
                waiting.pop(0)
        _from_input(call)

    return Program(handler=handler)


def _python_module(call: Call, word: Word, waiting: list[Word]) -> bool:
    found = re.fullmatch(r"-[bBdEiIOPqRsSuvx]*m(.*)", word.text)
    if found is None:
        return False
    name = found[1] or (waiting[0].text if waiting else "")
    arguments = waiting if found[1] else waiting[1:]
    if name == "mewcode" or name.startswith("mewcode."):
        call.walker.findings.starts_mewcode = True
    if name in ("pip", "uv"):
        call.run([Word(name, prefix=name), *arguments])
        call.transparent = True
        return True
    if name in ("pytest", "mypy", "ruff"):
        call.run([Word(name, prefix=name), *arguments])
    if name in _PYTHON_MODULES:
        call.classes.add(_PYTHON_MODULES[name])
    elif name == "json.tool":
        call.reads_only = len(arguments) < 2
        for word_ in arguments[1:2]:
            call.write(word_, "json.tool", hidden=True)
    else:
        call.opaque = True
        if name == "http.server":
            call.classes.add("@network")
    for argument in arguments:
        call.read(argument)
        if not argument.literal:
            call.doubt_argument(argument)
    return True


def _script_or_input(call: Call, word: Word) -> None:
    if word.text == "-":
        _from_input(call)
    else:
        run_script(call, word)


def _from_input(call: Call) -> None:
    """Without a script it runs its standard input."""
    if call.flow.stdin is None:
        return
    call.opaque = True
    if call.flow.stdin.text is None:
        call.doubt("stdin_code")
    else:
        _code(call, Word(call.flow.stdin.text, prefix=call.flow.stdin.text))


def _always_opaque(call: Call) -> None:
    call.opaque = True
    for word in call.rest:
        if not word.literal:
            call.doubt_argument(word)
    _code(call, Word(" ".join(word.text for word in call.rest)))


def _editor(call: Call) -> None:
    """Options and standard input hold commands of the editor, and `!` among them starts a shell."""
    _always_opaque(call)
    for word in call.rest:
        if word.prefix.startswith(("-", "+")) and word.text not in ("-R", "-n", "--version", "--help"):
            call.doubt("option_runs", option=word.text[:40])
    if call.flow.stdin is not None:
        call.doubt("stdin_code")


_PYTHON = _interpreter("c", "WX", loads=())
_NODE = _interpreter(
    "ep", "rC", loads=("-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "--inspect")
)
_PERL = _interpreter("eE", "", loads=("-M", "-m", "-I", "-d", "-x", "-i", "-s"))
_RUBY = _interpreter("e", "CEFIr", loads=("-r", "-I", "-x", "-i", "-C"))

PROGRAMS: Table = {
    **same(_PYTHON, "python python3 pypy pypy3 micropython ipython python2"),
    **same(_NODE, "node nodejs"),
    **same(_interpreter("ep"), "deno tsx ts-node"),
    "perl": _PERL,
    **same(_RUBY, "ruby jruby irb"),
    **same(Program(handler=_editor), "vim vi nvim view ex vimdiff rvim gvim"),
    "pandoc": Program(
        operands="read",
        writes=("-o", "--output", "--extract-media", "--log"),
        runs=("-F", "--filter", "-L", "--lua-filter", "--pdf-engine", "--data-dir", "-d", "--defaults", "-t", "--to"),
    ),
    "php": _interpreter("rRBEF", "cdSt", loads=("-d", "-c", "-z")),
    "lua": _interpreter("e", "l", loads=("-l",)),
    "luajit": _interpreter("e", "lbj", loads=("-l", "-b", "-j")),
    "Rscript": _interpreter("e"),
    **same(
        Program(handler=_always_opaque),
        "R julia ghc runghc scala kotlin kotlinc groovy clojure erl elixir iex tclsh wish osascript"
        " swipl guile racket sbcl"
        " clisp ocaml jshell java gforth octave gnuplot bc dc m4 emacs nano ed_ pico mcedit code"
        " psql mysql sqlite3 mongosh redis-cli mariadb duckdb cqlsh ansible ansible-playbook terraform"
        " pulumi puppet chef",
    ),
}
