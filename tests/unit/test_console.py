"""Small things that people see on the terminal."""

import io
import re

import pytest

from wei7core._util.words import counted
from wei7core.cli.console import ResultPrinter, Tally, plain, replay_summary
from wei7core.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    return now


def test_progress_waits_a_second_and_wipes_its_line(clock, no_rich):
    tally, terminal = Tally(), Terminal()
    progress = Progress(tally, terminal)
    clock[0] += 0.9
    progress.step()
    assert terminal.getvalue() == ""
    clock[0] += 1.1
    tally.records = 5000
    progress.step()
    progress.step()
    assert terminal.getvalue() == "\r5,000 records, 2,500 a second\x1b[K"
    progress.close()
    assert terminal.getvalue().endswith("\r\x1b[K")


class Read:
    def __init__(self, bytes_read, bytes_in_all, files_read=0, files_in_all=None):
        self.bytes_read = bytes_read
        self.bytes_in_all = bytes_in_all
        self.files_read = files_read
        self.files_in_all = files_in_all


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        (Read(50_000_000, 125_000_000), ", 25.0 MB/s, 0:03 left"),
        (Read(1_000_000, 4_000_000_000), ", 0.5 MB/s, 2:13:18 left"),
        (Read(50_000_000, None), ", 25.0 MB/s"),
        (Read(50_000_000, 49_000_000), ", 25.0 MB/s"),  # the file grew
        (Read(0, 100), ""),
        (Read(50_000_000, None, 1000, 4000), ", 25.0 MB/s, 1,000 of 4,000 files, 0:06 left"),
        (Read(50_000_000, None, 0, 1), ", 25.0 MB/s, 0 of 1 file"),
        (Read(50_000_000, None, 4001, 4000), ", 25.0 MB/s, 4,001 of 4,000 files"),  # files came into the folder
        (Read(50_000_000, 125_000_000, 1, 2), ", 25.0 MB/s, 0:03 left"),
    ],
)
def test_progress_tells_the_rate_and_the_time_left(clock, no_rich, read, shown):
    tally, terminal = Tally(), Terminal()
    progress = Progress(tally, terminal, reading=read)
    clock[0] += 2
    tally.records = 5000
    progress.step()
    assert terminal.getvalue() == f"\r5,000 records, 2,500 a second{shown}\x1b[K"


def test_a_tally_counts_many_records_as_it_counts_one_by_one():
    tally = Tally()
    tally.count(10, 2000, {"limit-bytes": 2}, {("error", "limit-bytes"): 2, ("warning", "stray-text"): 3})
    tally.count(5, 1000, {}, {})
    assert (tally.records, tally.moves, tally.not_replayed) == (15, 3000, 2)
    assert (tally.errors, tally.warnings, tally.codes) == (2, 3, {"limit-bytes": 2})


def test_the_summary_of_a_replay():
    tally = Tally()
    problems = {("error", code): count for code, count in {"a-b": 1, "c-d": 2, "e": 1}.items()}
    tally.count(2000, 400_000, {"a-b": 1, "c-d": 2}, problems | {("warning", "f"): 4})
    assert replay_summary(tally, 0, 2.0) == [
        "2,000 records, 400,000 moves, 3 records with an error, 8 problems, 2.0 s, 200,000 moves a second",
        "not replayed to their end: 2 c-d, 1 a-b",
        "errors among the problems of all records: 2 c-d, 1 a-b, 1 e",
    ]
    tally = Tally()
    tally.count(1, 0, {}, {})
    assert replay_summary(tally, 2, 0.0) == [
        "1 record, 0 moves, 0 records with an error, 0 problems, 2 other files skipped, 0.0 s"
    ]


@pytest.mark.parametrize(("file", "wanted"), [(io.StringIO(), True), (Terminal(), False)])
def test_progress_is_silent_where_it_would_disturb(clock, file, wanted):
    progress = Progress(Tally(), file, wanted=wanted)
    clock[0] += 10
    progress.step()
    progress.close()
    assert file.getvalue() == ""


def test_numbers_and_nouns():
    assert [counted(n, "move") for n in (0, 1, 2000)] == ["0 moves", "1 move", "2,000 moves"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("围棋 7", "围棋 7"), ("a\x1b[1m\n", r"a\x1b[1m\n"), ("\udcff", r"\udcff"), ("\u2028", r"\u2028")],
)
def test_plain_text_is_safe_to_print(text, shown):
    assert plain(text) == shown


def shown_by_rich(monkeypatch, room):
    pytest.importorskip("rich")
    monkeypatch.setenv("COLUMNS", str(room))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def without_codes(text):
    return re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", text)


def test_progress_is_a_bar_where_rich_is_installed(clock, monkeypatch):
    terminal = shown_by_rich(monkeypatch, 100)
    tally = Tally()
    progress = Progress(tally, terminal, reading=Read(50_000_000, 100_000_000))
    progress.step()
    assert terminal.getvalue() == ""
    clock[0] += 2
    tally.records = 5000
    progress.step()
    line = without_codes(terminal.getvalue()).split("\r")[-1]
    assert re.fullmatch("\u2501+[\u2578\u257a ]?\u2501* 5,000 records, 2,500 a second, 25.0 MB/s, 0:02 left", line)
    progress.close()
    assert terminal.getvalue().endswith("\x1b[2K")


def test_a_bar_is_drawn_again_after_a_line_of_text(clock, monkeypatch):
    terminal = shown_by_rich(monkeypatch, 100)
    tally = Tally()
    progress = Progress(tally, terminal)
    for tally.records in (200, 400):
        clock[0] += 2
        progress.step()
        progress.close()
        terminal.write("a.sgf: lost\n")
    before, between, _ = without_codes(terminal.getvalue()).split("a.sgf: lost\n")
    assert "200 records, 100 a second" in before
    assert "400 records, 100 a second" in between


def test_standard_output_is_not_drawn_by_the_bar(clock, monkeypatch, capsys):
    terminal = shown_by_rich(monkeypatch, 100)
    progress = Progress(Tally(), terminal)
    clock[0] += 2
    progress.step()
    print("a line of the output")
    progress.close()
    assert capsys.readouterr().out == "a line of the output\n"
    assert "of the output" not in terminal.getvalue()


@pytest.mark.parametrize("room", [80, 200])
def test_tables_by_rich_have_the_cells_of_plain_ones(monkeypatch, room):
    terminal = shown_by_rich(monkeypatch, room)
    figures = ("19x19", "200", "0", "0", "1", "2", "abcd1234")
    error = "error: a point [aa] that is no point (line 3, column 4); 1 other problem"
    rows = [(f"a[b]/{k}.sgf#1", *figures, "ok") for k in range(450)]
    rows[7] = ("\u56f4\u68cb" * (20 if room < 200 else 8), *figures, error)
    printer = ResultPrinter(terminal, room)
    for row in rows:
        printer.add(row)
    printer.close()
    assert "\x1b[31m" in terminal.getvalue()
    lines = [line.rstrip() for line in without_codes(terminal.getvalue()).splitlines()]
    shown = ("record", "size", "moves", "passes", "takebacks", "B lost", "W lost", "hash", "result")
    narrow = [heading for heading in shown if heading not in ("passes", "takebacks")]
    assert re.split("  +", lines[0]) == (narrow if room < 200 else list(shown))
    assert [line.split()[0] for line in lines if ".sgf" in line] == [row[0] for row in rows if ".sgf" in row[0]]
    begin, end = (next(k for k, line in enumerate(lines) if some in line) for some in ("error:", "a[b]/8.sgf"))
    column = lines[begin].index("error:")
    cells = [lines[begin][column:], *(line.strip() for line in lines[begin + 1 : end])]
    assert " ".join(cells) == error
    assert all(len(line) + sum(char in "\u56f4\u68cb" for char in line) <= room for line in lines)


def test_narrow_terminals_have_plain_tables(monkeypatch):
    terminal = shown_by_rich(monkeypatch, 60)
    printer = ResultPrinter(terminal, 60)
    printer.add(("a", "19x19", "200", "0", "0", "1", "2", "abcd1234", "ok"))
    printer.close()
    assert "\x1b" not in terminal.getvalue()
