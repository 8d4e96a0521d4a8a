"""Limits: refused at once with the time to wait, never queued."""

from mewcode.governance.passage import Next, Passage, Reply


class Admit:
    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        return await proceed(passage)
