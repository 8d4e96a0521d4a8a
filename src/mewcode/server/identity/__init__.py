"""Who comes in over HTTP: static tokens, kept as hashes, and signed tokens of an identity provider."""
