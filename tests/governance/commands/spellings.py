"""Ways to say one command in bash: spellings of its words, and constructions that run a line."""

import shlex
from collections.abc import Callable

from hypothesis import strategies as st

Rewrite = Callable[[str], str]

NAME_SPELLINGS: tuple[Rewrite, ...] = (
    lambda name: name,
    lambda name: f"\\{name}",
    lambda name: f'"{name}"',
    lambda name: f"{name[0]}''{name[1:]}",
    lambda name: f'{name[:-1]}""{name[-1]}',
    lambda name: f"$'{name}'",
    lambda name: "$'" + "".join(f"\\x{ord(letter):02x}" for letter in name) + "'",
    lambda name: "$'" + "".join(f"\\{ord(letter):03o}" for letter in name) + "'",
    lambda name: "$'" + "".join(f"\\u00{ord(letter):02x}" for letter in name) + "'",
    lambda name: f'$"{name}"',
    lambda name: f"/bin/{name}",
    lambda name: f"/usr/bin/../bin/{name}",
    lambda name: f"/bin/{name[:-1]}[{name[-1]}]",
    lambda name: f"/bin/{name[:-1]}?",
    lambda name: f"{name[0]}\\\n{name[1:]}",
    lambda name: f"$(echo {name})",
    lambda name: f"`echo {name}`",
    lambda name: f"$(printf %s {name})",
    lambda name: f"X={name}; $X",
    lambda name: f"X={name}; ${{X}}",
    lambda name: f"X={name[0]} Y={name[1:]}; $X$Y",
    lambda name: f"X=/bin/{name}; ${{X##*/}}",
    lambda name: f"X={name}x; ${{X%x}}",
    lambda name: f"export X={name} && $X",
    lambda name: f"declare X={name}; Y=X; ${{!Y}}",
    lambda name: f"X=({name}); ${{X[0]}}",
    lambda name: f"set -- {name}; $1",
    lambda name: f"read X <<< {name}; $X",
    lambda name: f"printf -v X %s {name}; $X",
    lambda name: f"${{Z:-{name}}}",
    lambda name: f"command {name}",
    lambda name: f"command -p {name}",
    lambda name: f"exec {name}",
    lambda name: f"exec -a ls {name}",
    lambda name: f"env {name}",
    lambda name: f"env -i PATH=$PATH {name}",
    lambda name: f"env A=1 -u B {name}",
    lambda name: f"FOO=1 {name}",
    lambda name: f"timeout 5 {name}",
    lambda name: f"timeout -k 1 --signal=KILL 5s {name}",
    lambda name: f"nice -n 5 {name}",
    lambda name: f"nice {name}",
    lambda name: f"nohup {name}",
    lambda name: f"stdbuf -o0 {name}",
    lambda name: f"setsid -w {name}",
    lambda name: f"time -p {name}",
    lambda name: f"! {name}",
    lambda name: f"flock . {name}",
    lambda name: f"chrt -o 0 {name}",
    lambda name: f"xargs -a /dev/null {name}",
    lambda name: f"<README.md {name}",
    lambda name: f">/dev/null 2>&1 {name}",
    lambda name: f"coproc {name}",
    lambda name: f"\t {name}",
    lambda name: f"builtin command {name}",
    lambda name: f"busybox {name}",
    lambda name: f"env -S '{name} --' ",
    lambda name: f"ionice -c 3 taskset 1 {name}",
)
FILE_SPELLINGS: tuple[Rewrite, ...] = (
    lambda name: name,
    lambda name: f"./{name}",
    lambda name: f'"{name}"',
    lambda name: f"{name[:2]}*",
    lambda name: f"{name[:-1]}?",
    lambda name: f"-- {name}",
    lambda name: "{" + name + ",}",
    lambda name: f'"$PWD/{name}"',
    lambda name: f"$(echo {name})",
    lambda name: f"$'{name}'",
    lambda name: f"{name} 2>/dev/null",
)
_Q = shlex.quote
LINE_REWRITES: tuple[Rewrite, ...] = (
    lambda line: f"bash -c {_Q(line)}",
    lambda line: f"sh -c {_Q(line)}",
    lambda line: f"bash -ec {_Q(line)} x",
    lambda line: f"bash +e -c {_Q(line)}",
    lambda line: f"bash -o errexit -c {_Q(line)}",
    lambda line: f"eval {_Q(line)}",
    lambda line: f"eval '' {_Q(line)}",
    lambda line: f"bash <<< {_Q(line)}",
    lambda line: f"bash -s <<< {_Q(line)}",
    lambda line: f"echo {_Q(line)} | bash",
    lambda line: f"printf '%s\\n' {_Q(line)} | sh",
    lambda line: f"echo {_Q(line)} | cat | bash",
    lambda line: f"bash <<'EOT'\n{line}\nEOT",
    lambda line: f"cat <<'EOT' | bash\n{line}\nEOT",
    lambda line: f"cat <<EOT\n$({line})\nEOT",
    lambda line: f"true && {{ {line}\n}}",
    lambda line: f"true; {line}",
    lambda line: f"false || {line}",
    lambda line: f"ls | {line}",
    lambda line: f"echo ok\n{line}",
    lambda line: f"ls & {line}",
    lambda line: f"echo hi # x\n{line}",
    lambda line: f"( {line}\n)",
    lambda line: f"{{ {line}\n}}",
    lambda line: f"if true; then {line}\nfi",
    lambda line: f"if {line}\nthen :; fi",
    lambda line: f"for i in 1; do {line}\ndone",
    lambda line: f"for ((i=0;i<1;i++)); do {line}\ndone",
    lambda line: f"while {line}\ndo break; done",
    lambda line: f"until {line}\ndo break; done",
    lambda line: f"case x in x) {line}\n;; esac",
    lambda line: f"f() {{ {line}\n}}; f",
    lambda line: f"function f {{ {line}\n}}\nf",
    lambda line: f"echo $({line}\n)",
    lambda line: f'echo "a $({line}\n) b"',
    lambda line: f"echo ${{x:-$({line}\n)}}",
    lambda line: f': "${{x:=$({line}\n)}}"',
    lambda line: f"cat <({line}\n)",
    lambda line: f"ls > >({line}\n)",
    lambda line: f"X=$({line}\n)",
    lambda line: f"X=1 Y=$({line}\n) ls",
    lambda line: f"export X=$({line}\n)",
    lambda line: f"a[$({line}\n)0]=1",
    lambda line: f"a=(1 $({line}\n))",
    lambda line: f"echo $(( 1 + 0$({line}\n) ))",
    lambda line: f"(( 0$({line}\n) )); :",
    lambda line: f"[[ -n $({line}\n) ]]; :",
    lambda line: f'[ -n "$({line}\n)" ]; :',
    lambda line: f"case $({line}\n) in *) :;; esac",
    lambda line: f"for i in $({line}\n); do :; done",
    lambda line: f"cat <<< $({line}\n)",
    lambda line: f"ls > /dev/null$({line}\n)",
    lambda line: f"select i in $({line}\n); do break; done < /dev/null",
    lambda line: f"trap {_Q(line)} EXIT",
    lambda line: f'X={_Q(line)}; eval "$X"',
    lambda line: f'X={_Q(line)}; bash -c "$X"',
    lambda line: f"source <(echo {_Q(line)})",
    lambda line: f". /dev/stdin <<< {_Q(line)}",
    lambda line: f"bash /dev/stdin <<< {_Q(line)}",
    lambda line: f"bash <(echo {_Q(line)})",
    lambda line: f"echo {_Q(line)} > s.sh; bash s.sh",
    lambda line: f"cat > s.sh <<'EOS'\n{line}\nEOS\n. ./s.sh",
    lambda line: f"echo {_Q(line)} | tee s.sh > /dev/null; sh ./s.sh",
    lambda line: f"find . -maxdepth 0 -exec bash -c {_Q(line)} \\;",
    lambda line: f"find . -maxdepth 0 -exec sh -c {_Q(line)} {{}} +",
    lambda line: f"echo x | xargs -I% bash -c {_Q(line)}",
    lambda line: f"echo {_Q(_Q(line))} | xargs bash -c",
    lambda line: f"echo x | xargs -n1 timeout 5 bash -c {_Q(line)}",
    lambda line: f"env bash -c {_Q(line)}",
    lambda line: f"timeout 5 bash -c {_Q(line)}",
    lambda line: f"nohup nice setsid -w bash -c {_Q(line)} > /dev/null",
    lambda line: f"flock . -c {_Q(line)}",
    lambda line: f"script -qc {_Q(line)} /dev/null",
    lambda line: f"git -c alias.x={_Q('!' + line + chr(10))} x",
    lambda line: f"git -c core.fsmonitor={_Q(line + ';:')} status",
    lambda line: f"GIT_EXTERNAL_DIFF={_Q(line + ';:')} git diff --no-index README.md VICTIM",
    lambda line: f"awk {_Q('BEGIN { system(' + _awk(line) + ') }')}",
    lambda line: f"awk {_Q('BEGIN { ' + _awk(line) + ' | getline }')}",
    lambda line: f"sed -n {_Q('1e ' + line.replace(chr(10), ' '))} README.md",
    lambda line: f"python3 -c {_Q('import os; os.system(' + repr(line) + ')')}",
    lambda line: f"python3 <<'EOP'\nimport os; os.system({line!r})\nEOP",
    lambda line: f"perl -e {_Q('system ' + _perl(line))}",
    lambda line: f"make -s --eval={_Q('x: ; ' + line.replace('$', '$$').replace(chr(10), ' '))} x",
    lambda line: f"tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec={_Q(line)} README.md",
    lambda line: f"sort --compress-program={_Q(line)} -S 1b README.md",
    lambda line: f"BASH_ENV=<(echo {_Q(line)}) bash -c :",
    lambda line: f'X={_Q("$(" + line + chr(10) + ")")}; : "${{X@P}}"',
    lambda line: f"X={_Q('a[$(' + line + chr(10) + ')]')}; echo $((X)) 2> /dev/null",
    lambda line: f"[[ {_Q('a[$(' + line + chr(10) + ')]')} -eq 0 ]]",
    lambda line: f"test -v {_Q('a[$(' + line + chr(10) + ')]')}",
    lambda line: f"printf -v {_Q('a[$(' + line + chr(10) + ')]')} x",
    lambda line: f"read {_Q('a[$(' + line + chr(10) + ')]')} <<< x",
    lambda line: f"unset {_Q('a[$(' + line + chr(10) + ')]')}",
    lambda line: f"declare -a {_Q('a[$(' + line + chr(10) + ')]=1')}",
    lambda line: f"let {_Q('a[$(' + line + chr(10) + ')]')}",
    lambda line: f"mapfile -C {_Q(line + ';:')} -c 1 < README.md",
    lambda line: f"compgen -W {_Q('$(' + line + chr(10) + ')')}",
    lambda line: f"PS4={_Q('$(' + line + chr(10) + ')')}; set -x; ls",
    lambda line: f"bash -xc : PS4=; PS4={_Q('$(' + line + chr(10) + ')')} bash -xc :",
    lambda line: f"shopt -s expand_aliases\nalias zz={_Q(line)}\nzz",
    lambda line: f"{{ echo {_Q(line)}; }} | bash",
    lambda line: f"cat() {{ {line}\n}}; cat README.md",
    lambda line: f"cd . && {{ {line}\n}}",
    lambda line: f"time {{ {line}\n}}",
    lambda line: f"! {{ {line}\n}}",
    lambda line: f"coproc {{ {line}\n}}; wait",
    lambda line: f"exec bash -c {_Q(line)}",
    lambda line: f"ls -la; {line}; ls",
    lambda line: f"`{_backticked(line)}`",
)


def _awk(line: str) -> str:
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _perl(line: str) -> str:
    return "q\x01" + line + "\x01" if "\x01" not in line else "q()"


def _backticked(line: str) -> str:
    return line.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$")


@st.composite
def rewritten(draw: st.DrawFn, name: str, file: str) -> str:
    """`name file`, spelled anew and wrapped up to four times."""
    command = draw(st.sampled_from(NAME_SPELLINGS))(name)
    line = f"{command} {draw(st.sampled_from(FILE_SPELLINGS))(file)}"
    for rewrite in draw(st.lists(st.sampled_from(LINE_REWRITES), max_size=4)):
        line = rewrite(line)
    return line


TOKENS = (
    "rm VICTIM", "rm", "VICTIM", " ", " ", "\n", "\n", "'", '"', "`", "\\", "$", "$(", ")", "(", "((", "))", "{",
    "}", "${x:-", "|", "||", "&", "&&", ";", ";;", "<", ">", "<<", "<<<", "<(", "EOF", "\nEOF\n", "<<EOF\n",
    "<<'EOF'\n", "<<-EOF\n\t", "#", "!", "echo ", "cat ", "ls ", "X=", "X=rm", "$X", '"$X"', "=", "[[ ", " ]]", "[",
    "]", "if ", "then ", "fi", "do ", "done", "for x in ", "while ", "case x in ", "x)", "esac", "eval ",
    "bash -c ", "bash", "sh", "f() {", "f", "function f ", "$'", '$"', "\\x72m", "\t", "~", ",", "{rm,VICTIM}",
    "true ", "2>", ">&", "&>", "\\\n", "exec ", "time ", "coproc ", "xargs ", "env ", "a[", "]=", "+=", "@P}", "${",
    "$((", "let ", "declare ", "\xe9", "\xa0", "*", "?", "V*",
)  # fmt: skip
"""Pieces of shell for a soup that no person would write: what the parser takes it for and what bash does may differ."""


def soups() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(TOKENS), min_size=1, max_size=14).map("".join)
