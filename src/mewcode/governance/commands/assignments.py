"""Assignments: what they make known, and which of them change what later words run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from mewcode.governance.commands.findings import Findings
    from mewcode.governance.commands.flow import Flow
    from mewcode.governance.commands.walker import Walker

RISKY = re.compile(
    r"PATH|CDPATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|PS\d|PROMPT_COMMAND|GLOBIGNORE|POSIXLY_CORRECT|HOME|PWD|OLDPWD"
    r"|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO.*|TERMCAP|GLIBC_.*|MALLOC_.*"
    r"|GIT_.*|SSH_.*|GPG_.*|PAGER|.*_PAGER|MANPAGER|MANOPT|LESS.*|MORE|EDITOR|VISUAL|.*_EDITOR|BROWSER|XDG_.*"
    r"|PYTHON.*|PYTEST_.*|PIP_.*|UV_.*|POETRY_.*|VIRTUAL_ENV|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|NODE_(?!ENV$).*|NPM_.*|npm_.*|YARN_.*"
    r"|JAVA_.*|_JAVA_OPTIONS|JDK_.*|MAVEN_.*|GRADLE_.*|CLASSPATH|ANT_.*|GO(?:FLAGS|PATH|ROOT|PROXY|ENV|TOOLCHAIN)|CGO_.*"
    r"|CARGO_.*|RUSTC.*|RUSTFLAGS|RUSTDOC.*|CC|CXX|CPP|AR|LD|MAKE.*|GNUMAKEFLAGS|CMAKE_.*|TAR_OPTIONS|TAPE|RSYNC_.*|UNZIP.*|ZIP.*"
    r"|RIPGREP_CONFIG_PATH|FZF_.*|BAT_.*|AWK.*|GAWK.*|LUA_.*|R_.*|PHP.*|DOCKER_.*|KUBE.*|CURL_.*|WGETRC|HTTPS?_PROXY|https?_proxy"
    r"|ALL_PROXY|all_proxy|TMPDIR|TMP|TEMP|MEWCODE_.*|SYSTEMD_.*|DEBUGINFOD_.*|OPENSSL_.*|SSL_.*|INPUTRC|HISTFILE|MAIL.*|FCEDIT|.*_BROWSER|MANROFFOPT|GROFF_.*|MANPATH|COWPATH|MAGICK_.*|MAGIC|GREP_OPTIONS|JQ_.*LIB.*|GZIP|BZIP2?|XZ_.*"
)
"""Variables that choose programs, load code, or change how the shell reads the rest of the line."""


def check_name(name: str, findings: Findings) -> None:
    """Doubts a line that sets a variable that can change what runs."""
    if RISKY.fullmatch(name):
        findings.doubt("assignment", name=name)


def assignment(walker: Walker, node: Node) -> None:
    """Judges `NAME=value`, `NAME+=value`, `NAME[i]=value` and `NAME=(…)`."""
    text = walker.source.raw(node)
    found = re.match(r"([A-Za-z_]\w*)(\+?=)", text)
    if found is None:
        subscript = re.match(r"([A-Za-z_]\w*)\[(\w*)\]\+?=", text)
        name = subscript[1] if subscript else text[:20]
        walker.reader.expansions_within(node)
        if subscript is None:
            walker.findings.doubt("structure", text=text[:60])
        else:
            walker.findings.evaluates(subscript[2], text)
        check_name(name, walker.findings)
        walker.variables.assign(name, None)
        return
    check_name(found[1], walker.findings)
    value = node.child_by_field_name("value")
    if value is not None and value.type == "array":
        _array(walker, value)
        walker.variables.assign(found[1], None)
        return
    assigned = walker.reader.value(node.start_byte + found.end(), node.end_byte)
    exact = found[2] == "=" and assigned is not None
    walker.variables.assign(found[1], _unicode(assigned) if exact and assigned is not None else None)


def declaration(walker: Walker, node: Node, flow: Flow) -> None:
    """Judges export, declare, local, readonly, typeset and unset."""
    placed = walker.reader.placed_words(node.start_byte, node.end_byte) if not _has_array(node) else []
    words = [word for _, expanded in placed for word in expanded]
    keyword = walker.source.raw(node.children[0]) if node.children else ""
    for child in node.children:
        if child.type == "variable_assignment":
            assignment(walker, child)
    for word in words[1:]:
        name, _, value = word.text.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*\+?", name) and not re.fullmatch(r"[-+](?!\w*[ni])\w*", name):
            walker.findings.doubt("structure", text=walker.source.raw(node)[:60])
        if not word.literal and "=" not in word.prefix:
            walker.findings.doubt("structure", text=walker.source.raw(node)[:60])
        check_name(name.removesuffix("+"), walker.findings)
        walker.findings.numbers.assign(name.removesuffix("+"), value)
        if keyword in ("unset", "unsetenv") or not value or name.endswith("+"):
            walker.variables.assign(name, None)
    walker.judge(words, flow, walker)


def _has_array(node: Node) -> bool:
    return any(grandchild.type == "array" for child in node.children for grandchild in child.children)


def _array(walker: Walker, node: Node) -> None:
    """`(a b $(c))`: words, which may stand on lines of their own."""
    for child in node.children:
        if child.is_named and child.type != "comment":
            walker.reader.words(child.start_byte, child.end_byte)
    for index in re.findall(r"\[([^\]]*)\]?", walker.reader.expansions_within(node)):
        walker.findings.evaluates(index, walker.source.raw(node))


def _unicode(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")
