"""What went wrong with a request, in our terms: whether to try again, and what to tell the user."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from mewcode.errors import ModelError
from mewcode.models.endpoint import Endpoint
from mewcode.models.streaming import CutStreamError

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError, ModelConnectionError

_LONGEST_DETAIL = 300
"""Characters of a provider's own words that are passed on."""

_OVERLOADED = 529
_TOO_MANY = 429
_TRY_LATER = frozenset({408, 409, 425, _TOO_MANY})


@dataclass(frozen=True)
class Failure:
    """One failed attempt. `code` names the message, `why` is a short phrase for notes, `retry_after` is in seconds."""

    code: str
    why: str
    retriable: bool
    detail: str = ""
    status: int | None = None
    retry_after: float | None = None
    attempts_at_most: int | None = None

    def as_error(self, endpoint: Endpoint, attempts: int) -> ModelError:
        variable = endpoint.key_variables[0] if endpoint.key_variables else "api_key"
        return ModelError(
            self.code,
            provider=endpoint.provider,
            model=endpoint.model,
            url=endpoint.base_url or endpoint.provider,
            status=self.status or "-",
            detail=self.detail or self.why,
            attempts=attempts,
            variable=variable,
            seconds=f"{endpoint.idle_seconds:g}",
        )


def failure_of(error: Exception, endpoint: Endpoint) -> Failure | None:
    """What `error` means, or None when it is not a failure of a provider but a defect that should be seen."""
    from pydantic_ai import exceptions as e

    if isinstance(error, CutStreamError):
        return Failure("models.cut", "the connection was cut", True, str(error))
    if isinstance(error, e.ModelAPIError):
        return _api_failure(error, endpoint)
    if isinstance(error, e.UnexpectedModelBehavior):
        return Failure("models.bad_stream", "the answer could not be read", True, _detail(str(error), endpoint))
    if isinstance(error, e.UserError):
        return Failure("models.rejected", "the request cannot be sent", False, _detail(str(error), endpoint))
    return _transport_failure(error, endpoint)


def _api_failure(error: "ModelAPIError", endpoint: Endpoint) -> Failure:
    from pydantic_ai import exceptions as e

    status = error.status_code if isinstance(error, e.ModelHTTPError) else None
    detail = _detail(_provider_words(error), endpoint)
    if isinstance(error, e.ModelConnectionError):
        return _connection_failure(error, endpoint)
    final = _final_failure(error)
    if final is not None:
        return replace(final, detail=detail, status=status)
    if status is not None:
        return _status_failure(status, error, detail)
    return Failure("models.bad_stream", "the answer could not be read", True, detail)


def _final_failure(error: "ModelAPIError") -> Failure | None:
    """The failures that no waiting mends."""
    from pydantic_ai import exceptions as e

    match error:
        case e.ModelQuotaExceededError():
            return Failure("models.quota", "the quota is used up", False)
        case e.ModelContextWindowExceededError():
            return Failure("models.too_long", "the conversation is too long for the model", False)
        case e.ModelAuthenticationError():
            return Failure("models.key_refused", "the key was refused", False)
        case e.ModelNotFoundError():
            return Failure("models.unknown_model", "the model is not known there", False)
        case _:
            return None


def _connection_failure(error: "ModelConnectionError", endpoint: Endpoint) -> Failure:
    from pydantic_ai.exceptions import ModelTimeoutError

    if isinstance(error, ModelTimeoutError) and error.phase != "connect":
        return _silence(endpoint)
    return _transport_failure(error.__cause__ or error, endpoint) or _unreachable(str(error), endpoint)


def _status_failure(status: int, error: "ModelAPIError", detail: str) -> Failure:
    overloaded = status in {503, _OVERLOADED} or "overloaded" in f"{error.provider_error_type} {detail}".casefold()
    if status == _TOO_MANY:
        code, why = "models.rate_limited", "too many requests (429)"
    elif overloaded:
        code, why = "models.overloaded", f"the provider is overloaded ({status})"
    elif status >= 500:
        code, why = "models.server_error", f"the provider failed ({status})"
    else:
        code, why = "models.rejected", f"the provider refused the request ({status})"
    retriable = status >= 500 or overloaded or status in _TRY_LATER
    return Failure(code, why, retriable, detail, status, error.retry_after)


def _transport_failure(error: BaseException, endpoint: Endpoint) -> Failure | None:
    """Judges by the transport's own error, at the end of a chain of wrappers whose classes differ by SDK version."""
    chain = _causes(error)
    names = {kind.__name__ for link in chain for kind in type(link).__mro__}
    text = " ".join(str(link) for link in chain)
    root = _detail(str(chain[-1]), endpoint)
    if names & {"SSLError", "SSLCertVerificationError"} or "CERTIFICATE_VERIFY_FAILED" in text:
        return Failure("models.tls", "the TLS certificate was not accepted", False, root)
    if names & {"ReadTimeout", "WriteTimeout"}:
        return _silence(endpoint)
    if names & {"RemoteProtocolError", "ReadError", "IncompleteRead"}:
        return Failure("models.cut", "the connection was cut", True, root)
    if names & {"ConnectError", "ConnectTimeout", "TransportError", "APIConnectionError", "OSError", "ProxyError"}:
        return _unreachable(str(chain[-1]), endpoint)
    if names & {"JSONDecodeError", "UnicodeDecodeError", "ValidationError"}:
        return Failure("models.bad_stream", "the answer could not be read", True, _detail(str(chain[0]), endpoint))
    return None


def _causes(error: BaseException) -> list[BaseException]:
    """`error` and what it was raised from, outermost first."""
    chain = [error]
    while (below := chain[-1].__cause__ or chain[-1].__context__) is not None and below not in chain:
        chain.append(below)
    return chain


def _silence(endpoint: Endpoint) -> Failure:
    why = f"nothing came for {endpoint.idle_seconds:g} s"
    return Failure("models.silent", why, True, attempts_at_most=2)


def _unreachable(text: str, endpoint: Endpoint) -> Failure:
    return Failure("models.unreachable", "no connection", True, _detail(text, endpoint))


def _provider_words(error: "ModelAPIError") -> str:
    """The provider's message out of its error body, else the whole text."""
    body = error.body
    while isinstance(body, dict):
        fields = cast("dict[str, object]", body)
        body = fields.get("message") or fields.get("error") or fields.get("detail")
    return body if isinstance(body, str) and body else error.message


_KEY_SHAPES = re.compile(r"\b(?:sk|pk|gsk|key|AIza)[-_][\w*.-]{8,}")


def _detail(text: str, endpoint: Endpoint) -> str:
    """One line without keys, short enough for a sentence."""
    clean = _KEY_SHAPES.sub("…", endpoint.without_secrets(" ".join(text.split())))
    return clean if len(clean) <= _LONGEST_DETAIL else clean[: _LONGEST_DETAIL - 1] + "…"
