"""What is known of programs, a module a family. To teach the analysis a program, add a line to its family."""

import re
from functools import cache

from mewcode.governance.commands.program import Program

_VERSIONED = re.compile(r"(python|pypy|pip|perl|ruby|node|php|lua|tclsh|gcc|clang|java|bash|zsh|ksh|tar|awk)-?\d[\d.]*")
_GNU_ON_MAC = re.compile(
    r"g(sed|awk|find|xargs|sort|tar|rm|cp|mv|cat|head|tail|cut|grep|date|stat|ls|env|timeout|make)"
)
_LOADER = re.compile(r"ld(?:-linux[\w-]*|-musl[\w-]*|64|-[\d.]+)?\.so(?:\.\d+)*")


def find(name: str) -> tuple[str, Program | None]:
    """The table's name for a program (`python3.11` is `python3`) and what is known of it."""
    known = _all()
    if name in known:
        return name, known[name]
    versioned, gnu = _VERSIONED.fullmatch(name), _GNU_ON_MAC.fullmatch(name)
    if versioned:
        return versioned[1], known.get(versioned[1])
    if gnu:
        return gnu[1], known.get(gnu[1])
    if _LOADER.fullmatch(name):
        return name, known["ld.so"]
    if name.startswith("mkfs"):
        return name, known["mkfs"]
    return name, None


def names() -> tuple[str, ...]:
    """Every name in the tables."""
    return tuple(_all())


@cache
def _all() -> dict[str, Program]:
    from mewcode.governance.commands.tables import (
        archives,
        builds,
        builtins,
        containers,
        files,
        finding,
        git,
        inspecting,
        interpreters,
        mewcode,
        network,
        packages,
        reading,
        scripting,
        services,
        shells,
        system,
        tracing,
        variables,
        wrappers,
        xargs,
    )

    families = (
        reading,
        inspecting,
        files,
        builtins,
        variables,
        shells,
        wrappers,
        xargs,
        finding,
        scripting,
        git,
        archives,
        builds,
        packages,
        interpreters,
        network,
        services,
        containers,
        tracing,
        system,
        mewcode,
    )
    return {name: program for family in families for name, program in family.PROGRAMS.items()}
