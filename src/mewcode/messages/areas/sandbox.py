"""What the sandbox says to people."""

MESSAGES = {
    "sandbox.off": ("the settings turn the sandbox off", "设置关闭了沙箱"),
    "sandbox.no_platform": ("there is no sandbox for {platform}", "{platform} 没有可用的沙箱"),
    "sandbox.no_bubblewrap": (
        "bubblewrap (bwrap) is not installed",
        "未安装 bubblewrap (bwrap)",
    ),
    "sandbox.bubblewrap_fails": ("bubblewrap does not run here: {reason}", "bubblewrap 在此无法运行：{reason}"),
    "sandbox.bubblewrap": ("bubblewrap at {program}", "bubblewrap，位于 {program}"),
    "sandbox.landlock": (
        "Landlock (version {version}) with a system call filter, since {reason}",
        "使用 Landlock（版本 {version}）与系统调用过滤，因为 {reason}",
    ),
    "sandbox.landlock_no_filter": (
        "Landlock (version {version}) without a system call filter, so the network stays open; {reason}",
        "使用 Landlock（版本 {version}），没有系统调用过滤，因此网络未隔离；{reason}",
    ),
    "sandbox.none": (
        "{reason}, and the kernel has no Landlock; installing bubblewrap mends it",
        "{reason}，且内核没有 Landlock；安装 bubblewrap 即可解决",
    ),
    "sandbox.no_seatbelt": ("sandbox-exec is not there", "找不到 sandbox-exec"),
    "sandbox.seatbelt": ("Seatbelt of macOS", "macOS 的 Seatbelt"),
    "sandbox.unavailable": (
        "The settings demand the sandbox `{mode}`, which cannot be had: {why}. Mend that, or set `sandbox: off`.",
        "设置要求沙箱 `{mode}`，但无法提供：{why}。请先解决，或设置 `sandbox: off`。",
    ),
    "sandbox.no_network_isolation": (
        (
            "The settings demand the sandbox `{mode}` without network, which cannot be had: {why}. Mend that, allow "
            "the network (`sandbox: {{mode: {mode}, network: true}}`), or set `sandbox: off`."
        ),
        (
            "设置要求无网络的沙箱 `{mode}`，但无法提供：{why}。请先解决，或允许网络"
            "（`sandbox: {{mode: {mode}, network: true}}`），或设置 `sandbox: off`。"
        ),
    ),
    "sandbox.fallback": (
        "Commands run without a sandbox: {why}.",
        "命令在没有沙箱的情况下运行：{why}。",
    ),
    "sandbox.hosts": (
        "The sandbox cannot hold commands to single hosts yet ({hosts}): the network stays off for them.",
        "沙箱暂不支持只允许个别主机（{hosts}）：命令的网络保持关闭。",
    ),
    "sandbox.too_many_files": (
        (
            "The read or write patterns pick more than {most} single files under {root}: a sandbox cannot show them. "
            "Patterns that name whole folders (`src/**`) can be shown."
        ),
        "读写模式在 {root} 下选中了超过 {most} 个单独文件，沙箱无法呈现。请改用整个文件夹的模式（`src/**`）。",
    ),
}
