"""Reads options and operands as getopt does: clusters, attached values, abbreviated long names, `--`."""

from dataclasses import dataclass, field

from mewcode.governance.commands.program import Program
from mewcode.governance.commands.word import Word, known


@dataclass(frozen=True)
class Option:
    """`name` as the table writes it (an abbreviation is completed); `value` is None for a plain flag."""

    name: str
    value: Word | None = None


@dataclass
class Arguments:
    """`doubtful` are words that may turn out to be options at run time."""

    options: list[Option] = field(default_factory=list[Option])
    operands: list[Word] = field(default_factory=list[Word])
    doubtful: list[Word] = field(default_factory=list[Word])

    def has(self, *names: str) -> bool:
        return any(option.name in names for option in self.options)

    def values(self, *names: str) -> list[Word]:
        return [option.value for option in self.options if option.name in names and option.value is not None]


def read_arguments(words: list[Word], program: Program, *, stop_at_operand: bool = False) -> Arguments:
    """Options may follow operands (GNU), unless `stop_at_operand`."""
    arguments = Arguments()
    with_value = (*program.takes_value, *program.writes, *program.runs, *program.reads_files)
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word.literal and word.text == "--":
            arguments.operands.extend(waiting)
            break
        if word.may_be_option and not word.prefix.startswith("-"):
            arguments.doubtful.append(word)
            arguments.operands.append(word)
        elif not word.prefix.startswith("-") or word.text == "-":
            arguments.operands.append(word)
            if stop_at_operand:
                arguments.operands.extend(waiting)
                break
        elif word.text.startswith("--") or program.single_dash_long:
            _long(word, waiting, arguments, program, with_value)
        else:
            _cluster(word, waiting, arguments, with_value)
    return arguments


def _long(word: Word, waiting: list[Word], arguments: Arguments, program: Program, with_value: tuple[str, ...]) -> None:
    typed, equals, _ = word.prefix.partition("=")
    if (not word.literal and not equals) or word.splits or word.glob:
        arguments.doubtful.append(word)
    every = (*with_value, *program.acts)
    name = typed if typed in every else next((full for full in every if _abbreviates(typed, full)), typed)
    if equals:
        arguments.options.append(Option(name, word.after(len(typed) + 1)))
    elif name in with_value and waiting and name == typed:
        arguments.options.append(Option(name, waiting.pop(0)))
    elif name in with_value and waiting:
        arguments.options.append(Option(name, waiting[0]))
    else:
        arguments.options.append(Option(name))


def _abbreviates(typed: str, full: str) -> bool:
    return len(typed) > 2 and full.startswith("--") and full.startswith(typed)


def _cluster(word: Word, waiting: list[Word], arguments: Arguments, with_value: tuple[str, ...]) -> None:
    """`-uo FILE`, `-uoFILE`: an option with a value takes the rest of its word, or the next word."""
    letters = word.prefix
    for at in range(1, len(letters)):
        name = f"-{letters[at]}"
        if name not in with_value:
            arguments.options.append(Option(name))
            continue
        rest = word.after(at + 1)
        if rest.text:
            if word.splits:
                arguments.doubtful.append(word)
            arguments.options.append(Option(name, rest))
        else:
            arguments.options.append(Option(name, waiting.pop(0) if waiting else known("")))
        return
    if not word.literal:
        arguments.doubtful.append(word)
