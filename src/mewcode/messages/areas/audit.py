"""What the audit says to people."""

MESSAGES = {
    "audit.cannot_open": (
        "The audit log {place} cannot be opened: {why}. No tool runs unrecorded. Mend the file or the address, or set "
        "audit.url to another one.",
        "无法打开审计日志 {place}：{why}。没有记录就不会运行任何工具。请修复该文件或地址，或将 audit.url 设为其他位置。",
    ),
    "audit.cannot_write": (
        "The audit log {place} cannot be written: {why}. No tool runs unrecorded; the call was not carried out.",
        "无法写入审计日志 {place}：{why}。没有记录就不会运行任何工具；该调用未执行。",
    ),
    "audit.end_not_written": (
        "The end of a call could not be recorded in the audit log {place}: {why}. The call itself was carried out; the "
        "log shows its outcome as unknown.",
        "无法在审计日志 {place} 中记录调用的结束：{why}。调用本身已执行；日志中其结果显示为未知。",
    ),
    "audit.too_slow": (
        "The audit log {place} did not take a record within {seconds:g} s. No tool runs unrecorded. See whether another "
        "process holds it, or its disk hangs.",
        "审计日志 {place} 在 {seconds:g} 秒内未能写入记录。没有记录就不会运行任何工具。请检查是否有其他进程占用它，或磁盘是否无响应。",
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
}
