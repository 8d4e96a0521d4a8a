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
    "governance.counters_away": (
        (
            "The shared counters of the limits cannot be reached: {why}. Check state.url, or set limits.without_store "
            "to open."
        ),
        "无法访问共享的限额计数器：{why}。请检查 state.url，或将 limits.without_store 设为 open。",
    ),
}
