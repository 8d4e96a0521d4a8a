from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelRequest, ToolReturnPart, UserPromptPart

from mewcode.agent.saved_messages import dumped, loaded


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_words_written_without_the_adapter_read_back_the_same_as_with_it(texts: list[str]) -> None:
    message: ModelMessage = ModelRequest(parts=[UserPromptPart(text) for text in texts])
    with_adapter = ModelMessagesTypeAdapter.dump_python([message], mode="json")
    assert loaded([dumped(message)]) == loaded(with_adapter) == [message]


def test_a_request_with_a_result_in_it_reads_back_whole() -> None:
    message = ModelRequest(parts=[ToolReturnPart("read_file", "one", "call_1"), UserPromptPart("and now?")])
    assert loaded([dumped(message)]) == [message]
