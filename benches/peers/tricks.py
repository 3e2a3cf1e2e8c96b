"""打滚子 beside OpenSpiel's bridge and hearts: ``python benches/peers/tricks.py``.

Needs ``open-spiel``; what is missing is named.
"""

from __future__ import annotations

from collections.abc import Iterator

from race import Race, enter_openspiel, hands_in_c, main

THEIRS = {"bridge": "bridge(use_double_dummy_result=false)", "hearts": "hearts"}


def openspiel(race: Race) -> None:
    for task, name in THEIRS.items():
        enter_openspiel(race, task, name)


def races() -> Iterator[Race]:
    race = Race(
        "tricks", "Random hands of games with tricks, in compiled code", "decision",
        """Whole hands, dealing included, every decision drawn uniformly: ours inside C, theirs
        inside C++, by bots or, after the deal, by the rollouts of a search. The games are not the
        same. Bridge and hearts deal 52 cards and play 13 tricks of single cards; an auction of
        random calls is short, and the hand is played out, not solved. 打滚子 deals 162 cards one by
        one, with windows to show a trump in between, buries six, and plays up to 39 tricks of one
        to three cards that are followed by shape.""",
    )  # fmt: skip
    for name in ("gunzi/diamond", "gunzi/yiku"):
        race.enter_hands("qipai", f"`{name}`", hands_in_c(name, 300))
    race.invite("OpenSpiel", openspiel)
    yield race


if __name__ == "__main__":
    main(races, __doc__ or "")
