"""The environment that commands get: what a shell needs, the toolchains' homes, what the settings name, no secrets."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

_BASIC = frozenset(
    (
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "COLORTERM", "TZ", "TMPDIR",
        "TMP", "TEMP", "VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME", "XDG_DATA_HOME", "NO_COLOR", "CI",
    )
)  # fmt: skip
_WINDOWS = frozenset(
    (
        "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "WINDIR", "USERPROFILE", "USERNAME", "APPDATA",
        "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "HOMEDRIVE", "HOMEPATH",
        "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
    )
)  # fmt: skip
_TOOLCHAINS = frozenset(
    (
        "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "GOPATH", "GOROOT", "GOBIN", "GOMODCACHE", "GOCACHE",
        "GOFLAGS", "JAVA_HOME", "JDK_HOME", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME", "GRADLE_USER_HOME",
        "SDKMAN_DIR", "ANDROID_HOME", "ANDROID_SDK_ROOT", "NVM_DIR", "NVM_BIN", "NODE_PATH",
        "NPM_CONFIG_PREFIX", "PNPM_HOME", "YARN_CACHE_FOLDER", "BUN_INSTALL", "DENO_DIR", "VOLTA_HOME",
        "FNM_DIR", "PYENV_ROOT", "PYENV_VERSION", "PIPX_HOME", "POETRY_HOME", "UV_CACHE_DIR", "RBENV_ROOT",
        "GEM_HOME", "GEM_PATH", "BUNDLE_PATH", "DOTNET_ROOT", "NUGET_PACKAGES", "HOMEBREW_PREFIX", "ASDF_DIR",
        "ASDF_DATA_DIR", "MISE_DATA_DIR", "NIX_PATH", "NIX_PROFILES", "CUDA_HOME", "CUDA_PATH", "CC", "CXX",
        "PKG_CONFIG_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    )
)  # fmt: skip
_NEVER = re.compile(r"BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|PS4|PROMPT_COMMAND|RIPGREP_CONFIG_PATH")
"""Variables that make bash run something before the command (bash(1), INVOCATION). Not even a setting passes them."""

_PROVIDER_KEY = re.compile(
    r"(ANTHROPIC|OPENAI|AZURE_OPENAI|GEMINI|GOOGLE(_GENAI)?|GLM|ZHIPU(AI)?|ZAI|DEEPSEEK|MOONSHOT|KIMI|DASHSCOPE|QWEN|"
    r"MISTRAL|GROQ|OPENROUTER|XAI|TOGETHER|FIREWORKS|CEREBRAS|MEWCODE)"
    r"_(\w+_)?(API_?)?(KEY|TOKEN|SECRET)"
)
"""Names of language model providers' keys; AWS credentials for Bedrock are withheld as everything unnamed is."""

_NOT_INTERACTIVE = {"PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "DEBIAN_FRONTEND": "noninteractive"}
"""Nobody sits there: a pager or a password prompt would wait until the deadline."""

SESSION_MARK = {"MEWCODE_SESSION": "1"}
"""Tells a MewCode that a command starts that it is inside a session: what grants rights refuses to run there."""


@dataclass(frozen=True)
class CommandEnvironment:
    """`variables` are what the command gets; `withheld` the names that are set here and were not passed on."""

    variables: Mapping[str, str]
    withheld: frozenset[str]


def command_environment(
    environ: Mapping[str, str], passed: Collection[str] = (), secrets: Collection[str] = ()
) -> CommandEnvironment:
    """`passed` are names that the settings add; `secrets` are names that nothing passes (the providers' keys)."""
    variables = {
        name: value
        for name, value in environ.items()
        if not is_never_passed(name, secrets) and (_is_usual(name) or name in passed)
    }
    withheld = frozenset(environ) - frozenset(variables)
    return CommandEnvironment({**variables, **_NOT_INTERACTIVE, **SESSION_MARK}, withheld)


def is_never_passed(name: str, secrets: Collection[str] = ()) -> bool:
    """Whether not even a setting passes the variable."""
    return name in secrets or _NEVER.fullmatch(name) is not None or _PROVIDER_KEY.fullmatch(name) is not None


def wanted_variables(environment: CommandEnvironment, command: str, output: str) -> tuple[str, ...]:
    """Withheld names that the command or what it printed speaks of: a failure may be for want of them."""
    text = f"{command}\n{output}"
    words = frozenset(re.findall(r"[A-Za-z_][A-Za-z0-9_]{2,}", text))
    return tuple(sorted(environment.withheld & words - {"PWD", "OLDPWD", "SHLVL"}))


def _is_usual(name: str) -> bool:
    upper = name.upper()
    return name in _BASIC or name in _TOOLCHAINS or name.startswith("LC_") or upper in _WINDOWS
