"""Lines as read_file shows them: numbered, with notes on what is not there."""

from mewcode.workspace.reading import Lines


def numbered(lines: Lines, size: int) -> str:
    """Each line after its number and a tab, then notes in brackets; `size` is that of the whole file."""
    shown = [f"{lines.first + index:>6}\t{line}" for index, line in enumerate(lines.lines)]
    return "\n".join([*shown, *_notes(lines, size)])


def _notes(lines: Lines, size: int) -> list[str]:
    notes: list[str] = []
    following = lines.first + len(lines.lines)
    if not lines.lines:
        notes.append(f"[The file ends before line {lines.first}.]" if size else "[The file is empty.]")
    if lines.left:
        notes.append(f"[{lines.left} more lines; go on with offset={following}.]")
    elif lines.left is None:
        notes.append(f"[Many more lines, more than {lines.bytes_left >> 20} MiB; go on with offset={following}.]")
    if lines.cut:
        more = " and more" if len(lines.cut) > 10 else ""
        notes.append(f"[Cut because they are too long: lines {', '.join(map(str, lines.cut[:10]))}{more}.]")
    if lines.encoding.name not in ("utf-8", "ascii"):
        notes.append(f"[Encoding: {lines.encoding.name}.]")
    if lines.undecodable:
        notes.append("[Some bytes are not valid UTF-8 and are shown as \ufffd.]")
    return notes
