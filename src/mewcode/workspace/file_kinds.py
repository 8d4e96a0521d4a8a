"""What kind of content a file has, from its first bytes."""

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x7fELF", "an ELF program or library"),
    (b"MZ", "a Windows program or library"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"SQLite format 3\0", "an SQLite database"),
)
PDF = "application/pdf"
_PDF_MARK = b"%PDF-"


def kind_of(sample: bytes) -> str | None:
    """A media type for what read_file can show, a few words for some of what it cannot, else None."""
    if sample[:4] == b"RIFF" and sample[8:12] == b"WEBP":
        return "image/webp"
    found = next((kind for signature, kind in _SIGNATURES if sample.startswith(signature)), None)
    if found is None and _PDF_MARK in sample[:1024]:
        return PDF  # readers accept a header that does not stand at the very start
    return found
