"""What somebody may know of a hand."""

from __future__ import annotations

from typing import Any, Literal

from qipai._core.game import Action, Event

# Who looks: a seat, a spectator, or None for everything.
Viewer = int | Literal["table"] | None


class View:
    """What a seat, a spectator (``"table"``) or everybody (None) may know at one moment.

    It is a copy: what happens later does not change it, and it leads to nothing hidden.
    """

    __slots__ = ("_data", "game", "history", "legal_actions", "seat")

    def __init__(
        self,
        game: str,
        seat: Viewer,
        data: dict[str, Any],
        legal_actions: list[Action],
        history: list[Event],
    ) -> None:
        self.game = game
        self.seat = seat
        self.legal_actions = legal_actions
        self.history = history
        self._data = data

    @property
    def phase(self) -> str:
        """The phase, as this viewer may know it."""
        return str(self._data["phase"])

    @property
    def turn(self) -> int | None:
        """The seat to act, None when over or when this viewer may not know."""
        turn: int | None = self._data["turn"]
        return turn

    @property
    def hand(self) -> list[int] | None:
        """The ids of the viewer's own hand, ascending; None for who has none."""
        hand: list[int] | None = self._data.get("hand")
        return hand

    # __getitem__ alone would make it iterable, by numbers that it does not have.
    __iter__ = None

    def __getitem__(self, name: str) -> Any:
        """Return one entry of :meth:`as_dict`."""
        return self.as_dict()[name]

    def as_dict(self) -> dict[str, Any]:
        """Return the view as plain JSON.

        ``game``, ``seat``, ``phase``, ``turn``, ``hand``, the game's own entries,
        ``legal_actions`` (texts; empty where it is not this seat's turn) and ``history``.
        """
        return {
            "game": self.game,
            "seat": self.seat,
            **self._data,
            "legal_actions": [str(action) for action in self.legal_actions],
            "history": [event.as_dict() for event in self.history],
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        from qipai.draw import view

        return view(self)

    def __repr__(self) -> str:
        return f"<View of {self.game} for {'everybody' if self.seat is None else self.seat}>"
