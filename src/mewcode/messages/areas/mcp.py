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
    "mcp.no_launcher": (
        "the command {command!r} was not found; it comes with {source}. If it is installed, it is not in {path}",
        "找不到命令 {command!r}；它随 {source} 一起安装。若已安装，它不在 {path} 之中",
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
    "mcp.unfit_header": (
        (
            "the header {header} of this server cannot be sent: its character {place} is a line break or lies beyond "
            "ASCII; look at the variable or the file that the value comes from"
        ),
        "该服务器的请求头 {header} 无法发送：第 {place} 个字符是换行或非 ASCII 字符；请检查该值所来自的变量或文件",
    ),
    "mcp.unreachable": (
        "{url} cannot be reached: {why}; check the address, that the server runs, and proxy settings",
        "无法连接 {url}：{why}；请检查地址、服务器是否运行以及代理设置",
    ),
    "mcp.needs_login": (
        "{url} asks for a login (401); run `{login}`, or set an Authorization header",
        "{url} 要求登录（401）；请运行 `{login}`，或设置 Authorization 请求头",
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
        (
            "its process ended with exit code {exit} during {stage}{stderr}\n"
            "(It sees none of your variables but those that its entry names under env.)"
        ),
        "它的进程在 {stage} 时以退出码 {exit} 结束{stderr}\n（除条目 env 中列出的变量外，它看不到你的其他环境变量。）",
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
    "mcp.shared_credential": (
        "{key} ({place}) is one credential for everybody, but server {server} has `credentials: principal`: move it to "
        "principals.NAME.servers.{server}, or let each principal log in with `mewcode mcp login {server} --as NAME`",
        "{key}（{place}）是所有人共用的凭据，但服务器 {server} 设为 `credentials: principal`：请移到 "
        "principals.名称.servers.{server}，或让每个主体用 `mewcode mcp login {server} --as 名称` 登录",
    ),
    "mcp.own_of_unknown_server": (
        "{key} gives credentials to a server that is not configured; configured are: {known}",
        "{key} 为未配置的服务器提供了凭据；已配置：{known}",
    ),
    "mcp.own_of_shared_server": (
        "{key} gives credentials of its own, but server {server} has one connection for everybody; set "
        "`credentials: principal` in its entry",
        "{key} 提供了单独的凭据，但服务器 {server} 由所有人共用一个连接；请在其配置中设置 `credentials: principal`",
    ),
    "mcp.own_of_no_use": (
        "{key} has no effect: server {server} is reached over {transport}; a `command` takes `env`, a `url` `headers`",
        "{key} 无效：服务器 {server} 通过 {transport} 连接；`command` 用 `env`，`url` 用 `headers`",
    ),
    "mcp.too_many_principals": (
        "all {most} connections that principals may have to server {server} are in use; try again soon",
        "主体可用的 {most} 个到服务器 {server} 的连接都在使用中；请稍后重试",
    ),
    "mcp.login_for_everybody": (
        "server {server} has one login for everybody; set `credentials: principal` in its entry for logins by principal",
        "服务器 {server} 由所有人共用一个登录；如需按主体登录，请在其配置中设置 `credentials: principal`",
    ),
    "mcp.needs_trust": (
        "the project wants to run {target!r} as server {server}; look at it and run `mewcode mcp trust {server}`",
        "项目要把 {target!r} 作为服务器 {server} 运行；请检查后运行 `mewcode mcp trust {server}`",
    ),
    "mcp.command_not_allowed": (
        "server {server} wants to run {command!r}, which `mcp_allowed_commands` does not list (it lists: {allowed})",
        "服务器 {server} 要运行 {command!r}，但 `mcp_allowed_commands` 未列出它（已列出：{allowed}）",
    ),
    "mcp.code_not_allowed": (
        "server {server} would run anything under the name {command} ({what}); only a pattern of the whole command line "
        "in `mcp_allowed_commands` allows that",
        "服务器 {server} 会以 {command} 的名义运行任意程序（{what}）；只有 `mcp_allowed_commands` 中匹配整条命令行的模式才允许",
    ),
    "mcp.no_client_secret": (
        "server {server} uses client credentials; set `oauth.client_id` and `oauth.client_secret` of its entry",
        "服务器 {server} 使用客户端凭证；请在其条目中设置 `oauth.client_id` 和 `oauth.client_secret`",
    ),
    "mcp.login_again": (
        "the login to server {server} has ended or does not suffice; run `{login}`",
        "服务器 {server} 的登录已失效或权限不足；请运行 `{login}`",
    ),
    "mcp.unsafe_login_page": (
        "server {server} wants to open {url}, which is no https page; it was not opened",
        "服务器 {server} 要打开 {url}，它不是 https 页面；未打开",
    ),
    "mcp.login_refused": ("the login to server {server} was refused: {why}", "服务器 {server} 的登录被拒绝：{why}"),
    "mcp.no_code": (
        "the URL that came back for server {server} has no code in it; paste the whole address of the last page",
        "服务器 {server} 返回的网址中没有授权码；请粘贴最后一个页面的完整地址",
    ),
    "mcp.tls": (
        "{url} cannot be trusted: {why}; if the certificate is your company's own, set `tls: {{ca: FILE}}`",
        "{url} 的证书不受信任：{why}；如果是公司自签证书，请在 `tls: {{ca: 文件}}` 中指定颁发机构",
    ),
    "mcp.unreachable_by_proxy": (
        "{url} cannot be reached through the proxy {proxy}: {why}; check HTTP_PROXY, HTTPS_PROXY and NO_PROXY",
        "无法通过代理 {proxy} 连接 {url}：{why}；请检查 HTTP_PROXY、HTTPS_PROXY 和 NO_PROXY",
    ),
    "mcp.late_download": (
        "it did not answer {stage} within {seconds} s; it may still be downloading: raise `connect_timeout`{stderr}",
        "它在 {seconds} 秒内没有回应 {stage}；可能仍在下载：请增大 `connect_timeout`{stderr}",
    ),
    "mcp.not_in_session": (
        "`mewcode {command}` is refused inside a MewCode session; run it in a terminal of your own",
        "`mewcode {command}` 不能在 MewCode 会话内运行；请在自己的终端中运行",
    ),
    "mcp.bad_name": (
        "{name!r} cannot be a server's name: use at most 64 letters, digits, `_`, `-`, `.`, a letter or digit first",
        "{name!r} 不能作为服务器名：只能用字母、数字、`_`、`-`、`.`，最多 64 个字符，以字母或数字开头",
    ),
    "mcp.bad_entry": ("the entry of {name} is wrong at {key}: {why}", "{name} 的条目在 {key} 处有误：{why}"),
    "mcp.bad_json": ("the entry is no JSON: {why}", "该条目不是 JSON：{why}"),
    "mcp.bad_header": (
        "the header {header!r} has no colon; write 'Name: value'",
        "请求头 {header!r} 缺少冒号；请写成 'Name: value'",
    ),
    "mcp.bad_scope": ("the scope is user or project, not {scope!r}", "范围只能是 user 或 project，不能是 {scope!r}"),
    "mcp.left_out": (
        "{name}: these keys mean nothing here and were left out: {keys}",
        "{name}：以下键在这里没有意义，已略去：{keys}",
    ),
    "mcp.none": (
        "No MCP servers are configured. Add one: mewcode mcp add NAME -- COMMAND, or mewcode mcp add NAME URL",
        "尚未配置 MCP 服务器。添加：mewcode mcp add NAME -- COMMAND，或 mewcode mcp add NAME URL",
    ),
    "mcp.added": ("Added {name} to {file}.", "已将 {name} 添加到 {file}。"),
    "mcp.removed": ("Removed {name} from {file}.", "已从 {file} 移除 {name}。"),
    "mcp.enabled": ("{name} is switched on.", "{name} 已启用。"),
    "mcp.disabled": ("{name} is switched off.", "{name} 已停用。"),
    "mcp.not_in_files": (
        "server {name} stands in {place}, which this command does not change; change it there",
        "服务器 {name} 定义在 {place}，本命令不修改该文件；请在那里修改",
    ),
    "mcp.banner_remedy": (
        "Standard output carries the protocol: have the server print such lines to standard error.",
        "标准输出用于传输协议：请让服务器把这类内容输出到标准错误。",
    ),
    "mcp.stderr_tail": ("The end of its standard error:\n{tail}", "标准错误的末尾：\n{tail}"),
    "mcp.no_login_for_stdio": (
        "server {server} is started as a command; it takes its credentials from `env` of its entry, not from a login",
        "服务器 {server} 以命令启动；其凭证来自条目的 `env`，无需登录",
    ),
    "mcp.open_page": (
        "Log in on this page. Without a browser here, open it elsewhere and paste the address it led to:\n{url}",
        "请在此页面登录。若本机没有浏览器，请在别处打开，并粘贴最后跳转到的地址：\n{url}",
    ),
    "mcp.logged_in": ("Logged in to {server}: {tools} tools.", "已登录 {server}：{tools} 个工具。"),
    "mcp.logged_out": ("Logged out of {server}.", "已退出 {server}。"),
    "mcp.was_not_logged_in": ("There was no login to {server}.", "没有 {server} 的登录。"),
    "mcp.login_failed": ("the login to {server} failed: {why}", "登录 {server} 失败：{why}"),
    "mcp.nothing_to_trust": ("No server of this project waits for your trust.", "本项目没有等待信任的服务器。"),
    "mcp.trust_question": ("May {name} be started, exactly as shown?", "是否允许按上面所示启动 {name}？"),
    "mcp.trusted": (
        "{name} is trusted; a change of its definition will ask again.",
        "{name} 已受信任；其定义改变时会再次询问。",
    ),
    "mcp.not_trusted": ("{name} is not trusted and will not be started.", "{name} 未受信任，不会启动。"),
    "mcp.revoked": ("{name} is no longer trusted.", "{name} 不再受信任。"),
    "mcp.rules_allow": (
        "The project ({place}) wants these calls to run without being asked about:",
        "项目（{place}）希望以下调用无需询问即可执行：",
    ),
    "mcp.rules_question": ("May the project allow exactly these calls?", "是否准许项目放行以上调用？"),
    "mcp.rules_trusted": (
        "The project's allow rules are trusted; a change of any of them will ask again.",
        "项目的放行规则已受信任；任何一条改变时会再次询问。",
    ),
    "mcp.rules_not_trusted": (
        "The project's allow rules are not trusted and count for nothing.",
        "项目的放行规则未受信任，不起作用。",
    ),
    "mcp.rules_revoked": ("The project's allow rules are no longer trusted.", "项目的放行规则不再受信任。"),
    "mcp.no_rules_to_trust": ("No allow rule of this project waits for your trust.", "本项目没有等待信任的放行规则。"),
    "mcp.rules_have_no_name": (
        "--rules is about all allow rules of the project; leave the name out",
        "--rules 针对项目的全部放行规则；请勿指定名称",
    ),
    "mcp.rules_wait": (
        "{count} allow rules of the project ({place}) wait for your trust, too: mewcode mcp trust --rules",
        "项目（{place}）另有 {count} 条放行规则等待信任：mewcode mcp trust --rules",
    ),
    "mcp.name_for_revoke": ("say which server shall no longer be trusted", "请指明要取消信任的服务器"),
    "mcp.nobody_to_ask": (
        "nobody is there to ask about {name}; run this in a terminal, or say --yes",
        "没有人可以确认 {name}；请在终端中运行，或使用 --yes",
    ),
    "mcp.unknown_program": ("{program} is not one of {known}", "{program} 不在以下之列：{known}"),
    "mcp.unusable_file": ("{file} could not be read: {why}", "无法读取 {file}：{why}"),
    "mcp.nothing_to_import": ("No servers of other programs were found.", "没有找到其他程序的服务器。"),
}
