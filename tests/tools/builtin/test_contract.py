"""What rules, roles and models rely on, tool by tool."""

import jsonschema
import pytest

from mewcode.calls import Access, Effects, Subject, SubjectKind
from mewcode.tools.base import Tool

PATH, COMMAND = SubjectKind.PATH, SubjectKind.COMMAND
EXAMPLES = {
    "read_file": ({"path": "a.py", "offset": 2, "limit": 5, "full": True}, [Subject(PATH, "a.py", Access.READ)]),
    "write_file": ({"path": "a.py", "content": ""}, [Subject(PATH, "a.py", Access.WRITE)]),
    "edit_file": (
        {"path": "a.py", "old": "x", "new": "", "all": True},
        [Subject(PATH, "a.py", Access.READ), Subject(PATH, "a.py", Access.WRITE)],
    ),
    "search_code": (
        {"query": "x", "path": "src", "glob": "*.py", "literal": True, "context": 2, "limit": 9},
        [Subject(PATH, "src", Access.READ)],
    ),
    "find_files": ({"pattern": "*", "path": "src", "sort": "name"}, [Subject(PATH, "src", Access.READ)]),
    "run_command": (
        {"command": "ls", "cwd": "src", "timeout": 3, "background": True},
        [Subject(COMMAND, "ls", Access.EXECUTE), Subject(PATH, "src", Access.READ)],
    ),
    "todo": ({"items": [{"content": "x", "status": "done"}]}, []),
}


def test_the_six_tools_and_the_list_come_in_their_order(tools: dict[str, Tool]) -> None:
    assert list(tools) == list(EXAMPLES)
    assert not any(tool.deferred or tool.server for tool in tools.values())


@pytest.mark.parametrize("name", EXAMPLES)
def test_parameters_are_those_documented_and_no_others(tools: dict[str, Tool], name: str) -> None:
    arguments, subjects = EXAMPLES[name]
    tool = tools[name]
    jsonschema.Draft202012Validator.check_schema(dict(tool.parameters))
    jsonschema.validate(arguments, dict(tool.parameters))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**arguments, "invented": 1}, dict(tool.parameters))
    assert list(tool.subjects(arguments)) == subjects
    assert tool.main_argument is None or tool.main_argument in arguments
    assert all("description" in schema for schema in tool.parameters["properties"].values())


def test_effects_say_what_a_call_may_do(tools: dict[str, Tool]) -> None:
    only_read = {name for name, tool in tools.items() if tool.effects.only_reads}
    assert only_read == {"read_file", "search_code", "find_files", "todo"}
    assert tools["run_command"].effects_of({"job": "job_1", "action": "output"}) == Effects(reads=True)


def test_deadlines_leave_a_tool_time_to_end_by_itself(tools: dict[str, Tool]) -> None:
    assert tools["run_command"].deadline({"command": "x", "timeout": 600}) > 600
    assert tools["run_command"].deadline({"command": "x", "timeout": 10_000}) < 700
    assert tools["search_code"].deadline({"query": "x"}) > 10


def test_a_search_without_a_path_reads_the_whole_workspace(tools: dict[str, Tool]) -> None:
    assert tools["search_code"].subjects({"query": "x"}) == (Subject(PATH, ".", Access.READ),)
