"""Programs that speak to services: clouds, mail, keys, and what looks into a network."""

import re

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, classes, same

_NETWORK = classes("@network")
_REMOVES = re.compile(
    r"(?:.*[:.])?(?:rm|rb|del|delete|deletefile|destroy|purge|remove|uninstall|terminate|drop|rmdir|rmdirs|cleanup)"
    r"|(?:delete|terminate|remove|purge|destroy|deregister)-[\w-]+"
)


def _cloud(call: Call) -> None:
    """What a word of the command says it does far away."""
    _doubt(call)
    if any(_REMOVES.fullmatch(word.text) for word in call.arguments.operands[:4]):
        call.classes.add("@delete")


def _mail(call: Call) -> None:
    """A line of a letter that begins with `~!` or `~|` is a command to some of these."""
    _doubt(call)
    if call.flow.stdin is not None and call.name != "sendmail":
        call.doubt("stdin_code")


def _openssl(call: Call) -> None:
    """Engines, providers and settings files bring code along."""
    _doubt(call)
    for word in call.rest:
        if re.match(r"-(?:engine|provider|provider-path|config|keyform|pre|post)\b|engine$", word.text):
            call.doubt("option_runs", option=word.text[:60])
    if any(word.text in ("s_client", "s_server", "ocsp", "s_time") for word in call.rest[:1]):
        call.classes.update(("@network", "@upload"))


def _keys(call: Call) -> None:
    call.classes.add("@overwrite")
    for word in call.arguments.values("-f"):
        call.write(word, call.name)


def _doubt(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


PROGRAMS: Table = {
    "nmap": Program(
        classes=_NETWORK,
        runs=("--script", "--script-args-file", "--datadir", "--servicedb", "--resume"),
        writes=("-oN", "-oX", "-oG", "-oA", "-oS"),
        handler=_doubt,
    ),
    "tcpdump": Program(classes=_NETWORK, runs=("-z",), writes=("-w",), reads_files=("-r", "-F", "-V"), handler=_doubt),
    "openssl": Program(handler=_openssl, writes=("-out", "-keyout"), single_dash_long=True),
    "ssh-keygen": Program(runs=("-D", "-w"), takes_value=("-f", "-t", "-b", "-C", "-N", "-P"), handler=_keys),
    "ssh-add": Program(runs=("-s", "-S", "-e"), handler=_doubt),
    **same(Program(classes=classes("@network", "@upload"), handler=_mail), "sendmail mail mailx Mail mutt neomutt"),
    **same(
        Program(classes=classes("@network", "@upload"), handler=_cloud),
        "rclone aws gcloud gsutil az s3cmd s5cmd doctl heroku fly flyctl vercel netlify wrangler firebase",
    ),
}
