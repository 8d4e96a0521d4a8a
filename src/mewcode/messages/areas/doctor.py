"""What `doctor` says."""

MESSAGES = {
    "doctor.program": ("{version} on Python {python}, {platform}", "{version}，Python {python}，{platform}"),
    "doctor.home": ("{home}, {free} GiB free", "{home}，剩余 {free} GiB"),
    "doctor.home_closed": ("{home} cannot be written", "无法写入 {home}"),
    "doctor.mend_home": (
        "give yourself write access, or set MEWCODE_HOME to another folder",
        "请获取写权限，或把 MEWCODE_HOME 设为其他目录",
    ),
    "doctor.no_settings": (
        "none yet, defaults apply; yours go into {file}",
        "尚无设置，使用默认值；您的设置写在 {file}",
    ),
    "doctor.settings": ("read from {files}", "读取自 {files}"),
    "doctor.mend_settings": (
        "mend the line, then run `mewcode config check`",
        "修正该行，再运行 `mewcode config check`",
    ),
    "doctor.untrusted_server": (
        "the project proposes the server {name} ({place}), and you have not trusted it",
        "项目提出了服务器 {name}（{place}），您尚未信任",
    ),
    "doctor.untrusted_rules": (
        "the project proposes allow rules ({place}), which do not count until you trust them",
        "项目提出了允许规则（{place}），在您信任之前不起作用",
    ),
    "doctor.mend_untrusted_rules": (
        "read them and agree: `mewcode mcp trust --rules`",
        "查看并同意：`mewcode mcp trust --rules`",
    ),
    "doctor.mend_untrusted_server": (
        "look at it with `mewcode mcp get {name}`, then `mewcode mcp trust {name}`",
        "先用 `mewcode mcp get {name}` 查看，再运行 `mewcode mcp trust {name}`",
    ),
    "doctor.not_there": ("{name} was not found", "找不到 {name}"),
    "doctor.mend_ripgrep": (
        "searching works without it, only slower; `pip install ripgrep` brings it",
        "没有它也能搜索，只是较慢；可用 `pip install ripgrep` 安装",
    ),
    "doctor.mend_bash": (
        "install bash; without it a command is one simple command without a shell",
        "请安装 bash；没有它时，命令只能是不经 shell 的单条简单命令",
    ),
    "doctor.mend_git": (
        "install git to let the agent see the state of your work",
        "安装 git，智能体才能看到工作区状态",
    ),
    "doctor.sandbox": ("{kind}, mode {mode}", "{kind}，模式 {mode}"),
    "doctor.sandbox_off": ("switched off: the rules alone protect you", "已关闭：仅由规则提供保护"),
    "doctor.mend_sandbox_off": ("set `sandbox: workspace`", "设置 `sandbox: workspace`"),
    "doctor.sandbox_none": (
        "none here: the rules alone protect you ({why})",
        "此处没有沙箱：仅由规则提供保护（{why}）",
    ),
    "doctor.mend_audit": (
        "no tool runs unrecorded: make the file writable, or set `audit.url`",
        "没有记录就不会运行任何工具：请让文件可写，或设置 `audit.url`",
    ),
    "doctor.server_ready": ("ready, {tools} tools, protocol {era}", "就绪，{tools} 个工具，协议 {era}"),
    "doctor.server_off": ("switched off", "已关闭"),
    "doctor.mend_server": (
        "`mewcode mcp test {name}` shows where it fails",
        "`mewcode mcp test {name}` 会显示失败之处",
    ),
    "doctor.remedy": ("    mend: {remedy}", "    处理：{remedy}"),
}
