"""Drawings: what is on them, that they hide what is hidden, and that they need nothing else.

``python tests/test_draw.py`` writes the pictures of the documentation anew.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import qipai
from qipai import draw, fangyang, mahjong, shuangkou
from qipai.mahjong import Meld
from qipai.positions import arranged

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "img"
SVG = "{http://www.w3.org/2000/svg}"
NAMES = qipai.games()

# The pictures of docs/notebook.md.
PICTURES: dict[str, Callable[[], str]] = {
    "hand.svg": lambda: draw.cards("D3 C4 S4 C5 S5 H6 S6 D7 D10 SQ HA H2 B R"),
    "play.svg": lambda: draw.cards("77899R"),
    "tiles.svg": lambda: draw.tiles("123m 456p 789s 777z 25z", wild=31),
    "meld.svg": lambda: draw.tiles(Meld("(7777z)")),
    "view.html": lambda: draw.view(a_position()),
}


def a_position() -> qipai.View:
    game = qipai.new("shuangkou/bianfeng", seed=7)
    game.apply("33")
    game.apply("pass")
    return game.view(game.turn)


def parsed(drawing: str) -> ElementTree.Element:
    """A drawing as XML, all of it shown by itself: no script, no reference to anything."""
    assert not re.search(r"<script|<style|<image|<use|href|url\(|@import", drawing)
    return ElementTree.fromstring(f"<div>{drawing}</div>")


def pictures(drawing: str) -> list[ElementTree.Element]:
    return list(parsed(drawing).iter(f"{SVG}svg"))


def labels(drawing: str) -> list[str]:
    return [picture.attrib["aria-label"] for picture in pictures(drawing)]


def texts(drawing: str) -> list[str]:
    return [text.text or "" for text in parsed(drawing).iter(f"{SVG}text")]


def words(drawing: str) -> str:
    return " ".join(" ".join(parsed(drawing).itertext()).split())


# Cards


def test_cards_are_drawn_in_the_order_given() -> None:
    drawing = draw.cards("S3 H10 DA C2 B R")
    assert labels(drawing) == ["S3 H10 DA C2 B R"]
    # Ranks in the corners; jokers say 小王 and 大王.
    assert texts(drawing) == ["3", "10", "A", "2", "小", "王", "大", "王"]
    places = [float(group[1].attrib["x"]) for group in pictures(drawing)[0]]
    assert places == sorted(places) and len(places) == 6


def test_suits_have_their_colour_and_shape() -> None:
    paths = {suit: pictures(draw.cards(f"{suit}7"))[0][0][2].attrib for suit in "DCHS"}
    assert paths["D"]["fill"] == paths["H"]["fill"] == draw.RED
    assert paths["C"]["fill"] == paths["S"]["fill"] == draw.BLACK
    assert len({path["d"] for path in paths.values()}) == 4


def test_cards_of_which_only_the_rank_is_known_have_no_suit() -> None:
    assert not list(parsed(draw.cards("77K")).iter(f"{SVG}path"))
    assert texts(draw.cards("77K")) == ["7", "7", "K", "K"]  # the last is drawn whole


def test_cards_in_every_form() -> None:
    ids = qipai.cards.parse("H7 S7 H8")
    assert draw.cards(ids) == draw.cards("H7 S7 H8")
    counts = bytearray(15)
    counts[4], counts[14] = 2, 1
    assert draw.cards(bytes(counts)) == draw.cards("77R")
    faces = bytearray(54)
    faces[18], faces[53] = 2, 1
    assert draw.cards(bytes(faces)) == draw.cards("H7 H7 R")
    play = shuangkou.classify("77899R")
    assert play is not None
    assert draw.cards(play) == draw.cards("77899R")
    assert labels(draw.cards("")) == [""]


def test_actions_and_events() -> None:
    game = qipai.new("shuangkou", seed=7)
    pair = next(action for action in game.legal_actions() if str(action) == "33")
    assert draw.cards(pair) == draw.cards("33")
    (event,) = (event for event in game.apply(pair) if event.kind == "play")
    assert event.cards is not None
    assert draw.cards(event) == draw.cards(list(event.cards))
    exact = event.action
    assert exact is not None and draw.cards(exact) == draw.cards(event)
    assert labels(draw.cards(game.parse("pass"))) == ["pass"]
    game = fangyang.Game(seed=3)
    assert draw.cards(game.parse("call HA")) == draw.cards("HA")  # FY-3


def test_hidden_cards_are_backs() -> None:
    (picture,) = pictures(draw.backs(5))
    assert picture.attrib["aria-label"] == "5 hidden"
    assert len(picture) == 2 * 5 and not texts(draw.backs(5))


def test_height() -> None:
    drawings = (draw.cards("33", height=40), draw.tiles("1m", height=40), draw.backs(2, height=40))
    for drawing in drawings:
        (picture,) = pictures(drawing)
        assert picture.attrib["height"] == "40"
        _, _, wide, high = map(float, picture.attrib["viewBox"].split())
        assert float(picture.attrib["width"]) == pytest.approx(40 * wide / high, abs=0.5)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: draw.cards("7X"),
        lambda: draw.cards([162]),
        lambda: draw.cards([3, 3]),
        lambda: draw.cards(b"\1\2"),
        lambda: draw.cards("7", height=0),
        lambda: draw.backs(-1),
        lambda: draw.tiles("8z"),
        lambda: draw.tiles("11111m"),
        lambda: draw.tiles([136]),
    ],
)
def test_what_is_no_drawing(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        wrong()


# Tiles


def test_tiles_are_told_apart() -> None:
    assert len({draw.tiles([4 * kind]) for kind in range(34)}) == 34
    assert texts(draw.tiles("1m9m")) == ["一", "萬", "九", "萬"]
    assert texts(draw.tiles("123467z")) == list("東南西北發中")
    assert texts(draw.tiles("5z")) == []


@pytest.mark.parametrize("number", range(2, 10))
def test_dots_and_sticks_are_counted(number: int) -> None:
    circles = list(parsed(draw.tiles(f"{number}p")).iter(f"{SVG}circle"))
    centres = {(circle.attrib["cx"], circle.attrib["cy"]) for circle in circles}
    assert len(centres) == number
    rects = list(parsed(draw.tiles(f"{number}s")).iter(f"{SVG}rect"))
    assert len(rects) == 2 + number  # the tile itself is two
    for x, y in centres:
        assert 4 < float(x) < draw.TILE_WIDE - 4 and 4 < float(y) < draw.TILE_HIGH - 8


def test_tiles_in_every_form() -> None:
    assert draw.tiles(qipai.tiles.parse("55p7z")) == draw.tiles("55p7z")
    counts = bytearray(34)
    counts[13], counts[33] = 2, 1
    assert draw.tiles(bytes(counts)) == draw.tiles("55p7z")
    assert draw.tiles(Meld("777z")) == draw.tiles("777z").replace("7z 7z 7z", "777z")


def test_the_wild_kind_is_marked() -> None:
    plain, marked = draw.tiles("15z"), draw.tiles("15z", wild=31)
    one, five = (group[1].attrib["fill"] for group in pictures(marked)[0])
    assert plain != marked and one == draw.PAPER != five


def test_a_concealed_kong_has_two_tiles_down() -> None:
    assert texts(draw.tiles(Meld("(7777z)"))) == ["中"] * 2
    assert texts(draw.tiles(Meld("7777z"))) == ["中"] * 4


def test_a_win_is_drawn_as_it_is_read() -> None:
    """AM-42: the 混 as what it stands for, in sets; AM-33, AM-35 are its 番."""
    win = mahjong.evaluate("123m 456p 789s 777z 25z", wild="5z")
    assert win is not None
    assert labels(draw.tiles(win))[0].split() == (
        "1m 2m 3m 4p 5p 6p 7s 8s 9s 7z 7z 7z 2z 2z".split()
    )
    assert words(draw.each([win])).endswith("2 番: 站立, 大哥大")


def test_each_has_its_words() -> None:
    bombs = shuangkou.bombs("3333444R")
    drawing = draw.each(bombs)
    assert labels(drawing) == [" ".join(play.cards) for play in bombs]
    assert words(drawing).count("bomb, 4 stars") == sum(play.stars == 4 for play in bombs) > 0
    game = qipai.new("shuangkou", seed=7)
    game.apply("33")
    assert words(draw.each(game.events()[-1:])).endswith(f"seat {game.events()[-1].seat} play")
    assert words(draw.each(game.legal_actions()[:1])) == "pass"
    assert words(draw.each([Meld("123m"), "33"])).split()[-3:] == ["3", "3", "33"]
    assert words(draw.each([Meld("123m")])).endswith("123m")


# Views


@pytest.mark.parametrize("name", NAMES)
def test_a_view_shows_what_the_viewer_may_know(name: str) -> None:
    """Own cards all, others' only as backs; the same for every deal that fits."""
    game = qipai.new(name, seed=5)
    rng = random.Random(5)
    for step in range(60):
        if game.is_over:
            break
        if step % 10 == 0:
            assert game.turn is not None
            view = game.view(game.turn)
            drawing = draw.view(view)
            assert drawing == view._repr_html_()
            assert drawing == draw.view(game.resample(game.turn, step).view(game.turn))
            hidden = [
                f"{size} hidden"
                for size, hand in zip(view["sizes"], view["hands"], strict=True)
                if hand is None and size
            ]
            assert [label for label in labels(drawing) if "hidden" in label] == hidden
            assert f"{len(view.legal_actions)} legal:" in words(drawing)
            assert f"▶ seat {game.turn}" in words(drawing)
        game.apply(rng.choice(game.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_a_view_of_the_end_has_the_scores(name: str) -> None:
    game = qipai.new(name, seed=5)
    while not game.is_over:
        game.apply(game.auto())
    said = words(draw.view(game.view(None)))
    for seat, score in enumerate(game.scores()):
        assert re.search(rf"seat {seat} \d+ {re.escape(f'{score:+}' if score else '0')}\b", said)


def test_a_view_draws_the_trick() -> None:
    game = qipai.new("shuangkou", seed=7)
    game.apply("33")
    game.apply("pass")
    (event,) = (event for event in game.events("table") if event.kind == "play")
    drawing = draw.view(game.view("table"))
    assert labels(draw.cards(event))[0] in labels(drawing)
    said = words(drawing)
    assert said.startswith("shuangkou for a spectator: play") and "pass" in said


def test_hands_are_sorted_as_players_sort_them() -> None:
    """SK-2, FY-2: 3 is the lowest card of 双扣 and above 2 in 放羊; the order of GZ-4."""
    hand = qipai.cards.parse("S3 H2 H4 D4 DA B")
    assert qipai.cards.format(arranged("shuangkou", hand)) == "S3 D4 H4 DA H2 B"
    assert qipai.cards.format(arranged("fangyang", hand)) == "D4 H4 DA H2 S3 B"
    hand = qipai.cards.parse("R B S5 D5 S2 D2 SA S3 HA H3 DK D3 C4")
    view = {"trump": {"suit": "S", "level": 5}}
    in_order = "D3 DK C4 H3 HA S3 SA D2 S2 D5 S5 B R"
    assert qipai.cards.format(arranged("gunzi", hand, view)) == in_order


# Results


def test_a_result_is_a_table() -> None:
    game = qipai.new("shuangkou", seed=7)
    while not game.is_over:
        game.apply(game.auto())
    said = words(draw.result(game.result))
    for line in game.result:
        assert line.text in said and line.text_zh in said and line.clause in said
        assert line._repr_html_() == draw.result([line])
    score = " ".join(f"{amount:+}" if amount else "0" for amount in game.scores())
    assert said.endswith(f"score {score}")


def test_texts_are_no_markup() -> None:
    line = qipai.Line("<b>&", "<i>", "X-1", (1, -1))
    assert "<b>& <i> X-1" in words(draw.result([line]))
    batch = qipai.play_batch("fangyang", lambda view, actions: actions[0], 2, seed=1)
    assert "<lambda>" in words(batch._repr_html_())


def test_a_summary_has_means_intervals_and_ends() -> None:
    batch = qipai.play_batch("fangyang", ["greedy", "random"], 200, seed=1)
    drawing = batch._repr_html_()
    said = words(drawing)
    assert said.startswith("fangyang/anshan : 200 deals, 200 hands")
    for bot in range(2):
        low, high = batch.interval(bot)
        assert f"{batch.bots[bot]} {batch.mean(bot):+.3f} {low:+.3f} to {high:+.3f}" in said
    for name, count in batch.outcomes.items():
        assert (f"{name} {count} {100 * count / 200:.1f}%" in said) == (count > 0)
    single = qipai.play_batch("fangyang", "greedy", 1, seed=1)
    assert "to" not in words(single._repr_html_()).split()  # one deal has no interval


def test_plot() -> None:
    pytest.importorskip("matplotlib")
    batch = qipai.play_batch("fangyang", ["greedy", "random"], 200, seed=1)
    figure = batch.plot()
    figure.canvas.draw()
    left, right = figure.axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["greedy", "random"]
    (points,) = left.containers
    assert list(points[0].get_xdata()) == [batch.mean(0), batch.mean(1)]
    (segments,) = points[2]
    for bot, segment in enumerate(segments.get_segments()):
        assert (segment[0][0], segment[1][0]) == pytest.approx(batch.interval(bot))
    widths = [bar.get_width() for bar in right.patches]
    assert widths == [100 * count / 200 for count in batch.outcomes.values() if count]


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'qipai\[plot\]'"):
        qipai.play_batch("fangyang", "greedy", 2, seed=1).plot()


# Pictures of the documentation


@pytest.mark.skipif(not IMAGES.exists(), reason="no documentation beside the tests")
@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_drawn_as_now(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == PICTURES[name]()


if __name__ == "__main__":
    for picture, made in PICTURES.items():
        (IMAGES / picture).write_text(made(), encoding="utf-8")
