"""What is said about saved sessions."""

MESSAGES = {
    "sessions.unknown": (
        "There is no session {session}. `mewcode sessions list` shows those that are there.",
        "没有会话 {session}。用 `mewcode sessions list` 查看已有的会话。",
    ),
    "sessions.ambiguous": (
        "More than one session begins with {session}: {fitting}. Give more of the id.",
        "有多个会话以 {session} 开头：{fitting}。请给出更长的编号。",
    ),
    "sessions.in_use": (
        "The session {session} is open in another process. Close it there first, or fork it.",
        "会话 {session} 正被另一个进程使用。请先在那里关闭，或复制一份。",
    ),
    "sessions.unreadable": (
        "The session {session} cannot be read: {file} is damaged or was written by another version of MewCode.",
        "无法读取会话 {session}：{file} 已损坏，或由其他版本的 MewCode 写入。",
    ),
    "sessions.none": (
        "There is no session in {workspace} to continue.",
        "{workspace} 中没有可继续的会话。",
    ),
    "sessions.deleted": (
        "Deleted the session {session}.",
        "已删除会话 {session}。",
    ),
    "sessions.exported": (
        "Wrote the session {session} to {file}.",
        "已将会话 {session} 写入 {file}。",
    ),
    "sessions.export_format": (
        "There is no format {value}. Formats are: {formats}.",
        "没有格式 {value}。可用格式：{formats}。",
    ),
    "sessions.not_written": (
        "Could not write {file}: {why}",
        "无法写入 {file}：{why}",
    ),
    "sessions.nobody_to_ask": (
        "Nobody is here to ask whether to delete. Add --yes.",
        "无人可确认删除。请加上 --yes。",
    ),
    "sessions.confirm_delete": (
        "Delete the session {session} ({title})?",
        "删除会话 {session}（{title}）？",
    ),
}
