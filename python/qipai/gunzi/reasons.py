"""Why an action of 打滚子 is illegal: in the order of the engine's codes."""

from __future__ import annotations

from qipai._core.game import Reason

REASONS = (
    Reason(
        "no_shape",
        "GZ-5",
        "these cards are no 单, 棒 or 滚; a follow of others goes card by card, or with play()",
        "不是单张、棒子或滚子；其他跟牌须逐张出，或用 play()",
    ),
    Reason("wrong_size", "GZ-51", "as many cards must be played as were led", "张数与首家不同"),
    Reason(
        "follow_suit", "GZ-51", "the suit led must be followed as far as it goes", "须跟首家花色"
    ),
    Reason("shape_owed", "GZ-53", "a 棒 or 滚 is owed in the suit led", "死棒：须跟棒子或滚子"),
    Reason("mixed_lead", "GZ-5", "a lead is a 单, 棒 or 滚", "首家只能出单张、棒子或滚子"),
    Reason("order", "", "cards are named in ascending order of face", "须由小到大逐张选牌"),
    Reason("all_alike", "", "cards alike are played as one action", "相同的牌须一次打出"),
    Reason("unfinished", "", "what has begun card by card must be finished", "须先选完这手牌"),
    Reason("no_way_on", "", "no legal set of cards begins so", "这样选牌无法合法完成"),
    Reason("show_or_pass", "GZ-20", "now one may show or pass", "现在只能亮主或不亮"),
    Reason("give", "GZ-30", "tribute must be given now", "现在须进贡"),
    Reason("return", "GZ-31", "as many cards must be given back now", "现在须还牌"),
    Reason("bury", "GZ-40", "the dealer must bury six cards now", "现在庄家须扣六张底牌"),
    Reason("joker", "GZ-42", "now one may bury jokers or be done", "现在只能扣王或结束"),
    Reason("pick", "GZ-42", "as many cards must be picked from the bottom", "现在须从底牌捡牌"),
    Reason("play", "GZ-50", "cards must be played now", "现在须出牌"),
    Reason("first_shows_big", "GZ-21", "in a first hand one 大王 is shown", "第一把只亮大王"),
    Reason(
        "later_shows_level",
        "GZ-23",
        "later level cards are shown, or three jokers alike",
        "只能亮级牌或三张相同的王",
    ),
    Reason("no_overturn", "GZ-24", "this does not overturn what is shown", "反不了已亮的牌"),
    Reason("own_suit", "GZ-24", "one's own showing keeps its suit", "加固自己的亮牌不能换花色"),
    Reason("no_points", "GZ-30", "no 分牌 is given", "分牌不进贡"),
    Reason("not_highest", "GZ-30", "the highest cards are given", "须进贡最大的牌"),
    Reason("bury_six", "GZ-40", "six cards are buried", "须扣六张牌"),
    Reason(
        "big_first", "GZ-41", "a 小王 is buried only with every 大王 held", "扣小王须先扣完大王"
    ),
    Reason("only_jokers", "GZ-42", "only jokers are buried now", "只能扣王"),
    Reason("not_picked", "GZ-42", "分牌 and jokers are not picked", "不能捡分牌和王"),
    Reason("not_smallest", "GZ-42", "the smallest card is picked", "须捡最小的牌"),
    Reason("not_under", "GZ-42", "the bottom does not hold this card", "底牌里没有这张牌"),
    Reason(
        "card_by_card",
        "GZ-41",
        "cards are buried one by one, or all at once with play()",
        "须逐张埋牌，或用 play() 一次埋完",
    ),
)
