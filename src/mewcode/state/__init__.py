"""Small shared stores (memory or Redis), secrets (keyring or 0600 files), telemetry."""
