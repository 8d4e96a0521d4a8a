"""Whom to trust over HTTPS: the system's store, a certificate authority of the entry's own, a client certificate."""

import ssl

import truststore

from mewcode.mcp.definition import TlsFiles
from mewcode.mcp.errors import CannotStartError


def tls_context(files: TlsFiles) -> ssl.SSLContext:
    """A context for one server. Raises CannotStartError when a file cannot be used."""
    try:
        context = ssl.create_default_context(cafile=files.ca) if files.ca else _system()
        if files.cert:
            context.load_cert_chain(files.cert, files.key)
    except OSError as error:
        place = ", ".join(name for name in (files.ca, files.cert, files.key) if name)
        raise CannotStartError("mcp.bad_certificate", place=place, why=error.strerror or error) from error
    return context


def _system() -> ssl.SSLContext:
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
