"""Section 3: `info`, and the ambiguities about participants, players and dates."""

from .rows import PEOPLE, accept, info, message, move, record, reject, steps, warn

LONG = '"' + "x" * 129 + '"'
NAMES = ("domain", "id", "name")
PARTICIPANT = ("domain", "id", "name", "title", "rank")


def time(text: str) -> str:
    """A record that started at this time."""
    return info('"time": "' + text + '"')


def bad_time(ids: str, text: str):
    """A start time that is an error."""
    return reject(ids, "datetime-invalid", "$.info.time", info(f'"time": »"{text}"'), "3.10.2")


GOOD_TIMES = (
    "2013-03-06T10:10Z",
    "2013-03-06T10:10:00Z",
    "2011-09-05T18:35:19.5Z",
    "2011-09-05T18:35:19.58Z",
    "2011-09-05T18:35:19.5822023Z",
    "2011-09-05T18:35:19.123456789Z",
    "1999-12-31T23:59:59.999999999Z",
    "2012-02-29T00:00Z",
    "2000-02-29T00:00Z",
    "9999-12-31T23:59Z",
)
BAD_TIME_FORMS = (
    "",
    "2013",
    "2013-03-06",
    "2013-03-06T10Z",
    "2013-03-06T10:10",
    "2013-03-06T10:10:00",
    "2013-03-06 10:10Z",
    "2013-03-06T10:10:00.Z",
    "2013-3-06T10:10Z",
    "2013-03-6T10:10Z",
    "2013-03-06T9:10Z",
    "2013-03-06T10:10:0Z",
    "13-03-06T10:10Z",
    "+2013-03-06T10:10Z",
    "12013-03-06T10:10Z",
    "-013-03-06T10:10Z",
    "20130306T1010Z",
    "2013-W10-3T10:10Z",
    "2013-065T10:10Z",
    "2013-03-06T10:10ZZ",
    " 2013-03-06T10:10Z",
    "2013-03-06T10:10Z ",
    "2013-03-06T10.5Z",
    "2013-03-06T10:10.5Z",
    "2013/03/06T10:10Z",
    "２013-03-06T10:10Z",
    "2013-03-06T10:10:00.1 Z",
    "2013-03-06T10:10:+0Z",
    "2013-03-06T10:10:00.-1Z",
)
BAD_DATES = (
    "2013-02-29T00:00Z",
    "1900-02-29T00:00Z",
    "2100-02-29T00:00Z",
    "2013-00-10T00:00Z",
    "2013-13-10T00:00Z",
    "2013-01-00T00:00Z",
    "2013-01-32T00:00Z",
    "2013-04-31T00:00Z",
    "2013-06-31T00:00Z",
    "2013-09-31T00:00Z",
    "2013-11-31T00:00Z",
    "2012-02-30T00:00Z",
    "2013-01-01T25:00Z",
    "2013-01-01T00:60Z",
    "2013-01-01T00:00:61Z",
    "2013-01-01T99:99:99Z",
)

ROWS = [
    accept("3.10-1", info("")),
    accept(
        "3.10-1",
        info(
            '"domain": "d", "id": "1", "name": "n", "rules": {}, "time": "2013-03-06T10:10Z", "place": "p", '
            '"participants": [{}], "players": [{"participant": 0}], "result": {"winner": 1}'
        ),
    ),
    reject("3.10-1", "unknown-member", "$.info.event", info('»"event": "LG"'), "3.10"),
    reject("3.10-1", "type-mismatch", "$.info", record(info="»[]"), "3.10"),
    reject("3.10-1", "type-mismatch", "$.info", record(info='»"LG"'), "3.10"),
    reject("3.10-1", "type-mismatch", "$.info", record(info="»null"), "3.10"),
    accept(
        "3.10-2",
        steps(move(2, 3, 3), info='{"rules": {"komi": 7.5}, "result": {"winner": 1}}'),
        "no influence on the board",
    ),
    reject("3.10-2", "unknown-member", "$.info.handicap", info('»"handicap": 2'), "3.10", why="stones belong to pre"),
    # rules
    accept("3.10.1-1", info('"rules": {}')),
    accept("3.10.1-1", info('"rules": {"type": "Korean", "komi": 6.5, "scoring": "territory"}')),
    reject("3.10.1-1", "unknown-member", "$.info.rules.superko", info('"rules": {»"superko": true}'), "3.10.1"),
    reject("3.10.1-1", "type-mismatch", "$.info.rules", info('"rules": »"Chinese"'), "3.10.1"),
    reject("3.10.1-1", "type-mismatch", "$.info.rules", info('"rules": »[]'), "3.10.1"),
    accept("3.10.1-2", info('"rules": {"scoring": "area"}')),
    accept("3.10.1-2", info('"rules": {"scoring": "territory"}')),
    reject("3.10.1-2", "value-not-allowed", "$.info.rules.scoring", info('"rules": {"scoring": »"points"}'), "3.10.1"),
    reject("3.10.1-2", "value-not-allowed", "$.info.rules.scoring", info('"rules": {"scoring": »"areas"}'), "3.10.1"),
    reject("3.10.1-2", "type-mismatch", "$.info.rules.scoring", info('"rules": {"scoring": »1}'), "3.10.1"),
    accept("3.10.1-3", info('"rules": {"komi": 7.5}')),
    accept("3.10.1-3", info('"rules": {"komi": 6}')),
    reject("3.10.1-3", "number-not-half", "$.info.rules.komi", info('"rules": {"komi": »3.75}'), "3.10.1"),
    reject("3.10.1-3", "number-not-half", "$.info.rules.komi", info('"rules": {"komi": »7.55}'), "3.10.1"),
    reject("3.10.1-3", "number-out-of-range", "$.info.rules.komi", info('"rules": {"komi": »10.0}'), "3.10.1"),
    reject("3.10.1-3", "number-out-of-range", "$.info.rules.komi", info('"rules": {"komi": »-5}'), "3.10.1"),
    reject("3.10.1-3", "type-mismatch", "$.info.rules.komi", info('"rules": {"komi": »null}'), "3.10.1"),
    *(accept("3.10.1-4", info(f'"rules": {{"type": "{kind}"}}')) for kind in ("Chinese", "Japanese", "Korean")),
    reject("3.10.1-4", "value-not-allowed", "$.info.rules.type", info('"rules": {"type": »"AGA"}'), "3.10.1"),
    reject("3.10.1-4", "type-mismatch", "$.info.rules.type", info('"rules": {"type": »false}'), "3.10.1"),
    # time
    *(accept("3.10.2-1", time(text)) for text in GOOD_TIMES),
    accept("3.10.2-1", time("2013-03-06T10:10\\u005A"), "an escape is its character"),
    *(bad_time("3.10.2-1", text) for text in BAD_TIME_FORMS),
    reject("3.10.2-1", "type-mismatch", "$.info.time", info('"time": »1362564600'), "3.10.2"),
    reject("3.10.2-1", "type-mismatch", "$.info.time", info('"time": »null'), "3.10.2"),
    accept("A52", time("2016-02-29T23:59:59Z")),
    *(bad_time("A52", text) for text in BAD_DATES),
    warn("A53", "datetime-unusual", "$.info.time", info('"time": »"2008-12-31T23:59:60Z"'), "3.10.2"),
    warn(
        "A53",
        "datetime-unusual",
        "$.info.time",
        info('"time": »"2013-03-06T23:59:60.5Z"'),
        "3.10.2",
        why="no table is asked",
    ),
    accept("A53", time("2008-12-31T23:59:59Z")),
    *(bad_time("A53", text) for text in ("2008-12-31T22:59:60Z", "2008-12-31T23:58:60Z", "2008-12-31T00:00:60Z")),
    accept("A54", time("2013-03-06T00:00:00Z")),
    *(
        warn("A54", "datetime-unusual", "$.info.time", info(f'"time": »"{text}"'), "3.10.2")
        for text in ("2013-03-06T24:00Z", "2013-03-06T24:00:00Z", "2013-03-06T24:00:00.000000000Z")
    ),
    *(bad_time("A54", text) for text in ("2013-03-06T24:01Z", "2013-03-06T24:00:01Z", "2013-03-06T24:00:00.001Z")),
    *(bad_time("A54", text) for text in ("2013-03-06T24:00:60Z", "2013-03-06T24:59Z")),
    accept("A55", time("0000-01-01T00:00Z")),
    accept("A55", time("0000-02-29T00:00Z"), "year zero of the Gregorian calendar is a leap year"),
    bad_time("A55", "0000-02-30T00:00Z"),
    accept("A56", time("2013-03-06T10:10:00.000000000Z"), "nine digits"),
    *(
        bad_time("A56", text)
        for text in (
            "2013-03-06t10:10Z",
            "2013-03-06T10:10z",
            "2013-03-06T10:10:00,5Z",
            "2013-03-06T10:10+00:00",
            "2013-03-06T10:10:00+08:00",
            "2013-03-06T10:10:00-00:00",
            "2013-03-06T10:10:00.1234567890Z",
        )
    ),
    # strings
    accept("3.10.3-1", info('"place": "韩国江原道百潭寺"')),
    reject("3.10.3-1", "type-mismatch", "$.info.place", info('"place": »{}'), "3.10.3|3.4"),
    reject("3.10.3-1", "string-too-long", "$.info.place", info('"place": »' + LONG), "3.4|3.10.3"),
    accept("3.10.4-1", info('"participants": [{}, {"name": "A"}]')),
    accept("3.10.4-1", info('"participants": [{"domain": "d", "id": "1", "name": "n", "title": "t", "rank": "9p"}]')),
    reject(
        "3.10.4-1",
        "unknown-member",
        "$.info.participants[1].country",
        info('"participants": [{}, {»"country": "CN"}]'),
        "3.10.4",
    ),
    reject("3.10.4-1", "type-mismatch", "$.info.participants", info('"participants": »{}'), "3.10.4"),
    reject("3.10.4-1", "type-mismatch", "$.info.participants[0]", info('"participants": [»"A"]'), "3.10.4"),
    reject("3.10.4-1", "type-mismatch", "$.info.participants[0]", info('"participants": [»null]'), "3.10.4"),
    accept("3.10.5", info('"domain": "wei7", "id": "1", "participants": [{"domain": "qq", "id": "2", "name": "me"}]')),
    reject(
        "3.10.5", "type-mismatch", "$.info.id", info('"id": »3827112'), "3.10.6|3.4", why="an identifier is a string"
    ),
    *(accept("3.10.6-1", info(f'"{name}": "x"')) for name in NAMES),
    *(reject("3.10.6-1", "string-too-long", f"$.info.{name}", info(f'"{name}": »{LONG}'), "3.4") for name in NAMES),
    *(reject("3.10.6-1", "type-mismatch", f"$.info.{name}", info(f'"{name}": »[]'), "3.10.6|3.4") for name in NAMES),
    *(
        reject(
            "3.10.6-1",
            "string-too-long",
            f"$.info.participants[0].{name}",
            info(f'"participants": [{{"{name}": »{LONG}}}]'),
            "3.4",
        )
        for name in PARTICIPANT
    ),
    *(
        reject(
            "3.10.6-1",
            "type-mismatch",
            f"$.info.participants[0].{name}",
            info(f'"participants": [{{"{name}": »1}}]'),
            "3.10.6|3.4",
        )
        for name in PARTICIPANT
    ),
    # players
    accept("3.10.7-1", info(PEOPLE + ', "players": [{"participant": 0}, {"color": 2, "participant": 1}]')),
    reject("3.10.7-1", "missing-member", "$.info.players[0]", info(PEOPLE + ', "players": [»{}]'), "3.10.7"),
    reject("3.10.7-1", "missing-member", "$.info.players[0]", info(PEOPLE + ', "players": [»{"color": 1}]'), "3.10.7"),
    reject(
        "3.10.7-1",
        "unknown-member",
        "$.info.players[0].name",
        info(PEOPLE + ', "players": [{"participant": 0, »"name": "A"}]'),
        "3.10.7",
    ),
    reject("3.10.7-1", "type-mismatch", "$.info.players", info(PEOPLE + ', "players": »{"participant": 0}'), "3.10.7"),
    reject("3.10.7-1", "type-mismatch", "$.info.players[0]", info(PEOPLE + ', "players": [»0]'), "3.10.7"),
    accept("3.10.7-2", info(PEOPLE + ', "players": [{"participant": 1, "color": 2}, {"participant": 0, "color": 1}]')),
    accept("3.10.8-1", info('"result": {"winner": 1, "margin": 2.5}')),
    accept("3.10.8-1", info("")),
    reject("3.10.8-1", "type-mismatch", "$.info.result", info('"result": »null'), "3.10.8|3.8"),
    reject("3.10.8-1", "type-mismatch", "$.info.result", info('"result": »1'), "3.10.8|3.8"),
    accept("3.10.9", info('"rules": {"komi": 7.5}, "result": {"winner": 1, "margin": 0.5}'), "already in points"),
    reject(
        "3.10.9",
        "number-not-half",
        "$.info.rules.komi",
        info('"rules": {"komi": »3.75}'),
        "3.10.1",
        why="Chinese stones",
    ),
    # A49, A50
    accept("A49", steps(message(rest='"actor": 0'), info='{"participants": [{}]}')),
    reject(
        "A49", "participant-index", "$.info.players[0].participant", info('"players": [{"participant": »0}]'), "3.7"
    ),
    reject("A49", "participant-index", "$.tree.steps[0].actor", steps(message(rest='"actor": »0')), "3.7"),
    reject(
        "A49",
        "participant-index",
        "$.tree.steps[0].actor",
        steps(message(rest='"actor": »0'), info='{"participants": []}'),
        "3.7",
    ),
    accept(
        "A50",
        info(
            PEOPLE
            + ', "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 1}, '
            + '{"participant": 0, "color": 2}]'
        ),
    ),
    accept("A50", info(PEOPLE + ', "players": [{"participant": 0}, {"participant": 0, "color": 1}]')),
    warn(
        "A50",
        "player-duplicate",
        "$.info.players[1]*",
        info(PEOPLE + ', "players": [{"participant": 0}, »{"participant": 0}]'),
        "3.10.7",
    ),
    warn(
        "A50",
        "player-duplicate",
        "$.info.players[2]*",
        info(
            PEOPLE
            + ', "players": [{"participant": 0, "color": 1}, {"participant": 1}, »{"color": 1.0, "participant": 0.0}]'
        ),
        "3.10.7",
    ),
    accept("A51", info(PEOPLE + ', "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 1}]')),
]
