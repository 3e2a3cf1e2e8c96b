"""The result of a hand of 打滚子, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai._core import gunzi_engine as compiled
from qipai.result import Line

if TYPE_CHECKING:
    from qipai.gunzi.game import Game

PLAYERS = 4
THREE = 3

SIDES = (None, "dealers", "attackers")


def settlement(game: Game) -> dict[str, Any]:
    """The settlement of a hand that is over, as :class:`qipai.gunzi.Settlement` has it."""
    gainer, levels, gained, blood, payer, dealer, winner = compiled.numbers(game)[3]
    return {
        "gainer": SIDES[gainer + 1],
        "levels": list(levels),
        "gained": gained,
        "blood": blood,
        "payer": SIDES[payer + 1],
        "next_dealer": dealer if dealer >= 0 else None,
        "round_winner": SIDES[winner + 1],
    }


def end_of(game: Game) -> dict[str, Any]:
    """Return what a view says of the end."""
    if not game.is_over:
        return {"total": None, "dug": None, "settlement": None}
    total, dug, _, _ = compiled.numbers(game)
    return {"total": total, "dug": dug, "settlement": settlement(game)}


def result_lines(game: Game) -> list[Line]:
    """The lines of GZ-60..66; those with amounts are the levels gained."""
    total, dug, (big, small), _ = compiled.numbers(game)
    done = settlement(game)
    facts = compiled.position(game)
    rules = game.rules
    gainer, gained, winner = done["gainer"], done["gained"], done["round_winner"]
    side = facts["dealer"] if gainer == "dealers" else facts["dealer"] + 1
    lines = [
        Line(f"the attackers have {total} points", f"抓分方得{total}分", "GZ-61", count=total),
        Line("the attackers win the last trick", "抠底", "GZ-60")
        if dug
        else Line("the dealers win the last trick", "保底", "GZ-60"),
    ]
    if facts["dry"]:
        lines.append(Line("the bottom was not changed", "干锅", "GZ-44"))

    def levels(n: int, text: str, text_zh: str, clause: str) -> None:
        amounts = tuple(
            n * rules.stake if (seat - side) % 2 == 0 else -n * rules.stake
            for seat in range(PLAYERS)
        )
        lines.append(Line(text, text_zh, clause, amounts))

    who = {"dealers": "庄家方", "attackers": "抓分方", None: ""}[gainer]
    jokers = 0 if facts["dry"] else big * rules.joker_levels[0] + small * rules.joker_levels[1]
    instant = winner is not None and not _wins_ten(game, winner, total)
    if gainer is None:
        lines.append(Line("nobody rises", "双方不升级", "GZ-62"))
    elif instant:
        levels(
            gained, f"the {gainer} win the round at once: {gained:+d}", f"{who}赢得本轮", "GZ-65"
        )
    else:
        clause = "GZ-63" if gainer == "dealers" else "GZ-62"
        levels(1, f"the {gainer} rise: +1", f"{who}升级：+1", clause)
        if jokers:
            levels(jokers, f"jokers in the bottom: +{jokers}", f"底牌的王：+{jokers}", "GZ-64")
        if gained != 1 + jokers:
            back = gained - 1 - jokers
            levels(back, f"no level above 10: {back}", f"逢10必打：{back}", "GZ-10")
    if winner is not None:
        text_zh = f"{who}打过10，本轮结束" if not instant else f"本轮结束，{who}胜"
        lines.append(Line(f"the {winner} win the round", text_zh, "GZ-65" if instant else "GZ-10"))
        return lines
    if done["blood"]:
        lines.append(
            Line(
                f"blood: {done['blood']} due from the {done['payer']}",
                f"下局{'庄家方' if done['payer'] == 'dealers' else '抓分方'}出血：{done['blood']}",
                "GZ-32",
                count=done["blood"],
            )
        )
    dealer = (facts["dealer"] + done["next_dealer"]) % PLAYERS
    lines.append(Line(f"player {dealer} deals next", f"下局玩家{dealer}坐庄", "GZ-12"))
    return lines


def _wins_ten(game: Game, winner: str, total: int) -> bool:
    """Whether the round was won by level 10 (GZ-10) and not by GZ-65."""
    _, dug, (big, small), _ = compiled.numbers(game)
    facts = compiled.position(game)
    level = facts["levels"][facts["dealer"] % 2]
    three = not facts["dry"] and (
        big == THREE or (small == THREE and game.rules.instant_jokers == "both")
    )
    return winner == "dealers" and level == 10 and total > 0 and not three and not dug
