"""Where a task comes from."""

import io
import os
from pathlib import Path

import pytest

from mewcode.errors import UsageError
from mewcode.headless.task import MAX_BYTES, Task, read_task


def test_the_argument_alone_is_the_task() -> None:
    assert read_task("fix it", None) == Task("fix it")


def test_what_is_piped_in_without_an_argument_is_the_task(tmp_path: Path) -> None:
    assert read_task(None, _file(tmp_path, b"fix it\n")) == Task("fix it")
    assert read_task("-", _file(tmp_path, b"fix it\n")) == Task("fix it")


def test_what_is_piped_in_beside_an_argument_is_joined_to_it(tmp_path: Path) -> None:
    assert read_task("explain this", _file(tmp_path, "trace…\n".encode())) == Task("explain this", "trace…")


def test_neither_argument_nor_input_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no task"):
        read_task(" ", _file(tmp_path, b" \n"))


def test_more_than_ten_megabytes_are_refused(tmp_path: Path) -> None:
    assert read_task(None, _file(tmp_path, b"x" * MAX_BYTES)).text == "x" * MAX_BYTES
    with pytest.raises(UsageError, match="10 MB"):
        read_task(None, _file(tmp_path, b"x" * (MAX_BYTES + 1)))


def test_bytes_that_are_no_text_are_replaced_rather_than_fatal(tmp_path: Path) -> None:
    assert read_task(None, _file(tmp_path, b"\xff\xfehello")).text.endswith("hello")


def test_an_open_pipe_that_nobody_writes_to_does_not_hold_up_a_task_given_as_argument() -> None:
    reading, writing = os.pipe()
    try:
        with os.fdopen(reading, "rb") as stdin:
            assert read_task("fix it", stdin) == Task("fix it")
    finally:
        os.close(writing)


def _file(folder: Path, data: bytes) -> io.BufferedReader:
    path = folder / "stdin"
    path.write_bytes(data)
    return path.open("rb")
