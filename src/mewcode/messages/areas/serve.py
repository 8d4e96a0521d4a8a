"""`mewcode serve`, its tokens, and approvals."""

MESSAGES: dict[str, tuple[str, str]] = {
    "serve.unknown_role": (
        "there is no role {role}; the settings have: {known}",
        "没有角色 {role}；设置中有：{known}",
    ),
    "serve.bad_address": (
        "{text!r} is no address; write HOST:PORT, for example 127.0.0.1:8080",
        "{text!r} 不是地址；请写成 HOST:PORT，例如 127.0.0.1:8080",
    ),
    "serve.bad_workspace": (
        "the workspace {text!r} cannot be used: {why}",
        "工作区 {text!r} 无法使用：{why}",
    ),
    "serve.cannot_listen": (
        "cannot listen on {host}:{port}: {why}; choose another address, or end what listens there",
        "无法监听 {host}:{port}：{why}；请更换地址，或结束占用它的程序",
    ),
    "serve.tls": (
        "the certificate {cert} with the key {key} cannot be used: {why}",
        "证书 {cert} 与私钥 {key} 无法使用：{why}",
    ),
    "serve.half_tls": (
        "TLS needs both a certificate and its key: --tls-cert and --tls-key, or server.tls.cert and server.tls.key",
        "TLS 需要证书和私钥：--tls-cert 与 --tls-key，或 server.tls.cert 与 server.tls.key",
    ),
    "serve.no_auth_off_loopback": (
        "--no-auth is for loopback addresses only, and {host} can be reached from elsewhere; make tokens with"
        " `mewcode serve token add`, or set server.jwt",
        "--no-auth 只能用于回环地址，而 {host} 可从外部访问；请用 `mewcode serve token add` 创建令牌，或设置 server.jwt",
    ),
    "serve.listening": ("Serving MCP on {url}", "正在 {url} 提供 MCP 服务"),
    "serve.reloaded": ("The settings were read again and count from now on.", "设置已重新读取，即刻生效。"),
    "serve.needs_restart": (
        "Changed, but in full use only after a restart: {names}",
        "已更改，但重启后才会完全生效：{names}",
    ),
    "serve.not_reloaded": (
        "The settings were not reloaded, the old ones still count: {why}",
        "设置未重新加载，仍使用原设置：{why}",
    ),
    "serve.broken_settings": ("a settings file is broken: {why}", "设置文件有误：{why}"),
    "serve.token_file": (
        "the token file {path} cannot be used: {why}; mend it, or remove it and make new tokens",
        "令牌文件 {path} 无法使用：{why}；请修复它，或删除后重新创建令牌",
    ),
    "serve.token_exists": (
        "there is a token named {name} already; revoke it first, or choose another name",
        "已有名为 {name} 的令牌；请先撤销它，或换一个名称",
    ),
    "serve.no_token": (
        "there is no token named {name}; `mewcode serve token list` shows those there are",
        "没有名为 {name} 的令牌；用 `mewcode serve token list` 查看",
    ),
    "serve.bad_time": (
        "{text!r} is no time; write an ISO 8601 date or time, for example 2027-01-31",
        "{text!r} 不是时间；请写 ISO 8601 日期或时间，例如 2027-01-31",
    ),
    "serve.token_added": (
        "Token {name} for {principal}. It is shown this once only; MewCode keeps its hash.",
        "令牌 {name}，属于 {principal}。只显示这一次；MewCode 只保存其哈希。",
    ),
    "serve.token_revoked": ("Token {name} is revoked.", "令牌 {name} 已撤销。"),
    "serve.tokens_in_settings": (
        "the tokens stand in the settings (server.tokens); change them there",
        "令牌写在设置中（server.tokens）；请在那里修改",
    ),
    "serve.short_key": (
        "server.state_key is too short: {least} characters at least, for example from `openssl rand -hex 32`",
        "server.state_key 太短：至少 {least} 个字符，例如用 `openssl rand -hex 32` 生成",
    ),
    "serve.no_approval": (
        "no approval {id} waits; `mewcode approvals list` shows those that do",
        "没有等待中的审批 {id}；用 `mewcode approvals list` 查看",
    ),
    "serve.may_not_approve": (
        "{who} may not approve: none of its roles has `approve: true`",
        "{who} 无权审批：其角色都没有 `approve: true`",
    ),
    "serve.own_approval": (
        "{who} asked for this itself; another person has to decide",
        "这是 {who} 自己的请求；需要由另一个人决定",
    ),
    "serve.approved": ("Granted: {action}. It is good for one call.", "已批准：{action}。仅对一次调用有效。"),
    "serve.denied": ("Denied: {action}.", "已拒绝：{action}。"),
    "serve.no_roles": (
        "{principal} has no role, so it may do nothing over HTTP: give it one under `principals` in the settings, or"
        " with --role",
        "{principal} 没有角色，通过 HTTP 无法做任何事：请在设置的 `principals` 中赋予角色，或使用 --role",
    ),
}
