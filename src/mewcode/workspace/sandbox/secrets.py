"""Where a person keeps secrets and where other programs listen: what a sandbox never shows."""

from pathlib import Path

_IN_HOME = (
    ".ssh", ".gnupg", ".aws", ".azure", ".config/gcloud", ".kube", ".docker", ".netrc", "_netrc", ".pgpass",
    ".my.cnf", ".git-credentials", ".config/git/credentials", ".config/gh", ".config/glab-cli", ".config/hub",
    ".npmrc", ".yarnrc", ".pypirc", ".config/pip/pip.conf", ".cargo/credentials", ".cargo/credentials.toml",
    ".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".terraform.d/credentials.tfrc.json",
    ".terraformrc", ".vault-token", ".config/op", ".oci", ".password-store", ".local/share/keyrings",
    ".local/share/kwalletd", ".config/rclone", ".s3cfg", ".boto", ".heroku", ".mozilla", ".config/google-chrome",
    ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
    ".thunderbird", ".local/share/evolution", ".var/app", "snap/firefox", ".bash_history", ".zsh_history",
    ".python_history", ".psql_history", ".mysql_history", ".node_repl_history", ".local/share/fish/fish_history",
    ".claude.json", ".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".mewcode",
    "Library/Keychains", "Library/Cookies", "Library/Safari", "Library/Mail", "Library/Messages",
    "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox",
    "Library/Application Support/BraveSoftware", "Library/Application Support/Microsoft Edge",
    "Library/Application Support/Arc", "Library/Application Support/1Password",
)  # fmt: skip
_OF_THE_SYSTEM = (
    "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private",
    "/etc/mewcode/secrets",
)  # fmt: skip
_PROTECTED = (
    ".mewcode.yaml", ".mcp.json", ".git/hooks", ".git/config", ".git/config.worktree", ".git/info/attributes",
    ".git/modules", ".vscode", ".idea", ".envrc", ".husky",
)  # fmt: skip


def secret_places(home: Path) -> tuple[Path, ...]:
    """What nobody in a sandbox may read; they need not exist."""
    return (*(home / name for name in _IN_HOME), *map(Path, _OF_THE_SYSTEM))


def protected_places(root: Path) -> tuple[Path, ...]:
    """What stays as it is in a workspace: these files make other programs run something."""
    return tuple(root / name for name in _PROTECTED)
