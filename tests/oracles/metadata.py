"""Metadata of a game the slow way: from the document of `loads`, property by property, with nothing shared but parsers.

The opening key is the least game key of the first moves, as they are and with the colors exchanged.
"""

import re
from datetime import date

import wei7core
from wei7core.batch.summaries import game_facts
from wei7core.formats.sgf.text_values import simple_text
from wei7core.record.result import Ending
from wei7core.rules import NAMED

ENDINGS = {
    Ending.POINTS: "score",
    Ending.RESIGNATION: "resign",
    Ending.TIME: "time",
    Ending.FORFEIT: "forfeit",
    Ending.DRAW: "draw",
    Ending.VOID: "void",
}
FIRST = 12


def metadata_of(game):
    """The columns of metadata of a game, by name."""
    has_tree = game.record is None or len(game.record.trees) > 0
    info, properties = game.document.info, game.document.properties

    def text_of(name):
        return simple_text(properties[name][0]) if name in properties else None

    def players(color):
        people = dict(enumerate(info.participants))
        numbers = [player.participant for player in info.players if player.color == color]
        return [people[number] for number in numbers if number in people]

    texts = {}
    for name, color in (("black", 1), ("white", 2)):
        texts[name] = ", ".join(person.name for person in players(color) if person.name)
        texts[f"{name}_rank"] = next((person.rank for person in players(color) if person.rank), None)
    texts["black_team"], texts["white_team"] = text_of("BT"), text_of("WT")
    texts["event"], texts["round"], texts["place"] = text_of("EV"), text_of("RO"), info.place
    texts["overtime"], texts["source_program"] = text_of("OT"), text_of("AP")
    texts["date_raw"] = ((text_of("DT") or "").strip() and text_of("DT")) or info.time
    rules = None if info.rules is None else info.rules.type or info.rules.scoring
    texts["rules_raw"] = ((text_of("RU") or "").strip() and text_of("RU")) or rules
    texts["result_raw"] = text_of("RE")
    row = {name: text if text and text.strip() else None for name, text in texts.items()}
    if row["result_raw"] is None and info.result is not None and game.result is not None:
        row["result_raw"] = str(game.result)
    row["date"] = iso_date(row["date_raw"])
    row["rules"] = game.rules.name if game.rules is not None and game.rules.name in NAMED else None
    row["komi"] = None
    if info.rules is not None and info.rules.komi is not None:
        komi = float(info.rules.komi)
        is_zi = game.rules is not None and game.rules.name == "chinese" and komi % 0.5 == 0.25
        row["komi"] = komi * 2 if is_zi else komi
    elif info.rules is not None and game.document.version is not None and "komi" not in info.rules.extra:
        row["komi"] = 0.0  # clause 3.6 of wei7 2.2
    row["handicap"] = game.handicap if has_tree else None
    row["time_limit"] = time_limit(text_of("TM"), (properties.get("FF") or ("",))[0].strip() == "1")
    result = game.result
    row["winner"] = None if result is None else result.winner
    row["margin"] = None if result is None or result.margin is None else float(result.margin)
    if row["rules"] == "chinese" and row["margin"] is not None and row["margin"] % 0.5 == 0.25:
        row["margin"] *= 2
    row["ending"] = None if result is None else ENDINGS.get(result.ending, "unknown")
    row |= opening_of(game)
    return row


def opening_of(game):
    row = {"first_moves": None, "opening_key": None}
    try:
        *_, end = game.main_line()
    except (ValueError, wei7core.LimitError):
        return row
    board = end.board
    moves = board.moves()[:FIRST]
    if not moves:
        return row
    letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    names = []
    for _, point in moves:
        if point is None:
            names.append("pass")
            continue
        x, y = point
        column = letters[x % 25] if x < 25 else letters[x // 25 - 1] + letters[x % 25]
        names.append(f"{column}{board.height - y}")
    row["first_moves"] = " ".join(names)
    _, (width, height, cells, _, _, edits) = board.__reduce__()
    setup = [(cell, (place % width, place // width)) for place, cell in enumerate(cells) if cell]
    edits = [edit for edit in edits if edit[0] <= len(moves)]
    keys = [
        game_facts(
            width,
            height,
            [(change(color), point) for color, point in setup],
            [(change(color), point) for color, point in moves],
            edits=[(number, change(color), point) for number, color, point in edits],
        )["game_key"]
        for change in (int, lambda color: 3 - color if color else 0)
    ]
    row["opening_key"] = int(min(keys))
    return row


def iso_date(text):
    """Only dates that begin with a year, a month and a day of digits, or some of them."""
    match = re.match(r"\s*(\d{4})(?:[-./年](\d\d?))?(?:[-./](\d\d?))?(?=\D|$)", text or "", re.ASCII)
    if match is None:
        return None
    try:
        day = date(int(match[1]), int(match[2] or 1), int(match[3] or 1)).isoformat()
    except ValueError:
        return None
    return day if match[3] else day[:7] if match[2] else day[:4]


def time_limit(text, in_minutes):
    number, _, unit = (text or "").partition(" ")
    try:
        seconds = float(number) * {"": 60 if in_minutes else 1, "hour": 3600, "hours": 3600, "min": 60}[unit]
    except (KeyError, ValueError):
        return None
    return None if seconds < 0 else seconds
