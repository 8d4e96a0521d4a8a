"""A conversation is made to fit a small window."""

from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart

from mewcode.models.local.coaching import TEST_COMMAND, instead_of, opening_step, with_test_result
from mewcode.models.local.prompt import ANSWER, TOOLS
from mewcode.models.local.steps import Step
from mewcode.models.local.transcript import Said, cut, fitted, read_transcript


def called(tool: str, **args: str) -> ModelResponse:
    return ModelResponse([ToolCallPart(tool, args, "c")])


def returned(tool: str, text: str) -> ModelRequest:
    return ModelRequest([ToolReturnPart(tool, text, "c")])


def asked(text: str) -> ModelRequest:
    return ModelRequest([UserPromptPart(text)])


def test_reminders_and_line_numbers_are_left_out() -> None:
    said = read_transcript(
        [
            asked("Fix it.\n<system-reminder>long\nstory</system-reminder>"),
            called("read_file", path="a.py", offset="3"),
            returned("read_file", "     1\tdef f():\n     2\t    pass"),
        ]
    )
    assert [one.content for one in said] == [
        "Task: Fix it.",
        '{"tool": "read_file", "args": {"path": "a.py"}}',
        "Result of read_file:\ndef f():\n    pass",
    ]


def test_the_fence_around_a_result_is_left_out() -> None:
    text = '<tool_output m4rk from="find_files" trust="workspace">\na.py\n</tool_output m4rk>'
    said = read_transcript([asked("hi"), called("find_files", pattern="*"), returned("find_files", text)])
    assert said[0].files == ("a.py",)


def test_old_results_are_shortened_before_anything_is_left_out() -> None:
    said = [Said("user", "task"), Said("assistant", "{}", "read_file", {}), Said("user", "x" * 2000, "read_file")]
    said += [Said("assistant", "{}", "search_code", {}), Said("user", "y" * 500, "search_code"), Said("user", "z")]
    messages = fitted(said, 1500)
    text = "".join(message["content"] for message in messages)
    assert len(text) < 1600 and "task" in text and "y" * 500 in text and "left out" in text


def test_the_newest_task_survives_any_window() -> None:
    said = [Said("user", f"task {number} " + "x" * 400) for number in range(50)]
    messages = fitted(said, 900)
    text = "".join(message["content"] for message in messages)
    assert "task 49" in text and "task 0 " not in text and len(text) < 1200


def test_users_never_speak_twice_in_a_row() -> None:
    messages = fitted([Said("user", "a"), Said("user", "b"), Said("assistant", "c"), Said("user", "d")], 100)
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]


def test_a_cut_keeps_head_and_tail() -> None:
    text = cut("a" * 500 + "b" * 500, 300)
    assert text.startswith("a" * 200) and text.endswith("b" * 100) and "700 characters left out" in text


def test_the_first_step_is_a_look_at_the_files_and_only_once() -> None:
    opening = opening_step(read_transcript([asked("hi")]), TOOLS)
    assert opening is not None and opening.tool == "find_files"
    assert opening_step(read_transcript([asked("hi"), called("find_files", pattern="*")]), TOOLS) is None
    assert opening_step(read_transcript([asked("hi")]), ["read_file"]) is None


def test_an_edit_of_an_unread_file_reads_it_first() -> None:
    edit = Step("edit_file", {"path": "a.py", "old": "x", "new": "y"}, "")
    said = read_transcript([asked("fix a.py")])
    assert instead_of(edit, said, TOOLS) == Step("read_file", {"path": "a.py"}, "")
    said = read_transcript([asked("fix a.py"), called("read_file", path="a.py"), returned("read_file", "x")])
    assert instead_of(edit, said, TOOLS) is edit


def test_a_file_that_is_there_is_read_before_it_is_written_anew() -> None:
    said = read_transcript([asked("add x"), called("find_files", pattern="*"), returned("find_files", "a.txt\nb.py")])
    write = Step("write_file", {"path": "a.txt", "content": "x"}, "")
    assert instead_of(write, said, TOOLS).tool == "read_file"
    fresh = Step("write_file", {"path": "c.txt", "content": "x"}, "")
    assert instead_of(fresh, said, TOOLS) is fresh


def test_the_file_list_stands_above_the_first_task() -> None:
    said = read_transcript(
        [asked("one"), called("find_files", pattern="*"), returned("find_files", "a.txt\nb.py"), asked("two")]
    )
    assert [one.content for one in said] == ["Files: a.txt, b.py\n\nTask: one", "Task: two"]


def test_changed_code_is_tested_before_the_answer_and_the_result_is_told() -> None:
    answer = Step(ANSWER, {"text": "All is well."}, "")
    history = [
        asked("fix it"),
        called("find_files", pattern="*"),
        returned("find_files", "a.py\ntests/test_a.py"),
        called("edit_file", path="a.py", old="x", new="y"),
        returned("edit_file", "Edited a.py: 1 place, the first at line 1."),
    ]
    assert instead_of(answer, read_transcript(history), TOOLS).args == {"command": TEST_COMMAND}
    history += [called("run_command", command=TEST_COMMAND), returned("run_command", "F\n=== 1 failed in 0.1s ===")]
    said = read_transcript(history)
    assert instead_of(answer, said, TOOLS) is answer
    assert with_test_result("All is well.", said).endswith("Tests after the change: 1 failed in 0.1s")


def test_without_a_change_the_answer_stands_as_it_is() -> None:
    said = read_transcript([asked("hi"), called("find_files", pattern="*"), returned("find_files", "test_a.py")])
    answer = Step(ANSWER, {"text": "Hello."}, "")
    assert instead_of(answer, said, TOOLS) is answer
    assert with_test_result("Hello.", said) == "Hello."


def test_earlier_answers_are_shown_as_answers() -> None:
    said = read_transcript([asked("hi"), ModelResponse([TextPart("Hello.")])])
    assert said[1].content == '{"tool": "answer", "args": {"text": "Hello."}}'
