"""Why a call is asked about, refused or confirmed. The gate says it in English, since the model reads it as well and the
audit keeps it; people read the same sentence in their own language (`messages.reasons`)."""

MESSAGES = {
    # rules and shipped sets
    "reasons.rule_says": ("the rule {rule} says {effect}", "规则 {rule} 的结论是 {effect}"),
    "reasons.unlisted": (
        "the set {name} refuses every command that it does not name, {command} among them",
        "预设 {name} 拒绝一切未列出的命令，包括 {command}",
    ),
    "reasons.set_uncertain": (
        "the set {name} allows no command line that {why}",
        "预设 {name} 不允许这样的命令行：{why}",
    ),
    "reasons.uncertain": ("no rule can allow it: {why}", "没有规则能够允许它：{why}"),
    "reasons.no_rule_of_server": (
        "no rule speaks about {tool} of the server {server}",
        "没有规则涉及服务器 {server} 的 {tool}",
    ),
    "reasons.no_rule": ("no rule speaks about {what}", "没有规则涉及 {what}"),
    "reasons.role_lists": ("the role {role} lists its commands, and {why}", "角色 {role} 只列出了部分命令，而 {why}"),
    "reasons.role_command": ("the role {role} may not run {command}", "角色 {role} 不得运行 {command}"),
    "reasons.may_not_call": ("{who} may not call {tool}", "{who} 不得调用 {tool}"),
    "reasons.declined": ("it was declined: {comment}", "已被拒绝：{comment}"),
    "reasons.declined_plainly": ("it was declined", "已被拒绝"),
    "reasons.auto": ("{reason}; the mode auto never asks", "{reason}；auto 模式从不询问"),
    "reasons.plan": ("the session is in plan mode, which only reads", "会话处于 plan 模式，只能读取"),
    "reasons.broken": (
        "a settings file is broken, and nothing runs unasked until it is mended",
        "有设置文件损坏，修复之前任何操作都要先询问",
    ),
    "reasons.wary": (
        "everything that this model writes or runs is asked about",
        "此模型的一切写入和运行都要询问",
    ),
    # paths
    "reasons.own": (
        "{path} belongs to MewCode itself: no tool touches its rules, audit, trust or tokens",
        "{path} 属于 MewCode 自身：任何工具都不得触碰其规则、审计、信任或令牌",
    ),
    "reasons.outside": ("{path} lies outside the workspace", "{path} 位于工作区之外"),
    "reasons.read_only": ("{path} may be read, not written", "{path} 只能读取，不能写入"),
    "reasons.reads_only_there": (
        "{who} reads only {places}, and {path} is not there",
        "{who} 只能读取 {places}，而 {path} 不在其中",
    ),
    "reasons.writes_only_there": (
        "{who} writes only {places}, and {path} is not there",
        "{who} 只能写入 {places}，而 {path} 不在其中",
    ),
    "reasons.reads_secret": ("it reads {path}, which usually holds secrets", "它读取 {path}，其中通常含有机密"),
    "reasons.secret": ("{path} usually holds secrets", "{path} 通常含有机密"),
    "reasons.reads_elsewhere": (
        "it reads {path}, which is not known to lie in the workspace",
        "它读取 {path}，无法确认其位于工作区内",
    ),
    "reasons.reads_unknown": (
        "it reads {path}, known only as it runs, which may be what {rule} closes",
        "它读取 {path}，运行时才能得知其内容，可能正是 {rule} 所禁止的",
    ),
    "reasons.reads_vast": (
        "it reads more beneath {path} than can be looked through for what {rule} closes",
        "它读取 {path} 之下的内容过多，无法逐一检查其中是否有 {rule} 所禁止的",
    ),
    "reasons.moving": (
        "{path} is another place for each process that opens it",
        "{path} 对每个打开它的进程都指向不同的位置",
    ),
    "reasons.writes_outside": ("it writes {path}, outside the workspace", "它写入工作区之外的 {path}"),
    "reasons.writes": ("it writes {path}", "它写入 {path}"),
    "reasons.protected": ("{path} is protected: {why}", "{path} 受保护：{why}"),
    "reasons.protected_by_setting": (
        "{path} is protected by the setting confirmations.protected_paths",
        "{path} 受设置 confirmations.protected_paths 保护",
    ),
    "reasons.also": ("the setting confirmations.also lists {rule}", "设置 confirmations.also 列出了 {rule}"),
    "reasons.only_reads": ("it only reads, inside the workspace", "它只在工作区内读取"),
    "reasons.accepted": ("edits inside the workspace are accepted in this mode", "此模式接受工作区内的编辑"),
    "reasons.in_ci": ("it runs in continuous integration", "它会在持续集成中运行"),
    "reasons.of_git": ("git runs or trusts what stands there", "git 会运行或信任其中的内容"),
    "reasons.own_settings": ("it is MewCode's own configuration", "它是 MewCode 自身的配置"),
    "reasons.of_editor": ("an editor or an agent runs what stands there", "编辑器或智能体会运行其中的内容"),
    "reasons.of_shell": ("a shell or a login runs it at its start", "shell 或登录时会运行它"),
    # risks
    "reasons.starts_itself": (
        "it starts MewCode itself, which no rule allows",
        "它会启动 MewCode 自身，任何规则都不允许",
    ),
    "reasons.overwrites": ("it may overwrite files that nobody has read", "它可能覆盖无人读过的文件"),
    "reasons.pushes_remote": ("it pushes to a remote", "它会推送到远程仓库"),
    "reasons.publishes_all": ("it publishes, pushes or deploys", "它会发布、推送或部署"),
    "reasons.deletes": ("it deletes", "它会删除"),
    "reasons.pushes": ("it pushes", "它会推送"),
    "reasons.deploys": ("it deploys", "它会部署"),
    "reasons.publishes": ("it publishes", "它会发布"),
    "reasons.merges": ("it merges", "它会合并"),
    "reasons.sends": ("it sends data out", "它会向外发送数据"),
    "reasons.history": ("it rewrites history or drops uncommitted work", "它会改写历史或丢弃未提交的工作"),
    "reasons.disks": ("it works on disks", "它会操作磁盘"),
    "reasons.undone": ("it cannot be undone", "它无法撤销"),
    "reasons.destroys": ("its server says that it destroys", "其服务器声明它具有破坏性"),
    # the shipped sets' own reasons
    "reasons.set_other_user": ("it acts as another user", "它以其他用户身份执行"),
    "reasons.set_system": ("it changes the system outside the workspace", "它会更改工作区之外的系统"),
    "reasons.set_modes": ("it changes who may do what with files", "它会更改文件权限或属主"),
    "reasons.set_deletes": ("it deletes files", "它会删除文件"),
    "reasons.set_destroys": (
        "it destroys a disk, a home directory or the system beyond recovery",
        "它会不可恢复地破坏磁盘、主目录或系统",
    ),
    "reasons.set_kills": ("it ends processes", "它会结束进程"),
    "reasons.set_hides": ("it hides the errors of a command that acts", "它隐藏了有副作用命令的错误输出"),
    "reasons.set_overwrites": ("it may overwrite files that are there", "它可能覆盖已有文件"),
    "reasons.set_moves": ("it moves or renames files", "它会移动或重命名文件"),
    "reasons.set_publishes": ("it publishes something to others", "它会向他人发布内容"),
    "reasons.set_history": (
        "it rewrites or drops git history or uncommitted work",
        "它会改写或丢弃 git 历史或未提交的工作",
    ),
    "reasons.set_network": ("it sends data over the network", "它会通过网络发送数据"),
    "reasons.set_disks": ("it works on disks and mounts", "它会操作磁盘和挂载"),
    "reasons.set_writes_outside": ("it writes a file outside the workspace", "它会写入工作区之外的文件"),
    # trust
    "reasons.outside_content_before": (
        "outside content was read in the step before: {title}",
        "上一步读取了外部内容：{title}",
    ),
    "reasons.outside_content": (
        "outside content was read {steps} steps ago: {title}",
        "{steps} 步之前读取了外部内容：{title}",
    ),
    "reasons.workspace_content_before": (
        "the workspace's content was read in the step before: {title}",
        "上一步读取了工作区内容：{title}",
    ),
    "reasons.workspace_content": (
        "the workspace's content was read {steps} steps ago: {title}",
        "{steps} 步之前读取了工作区内容：{title}",
    ),
    "reasons.server_words_before": (
        "what a server says of itself was read in the step before: {title}",
        "上一步读取了服务器的自我说明：{title}",
    ),
    "reasons.server_words": (
        "what a server says of itself was read {steps} steps ago: {title}",
        "{steps} 步之前读取了服务器的自我说明：{title}",
    ),
    "reasons.secret_sent": (
        "the argument {name} holds what looks like a secret ({kind}), and it would leave this machine",
        "参数 {name} 含有疑似机密（{kind}），并且会离开本机",
    ),
    "reasons.loop": ("the same call came {times} times in a row", "同样的调用连续出现了 {times} 次"),
    "reasons.changed_tool": (
        "the server {server} has changed what this tool says of itself since it was allowed",
        "自获准以来，服务器 {server} 更改了此工具的自我说明",
    ),
}
