"""What every group of settings shares: no unknown keys, nothing changed after loading, and a place in a file."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, PrivateAttr

from mewcode.config.place import DEFAULT, Place, ScopeName


class Group(BaseModel):
    """A group of settings. Each field's description is its line in the reference."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True
    )


class Entry(Group):
    """An entry that remembers where it stands; the file cannot say so itself, only whoever read it."""

    _place: Place = PrivateAttr(default=DEFAULT)
    _problem: str | None = PrivateAttr(default=None)

    @property
    def place(self) -> Place:
        return self._place

    @property
    def scope(self) -> ScopeName:
        return self._place.scope

    @property
    def problem(self) -> str | None:
        """Why this entry cannot be used (an unset variable, a wrong type); None when it can."""
        return self._problem

    def mark(self, place: Place, problem: str | None = None) -> None:
        """Called once, by the loader."""
        self._place, self._problem = place, problem
