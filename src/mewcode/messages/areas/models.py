"""What the models say to people."""

MESSAGES = {
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
}
