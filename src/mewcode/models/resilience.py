"""A model that tries again: backoff with jitter, the provider's retry-after, then the fallback model."""

import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

import anyio

from mewcode.models.endpoint import Endpoint
from mewcode.models.events import (
    Finished,
    ModelEvent,
    Retrying,
    SwitchedModel,
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
)
from mewcode.models.failures import Failure, failure_of
from mewcode.models.interface import ModelInput, ModelProfile


@dataclass(frozen=True)
class Backoff:
    """When to try again. Seconds; `attempts` counts the first one too.

    A retry-after beyond `longest_wait` is not waited for: the failure is final.
    """

    attempts: int = 5
    first: float = 1.0
    longest: float = 30.0
    longest_wait: float = 120.0

    def seconds_before(self, attempt: int, retry_after: float | None) -> float:
        """The wait before attempt number `attempt` (2 and up): doubled each time, a quarter of it by chance."""
        if retry_after is not None:
            return max(retry_after, 0.0)
        base = min(self.first * 2 ** (attempt - 2), self.longest)
        return base * random.uniform(0.75, 1.25)  # noqa: S311 - spreads load, guards nothing


class Source(Protocol):
    """One way to get an answer, opened at first use: the provider's SDK is imported then."""

    @property
    def endpoint(self) -> Endpoint: ...

    def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]: ...

    @property
    def context_window(self) -> int: ...

    async def close(self) -> None: ...


class ResilientModel:
    """A `LanguageModel` over one source and its fallbacks."""

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        backoff: Backoff | None = None,
        profile: ModelProfile | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._sources = tuple(sources)
        self._backoff = backoff or Backoff()
        self._sleep = sleep
        self.profile = profile or ModelProfile()

    @property
    def name(self) -> str:
        return self._sources[0].endpoint.name

    @property
    def context_window(self) -> int:
        """Tokens; known exactly once the first request is on its way."""
        return self._sources[0].context_window

    async def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        """Raises ModelError of the last model tried."""
        for source in self._sources[:-1]:
            attempts = _Attempts(source, self._backoff, self._sleep)
            async with aclosing(attempts.stream(request)) as events:
                async for event in events:
                    yield event
            if attempts.failure is None:
                return
            following = self._sources[self._sources.index(source) + 1]
            yield SwitchedModel(following.endpoint.name, attempts.failure.why, attempts.started)
        attempts = _Attempts(self._sources[-1], self._backoff, self._sleep)
        async with aclosing(attempts.stream(request)) as events:
            async for event in events:
                yield event
        if attempts.failure is not None:
            raise attempts.failure.as_error(self._sources[-1].endpoint, attempts.made) from attempts.cause

    async def close(self) -> None:
        for source in self._sources:
            await source.close()


class _Attempts:
    """The attempts at one source. Afterwards `failure` says why none of them worked, None if one did."""

    def __init__(self, source: Source, backoff: Backoff, sleep: Callable[[float], Awaitable[None]]) -> None:
        self.failure: Failure | None = None
        self.cause: Exception | None = None
        self.made = 0
        self.started = False
        self._source = source
        self._backoff = backoff
        self._sleep = sleep

    async def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        while True:
            self.made += 1
            self.failure = self.cause = None
            self.started = False
            async with aclosing(self._one(request)) as events:
                async for event in events:
                    yield event
            wait = self._wait()
            if wait is None:
                return
            assert self.failure is not None
            yield Retrying(self.made, wait, self.failure.why, self.started)
            await self._sleep(wait)

    async def _one(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        try:
            async with aclosing(self._source.stream(request)) as events:
                async for event in events:
                    self.started = self.started or isinstance(event, TextDelta | ThinkingDelta | ToolCallStarted)
                    yield event
                    if isinstance(event, Finished):
                        return
        except Exception as error:
            self.failure = failure_of(error, self._source.endpoint)
            self.cause = error
            if self.failure is None:
                raise

    def _wait(self) -> float | None:
        """Seconds until the next attempt, None when there is none."""
        failure = self.failure
        if failure is None or not failure.retriable:
            return None
        if self.made >= min(self._backoff.attempts, failure.attempts_at_most or self._backoff.attempts):
            return None
        wait = self._backoff.seconds_before(self.made + 1, failure.retry_after)
        return None if wait > self._backoff.longest_wait else wait
