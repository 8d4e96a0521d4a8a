"""What a caller may have meant when a name is not there."""

import difflib
import os

from mewcode.workspace.place import Place

_MOST_ENTRIES = 2_000


def similar_names(place: Place) -> str:
    """ " Did you mean …?" with up to three names in the same directory, or ""."""
    if place.missing or not place.name:
        return ""
    try:
        flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
        descriptor = place.open(flags, name=".") if place.directory is not None else None
    except OSError:
        return ""
    try:
        within = place.path.parent if descriptor is None else descriptor
        names = os.listdir(within)[:_MOST_ENTRIES]  # noqa: PTH208 a descriptor, not a path
    except OSError:
        return ""
    finally:
        if descriptor is not None:
            os.close(descriptor)
    close = difflib.get_close_matches(place.name, names, n=3, cutoff=0.6)
    return f" Did you mean {', '.join(close)}?" if close else ""
