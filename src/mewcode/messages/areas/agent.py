"""What the agent says to people."""

MESSAGES = {
    "agent.limit_steps": (
        "The run stopped: the model was asked {limit} times, which is the limit. Raise it with --max-turns, or resume.",
        "已停止：模型请求次数达到上限 {limit}。可用 --max-turns 提高上限，或恢复会话继续。",
    ),
    "agent.limit_seconds": (
        "The run stopped: it took {limit} s, which is the limit. Raise it with --max-time, or resume the session.",
        "已停止：运行时间达到上限 {limit} 秒。可用 --max-time 提高上限，或恢复会话继续。",
    ),
    "agent.limit_cost": (
        "The run stopped: it cost ${cost}, the limit is ${limit}. Raise it with --max-cost, or resume the session.",
        "已停止：费用 ${cost} 达到上限 ${limit}。可用 --max-cost 提高上限，或恢复会话继续。",
    ),
    "agent.limit_cost_unknown": (
        "The run stopped: --max-cost is ${limit}, but this model's price is not known. Give it under `providers:`.",
        "已停止：--max-cost 为 ${limit}，但不知道该模型的价格。请在设置的 `providers:` 中给出价格。",
    ),
    "agent.repeated_call": (
        "The run stopped: the model made the same call of {tool} again and would go on doing so.",
        "已停止：模型一再重复对 {tool} 的同一调用。",
    ),
    "agent.model_empty": (
        "The model {model} answered with nothing {times} times in a row. Try again, or another model with --model.",
        "模型 {model} 连续 {times} 次返回空回答。请重试，或用 --model 换一个模型。",
    ),
    "agent.model_refused": (
        "The model {model} (or its provider's filter) refused to answer. Put the task differently, or use --model.",
        "模型 {model}（或其服务商的过滤器）拒绝回答。请换种说法，或用 --model 换模型。",
    ),
    "agent.model_cut": (
        "The model {model} was cut off at its output limit {times} times in a row. Ask for less at once.",
        "模型 {model} 连续 {times} 次因输出上限被截断。请缩小任务。",
    ),
    "agent.model_confused": (
        "The model {model} sent {times} unusable steps of tool calls in a row (last: {problem}). Try another --model.",
        "模型 {model} 连续 {times} 次发出无法理解的工具调用（最后一次：{problem}）。可用 --model 换模型。",
    ),
    "agent.context_full": (
        "The conversation does not fit into the {window} tokens of {model}, even shortened. Start a new session.",
        "即使压缩后，对话仍超出 {model} 的 {window} token 窗口。请新开会话。",
    ),
    "agent.compaction_failed": (
        "The conversation could not be summarised ({why}); its oldest part was dropped instead.",
        "无法总结对话（{why}），已丢弃最早的部分。",
    ),
    "agent.loading_model": (
        "Loading {name} into memory: up to half a minute, once.",
        "正在把 {name} 载入内存：最多半分钟，仅此一次。",
    ),
    "agent.retrying": (
        "The model did not answer ({why}); trying again in {seconds:.1f} s (attempt {attempt}).",
        "模型没有应答（{why}）；{seconds:.1f} 秒后重试（第 {attempt} 次）。",
    ),
    "agent.switched": (
        "Switched to the model {name}: {why}",
        "已切换到模型 {name}：{why}",
    ),
    "agent.resumed_pending": (
        "{count} tool call(s) of the interrupted turn have an unknown outcome; they are not run again.",
        "被中断的回合中有 {count} 个工具调用结果未知；不会重新执行。",
    ),
    "agent.instructions_unread": (
        "{file} was not read: {why}",
        "未读取 {file}：{why}",
    ),
    "agent.no_images": (
        "{model} does not look at pictures; yours was not sent. /model chooses another model.",
        "{model} 不支持图片，图片未发送。可用 /model 更换模型。",
    ),
    "agent.busy": (
        "The session {session} already works on a turn. Wait for it, interrupt it, or queue the message.",
        "会话 {session} 正在处理上一条消息。请等待、中断，或排队发送。",
    ),
}
