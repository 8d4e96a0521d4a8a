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
}
