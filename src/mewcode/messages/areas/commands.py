"""Why a command line cannot be allowed by a rule: what the analysis of commands says to people."""

MESSAGES = {
    "commands.unparsable": ("the line does not parse as bash", "该行无法按 bash 语法解析"),
    "commands.too_long": ("the line is longer than {most} bytes", "该行超过 {most} 字节"),
    "commands.too_complex": ("the line is too large or too deeply nested to judge", "该行过大或嵌套过深，无法判断"),
    "commands.control": ("the line holds the control character {character}", "该行含有控制字符 {character}"),
    "commands.misread": ("`{text}` cannot be read with certainty", "无法确定地读懂 `{text}`"),
    "commands.too_many_words": ("`{text}` expands to too many words", "`{text}` 展开后的词过多"),
    "commands.arithmetic": (
        "the arithmetic in `{text}` may run code that a variable holds",
        "`{text}` 中的算术可能执行变量里的代码",
    ),
    "commands.expansion": (
        "the expansion `{text}` may run code or hides its text",
        "展开 `{text}` 可能执行代码或隐藏文本",
    ),
    "commands.command_word": (
        "which command `{word}` runs is only known at run time",
        "`{word}` 运行哪个命令要到执行时才知道",
    ),
    "commands.argument": (
        "`{command}` has options that act, and `{word}` is only known at run time",
        "`{command}` 有会产生作用的选项，而 `{word}` 要到执行时才知道",
    ),
    "commands.assignment": ("setting {name} can change what runs", "设置 {name} 会改变实际运行的程序"),
    "commands.shadow": ("a function named `{name}` takes the place of a command", "名为 `{name}` 的函数取代了命令"),
    "commands.structure": ("`{text}` is not understood", "无法理解 `{text}`"),
    "commands.reserved": ("`{word}` stands where a command should", "命令的位置上出现了 `{word}`"),
    "commands.stdin_code": (
        "`{command}` runs what it reads from its input, which is not known",
        "`{command}` 会执行其输入的内容，而该内容未知",
    ),
    "commands.changes_shell": (
        "`{command}` changes how later commands are read",
        "`{command}` 会改变后续命令的解释方式",
    ),
    "commands.option_runs": (
        "`{option}` of `{command}` runs a program or loads code",
        "`{command}` 的 `{option}` 会运行程序或加载代码",
    ),
    "commands.runs_file": (
        "`{command}` runs code from `{word}`, which the line itself makes or which is only known at run time",
        "`{command}` 运行 `{word}` 中的代码，而它由该行生成或要到执行时才知道",
    ),
    "commands.git_alias": (
        "`git {word}` may be an alias that runs anything",
        "`git {word}` 可能是会执行任意命令的别名",
    ),
    "commands.git_config": (
        "the repository's own git settings run a program: {setting}",
        "仓库自带的 git 设置会运行程序：{setting}",
    ),
    "commands.script": ("the {command} script `{text}` cannot be judged", "无法判断 {command} 脚本 `{text}`"),
    "commands.redirection": ("the redirection `{text}` changes later commands", "重定向 `{text}` 会影响后续命令"),
    "commands.starts_mewcode": ("it starts MewCode itself", "它会启动 MewCode 自身"),
}
