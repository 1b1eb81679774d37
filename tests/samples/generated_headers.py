"""Headers of games, usual and odd, as properties of SGF and as `info` of wei7."""

SGF_HEADERS = [
    {},
    {"PB": "柯洁", "PW": "朴廷桓", "BR": "9段", "WR": "九段", "DT": "2016-03-15", "RE": "B+R", "KM": "6.5", "EV": "杯"},
    {"PB": "Lee", "PW": "Gu", "BT": "Korea", "WT": "China", "RO": "3 (final)", "PC": "Seoul", "RU": "Japanese"},
    {"PB": " ", "PW": "", "DT": "1996,1998", "RE": "0", "KM": "0", "TM": "3600", "OT": "3x60 byo-yomi"},
    {"PB": "x", "DT": "2005-02-30", "RE": "?", "KM": "375", "RU": "Chinese", "AP": "CGoban:3", "HA": "2"},
    {"PB": "a\\]b\\\\c", "PW": "d\\:e", "EV": "one\ntwo", "RE": "W+12.50", "KM": "-5.5", "RU": "AGA", "HA": "x"},
    {"RE": "Void", "KM": "650", "RU": "koPOSITIONALscoreAREAtaxNONEsui1", "FF": "1", "TM": "30"},
    {"RE": "W+Time", "KM": "7", "RU": "NZ", "TM": "1 hour", "HA": "0", "PB": "井山裕太", "PW": "이세돌"},
    {"RE": "白中盘胜", "KM": "3.75", "RU": "中国", "DT": "2016年3月", "PB": "林海峰", "PW": "趙治勲"},
    {"RE": "W+", "RU": "no rules at all", "KM": "six", "DT": "unknown", "TM": "-1", "PB": "b" * 500},
    {"RE": "B+F", "RU": "Ing", "KM": "8", "DT": "2016-03-15,16", "PB": "\u3000", "PW": "é"},
]
"""Properties as written between the brackets."""

WEI7_INFOS = [
    None,
    {},
    {"id": "1", "time": "2009-02-23T00:30Z", "place": "韩国", "rules": {"type": "Korean", "komi": 6.5}},
    {
        "participants": [{"name": "古力", "rank": "9p"}, {"name": "李世石"}],
        "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 2}],
        "result": {"winner": 1},
    },
    {
        "participants": [{"name": "a"}, {"name": ""}, {"rank": "1d"}, {"name": "d", "rank": "2d"}, {"name": "watches"}],
        "players": [{"participant": k, "color": color} for k, color in ((3, 1), (0, 1), (1, 2), (2, 2))],
        "result": {"winner": None},
        "rules": {"scoring": "area", "type": "Chinese", "komi": 7.5},
    },
    {"participants": [{"name": 'x"y\\z\u00e9'}], "players": [{"participant": 0}], "rules": {"scoring": "territory"}},
    {"rules": {"type": "Chinese", "scoring": "territory", "komi": 3}, "result": {"winner": 2, "margin": 0.5}},
    {"rules": {"komi": 3.75, "type": "Chinese"}, "result": {"winner": 2, "margin": 12}, "place": "  "},
    {"rules": {"komi": "6.5"}, "result": {"winner": 3}, "place": 5, "time": "soon"},
    {"participants": [{"name": 5}, "x"], "players": [{"participant": 9, "color": 1}]},
    {"participants": [{"name": str(k)} for k in range(12)], "players": [{"participant": 11, "color": 1}]},
    {"result": {"winner": 1, "margin": 1e1}, "rules": {"komi": 5.5e0}, "unknown": [1, {"name": "no"}]},
    {"players": [{"participant": 0, "color": 1}]},
    "no object",
]
"""`info` of wei7 as objects; some are not as the format wants them."""


def sgf_game(header, encoding, moves=""):
    """Return a game of 19 x 19 that names its encoding."""
    properties = "".join(f"{name}[{value}]" for name, value in header.items())
    return f"(;GM[1]CA[{encoding}]{properties}{moves})"


def wei7_game(info):
    """Return a game of one move as an object."""
    game = {"format": "wei7", "version": "3.0", "size": 9}
    if info is not None:
        game["info"] = info
    move = {"action": {"type": "move", "value": {"color": 1, "point": {"x": 2, "y": 3}}}}
    return {**game, "tree": {"steps": [move]}}
