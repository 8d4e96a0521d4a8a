"""What the command line says by itself."""

MESSAGES = {
    "cli.error": ("mewcode: {text}", "mewcode：{text}"),
    "cli.defect": (
        "mewcode: a defect of MewCode itself ({kind}). The traceback is in {path}; please report it.",
        "mewcode：程序自身出错（{kind}）。错误详情保存在 {path}，请反馈给我们。",
    ),
    "cli.no_directory": ("cannot enter {path}: {why}", "无法进入 {path}：{why}"),
}
