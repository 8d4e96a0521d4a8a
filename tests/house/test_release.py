"""What is handed over: one version, a wheel of nothing but the package, libraries that everybody may use."""

import re
import subprocess
import sys
import zipfile
from importlib.metadata import version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from mewcode import __version__

ROOT = Path(__file__).parents[2]
ASK_FOR_THEIR_OWN_SOURCES = {"certifi", "pathspec", "psycopg", "psycopg-binary"}
"""Under MPL or LGPL: free to use unchanged."""


@pytest.fixture(scope="module")
def licences() -> Any:
    spec = spec_from_file_location("licences", ROOT / "docs" / "licences.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_written_in_one_place() -> None:
    assert version("mewcode") == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    written = [
        path.name
        for path in [*(ROOT / "src").rglob("*.py"), ROOT / "pyproject.toml", *(ROOT / "deploy").rglob("*")]
        if path.is_file()
        and re.search(rf"version(?:__)?['\"]?\s*[=:]\s*['\"]?{re.escape(__version__)}\b", path.read_text("utf-8"))
    ]
    assert written == ["__init__.py"]


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    build = f"import hatchling.build, sys; print(hatchling.build.build_wheel({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, capture_output=True, timeout=120)
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    kinds = {Path(name).suffix or Path(name).name for name in names if not name.startswith("mewcode-")}
    assert all(name.startswith(("mewcode/", f"mewcode-{__version__}.dist-info/")) for name in names)
    assert kinds == {".py", ".typed", ".yaml", ".txt", "NOTICE"}
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_every_library_has_a_licence_that_lets_everybody_use_it(licences: Any) -> None:
    rows = list(licences.rows())
    assert len(rows) > 40
    weak = {name for name, licence, _ in rows if licences.WEAK.search(licence)}
    unknown = {
        name: licence for name, licence, _ in rows if name not in weak and not licences.PERMISSIVE.search(licence)
    }
    assert unknown == {}
    assert weak <= ASK_FOR_THEIR_OWN_SOURCES


def test_the_page_of_licences_lists_every_library_that_is_asked_for(licences: Any) -> None:
    text = (ROOT / "docs" / "licences.md").read_text("utf-8")
    listed = set(re.findall(r"^\| ([\w.-]+) \|", text, re.MULTILINE))
    asked = {Requirement(one) for one in licences.distribution("mewcode").requires if "extra ==" not in one}
    here = [one for one in asked if one.marker is None or one.marker.evaluate()]
    assert {re.sub(r"[-_.]+", "-", one.name).lower() for one in here} <= listed
