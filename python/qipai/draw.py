"""Cards, tiles, positions and results as pictures, for notebooks and web pages.

Every function returns a string, SVG or HTML, that needs nothing from anywhere else; a notebook
shows it drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from html import escape
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, cast

from qipai._core.cards import tokens
from qipai._core.game import Action, Event
from qipai._core.melds import Meld, MeldForm
from qipai.batches import Summary
from qipai.cards import format as format_cards
from qipai.plain import integer, shown
from qipai.positions import TILE_GAMES, arranged, facts, lies_before
from qipai.result import Line
from qipai.tiles import format as format_tiles
from qipai.tiles import parse as parse_tiles
from qipai.view import View

if TYPE_CHECKING:
    from qipai._core.mahjong import Win


class Play(Protocol):
    """A play of a climbing game, such as :class:`qipai.shuangkou.Play`."""

    @property
    def cards(self) -> str:
        """Text of the cards."""
        ...


Cards: TypeAlias = "str | bytes | Iterable[int] | Play | Action | Event"
Tiles: TypeAlias = "str | bytes | Iterable[int] | Meld | Win"


class Svg(str):
    """An SVG picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return self


class Html(str):
    """A piece of HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return self


PAPER, EDGE, IVORY = "#fffdf8", "#8d8d92", "#d9c9a3"
RED, BLACK, BLUE, GREEN = "#c5162e", "#1d1d26", "#1c4f93", "#17703a"
SANS = 'font-family="Helvetica,Arial,sans-serif" font-weight="bold"'
HIGHEST = 10_000  # pixels
KAI = 'font-family="Noto Serif CJK SC,Songti SC,SimSun,serif" font-weight="bold"'


def _svg(body: Iterable[str], wide: float, high: float, height: int, label: str) -> Svg:
    """Return a picture of wide x high units, ``height`` pixels high."""
    height = integer("height", height)
    if not 1 <= height <= HIGHEST:
        raise ValueError(f"height must be 1 to {HIGHEST} pixels, not {shown(height)}")
    width = round(wide * height / high)
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" '
        f'width="{width}" height="{height}" viewBox="0 0 {wide:g} {high:g}" '
        f'style="max-width:100%;height:auto;vertical-align:middle">{"".join(body)}</svg>'
    )


def _text(x: float, y: float, size: float, colour: str, text: str, font: str = SANS) -> str:
    """Return text centred on x, its foot at y."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" '
        f'fill="{colour}" {font}>{escape(text)}</text>'
    )


def _box(x: float, y: float, wide: float, high: float, fill: str = PAPER, edge: str = EDGE) -> str:
    return (
        f'<rect x="{x + 0.5:g}" y="{y + 0.5:g}" width="{wide - 1:g}" height="{high - 1:g}" '
        f'rx="5" fill="{fill}" stroke="{edge}"/>'
    )


def _path(x: float, y: float, size: float, colour: str, path: str) -> str:
    """Return a path in a square of 100 drawn in a square of ``size``."""
    move = f"translate({x:g} {y:g}) scale({size / 100:g})"
    return f'<path transform="{move}" fill="{colour}" d="{path}"/>'


# Cards ------------------------------------------------------------------------------------------

CARD_WIDE, CARD_HIGH = 46, 66
MOST_CARDS = 162  # of three decks
STEP, BACK_STEP = 21, 7  # from card to card of a fan
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
DIAMOND = "M50 2C59 20 74 38 88 50 74 62 59 80 50 98 41 80 26 62 12 50 26 38 41 20 50 2Z"
CLUB = (
    "M50 3A21 21 0 0 1 66 38 21 21 0 1 1 54 68C55 82 59 92 67 98H33C41 92 45 82 46 68"
    "A21 21 0 1 1 34 38 21 21 0 0 1 50 3Z"
)
HEART = (
    "M50 94C22 70 4 50 4 30 4 14 16 5 28 5 38 5 46 11 50 22"
    " 54 11 62 5 72 5 84 5 96 14 96 30 96 50 78 70 50 94Z"
)
SPADE = (
    "M50 2C60 26 96 42 96 65 96 78 86 86 75 86 66 86 58 82 54 75 55 86 59 93 67 98H33"
    "C41 93 45 86 46 75 42 82 34 86 25 86 14 86 4 78 4 65 4 42 40 26 50 2Z"
)
STAR = "M50 3 62 37 98 38 69 60 79 95 50 75 21 95 31 60 2 38 38 37Z"
SUITS = ((DIAMOND, RED), (CLUB, BLACK), (HEART, RED), (SPADE, BLACK))
JOKERS = (("小", BLACK), ("大", RED))

Face = tuple[int, int]  # the place of the rank, 0 to 14, and the suit, -1 where it is not known


def cards(what: Cards, *, height: int = CARD_HIGH) -> Svg:
    """Draw cards as a fan, in the order given; ``height`` in pixels.

    ``what``: text, with suits or of ranks alone; ``bytes`` of 15 rank or 54 face counts; ids; a
    Play, an Action or an Event of any game (tiles where it has tiles). Cards that an Event hides
    are drawn as backs, an Action that moves none as its text. ``ValueError`` for what are no cards.
    """
    if isinstance(what, Event):
        if what.cards is None:
            return _hidden(what.engine.name, what.count, height)
        return _pieces(what.engine.name, what.cards, height)
    if isinstance(what, Action):
        text = _text(30, 40, 20, "currentColor", str(what))
        return _moved(what, height) or _svg([text], 60, CARD_HIGH, height, str(what))
    faces = _faces(what)
    label = " ".join(_face_text(face) for face in faces)
    last = len(faces) - 1
    body = (_card(STEP * place, face, place == last) for place, face in enumerate(faces))
    wide = CARD_WIDE + STEP * last if faces else 1
    return _svg(body, wide, CARD_HIGH, height, label)


def backs(count: int, *, height: int = CARD_HIGH) -> Svg:
    """Draw so many cards face down, close together; ``ValueError`` for more than there are."""
    count = integer("count", count)
    if not 0 <= count <= MOST_CARDS:
        raise ValueError(f"count must be 0 to {MOST_CARDS}, not {shown(count)}")
    body = (_back(BACK_STEP * place) for place in range(count))
    wide = CARD_WIDE + BACK_STEP * (count - 1) if count else 1
    return _svg(body, wide, CARD_HIGH, height, f"{count} hidden")


def _faces(what: str | bytes | Iterable[int] | Play) -> list[Face]:
    if isinstance(what, bytes):
        if len(what) not in (15, 54):
            raise ValueError(f"counts must be 15 or 54, not {len(what)}")
        faces = [(i, -1) if len(what) == 15 else _face(i) for i in range(len(what))]
        return [face for face, count in zip(faces, what, strict=True) for _ in range(count)]
    if isinstance(what, str):
        return [(rank, suit) for rank, suit, _ in tokens(what)]
    if isinstance(what, Iterable):
        ids = list(what)
        format_cards(ids)  # refuses what are no ids
        return [_face(card % 54) for card in ids]
    text: object = getattr(what, "cards", None)
    if not isinstance(text, str):
        raise TypeError(
            "cards must be text, bytes of counts, ids, a Play, an Action or an Event, "
            f"not {type(what).__name__}"
        )
    return [(rank, suit) for rank, suit, _ in tokens(text)]


def _face(face: int) -> Face:
    return (face // 4, face % 4) if face < 52 else (face - 39, -1)


def _face_text(face: Face) -> str:
    rank, suit = face
    return ("", "D", "C", "H", "S")[suit + 1] + (*RANKS, "B", "R")[rank]


def _card(x: float, face: Face, is_whole: bool) -> str:
    """Draw a card, whole or as much as the next one leaves of it."""
    rank, suit = face
    if rank > 12:
        word, colour = JOKERS[rank - 13]
        corner = _text(x + 11, 17, 13, colour, word, KAI) + _text(x + 11, 33, 13, colour, "王", KAI)
        middle = _path(x + 20, 35, 22, colour, STAR)
    elif suit < 0:
        corner = _corner(x, BLACK, RANKS[rank])
        middle = _text(x + 28, 55, 22, EDGE, RANKS[rank])
    else:
        path, colour = SUITS[suit]
        corner = _corner(x, colour, RANKS[rank]) + _path(x + 5, 22, 12, colour, path)
        middle = _path(x + 20, 36, 22, colour, path)
    return f"<g>{_box(x, 0, CARD_WIDE, CARD_HIGH)}{corner}{middle if is_whole else ''}</g>"


def _corner(x: float, colour: str, rank: str) -> str:
    spacing = ' letter-spacing="-1.5"' if len(rank) > 1 else ""
    return _text(x + 11, 18, 16, colour, rank, SANS + spacing)


def _back(x: float) -> str:
    inner = (
        f'<rect x="{x + 4:g}" y="4" width="{CARD_WIDE - 8}" height="{CARD_HIGH - 8}" rx="3" '
        f'fill="none" stroke="#ffffff" stroke-opacity="0.6"/>'
    )
    return _box(x, 0, CARD_WIDE, CARD_HIGH, "#3b5b8f", "#dfe6f2") + inner


# Tiles ------------------------------------------------------------------------------------------

TILE_WIDE, TILE_HIGH, THICK = 40, 56, 4
KINDS = 34
GAP = 10  # between sets
NUMERALS = "一二三四五六七八九"
HONOURS = (*((wind, BLACK) for wind in "東南西北"), ("", BLUE), ("發", GREEN), ("中", RED))
BAMBOO = 18  # the kind of 1 条, a bird
# How many dots or sticks in each row, and their colours.
DOTS = ((1, 1), (), (2, 2), (2, 1, 2), (2, 2, 2), (), (2, 2, 2, 2), (3, 3, 3))
DOT_COLOURS = ("BG", "BRG", "BGGB", "BGRGB", "GGRRRR", "GGGRRRR", "BBBBBBBB", "BBBRRRGGG")
STICKS = ((1, 1), (1, 2), (2, 2), (2, 1, 2), (3, 3), (1, 3, 3), (4, 4), (3, 3, 3))
STICK_COLOURS = ("GG", "GGG", "GGGG", "GGRGG", "GGGGGG", "RGGGGGG", "GGGGGGGG", "GRGGRGGRG")
COLOURS = {"B": BLUE, "G": GREEN, "R": RED}
BIRD = (
    "M30 24C38 8 60 8 65 25L82 31 66 37C66 48 62 56 54 62L57 80 68 94H55L46 82 38 94H25"
    "L38 80 36 64C24 70 13 82 7 96 3 72 10 50 30 42Z"
)


def tiles(what: Tiles, *, wild: int | None = None, height: int = TILE_HIGH) -> Svg:
    """Draw tiles side by side, in the order given; ``height`` in pixels.

    ``what``: text, ``bytes`` of 34 counts, ids, a Meld, or a Win: its concealed sets as they are
    read, with gaps between them. ``wild``: the kind that is 混, which is marked. ``ValueError`` for
    what are no tiles.
    """
    if wild is not None and not 0 <= integer("wild", wild) < KINDS:
        raise ValueError(f"wild must be a kind, 0 to {KINDS - 1}, not {shown(wild)}")
    if isinstance(what, Meld):
        return _meld(what, height)
    if isinstance(what, Iterable):
        return _groups([[tile // 4 for tile in parse_tiles(what)]], wild, height)
    if not _is_win(what):
        raise TypeError(
            f"tiles must be text, bytes of counts, ids, a Meld or a Win, not {type(what).__name__}"
        )
    return _groups([*what.sets, *([] if what.pair is None else [[what.pair] * 2])], wild, height)


def _groups(groups: Sequence[Sequence[int]], wild: int | None, height: int) -> Svg:
    """Draw groups of kinds."""
    body: list[str] = []
    x = 0.0
    for group in groups:
        for kind in group:
            body.append(_tile(x, kind, kind == wild))
            x += TILE_WIDE
        x += GAP
    label = " ".join(format_tiles([4 * kind]) for group in groups for kind in group)
    return _svg(body, max(1, x - GAP), TILE_HIGH, height, label)


def _meld(meld: Meld, height: int) -> Svg:
    """Draw a meld; of a concealed kong the outer tiles lie face down."""
    down = (0, 3) if meld.form is MeldForm.CONCEALED_KONG else ()
    body = [
        _blank(TILE_WIDE * place, "#3f8f5f") if place in down else _tile(TILE_WIDE * place, kind)
        for place, kind in enumerate(meld.kinds)
    ]
    return _svg(body, TILE_WIDE * len(body), TILE_HIGH, height, str(meld))


def _tile(x: float, kind: int, marked: bool = False) -> str:
    suit, number = divmod(kind, 9)
    middle, centre = x + TILE_WIDE / 2, (TILE_HIGH - THICK) / 2
    if suit == 0:
        face = _text(middle, 23, 20, BLACK, NUMERALS[number], KAI)
        face += _text(middle, 46, 20, RED, "萬", KAI)
    elif suit == 1:
        face = _wheel(middle, centre) if number == 0 else _dots(middle, centre, number)
    elif suit == 2:
        bird = _path(x + 5, 10, 31, GREEN, BIRD)
        face = bird if kind == BAMBOO else _sticks(middle, centre, number)
    else:
        word, colour = HONOURS[number]
        face = _text(middle, 36, 28, colour, word, KAI) if word else _frame(x)
    return f"<g>{_blank(x, '#ffedb0' if marked else PAPER)}{face}</g>"


def _blank(x: float, fill: str) -> str:
    side = _box(x, THICK, TILE_WIDE, TILE_HIGH - THICK, IVORY)
    return side + _box(x, 0, TILE_WIDE, TILE_HIGH - THICK, fill)


def _frame(x: float) -> str:
    return "".join(
        f'<rect x="{x + inset:g}" y="{inset + 2:g}" width="{TILE_WIDE - 2 * inset:g}" '
        f'height="{TILE_HIGH - THICK - 4 - 2 * inset:g}" fill="none" stroke="{BLUE}" '
        f'stroke-width="{thick:g}"/>'
        for inset, thick in ((8, 2), (11.5, 1))
    )


def _circles(x: float, y: float, *rings: tuple[float, str]) -> str:
    return "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>' for r, fill in rings)


def _wheel(x: float, y: float) -> str:
    return _circles(x, y, (15, GREEN), (12, PAPER), (10, RED), (6.5, PAPER), (4.5, GREEN))


def _places(rows: Sequence[int], across: float, down: float) -> list[tuple[float, float]]:
    """Return the places of so many in each row, ``across`` and ``down`` apart, round 0, 0."""
    return [
        ((i - (count - 1) / 2) * across, (row - (len(rows) - 1) / 2) * down)
        for row, count in enumerate(rows)
        for i in range(count)
    ]


def _dots(x: float, y: float, number: int) -> str:
    diagonal = [(-10.0, -6.0), (0.0, 0.0), (10.0, 6.0)]
    if number == 2:
        places = [(cx, 2.4 * cy) for cx, cy in diagonal]
    elif number == 6:
        places = [(cx, cy - 11) for cx, cy in diagonal]
        places += [(cx, cy + 11) for cx, cy in _places((2, 2), 15, 11)]
    else:
        rows = DOTS[number - 1]
        places = _places(rows, 15 if max(rows) < 3 else 12, 46 / (len(rows) + 0.5))
    size = 6.5 if number < 4 else 5.4 if number < 7 else 5
    drawn: list[str] = []
    for (cx, cy), colour in zip(places, DOT_COLOURS[number - 1], strict=True):
        fill = COLOURS[colour]
        drawn.append(
            _circles(x + cx, y + cy, (size, fill), (size * 0.6, PAPER), (size * 0.3, fill))
        )
    return "".join(drawn)


def _sticks(x: float, y: float, number: int) -> str:
    rows = STICKS[number - 1]
    high = 46 / len(rows) - 2
    drawn: list[str] = []
    places = _places(rows, 9 if max(rows) > 3 else 11, 46 / len(rows))
    for (cx, cy), colour in zip(places, STICK_COLOURS[number - 1], strict=True):
        left, top, fill = x + cx, y + cy - high / 2, COLOURS[colour]
        drawn.append(
            f'<rect x="{left - 2.5:g}" y="{top:g}" width="5" height="{high:g}" rx="2.5" '
            f'fill="{fill}"/><path d="M{left - 3.2:g} {y + cy:g}h6.4" stroke="{PAPER}"/>'
        )
    return "".join(drawn)


# Any piece --------------------------------------------------------------------------------------


def _pieces(game: str, ids: Iterable[int], height: int) -> Svg:
    """Draw ids of a game: of tiles they fill the same height."""
    return tiles(ids, height=height) if game in TILE_GAMES else cards(ids, height=height)


def _hidden(game: str, count: int, height: int) -> Svg:
    if game not in TILE_GAMES:
        return backs(count, height=height)
    body = (_blank(TILE_WIDE * place, "#3f8f5f") for place in range(count))
    return _svg(body, max(1, TILE_WIDE * count), TILE_HIGH, height, f"{count} hidden")


def _moved(action: Action, height: int) -> Svg | None:
    """Draw what an action moves, None where its text names none of it."""
    is_tiles = action.engine.name in TILE_GAMES
    what = action.cards or str(action).split()[-1].strip("+*")
    try:
        return tiles(what, height=height) if is_tiles else cards(what, height=height)
    except ValueError:
        return None


def each(things: Iterable[Cards | Meld | Win], *, height: int = 54) -> Html:
    """Draw plays, actions, events, melds or wins one beside the other, with words under each."""
    return _flow(_figure(_piece(thing, height), _words(thing)) for thing in things)


def _piece(thing: Cards | Meld | Win, height: int) -> Svg:
    if isinstance(thing, Meld) or _is_win(thing):
        return tiles(thing, height=height)
    return cards(cast("Cards", thing), height=height)


def _is_win(thing: object) -> TypeGuard[Win]:
    return hasattr(thing, "fans")


def _words(thing: object) -> str:
    if _is_win(thing):
        fans = (name if count == 1 else f"{name} x {count}" for name, _, count in thing.fans)
        return f"{thing.total} 番: {', '.join(fans)}"
    if isinstance(thing, Event):
        who = "" if thing.seat is None else f"seat {thing.seat} "
        return who + thing.kind
    if isinstance(thing, Action) and _moved(thing, 1) is None:
        return ""  # its text is what is drawn
    if isinstance(thing, str | Action | Meld):
        return str(thing)
    kind: IntEnum | None = getattr(thing, "kind", None)
    stars = getattr(thing, "stars", 0)
    if kind is None:
        return ""
    return kind.name.lower().replace("_", " ") + (f", {stars} stars" if stars else "")


# HTML -------------------------------------------------------------------------------------------

# Seen on light and on dark pages.
GAIN, LOSS, MARK = "#2c9955", "#dd4459", "#4a7fc9"
FRAME = (
    "font-family:system-ui,sans-serif;font-size:13px;line-height:1.5;text-align:left;max-width:64em"
)
FAINT = "opacity:0.65"
RULE = "1px solid rgba(128,128,128,0.35)"
FEW = 12  # legal actions that are listed
SCALE, BAR = 220, 14  # the size of the intervals and bars of a summary


def _flow(parts: Iterable[str]) -> Html:
    style = "display:flex;flex-wrap:wrap;gap:8px 14px;align-items:flex-end"
    return Html(f'<div style="{FRAME};{style}">{"".join(parts)}</div>')


def _figure(drawn: str, words: str) -> str:
    caption = f'<div style="{FAINT}">{escape(words)}</div>' if words else ""
    return f'<div style="text-align:center">{drawn}{caption}</div>'


def _table(rows: Iterable[str]) -> str:
    return f'<table style="border-collapse:collapse;{FRAME};margin:0">{"".join(rows)}</table>'


def _row(cells: Iterable[str], style: str = "") -> str:
    """Return a row of cells of HTML; all but the first are set to the right."""
    drawn = (
        f'<td style="text-align:{"right" if place else "left"};padding:2px 10px 2px 0;'
        f'border:0;{style}">{cell}</td>'
        for place, cell in enumerate(cells)
    )
    return f'<tr style="background:none">{"".join(drawn)}</tr>'


def _amount(amount: float, digits: int = 0) -> str:
    if not amount:
        return "0"
    colour = GAIN if amount > 0 else LOSS
    return f'<b style="color:{colour}">{amount:+,.{digits}f}</b>'


def view(seen: View, *, height: int = 54) -> Html:
    """Draw what somebody may know: hands, what lies on the table, the score at the end.

    Cards that the viewer does not see are drawn as backs.
    """
    _need("seen", seen, View)
    data = seen.as_dict()
    who = {None: "everybody", "table": "a spectator"}.get(data["seat"], f"seat {data['seat']}")
    turn = "" if data["turn"] is None else f", seat {data['turn']} to act"
    parts = [f"<div><b>{escape(seen.game)}</b> for {who}: {escape(data['phase'])}{turn}</div>"]
    parts += [_seat(data, seat, height) for seat in range(len(data["hands"]))]
    said = [f"{escape(name)} <b>{escape(value)}</b>" for name, value in facts(seen.game, data)]
    if said:
        parts.append(f'<div style="border-top:{RULE};padding-top:4px">{" · ".join(said)}</div>')
    trick = _trick(seen.history, height) if not data["is_over"] else []
    if trick:
        parts.append(_flow(trick))
    if seen.legal_actions:
        texts = [escape(str(action)) for action in seen.legal_actions[:FEW]]
        more = len(seen.legal_actions) - len(texts)
        parts.append(
            f'<div style="{FAINT}">{len(seen.legal_actions)} legal: {", ".join(texts)}'
            f"{f' and {more} more' if more else ''}</div>"
        )
    return Html(f'<div style="{FRAME}">{"".join(parts)}</div>')


def _need(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, not {type(value).__name__}")


def _seat(data: Mapping[str, Any], seat: int, height: int) -> str:
    game: str = data["game"]
    hand = data["hands"][seat]
    count: int = len(hand) if hand is not None else data["sizes"][seat]
    wild = data.get("wild")
    if hand is None:
        drawn = _hidden(game, count, height)
    elif game in TILE_GAMES:
        drawn = tiles(arranged(game, hand), wild=wild, height=height)
    else:
        drawn = cards(arranged(game, hand, data), height=height)
    score = "" if data["scores"] is None else f"<br/>{_amount(data['scores'][seat])}"
    marker = "▶ " if data["turn"] == seat else ""
    label = (
        f'<div style="flex:0 0 6em">{marker}seat {seat}<br/>'
        f'<span style="{FAINT}">{count}</span>{score}</div>'
    )
    before = "".join(
        _figure(_row_of(game, row, height * 2 // 3), name) for name, row in lies_before(data, seat)
    )
    return (
        f'<div style="display:flex;align-items:center;flex-wrap:wrap;gap:10px;padding:4px 0">'
        f"{label}{drawn if count else ''}{before}</div>"
    )


def _row_of(game: str, row: list[Any], height: int) -> str:
    """Draw ids, or texts, of which those of melds are drawn."""
    if isinstance(row[0], int):
        return _pieces(game, row, height)
    drawn: list[str] = []
    for text in row:
        try:
            drawn.append(tiles(Meld(text), height=height))
        except ValueError:
            drawn.append(escape(text))
    return " ".join(drawn)


def _trick(history: Sequence[Event], height: int) -> list[str]:
    """Return the plays of the trick that is on, drawn."""
    ends = ("lead", "trick")
    last = max((i for i, event in enumerate(history) if event.kind in ends), default=None)
    if last is None:
        return []
    return [
        _figure(cards(event, height=height), f"seat {event.seat}")
        if event.cards
        else _figure("", f"seat {event.seat} {event.kind}")
        for event in history[last + 1 :]
        if event.kind in ("play", "pass")
    ]


def result(lines: Iterable[Line]) -> Html:
    """Draw the lines of a result as a table, with their clauses and what each player gets."""
    listed = list(lines)
    for line in listed:
        _need("a line", line, Line)
    players = max((len(line.amounts) for line in listed if line.amounts), default=0)
    rows = [_row(["", "", "", *(f"seat {seat}" for seat in range(players))], FAINT)]
    totals = [0] * players
    for line in listed:
        amounts = line.amounts or ()
        if amounts:
            totals = [a + b for a, b in zip(totals, amounts, strict=True)]
        rows.append(
            _row(
                [
                    f"{escape(line.text)}<br/><span style='{FAINT}'>{escape(line.text_zh)}</span>",
                    f"<span style='{FAINT}'>{escape(line.clause)}</span>",
                    "" if line.count is None else str(line.count),
                    *map(_amount, amounts),
                    *([""] * (players - len(amounts))),
                ]
            )
        )
    if players and len(listed) > 1:
        rows.append(_row(["score", "", "", *map(_amount, totals)], f"border-top:{RULE}"))
    return Html(_table(rows))


def summary(batch: Summary) -> Html:
    """Draw what bots won, with 95% intervals on one scale, and how the hands ended."""
    _need("batch", batch, Summary)
    spans = [
        (batch.mean(bot), *(batch.interval(bot) if batch.n > 1 else (batch.mean(bot),) * 2))
        for bot in range(len(batch.bots))
    ]
    low = min(0.0, *(span[1] for span in spans))
    high = max(0.0, *(span[2] for span in spans))
    head = ["a hand and seat", "", "95%", ""]
    rows = [_row(head, FAINT)]
    for name, (mean, start, stop) in zip(batch.bots, spans, strict=True):
        interval = f"{start:+,.3f} to {stop:+,.3f}" if batch.n > 1 else ""
        drawn = _interval(mean, start, stop, low, high)
        rows.append(_row([escape(name), _amount(mean, 3), interval, drawn]))
    ends = [(name, count) for name, count in batch.outcomes.items() if count]
    most = max(count for _, count in ends)
    rows.append(_row(["ended", "hands", "", ""], f"{FAINT};border-top:{RULE}"))
    for name, count in ends:
        part = f"{100 * count / batch.hands:.1f}%"
        rows.append(_row([escape(name) or "-", f"{count:,}", part, _bar(count / most)]))
    title = f"<b>{escape(batch.game)}</b>: {batch.n:,} deals, {batch.hands:,} hands"
    return Html(f'<div style="{FRAME}"><div>{title}</div>{_table(rows)}</div>')


def _interval(mean: float, start: float, stop: float, low: float, high: float) -> Svg:
    def at(value: float) -> float:
        return 6 + (SCALE - 12) * (value - low) / ((high - low) or 1)

    body = (
        f'<path d="M{at(0):.1f} 0v{BAR}" stroke="currentColor" stroke-opacity="0.4"/>',
        f'<path d="M{at(start):.1f} {BAR / 2:g}H{at(stop):.1f}" stroke="{MARK}" '
        f'stroke-width="4" stroke-opacity="0.45"/>',
        f'<circle cx="{at(mean):.1f}" cy="{BAR / 2:g}" r="3.5" fill="{MARK}"/>',
    )
    return _svg(body, SCALE, BAR, BAR, f"{mean:+.3f}")


def _bar(part: float) -> Svg:
    body = f'<rect x="6" y="3" width="{(SCALE - 12) * part:.1f}" height="8" fill="{MARK}"/>'
    return _svg([body], SCALE, BAR, BAR, f"{part:.2f}")
