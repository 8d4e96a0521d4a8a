"""A program that prints the text of the PDF on its standard input. It imports nothing of MewCode.

Arguments: the most pages to read, the most seconds of processor time. It prints one JSON object: {"pages", "texts"} or
{"error"}. A hostile document can only hurt this process, whose memory and time are bounded.
"""

import json
import logging
import sys


def main(most_pages: int, most_seconds: int) -> None:
    _limit(most_seconds)
    logging.disable()
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(sys.stdin.buffer)
        if reader.is_encrypted and not reader.decrypt(""):
            answer: dict[str, object] = {"error": "it is encrypted"}
        else:
            count = len(reader.pages)
            answer = {"pages": count, "texts": [reader.pages[n].extract_text() for n in range(min(count, most_pages))]}
    except (PyPdfError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        answer = {"error": f"it cannot be read as a PDF ({type(error).__name__}: {error})"}
    except MemoryError:
        answer = {"error": "it needs too much memory"}
    sys.stdout.write(json.dumps(answer))


def _limit(seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if sys.platform == "linux":  # macOS refuses a limit on the address space
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


_MOST_MEMORY = 2 << 30

if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
