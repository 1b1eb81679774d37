"""What objects say of themselves in one line, and tables in a notebook."""

import re
from html.parser import HTMLParser

import pytest

import wei7core as w7
from wei7core._util.words import counted, counts_text

GAME = b"(;GM[1]FF[4]SZ[9]PB[A]PW[B];B[dd];W[ee](;B[ff])(;B[gg]))"
EMPTY = b"(;GM[1]FF[4]SZ[9])"
OCCUPIED = (
    b'{"format":"wei7","version":"3.0","size":5,"tree":{"steps":['
    + b",".join([b'{"action":{"type":"move","value":{"color":1,"point":{"x":0,"y":0}}}}'] * 2)
    + b"]}}"
)


def test_a_count_with_its_noun():
    assert [counted(number, "move") for number in (0, 1, 2000)] == ["0 moves", "1 move", "2,000 moves"]


def test_counts_in_words():
    assert counts_text({}) == ""
    assert counts_text({"b": 1, "a": 1, "c": 1200}) == "c 1,200, a 1, b 1"
    assert counts_text(dict.fromkeys("fedcba", 1)) == "a 1, b 1, c 1, d 1, 2 more"


def test_results_show_what_became_of_the_records():
    results = w7.replay([GAME, OCCUPIED, b"nonsense", EMPTY], positions=True)
    assert repr(results) == (
        "<Results of 4 records: 2 replayed, 4 moves, 2 errors (format-unknown 1, move-occupied 1), "
        f"{results.problems.total()} problems, {len(results.positions)} positions>"
    )
    assert repr(w7.replay([EMPTY])) == "<Results of 1 record: 1 replayed, 0 moves, 0 problems>"
    assert repr(results.positions) == "<Table of 5 rows: source, record, branch, step, move_number, color, ..>"


def test_one_game_and_one_event(tmp_path):
    index = w7.Index.create(tmp_path / "index", GAME)
    assert repr(index) == f"<Index of 1 game in {index.folder!r}>"
    live = w7.LiveGame(9)
    assert repr(live) == "<LiveGame 9 x 9, 0 events>"
    live.append("D4")
    assert repr(live) == "<LiveGame 9 x 9, 1 event>"


def test_a_check_shows_how_far_it_is_and_what_it_found():
    found = w7.check([GAME, b"nonsense"])
    assert repr(found) == "<Check: 0 records checked so far, 0 with findings, no finding>"
    list(found)
    counts = ", ".join(f"{code} {count}" for code, count in sorted(found.shown.items()))
    assert repr(found).startswith("<Check: 2 records checked so far, 2 with findings, ")
    assert f"({counts})>" in repr(found)


def test_a_record_shows_how_large_it_is_and_what_is_wrong():
    assert repr(w7.loads(GAME).record) == "<Record sgf 9x9: 4 steps, 2 variations, no problem>"
    record = w7.loads(OCCUPIED, strict=False).record
    assert repr(record) == "<Record wei7 5x5: 2 steps, 0 variations, no problem>"
    damaged = w7.loads(b"(;GM[1]FF[4]SZ[9];B[dd];W[ee]", strict=False).record
    assert re.fullmatch(r"<Record sgf 9x9: 2 steps, 0 variations, 1 problem \([a-z-]+ 1\)>", repr(damaged))


def test_a_position_shows_its_stones():
    board = w7.Board(9)
    board.play(w7.BLACK, "D4")
    board.play(w7.WHITE, "E5")
    board.play(w7.BLACK, "C3")
    start = "<wei7core.Position 9 x 9, 2 black and 1 white stones, white to play, hash"
    assert repr(board.position(w7.WHITE)).startswith(start)


def test_a_cursor_shows_where_it_is():
    cursor = w7.loads(GAME).cursor()
    cursor.forward(2)
    assert repr(cursor) == f"<Cursor at {cursor.node!r}>"
    assert "W E5" in repr(cursor)


def test_an_attempt_shows_its_progress():
    attempt = w7.Attempt(w7.loads(b"(;SZ[9]AB[dd]AW[ee]PL[B];B[cc];W[ff];B[gg])"))
    assert repr(attempt).startswith("<Attempt: Black to solve, open, at <Node")
    attempt.play("A1")
    attempt.hint()
    assert repr(attempt).endswith(", 1 mistake, 1 hint>")
    attempt.give_up()
    assert ", given up, " in repr(attempt)


class _Cells(HTMLParser):
    """The rows of a table, as texts; refuses what is not closed, and scripts."""

    def __init__(self):
        super().__init__()
        self.rows, self.open, self.caption = [], [], ""

    def handle_starttag(self, tag, attributes):
        assert tag in {"table", "caption", "thead", "tbody", "tr", "th", "td"}
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"th", "td"}:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] == "caption":
            self.caption += data
        else:
            self.rows[-1][-1] += data


def cells_of(html):
    parser = _Cells()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def test_a_table_in_a_notebook():
    results = w7.replay([GAME, b"nonsense"])
    table = cells_of(results._repr_html_())
    assert table.caption == repr(results)
    assert table.rows[0] == ["", *[column.name for column in results.columns]]
    assert [row[0] for row in table.rows[1:]] == ["0", "1"]
    shown = dict(zip(table.rows[0], table.rows[1], strict=True))
    assert (shown["moves"], shown["id"], shown["hash"]) == ("3", "", f"{results[0].hash:016x}")


@pytest.mark.parametrize(("count", "rows"), [(0, 0), (20, 20), (21, 21), (1000, 21)])
def test_a_long_table_is_cut(count, rows):
    table = cells_of(w7.replay([EMPTY] * count)._repr_html_())
    assert len(table.rows) == 1 + rows
    if count > 20:
        assert table.rows[16] == [f"\u2026 {count - 20:,} rows \u2026"]
        assert [row[0] for row in table.rows[17:]] == [str(number) for number in range(count - 5, count)]


def test_texts_of_records_are_no_markup():
    name = '<script>alert("1")</script>&amp;' + "x" * 100
    record = b'{"format":"wei7","version":"3.0","size":5,"info":{"id":%s},"tree":{}}'
    results = w7.replay([record % w7.formats.wei7.json_text.encode_text(name).encode()])
    assert results[0].id == name
    html = results._repr_html_()
    assert "<script" not in html
    shown = dict(zip(*cells_of(html).rows, strict=True))
    assert shown["id"] == name[:59] + "\u2026"


def test_half_of_a_surrogate_pair_in_a_table():
    results = w7.replay([b'{"format":"wei7","version":"3.0","size":5,"info":{"id":"a\\ud800"},"tree":{}}'])
    results._repr_html_().encode("utf-8")
