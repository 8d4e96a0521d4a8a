"""Meaning beside words: a small multilingual sentence encoder, optional, loaded in the background."""

from mewcode.tools.search.semantic.meaning import Meaning

__all__ = ["Meaning"]
