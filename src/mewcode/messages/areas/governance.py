"""What the gate and its rules say to people."""

MESSAGES = {
    "governance.rule_too_long": (
        "The rule {rule} is longer than {longest} characters. Split it into several rules.",
        "规则 {rule} 超过 {longest} 个字符。请拆分为多条规则。",
    ),
    "governance.rule_without_name": (
        (
            "The rule {rule!r} does not begin with a tool's name. Write it as tool(arguments), for example "
            "run_command(git push *) or mcp_github_*(*)."
        ),
        "规则 {rule!r} 没有以工具名开头。请写成 tool(arguments)，例如 run_command(git push *) 或 mcp_github_*(*)。",
    ),
    "governance.rule_exact_form": (
        "The rule {rule!r} names no tool of a server. The exact form is mcp:server/tool(arguments).",
        "规则 {rule!r} 没有指明服务器的工具。精确写法是 mcp:server/tool(arguments)。",
    ),
    "governance.rule_not_closed": (
        "The rule {rule!r} does not end with a closing parenthesis. Write it as tool(arguments).",
        "规则 {rule!r} 没有以右括号结尾。请写成 tool(arguments)。",
    ),
    "governance.rule_empty": (
        (
            "The rule {rule!r} has empty parentheses, which match nothing. For every call of the tool write {name}, or "
            "{name}(*)."
        ),
        "规则 {rule!r} 的括号为空，不会匹配任何调用。若指该工具的所有调用，请写 {name} 或 {name}(*)。",
    ),
    "governance.example_not_matched": (
        "The rule {rule} does not match its own example {example!r}. Mend the rule or the example.",
        "规则 {rule} 不匹配它自己的示例 {example!r}。请修改规则或示例。",
    ),
    "governance.example_matched": (
        "The rule {rule} matches {example!r}, which stands under not_match. Mend the rule or the example.",
        "规则 {rule} 匹配了列在 not_match 中的 {example!r}。请修改规则或示例。",
    ),
    "governance.no_such_tool": (
        "The rule {rule} can never match: no built-in tool and no configured server fits {name}. Nearest: {near}.",
        "规则 {rule} 永远不会匹配：没有内置工具或已配置的服务器符合 {name}。最接近的是：{near}。",
    ),
    "governance.no_such_server": (
        "The rule {rule} matches nothing now: no configured server fits {name}. Nearest: {near}.",
        "规则 {rule} 目前不匹配任何调用：没有已配置的服务器符合 {name}。最接近的是：{near}。",
    ),
    "governance.colon_star": (
        "The rule {rule} covers only commands with a colon there. For whatever follows these words, write {meant}.",
        "规则 {rule} 只匹配该处带冒号的命令。如需匹配这些词之后的任何内容，请写 {meant}。",
    ),
    "governance.no_such_key": (
        "The rule {rule} can never match: the tool has no parameter {key}. Nearest: {near}.",
        "规则 {rule} 永远不会匹配：该工具没有参数 {key}。最接近的是：{near}。",
    ),
    "governance.negated_path": (
        "The rule {rule} can never match: a pattern that begins with ! takes files out. Write a deny rule instead.",
        "规则 {rule} 永远不会匹配：以 ! 开头的模式用于排除文件。请改用 deny 规则。",
    ),
    "governance.ambiguous": (
        "The rule {rule} could mean the servers {servers}; it counts for {chosen}. To be exact, write mcp:server/tool.",
        "规则 {rule} 可能指服务器 {servers}；它将按 {chosen} 处理。如需精确，请写 mcp:server/tool。",
    ),
    "governance.shadowed": (
        "The rule {rule} decides nothing: {other} ({place}) is stricter and matches all that it matches.",
        "规则 {rule} 不起作用：{other}（{place}）更严格，并且覆盖它匹配的所有调用。",
    ),
    "governance.dead": (
        "The rule {rule} adds nothing: {other} ({place}) says the same and matches all that it matches.",
        "规则 {rule} 是多余的：{other}（{place}）结果相同，并且覆盖它匹配的所有调用。",
    ),
    "governance.change_allow": (
        "To be asked or to forbid it, add an ask or a deny rule on {tool}.",
        "若要询问或禁止，请为 {tool} 添加 ask 或 deny 规则。",
    ),
    "governance.change_rule": (
        "Change or remove the rule {rule} at {place}.",
        "请修改或删除 {place} 处的规则 {rule}。",
    ),
    "governance.change_managed": (
        "The rule {rule} at {place} is managed: only whoever manages this machine can change it.",
        "{place} 处的规则 {rule} 由管理员设置：只有本机的管理者可以更改。",
    ),
    "governance.change_bound": (
        "No rule changes that: {reason}.",
        "任何规则都不能改变这一点：{reason}。",
    ),
    "governance.change_uncertain": (
        "No rule can allow this line. Write it so that each command is plain to see, or approve it when asked.",
        "没有规则能允许这一行。请把每条命令写得清楚明白，或在询问时批准。",
    ),
    "governance.change_split": (
        "No single narrow rule would allow it. Allow its parts, or approve it when asked.",
        "没有单条窄规则可以允许它。请分别允许其各部分，或在询问时批准。",
    ),
    "governance.change_suggestion": (
        "The rule {rule} with effect allow would spare this question.",
        "规则 {rule}（effect: allow）会免去这一次询问。",
    ),
    "governance.call_unreadable": (
        "{text!r} is no call: {why}. Write tool(main argument), tool(key=value, …), or tool and --args JSON.",
        "{text!r} 不是一个调用：{why}。请写 tool(主参数)、tool(key=value, …)，或 tool 加 --args JSON。",
    ),
    "governance.table_unreadable": (
        "{file} is no table of expectations: {why}. It is a YAML list of entries with call and effect.",
        "{file} 不是期望表：{why}。它应是包含 call 和 effect 条目的 YAML 列表。",
    ),
    "governance.no_problems": (
        "{count} rules, no problems.",
        "{count} 条规则，没有问题。",
    ),
    "governance.test_passed": (
        "{count} expectations hold.",
        "{count} 条期望均成立。",
    ),
    "governance.test_failed": (
        "{failed} of {count} expectations do not hold.",
        "{count} 条期望中有 {failed} 条不成立。",
    ),
}
