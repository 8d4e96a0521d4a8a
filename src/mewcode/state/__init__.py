"""What outlives a call: the shared store, secrets, and telemetry (logs, traces, metrics). Heavy parts load on use."""

from mewcode.state.logs import start_logging
from mewcode.state.memory_store import MemoryStore
from mewcode.state.metrics import Metrics
from mewcode.state.open_store import open_store
from mewcode.state.secret_files import SecretStoreError
from mewcode.state.secret_store import SecretStore
from mewcode.state.store import Store, StoreUnavailableError
from mewcode.state.tracing import Tracing, open_tracing

__all__ = [
    "MemoryStore",
    "Metrics",
    "SecretStore",
    "SecretStoreError",
    "Store",
    "StoreUnavailableError",
    "Tracing",
    "open_store",
    "open_tracing",
    "start_logging",
]
