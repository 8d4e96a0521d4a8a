"""Paths whose change acts later, when nobody looks: they are confirmed a second time."""

from pathlib import PurePath

from mewcode.governance.rules.wildcard import Wildcard

_RUNS_IN_CI = """
.github/workflows/* .github/actions/* .gitlab-ci.yml .gitlab/ci/* .circleci/* .ci/* Jenkinsfile* azure-pipelines*.yml
.travis.yml bitbucket-pipelines.yml .buildkite/* .drone.yml appveyor.yml .woodpecker* .forgejo/workflows/*
.gitea/workflows/*
"""
_GIT = ".git .git/* .gitmodules .gitconfig .husky/* .pre-commit-config.yaml lefthook.yml"
_OWN = ".mewcode* .mewcode*/* .mcp.json MEWCODE.md"
_EDITORS = """
.vscode/tasks.json .vscode/settings.json .vscode/launch.json .vscode/mcp.json .idea/* .cursor/* .zed/* .claude/*
.gemini/* .codex/* .devcontainer/* .devcontainer.json .nvim.lua .exrc .vimrc
"""
_START_UP = """
.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .envrc .config/fish/* .inputrc
.xprofile .xsession .config/autostart/* .config/systemd/* Library/LaunchAgents/* .ssh/* crontab
"""

_TABLE = tuple(
    (why, tuple(Wildcard(text.casefold()) for text in names.split()))
    for why, names in (
        ("it runs in continuous integration", _RUNS_IN_CI),
        ("git runs or trusts what stands there", _GIT),
        ("it is MewCode's own configuration", _OWN),
        ("an editor or an agent runs what stands there", _EDITORS),
        ("a shell or a login runs it at its start", _START_UP),
    )
)


def why_protected(path: str) -> str | None:
    """Why this (absolute) path is protected, None where it is not. Judged without regard to case."""
    parts = PurePath(path.casefold()).parts
    tails = ["/".join(parts[at:]) for at in range(len(parts))]
    for why, wildcards in _TABLE:
        if any(wildcard.matches(tail) for wildcard in wildcards for tail in tails):
            return why
    return None
