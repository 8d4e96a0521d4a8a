"""Mutation testing of the parts that decide: does a test fail when a line of governance/ or calls/ is wrong?

    pip install cosmic-ray coverage
    python tests/mutation/run.py FOLDER [--sample 300] [--seed 1]

FOLDER gets a clone of the last commit, where the source is mutated; it may be used again, and then coverage is not
measured anew. cosmic-ray lists the mutants, a sample of them is drawn, and each is tried against those tests of
tests/governance and tests/security that run a mutated line (read from coverage's contexts). Every mutant ends as one
line of FOLDER/mutants.jsonl: killed, survived, or unreached (no test runs the line); the survivors come with their
difference. A sample of 300 takes about an hour of one core.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec
from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[2]
MUTATED = ("src/mewcode/governance", "src/mewcode/calls")
TESTS = ("tests/governance", "tests/security")
MOST_TESTS = 25
"""Tests of one mutant: those come first of whose lines the most lie in its file, since they are about it."""
SECONDS = 240
"""For the tests of one mutant; one that never ends counts as killed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    clone = folder / "clone"
    if not clone.exists():
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    clone = clone.resolve()
    contexts = Contexts(_coverage(clone, folder / "coverage"))
    specs = _sample(clone, folder / "mutants.sqlite", options.sample, options.seed)
    outcomes: Counter[str] = Counter()
    with (folder / "mutants.jsonl").open("w") as log:
        for number, spec in enumerate(specs, 1):
            outcome, difference = _tried(clone, spec, contexts)
            outcomes[outcome] += 1
            where = f"{spec.module_path}:{spec.start_pos[0]}"
            line = {"where": where, "operator": spec.operator_name, "outcome": outcome, "difference": difference}
            log.write(json.dumps(line) + "\n")
            log.flush()
            print(f"{number:4}/{len(specs)} {outcome:9} {where} {spec.operator_name}", flush=True)
    print(dict(outcomes))


class Contexts:
    """Which tests run which lines."""

    def __init__(self, data: CoverageData) -> None:
        self._data = data
        self._lines = Counter(name for file in data.measured_files() for name in self._names(file))

    def tests(self, file: Path, first: int, last: int) -> list[str]:
        """Those that run a line from `first` to `last`; lines that run at import belong to all of the file."""
        by_line = self._data.contexts_by_lineno(str(file))
        touched = {name for line in range(first, last + 1) for name in by_line.get(line, ()) if name}
        own = Counter(self._names(str(file)))
        return sorted(touched or own, key=lambda name: (-own[name] / self._lines[name], name))

    def _names(self, file: str) -> Iterator[str]:
        return (name for names in self._data.contexts_by_lineno(file).values() for name in names if name)


def _coverage(clone: Path, data: Path) -> CoverageData:
    if not data.exists():
        rc = data.with_suffix(".rc")
        rc.write_text(f"[run]\nsource = {','.join(MUTATED)}\ndynamic_context = test_function\ndata_file = {data}\n")
        command = [sys.executable, "-m", "coverage", "run", f"--rcfile={rc}", "-m", "pytest", "-q", *TESTS]
        subprocess.run(command, cwd=clone, env=_environment(clone), check=False)
    read = CoverageData(str(data))
    read.read()
    return read


def _sample(clone: Path, database: Path, size: int, seed: int) -> list[MutationSpec]:
    config = database.with_suffix(".toml")
    paths = ", ".join(f'"{path}"' for path in MUTATED)
    config.write_text(
        f"[cosmic-ray]\nmodule-path = [{paths}]\ntimeout = {SECONDS}\nexcluded-modules = []\n"
        'test-command = "true"\n[cosmic-ray.distributor]\nname = "local"\n'
    )
    subprocess.run(["cosmic-ray", "init", "--force", str(config), str(database)], cwd=clone, check=True)
    with use_db(str(database), WorkDB.Mode.open) as db:
        specs = [item.mutations[0] for item in db.work_items]
    # `X | None` in an annotation is not arithmetic: such mutants cannot be told from the program
    wanted = [spec for spec in specs if "BinaryOperator_BitOr" not in spec.operator_name]
    print(f"{len(wanted)} mutants")
    return random.Random(seed).sample(wanted, min(size, len(wanted)))


def _tried(clone: Path, spec: MutationSpec, contexts: Contexts) -> tuple[str, str]:
    tests = list(_tests_of(clone, spec, contexts))
    if not tests:
        return "unreached", ""
    operator = get_operator(spec.operator_name)(**spec.operator_args)
    with use_mutation(clone / spec.module_path, operator, spec.occurrence):
        if _passes(clone, tests):
            changed = subprocess.run(["git", "diff", "-U1"], cwd=clone, capture_output=True, text=True, check=True)
            return "survived", changed.stdout
    return "killed", ""


def _tests_of(clone: Path, spec: MutationSpec, contexts: Contexts) -> Iterator[str]:
    """The tests of a mutant, as pytest names them."""
    for name in contexts.tests(clone / spec.module_path, spec.start_pos[0], spec.end_pos[0])[:MOST_TESTS]:
        module, _, function = name.rpartition(".")
        file = clone / (module.replace(".", "/") + ".py")
        if file.exists():
            yield f"{file.relative_to(clone)}::{function}"


def _passes(clone: Path, tests: list[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    process = subprocess.Popen(
        command,
        cwd=clone,
        env=_environment(clone),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(SECONDS) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False


def _environment(clone: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(clone / "src"), "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    main()
