"""Programs that talk to other machines."""

import re

from mewcode.governance.commands.call import Call, text_word
from mewcode.governance.commands.options import read_arguments
from mewcode.governance.commands.program import Program, Table, classes, names, same
from mewcode.governance.commands.word import known

_URL = re.compile(r"(?:(?P<scheme>\w+)://)?(?:[^@/\s]*@)?(?P<host>\[[^\]]+\]|[\w.-]+)(?::\d+)?(?:[/?#].*)?", re.DOTALL)
_CURL_SENDS = (
    "-d",
    "--data",
    "--data-ascii",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--json",
    "-F",
    "--form",
    "--form-string",
    "-T",
    "--upload-file",
    "-X",
    "--request",
    "-Q",
    "--quote",
    "--url-query",
)


def _hosts(call: Call) -> None:
    for word in call.arguments.operands + call.arguments.values("--url"):
        found = _URL.fullmatch(word.text)
        if found is None or not word.literal:
            call.doubt_argument(word)
        else:
            call.host(found["host"])
            if found["scheme"] == "file":
                call.read(known(word.text[7:]))


def _curl(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    _hosts(call)
    sends = call.arguments.values(*_CURL_SENDS)
    method = {word.text.upper() for word in call.arguments.values("-X", "--request")}
    if [value for value in sends if value not in call.arguments.values("-X", "--request")] or method - {
        "GET",
        "HEAD",
        "OPTIONS",
    }:
        call.classes.add("@upload")
    for value in sends:
        for place in re.findall(r"@([^;,]+)", value.text):
            call.read(known(place))
    for value in call.arguments.values("-T", "--upload-file", "-H", "--header", "-b", "--cookie"):
        call.read(known(value.text.removeprefix("@")))
    if any("%output{" in value.text or "@" in value.text[:1] for value in call.arguments.values("-w", "--write-out")):
        call.doubt("option_runs", option="-w")
    if call.arguments.has("-O", "--remote-name", "-J", "--remote-header-name", "--remote-name-all"):
        call.write(known("."), "curl -O", hidden=True)


def _wget(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    _hosts(call)
    if call.arguments.has("--post-data", "--post-file", "--body-data", "--body-file", "--method"):
        call.classes.add("@upload")
    targets = call.arguments.values("-O", "--output-document")
    if not targets and not call.arguments.has("--spider"):
        call.write((call.arguments.values("-P", "--directory-prefix") or [known(".")])[0], "wget", hidden=True)


_SSH = Program(
    takes_value=tuple(f"-{letter}" for letter in "bcDEeFIiJLlmOopQRSWw"),
)


def _ssh(call: Call) -> None:
    """What follows the host is a line for a shell over there."""
    arguments = read_arguments(call.rest, _SSH, stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    for option in arguments.options:
        if option.name in ("-o", "-F", "-E", "-S", "-w", "-I") and not (
            option.value
            and re.match(
                r"(?i)(StrictHostKeyChecking|ConnectTimeout|BatchMode|Port|User|LogLevel|ServerAlive\w+)[= ]",
                option.value.text,
            )
        ):
            call.doubt("option_runs", option=option.name)
    if arguments.operands:
        call.host(arguments.operands[0].text.rpartition("@")[2].partition(":")[0])
    line = arguments.operands[1:]
    if line:
        call.run_text(text_word(line), remote=True)
        call.doubt("stdin_code") if call.flow.stdin and call.flow.stdin.text is None and line[0].text in (
            "sh",
            "bash",
        ) else None
    elif call.flow.stdin is not None:
        call.doubt("stdin_code")


def _scp(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    operands = call.arguments.operands
    for word in operands:
        if ":" in word.prefix:
            call.host(word.text.partition(":")[0].rpartition("@")[2])
        else:
            call.read(word, beneath="all" if call.arguments.has("-r") else "")
    if operands and ":" in operands[-1].prefix:
        call.classes.add("@upload")
    elif operands:
        call.write(operands[-1], call.name)


def _file_transfer(call: Call) -> None:
    """Its commands come in on standard input, from a file or an option, and `!` among them starts a shell."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if call.flow.stdin is not None:
        call.doubt("stdin_code")
    for option in call.arguments.options:
        if option.name in ("-b", "-c", "-e", "-f", "-S", "-D", "-o", "-F"):
            call.doubt("option_runs", option=option.name)
    for word in call.arguments.operands:
        if ":" in word.prefix:
            call.host(word.text.partition(":")[0].rpartition("@")[2])


def _netcat(call: Call) -> None:
    for word in call.rest:
        if not word.literal:
            call.doubt_argument(word)
        if re.match(r"-\w*[ce]|--exec|--sh-exec|--lua-exec|EXEC:|SYSTEM:", word.text, re.IGNORECASE):
            call.doubt("option_runs", option=word.text[:60])
    if call.arguments.operands:
        call.host(call.arguments.operands[0].text)


def _gh(call: Call) -> None:
    """GitHub's and GitLab's command lines: reading verbs, and those that change what others see."""
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    operands = [word.text for word in call.arguments.operands]
    verb = operands[1] if len(operands) > 1 else ""
    if operands[:1] == ["api"]:
        call.classes.add(
            "@publish"
            if call.arguments.has("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input")
            else "@network"
        )
    elif verb not in ("list", "view", "status", "diff", "checks", "watch", "search", "get", "checkout", ""):
        call.classes.add("@publish")
    if operands[:1] in (["alias"], ["extension"], ["config"], ["auth"], ["codespace"]):
        call.doubt("option_runs", option=operands[0])
    if operands and operands[0] not in _GH_COMMANDS:
        call.doubt("git_alias", word=operands[0][:40])


def _doubt(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    for word in call.arguments.operands:
        call.host(word.text.partition(":")[0].rpartition("@")[2])


_GH_COMMANDS = names(
    "api auth browse cache co codespace config extension gist gpg-key issue label org pr"
    " project release repo ruleset run search secret ssh-key status variable workflow mr ci"
    " alias attestation"
)
_NETWORK = classes("@network")

PROGRAMS: Table = {
    "curl": Program(
        classes=_NETWORK,
        takes_value=(
            *_CURL_SENDS,
            "-H",
            "--header",
            "-A",
            "-b",
            "--cookie",
            "-u",
            "--user",
            "-m",
            "-x",
            "--proxy",
            "-e",
            "-w",
            "--write-out",
            "--max-time",
            "--url",
            "-E",
            "-r",
            "-y",
            "-Y",
            "-z",
            "--retry",
            "--connect-timeout",
            "--resolve",
            "--cacert",
            "--cert",
            "--key",
        ),
        writes=(
            "-o",
            "--output",
            "-c",
            "--cookie-jar",
            "-D",
            "--dump-header",
            "--trace",
            "--trace-ascii",
            "--stderr",
            "--output-dir",
            "--etag-save",
            "--hsts",
            "--alt-svc",
            "--libcurl",
        ),
        runs=("-K", "--config", "--engine", "--proxy-header"),
        handler=_curl,
    ),
    "wget": Program(
        classes=_NETWORK,
        takes_value=(
            "-P",
            "--directory-prefix",
            "-U",
            "-T",
            "-t",
            "--header",
            "--post-data",
            "--body-data",
            "--method",
            "-e_",
            "-A",
            "-R",
            "-D",
            "-l",
        ),
        writes=(
            "-O",
            "--output-document",
            "-o",
            "--output-file",
            "-a",
            "--append-output",
            "--save-cookies",
            "--warc-file",
            "--rejected-log",
        ),
        runs=("-e", "--execute", "--use-askpass", "--config"),
        reads_files=("-i", "--input-file", "--post-file", "--body-file", "--load-cookies"),
        handler=_wget,
    ),
    "ssh": Program(classes=_NETWORK, handler=_ssh),
    "mosh": Program(classes=_NETWORK, handler=_ssh),
    **same(
        Program(
            classes=_NETWORK,
            takes_value=tuple(f"-{letter}" for letter in "ciJlP"),
            runs=("-S", "-F", "-o", "-D", "-b"),
            handler=_scp,
        ),
        "scp",
    ),
    **same(
        Program(classes=classes("@network", "@upload"), takes_value=("-p", "-w", "-s", "-q", "-i"), handler=_netcat),
        "nc ncat netcat socat telnet",
    ),
    **same(
        Program(classes=_NETWORK, handler=_doubt, takes_value=("-c", "-i", "-W", "-w", "-t")),
        "ping ping6 traceroute tracepath mtr dig nslookup host whois",
    ),
    **same(Program(classes=classes("@network", "@upload"), handler=_file_transfer), "ftp lftp tftp sftp"),
    **same(
        Program(classes=classes("@network", "@upload"), handler=_doubt),
        "xh http https httpie",
    ),
    **same(
        Program(
            classes=_NETWORK,
            takes_value=(
                "-X",
                "--method",
                "-f",
                "-F",
                "--field",
                "--raw-field",
                "--input",
                "-R",
                "--repo",
                "-t",
                "-b",
                "-q",
                "-H",
                "--jq",
                "--json",
                "-L",
                "--title",
                "--body",
                "--limit",
            ),
            handler=_gh,
        ),
        "gh glab",
    ),
}
