"""What a tool answered, made fit to leave the gate: redacted, labelled, capped."""

from mewcode.governance.passage import Next, Passage, Reply


class Shape:
    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        return await proceed(passage)
