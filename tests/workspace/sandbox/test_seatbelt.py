"""The profile of Seatbelt as text: macOS alone could run it."""

from pathlib import Path

from mewcode.workspace.sandbox.confinement import Confinement
from mewcode.workspace.sandbox.seatbelt import seatbelt_argv, seatbelt_profile

ROOT, SECRET, TEMP = Path("/Users/me/work"), Path("/Users/me/.ssh"), Path("/private/tmp/own")


def confinement(**more: object) -> Confinement:
    values = {"cwd": ROOT, "write": (ROOT,), "read": (), "hidden": (SECRET,), "protected": (ROOT / ".git/hooks",)}
    return Confinement(**{**values, "temp": TEMP, **more})  # type: ignore[arg-type]


def position(profile: str, rule: str) -> int:
    assert rule in profile
    return profile.index(rule)


def test_everything_is_denied_that_no_later_rule_allows() -> None:
    assert seatbelt_profile(confinement()).startswith("(version 1)\n(deny default)")


def test_what_is_narrower_stands_later_since_the_last_match_decides() -> None:
    profile = seatbelt_profile(confinement())
    writable = position(profile, f'(allow file-read* file-write* (subpath "{ROOT}") (subpath "{TEMP}"))')
    protected = position(profile, f'(deny file-write* (subpath "{ROOT}/.git/hooks"))')
    hidden = position(profile, f'(deny file-read* file-write* (subpath "{SECRET}"))')
    assert writable < protected < hidden


def test_strict_reads_only_what_is_named() -> None:
    usr = Path("/usr")
    profile = seatbelt_profile(confinement(everything=False, read=(usr,)))
    assert "(allow file-read*)" not in profile.splitlines()
    assert f'(allow file-read* (subpath "{usr}") (subpath "{ROOT}") (subpath "{TEMP}"))' in profile


def test_the_network_is_there_only_when_it_is_allowed() -> None:
    assert "network" not in seatbelt_profile(confinement())
    assert "(allow network*)" in seatbelt_profile(confinement(network=True))


def test_a_path_cannot_break_out_of_its_string() -> None:
    profile = seatbelt_profile(confinement(write=(Path('/x") (allow default) ("'),)))
    assert "(allow default)" not in [line.strip() for line in profile.splitlines()]
    assert '(subpath "/x\\") (allow default) (\\"")' in profile


def test_the_command_gets_its_own_temporary_folder() -> None:
    assert seatbelt_argv(["make"], confinement())[-3:] == ["/usr/bin/env", f"TMPDIR={TEMP}", "make"]
