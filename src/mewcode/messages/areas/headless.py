"""What `mewcode run` says to people."""

MESSAGES = {
    "headless.no_task": (
        'There is no task. Give one: mewcode run "what should be done", or pipe it in.',
        '没有任务。请给出任务：mewcode run "要做的事"，或通过管道输入。',
    ),
    "headless.stdin_too_large": (
        "More than {limit} MB came over standard input. Put it into a file of the workspace and name the file.",
        "标准输入超过 {limit} MB。请放到工作区的文件中并在任务里写明文件名。",
    ),
    "headless.schema_unreadable": (
        "--output-schema {file} cannot be used: {why}",
        "无法使用 --output-schema {file}：{why}",
    ),
    "headless.schema_reference": (
        "--output-schema refers to something outside itself, which is not fetched: {reference}",
        "--output-schema 引用了外部内容，不会去获取：{reference}",
    ),
    "headless.model_is": ("The model is {name}, {why}.", "模型是 {name}，{why}。"),
    "headless.schema_unmet": (
        "The final answer does not match --output-schema: {problem}",
        "最终回答不符合 --output-schema：{problem}",
    ),
    "headless.server_missing": (
        "The required MCP server {server} is not there: {why}",
        "所需的 MCP 服务器 {server} 不可用：{why}",
    ),
    "headless.server_unknown": (
        "The required MCP server {server} is not in the settings. There are: {names}.",
        "设置中没有所需的 MCP 服务器 {server}。已有：{names}。",
    ),
    "headless.refused_live": (
        "Refused, because nobody is here to ask: {action}",
        "已拒绝（无人可询问）：{action}",
    ),
    "headless.refusal": (
        "Refused: {tool}: {reason}",
        "已拒绝：{tool}：{reason}",
    ),
    "headless.interrupted": (
        'Stopped by a signal. Go on with: mewcode run --resume {session} "…"',
        '已被信号停止。继续请用：mewcode run --resume {session} "…"',
    ),
    "headless.answers_unreadable": (
        "--answers {file} cannot be used: {why}",
        "无法使用 --answers {file}：{why}",
    ),
    "headless.prompt_form": (
        "--prompt takes mcp:SERVER:PROMPT and key=value arguments behind it, not {value}.",
        "--prompt 的形式是 mcp:服务器:提示名，后面可跟 key=value 参数，而不是 {value}。",
    ),
    "headless.prompt_failed": (
        "The prompt {value} could not be had: {why}",
        "无法取得提示 {value}：{why}",
    ),
    "headless.output_kind": (
        "--output takes text, json or stream-json, not {value}.",
        "--output 只能是 text、json 或 stream-json，而不是 {value}。",
    ),
    "headless.mode": (
        "--mode takes one of {modes}, not {value}.",
        "--mode 只能是 {modes} 之一，而不是 {value}。",
    ),
    "headless.duration": (
        "--max-time takes a duration such as 90s or 10m, not {value}.",
        "--max-time 需要 90s 或 10m 这样的时长，而不是 {value}。",
    ),
}
