"""What a person is told about @mentions."""

MESSAGES: dict[str, tuple[str, str]] = {
    "mentions.failed": ("@{name} could not be read: {why}", "无法读取 @{name}：{why}"),
    "mentions.too_many": (
        "only the first {most} of {count} mentions were read",
        "只读取了 {count} 处提及中的前 {most} 处",
    ),
}
