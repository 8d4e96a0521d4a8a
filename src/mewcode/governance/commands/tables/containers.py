"""Containers and clusters: commands that run somewhere else."""

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.options import read_arguments
from mewcode.governance.commands.program import Program, Table, classes, same
from mewcode.governance.commands.word import Word

_VALUES = Program(
    takes_value=(
        *(
            "-e",
            "--env",
            "-v",
            "--volume",
            "-w",
            "--workdir",
            "-u",
            "--user",
            "-p",
            "--publish",
            "--name",
            "--network",
            "--entrypoint",
        ),
        *(
            "-n",
            "--namespace",
            "-c",
            "--container",
            "-l",
            "--label",
            "-m",
            "--memory",
            "--mount",
            "--platform",
            "-f",
            "--file",
            "--env-file",
        ),
        *(
            "--cpus",
            "-h",
            "--hostname",
            "--add-host",
            "--cap-add",
            "--device",
            "--context",
            "--project-name",
            "-H",
            "--host",
        ),
    )
)
_QUERIES = frozenset(
    (
        "ps",
        "images",
        "logs",
        "inspect",
        "version",
        "info",
        "top",
        "stats",
        "port",
        "diff",
        "history",
        "search",
        "ls",
        "get",
        "describe",
        "explain",
        "events",
    )
)


def _docker(call: Call) -> None:
    arguments = read_arguments(call.rest, _VALUES, stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    verbs, rest = arguments.operands[:1], arguments.operands[1:]
    if verbs and verbs[0].text in ("container", "image", "compose", "volume", "network", "system", "builder", "buildx"):
        verbs, rest = rest[:1], rest[1:]
    verb = verbs[0].text if verbs else ""
    if verb in ("run", "exec", "create"):
        _inner(call, rest)
    elif verb in ("push", "login"):
        call.classes.update(("@publish", "@network"))
    elif verb in ("rm", "rmi", "prune", "kill", "stop", "down"):
        call.classes.add("@delete")
    elif verb == "build":
        call.classes.update(("@build", "@network"))
    elif verb == "cp":
        for word in rest[-1:]:
            call.write(word, "docker cp")
    elif verb in _QUERIES:
        call.reads_only = True
    for word in rest:
        if word.may_be_option and verb not in ("run", "exec", "create"):
            call.doubt_argument(word)


def _inner(call: Call, words: list[Word]) -> None:
    """The command behind the image's or container's name runs in the container; `-v` may bring the host's files in,
    so that it counts as much as one here."""
    arguments = read_arguments(words, _VALUES, stop_at_operand=True)
    for word in arguments.doubtful:
        call.doubt_argument(word)
    if any(
        option.name
        in ("-v", "--volume", "--mount", "--privileged", "--device", "--pid", "--cap-add", "--entrypoint", "--env-file")
        for option in arguments.options
    ):
        call.doubt("option_runs", option="-v")
    if arguments.operands[1:]:
        call.run(arguments.operands[1:], remote=True)


_KUBECTL = Program(
    takes_value=("--kubeconfig", "--cache-dir", "--profile-output", "-k", "--kustomize", "-n", "-o", "-f")
)


def _kubectl(call: Call) -> None:
    arguments = read_arguments(call.rest, _VALUES, stop_at_operand=True)
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    for option in read_arguments(call.rest, _KUBECTL).options:
        if option.name in ("--kubeconfig", "--cache-dir", "--profile-output", "-k", "--kustomize"):
            call.doubt("option_runs", option=option.name)
    verb = arguments.operands[0].text if arguments.operands else ""
    if verb in _QUERIES:
        call.classes.add("@network")
    elif verb == "delete":
        call.classes.update(("@delete", "@publish"))
    elif verb:
        call.classes.add("@publish")
    dashes = next((at for at, word in enumerate(call.rest) if word.text == "--"), None)
    if verb in ("exec", "run", "debug"):
        if dashes is None:
            call.doubt("option_runs", option=verb)
        elif call.rest[dashes + 1 :]:
            call.run(call.rest[dashes + 1 :], remote=True)


def _doubted(call: Call) -> None:
    call.doubt("option_runs", option=call.rest[0].text[:40] if call.rest else "")


def _helm(call: Call) -> None:
    for word in call.arguments.doubtful:
        call.doubt_argument(word)
    if any(word.text in ("uninstall", "delete", "del", "un") for word in call.arguments.operands[:1]):
        call.classes.add("@delete")


PROGRAMS: Table = {
    **same(Program(classes=classes("@network"), handler=_docker), "docker podman nerdctl docker-compose"),
    **same(Program(classes=classes("@network"), handler=_kubectl), "kubectl oc"),
    "helm": Program(classes=classes("@network", "@publish"), handler=_helm),
    **same(
        Program(classes=classes("@network"), handler=_doubted),
        "vagrant lxc incus multipass wsl minikube k3s toolbox distrobox",
    ),
}
