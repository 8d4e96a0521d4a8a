"""Messages about shared state, secrets and telemetry."""

MESSAGES = {
    "state.redis_missing": (
        "state.url names Redis, but its library is not installed. Install mewcode[redis].",
        "state.url 指向 Redis,但没有安装它的库。请安装 mewcode[redis]。",
    ),
    "state.redis_url": (
        "state.url is no Redis URL. Write redis://HOST:PORT/NUMBER, rediss:// for TLS, or unix://PATH.",
        "state.url 不是 Redis 网址。请写 redis://主机:端口/编号;TLS 用 rediss://,套接字用 unix://路径。",
    ),
    "state.redis_away": (
        "the shared state in Redis cannot be reached ({reason}). Check that the server behind state.url runs.",
        "无法访问 Redis 中的共享状态({reason})。请检查 state.url 指向的服务器是否在运行。",
    ),
    "state.secrets_unwritable": (
        "the secret “{name}” cannot be stored in {file}: {reason}.",
        "无法把机密“{name}”保存到 {file}:{reason}。",
    ),
    "state.secrets_damaged": (
        "{file} is damaged ({reason}). Move it away and log in again.",
        "{file} 已损坏({reason})。请把它移走并重新登录。",
    ),
    "state.telemetry_missing": (
        "telemetry.traces names a collector, but the exporter is not installed. Install mewcode[telemetry].",
        "telemetry.traces 指定了收集器,但没有安装导出器。请安装 mewcode[telemetry]。",
    ),
    "state.contended": (
        "the shared state of a session is written by so many at once that nobody gets through. Try again.",
        "同时写入某个会话共享状态的进程过多,无法完成写入。请重试。",
    ),
    "state.unreadable": (
        "the shared state of a session cannot be read. Check that nothing but MewCode of this version writes under "
        "state.prefix.",
        "无法读取某个会话的共享状态。请检查 state.prefix 之下是否只有同一版本的 MewCode 在写入。",
    ),
    "state.sqlite_away": ("{path} cannot be used: {reason}", "{path} 无法使用：{reason}"),
}
