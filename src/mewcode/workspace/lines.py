"""Cuts a stream of text into lines, keeping only those that are wanted."""


class LineCutter:
    """Feed it text; it skips `skip` lines, keeps up to `limit` of the next, each up to `width` characters.

    It is `full` once the limit, or `characters` in all, are reached; `beyond` then counts the line ends that were fed
    after the last line kept.
    """

    def __init__(self, skip: int, limit: int | None, width: int, characters: int) -> None:
        self.lines: list[str] = []
        self.cut: list[int] = []
        self.beyond = 0
        self.open_line_beyond = False
        self.undecodable = False
        self.full = limit == 0
        self._skip = skip
        self._limit = limit
        self._width = width
        self._left = characters
        self._line: list[str] = []
        self._length = 0
        self._begun = False

    def feed(self, text: str) -> None:
        start = 0
        while start < len(text):
            end = text.find("\n", start)
            if end < 0:
                self._extend(text, start, len(text))
                return
            self._extend(text, start, end)
            self._end_line()
            start = end + 1
            if self.full:
                self.beyond = text.count("\n", start)
                self.open_line_beyond = start < len(text) and not text.endswith("\n")
                return

    def finish(self) -> None:
        """The text is over: a last line without an end counts."""
        if self._begun:
            self._end_line()

    def _extend(self, text: str, start: int, end: int) -> None:
        self._begun = True
        room = self._width + 2 - self._length
        if room > 0 and self._skip <= 0:
            piece = text[start : min(end, start + room)]
            self._line.append(piece)
        self._length += end - start

    def _end_line(self) -> None:
        line, length = "".join(self._line), self._length
        self._line, self._length, self._begun = [], 0, False
        if self._skip > 0:
            self._skip -= 1
            return
        if line.endswith("\r") and length == len(line):
            line, length = line[:-1], length - 1
        if length > self._width:
            self.cut.append(len(self.lines))
            line = line[: self._width]
        self.undecodable = self.undecodable or "\ufffd" in line
        self.lines.append(line)
        self._left -= len(line) + 1
        self.full = self._left <= 0 or (self._limit is not None and len(self.lines) >= self._limit)
