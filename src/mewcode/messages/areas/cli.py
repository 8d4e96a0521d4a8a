"""What the command line says by itself."""

MESSAGES = {
    "cli.error": ("mewcode: {text}", "mewcode：{text}"),
    "cli.defect": (
        "mewcode: a defect of MewCode itself ({kind}). The traceback is in {path}; please report it.",
        "mewcode：程序自身出错（{kind}）。错误详情保存在 {path}，请反馈给我们。",
    ),
    "cli.args_not_json": (
        '--args is not a JSON object: {why}. Example: --args \'{{"path": "README.md"}}\'',
        '--args 不是 JSON 对象：{why}。例如：--args \'{{"path": "README.md"}}\'',
    ),
    "cli.server_not_there": (
        "server {server} is {state}, so its tools are missing here: {error}",
        "服务器 {server} 的状态为 {state}，因此这里缺少它的工具：{error}",
    ),
    "cli.no_tool": (
        "there is no tool {name} that you may call; `mewcode tools list` shows those there are",
        "没有可供调用的工具 {name}；用 `mewcode tools list` 查看可用工具",
    ),
    "cli.nobody_to_ask": ("Refused: {action}: {why}", "已拒绝：{action}：{why}"),
    "cli.asked_way": (
        "nobody is here to ask, and it needs an answer, because {reasons}. To let it run: {way}",
        "没有人可以询问，而它需要确认，原因：{reasons}。如要允许：{way}",
    ),
    "cli.asked_no_way": (
        "nobody is here to ask, and it needs an answer, because {reasons}. `mewcode policy why` says what would change it.{way}",
        "没有人可以询问，而它需要确认，原因：{reasons}。`mewcode policy why` 会说明如何改变。{way}",
    ),
    "cli.no_directory": ("cannot enter {path}: {why}", "无法进入 {path}：{why}"),
}
