"""MCP servers: connecting, trust, logins, and the commands about them."""

MESSAGES: dict[str, tuple[str, str]] = {
    "mcp.as_it_is": ("{text}", "{text}"),
    "mcp.no_directory": (
        "its working directory {directory} does not exist; set `cwd` of the server to one that does",
        "工作目录 {directory} 不存在；请把该服务器的 `cwd` 改为存在的目录",
    ),
    "mcp.no_command": (
        "the command {command!r} was not found in {path}; install it, or give its full path",
        "在 {path} 中找不到命令 {command!r}；请安装它，或填写完整路径",
    ),
    "mcp.no_program": (
        "there is no program {command} in {place}; correct `command` of the server",
        "{place} 中没有程序 {command}；请改正该服务器的 `command`",
    ),
    "mcp.not_executable": (
        "{command} is not an executable file; make it one (chmod +x), or name its interpreter as the command",
        "{command} 不是可执行文件；请加上执行权限（chmod +x），或把解释器写成命令",
    ),
    "mcp.cannot_start": ("{command} could not be started: {why}", "无法启动 {command}：{why}"),
    "mcp.bad_certificate": (
        "a certificate file under `tls` cannot be used ({place}): {why}",
        "`tls` 下的证书文件无法使用（{place}）：{why}",
    ),
    "mcp.redirect": (
        "{url} redirects elsewhere, which is not followed. {why}",
        "{url} 重定向到别处，不予跟随。{why}",
    ),
    "mcp.version": (
        "it speaks a version of MCP that MewCode does not: {why}; update the server",
        "它使用的 MCP 版本 MewCode 不支持：{why}；请更新该服务器",
    ),
    "mcp.not_modern": (
        "the settings ask for era `modern`, but the server speaks {version}; set `era: auto`",
        "设置要求 `modern`，但服务器使用 {version}；请设置 `era: auto`",
    ),
    "mcp.rpc": ("it answered {stage} with an error: {why}", "它对 {stage} 回复了错误：{why}"),
    "mcp.failed": ("{stage} failed: {why}", "{stage} 失败：{why}"),
    "mcp.unreachable": (
        "{url} cannot be reached: {why}; check the address, that the server runs, and proxy settings",
        "无法连接 {url}：{why}；请检查地址、服务器是否运行以及代理设置",
    ),
    "mcp.needs_login": (
        "{url} asks for a login (401); run `mewcode mcp login {server}`, or set an Authorization header",
        "{url} 要求登录（401）；请运行 `mewcode mcp login {server}`，或设置 Authorization 请求头",
    ),
    "mcp.no_json": (
        "{url} answered with {kind} instead of JSON, so it is no MCP endpoint, or something stands before it: {body}",
        "{url} 返回的是 {kind} 而不是 JSON，它不是 MCP 端点，或前面有其他服务：{body}",
    ),
    "mcp.http": ("{url} answered HTTP {status}. {hint}{body}", "{url} 返回 HTTP {status}。{hint}{body}"),
    "mcp.hint_403": (
        "The credentials are known but not allowed here; check their scopes",
        "凭证有效但没有权限；请检查其权限范围",
    ),
    "mcp.hint_404": ("There is no MCP endpoint; most end in /mcp", "该地址没有 MCP 端点；多数以 /mcp 结尾"),
    "mcp.hint_405": (
        "It takes no POST; an old server of the SSE kind wants `transport: sse`",
        "它不接受 POST；旧式 SSE 服务器需要 `transport: sse`",
    ),
    "mcp.hint_421": (
        "The server does not serve this host name; use the name it knows, or allow this one there",
        "服务器不接受这个主机名；请使用它认识的名称，或在服务器上放行",
    ),
    "mcp.hint_429": ("Too many requests; MewCode waits and tries again", "请求过多；MewCode 会等待后重试"),
    "mcp.hint_4xx": ("The server refuses the request", "服务器拒绝了请求"),
    "mcp.hint_5xx": ("The server has a problem; MewCode tries again", "服务器出错；MewCode 会重试"),
    "mcp.late": (
        "it did not answer {stage} within {seconds} s (`connect_timeout`){stderr}",
        "它在 {seconds} 秒内没有回应 {stage}（`connect_timeout`）{stderr}",
    ),
    "mcp.closed": (
        "it closed the connection during {stage} ({why}){stderr}",
        "它在 {stage} 时关闭了连接（{why}）{stderr}",
    ),
    "mcp.ended": (
        "its process ended with exit code {exit} during {stage}{stderr}",
        "它的进程在 {stage} 时以退出码 {exit} 结束{stderr}",
    ),
    "mcp.last_words": ("; its last words:\n{tail}", "；最后的输出：\n{tail}"),
    "mcp.lost": ("the connection was lost", "连接已断开"),
    "mcp.gone": (
        "MCP server {server} is not available ({state}). {error}",
        "MCP 服务器 {server} 不可用（{state}）。{error}",
    ),
    "mcp.unknown_server": (
        "there is no MCP server named {server}; configured are: {known}",
        "没有名为 {server} 的 MCP 服务器；已配置：{known}",
    ),
    "mcp.needs_trust": (
        "the project wants to run {target!r} as server {server}; look at it and run `mewcode mcp trust {server}`",
        "项目要把 {target!r} 作为服务器 {server} 运行；请检查后运行 `mewcode mcp trust {server}`",
    ),
    "mcp.command_not_allowed": (
        "server {server} wants to run {command!r}, which `mcp_allowed_commands` does not list (it lists: {allowed})",
        "服务器 {server} 要运行 {command!r}，但 `mcp_allowed_commands` 未列出它（已列出：{allowed}）",
    ),
}
