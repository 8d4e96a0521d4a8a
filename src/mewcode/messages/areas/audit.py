"""What the audit says to people."""

MESSAGES = {
    "audit.cannot_open": (
        (
            "The audit log {place} cannot be opened: {why}. No tool runs unrecorded. Mend the file or the address, or "
            "set audit.url to another one."
        ),
        "无法打开审计日志 {place}：{why}。没有记录就不运行任何工具。请修复该文件或地址，或另设 audit.url。",
    ),
    "audit.cannot_write": (
        "The audit log {place} cannot be written: {why}. No tool runs unrecorded; the call was not carried out.",
        "无法写入审计日志 {place}：{why}。没有记录就不会运行任何工具；该调用未执行。",
    ),
    "audit.end_not_written": (
        (
            "The end of a call could not be recorded in the audit log {place}: {why}. The call itself was carried out; "
            "the log shows its outcome as unknown."
        ),
        "无法在审计日志 {place} 中记录调用的结束：{why}。调用本身已执行；日志中其结果显示为未知。",
    ),
    "audit.too_slow": (
        (
            "The audit log {place} did not take a record within {seconds:g} s. No tool runs unrecorded. See whether "
            "another process holds it, or its disk hangs."
        ),
        "审计日志 {place} 在 {seconds:g} 秒内未能写入记录。没有记录就不运行任何工具。请检查是否有其他进程占用它。",
    ),
    "audit.closed": (
        "The audit log {place} is closed already. No tool runs unrecorded.",
        "审计日志 {place} 已关闭。没有记录就不会运行任何工具。",
    ),
    "audit.cannot_read": (
        "The audit log {place} cannot be read: {why}.",
        "无法读取审计日志 {place}：{why}。",
    ),
    "audit.missing_driver": (
        "The audit address {place} needs a driver that is not installed. Run: pip install 'mewcode[postgres]'",
        "审计地址 {place} 需要的驱动程序未安装。请运行：pip install 'mewcode[postgres]'",
    ),
    "audit.verified": (
        "The audit is whole: {records} records in {chains} chains are as they were written.",
        "审计完整：{chains} 条链中的 {records} 条记录均与写入时一致。",
    ),
    "audit.broken_changed": (
        "The audit is broken: record {record}(position {position} of chain {chain}) was changed after it was written.",
        "审计已损坏：记录 {record}（链 {chain} 的第 {position} 位）在写入后被更改。",
    ),
    "audit.broken_moved": (
        "The audit is broken: record {record}(position {position} of chain {chain}) does not follow the one before it.",
        "审计已损坏：记录 {record}（链 {chain} 的第 {position} 位）与前一条记录不衔接。",
    ),
    "audit.broken_removed": (
        "The audit is broken: record {record}(position {position} of chain {chain}) was removed.",
        "审计已损坏：记录 {record}（链 {chain} 的第 {position} 位）已被删除。",
    ),
    "audit.broken_rewritten": (
        (
            "The audit is broken: record {record}(position {position} of chain {chain}) is not the one that was noted "
            "elsewhere; the chain was rewritten up to there."
        ),
        "审计已损坏：记录 {record}（链 {chain} 的第 {position} 位）与他处留存的不符；该链在此之前被改写。",
    ),
    "audit.broken_unlisted": (
        (
            "The audit is broken: chain {chain} ends with record {record}(position {position}), but its head is "
            "missing from the list of chains."
        ),
        "审计已损坏：链 {chain} 以记录 {record}（第 {position} 位）结束，但链列表中缺少其末端。",
    ),
    "audit.no_such_call": (
        "There is no call {key} in the audit. `mewcode audit list` shows the numbers.",
        "审计中没有调用 {key}。`mewcode audit list` 会显示编号。",
    ),
    "audit.no_such_value": (
        "--{option} {value}: there is no such value. It is one of {known}.",
        "--{option} {value}：没有这个值。可用的值为 {known}。",
    ),
    "audit.bad_time": (
        "{value!r} is no time. Write how long ago (30m, 2h, 7d) or a date (2026-11-30, 2026-11-30T17:00).",
        "{value!r} 不是时间。请写多久以前（30m、2h、7d）或日期（2026-11-30、2026-11-30T17:00）。",
    ),
    "audit.export_format": (
        "There is no format {value}. The formats are {formats}.",
        "没有格式 {value}。可用格式：{formats}。",
    ),
    "audit.not_exported": (
        "The export could not be written to {file}: {why}. Choose another file with --output.",
        "无法将导出写入 {file}：{why}。请用 --output 指定其他文件。",
    ),
    "audit.anchor_saved": (
        "The heads of all chains are in {file}. Keep it where the log's keeper cannot write.",
        "所有链的末端已保存到 {file}。请将其存放在日志保管者无法写入的地方。",
    ),
    "audit.anchor_not_saved": (
        "The heads could not be saved to {file}: {why}.",
        "无法将链末端保存到 {file}：{why}。",
    ),
    "audit.bad_anchor": (
        "{file} holds no heads that `audit verify --save-anchor` wrote: {why}.",
        "{file} 不是 `audit verify --save-anchor` 写入的链末端文件：{why}。",
    ),
}
