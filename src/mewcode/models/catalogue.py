"""The providers that MewCode knows by name: their wire format, address, key variables and a model to begin with."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

WireFormat: TypeAlias = Literal["openai", "openai_responses", "anthropic", "google", "bedrock", "local"]


@dataclass(frozen=True)
class KnownProvider:
    """One provider. `keys` are the environment variables that may hold its key, the first that is set wins;
    `address_keys` those that may hold its base URL. `vendor` is pydantic-ai's name for it, where it has one.
    """

    name: str
    wire: WireFormat
    base_url: str | None = None
    keys: tuple[str, ...] = ()
    address_keys: tuple[str, ...] = ()
    vendor: str | None = None
    default_model: str | None = None
    aliases: tuple[str, ...] = ()
    needs_key: bool = True


# The order decides when several keys are set and nothing is chosen (docs/models.md).
KNOWN_PROVIDERS: tuple[KnownProvider, ...] = (
    KnownProvider(
        "anthropic",
        "anthropic",
        keys=("ANTHROPIC_API_KEY",),
        address_keys=("ANTHROPIC_BASE_URL",),
        default_model="claude-sonnet-5-5",
        aliases=("claude",),
    ),
    KnownProvider(
        "openai",
        "openai",
        "https://api.openai.com/v1",
        keys=("OPENAI_API_KEY",),
        address_keys=("OPENAI_BASE_URL",),
        vendor="openai",
        default_model="gpt-6.1-sol",
        aliases=("gpt",),
    ),
    KnownProvider(
        "google",
        "google",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        address_keys=("GOOGLE_GEMINI_BASE_URL",),
        default_model="gemini-3.8-flash",
        aliases=("gemini",),
    ),
    KnownProvider(
        "glm",
        "openai",
        "https://open.bigmodel.cn/api/paas/v4",
        keys=("ZHIPU_API_KEY", "ZHIPUAI_API_KEY", "GLM_API_KEY", "ZAI_API_KEY"),
        vendor="zai",
        default_model="glm-5.3",
        aliases=("zhipu", "zai", "bigmodel"),
    ),
    KnownProvider(
        "deepseek",
        "openai",
        "https://api.deepseek.com",
        keys=("DEEPSEEK_API_KEY",),
        vendor="deepseek",
        default_model="deepseek-v4-pro",
    ),
    KnownProvider(
        "kimi",
        "openai",
        "https://api.moonshot.ai/v1",
        keys=("MOONSHOT_API_KEY", "MOONSHOTAI_API_KEY", "KIMI_API_KEY"),
        vendor="moonshotai",
        default_model="kimi-k2.7-code",
        aliases=("moonshot", "moonshotai"),
    ),
    KnownProvider(
        "qwen",
        "openai",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        keys=("DASHSCOPE_API_KEY", "QWEN_API_KEY", "ALIBABA_API_KEY"),
        vendor="alibaba",
        default_model="qwen3-coder-plus",
        aliases=("dashscope", "alibaba", "tongyi"),
    ),
    KnownProvider(
        "mistral",
        "openai",
        "https://api.mistral.ai/v1",
        keys=("MISTRAL_API_KEY",),
        default_model="mistral-medium-latest",
    ),
    KnownProvider(
        "groq",
        "openai",
        "https://api.groq.com/openai/v1",
        keys=("GROQ_API_KEY",),
        default_model="openai/gpt-oss-120b",
    ),
    KnownProvider(
        "openrouter",
        "openai",
        "https://openrouter.ai/api/v1",
        keys=("OPENROUTER_API_KEY",),
        vendor="openrouter",
        default_model="anthropic/claude-sonnet-5.5",
    ),
    KnownProvider(
        "azure",
        "openai",
        keys=("AZURE_OPENAI_API_KEY",),
        address_keys=("AZURE_OPENAI_ENDPOINT",),
        vendor="azure",
    ),
    KnownProvider("bedrock", "bedrock", keys=("AWS_BEARER_TOKEN_BEDROCK",), needs_key=False, aliases=("aws",)),
    KnownProvider(
        "ollama",
        "openai",
        "http://127.0.0.1:11434/v1",
        keys=("OLLAMA_API_KEY",),
        address_keys=("OLLAMA_BASE_URL", "OLLAMA_HOST"),
        vendor="ollama",
        needs_key=False,
    ),
    KnownProvider(
        "lmstudio",
        "openai",
        "http://127.0.0.1:1234/v1",
        address_keys=("LMSTUDIO_BASE_URL",),
        needs_key=False,
        aliases=("lm-studio",),
    ),
    KnownProvider(
        "llama-server",
        "openai",
        "http://127.0.0.1:8080/v1",
        keys=("LLAMA_API_KEY",),
        address_keys=("LLAMA_SERVER_BASE_URL",),
        needs_key=False,
        aliases=("llamacpp", "llama.cpp"),
    ),
    KnownProvider("local", "local", default_model="qwen2.5-coder-1.5b", needs_key=False, aliases=("embedded",)),
)


def known_provider(name: str) -> KnownProvider | None:
    """The provider of that name or alias, in any case."""
    wanted = name.casefold()
    return next((known for known in KNOWN_PROVIDERS if wanted == known.name or wanted in known.aliases), None)


def known_names() -> tuple[str, ...]:
    """Every name and alias, in order."""
    return tuple(name for known in KNOWN_PROVIDERS for name in (known.name, *known.aliases))
