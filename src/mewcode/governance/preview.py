"""What would happen, for the person who is asked."""

import json

from mewcode.governance.request import Request

LONGEST_LINE = 200


async def details_of(request: Request) -> str:
    """The whole of it: the resolved command, the paths, the change."""
    return json.dumps(dict(request.arguments), ensure_ascii=False, indent=2, default=str)


def action_of(request: Request) -> str:
    """One line."""
    main = " ".join(request.main_values)
    line = " ".join(f"{request.name.readable} {main}".split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
