"""Small things that people see on the terminal."""

import io

import pytest

from wei7core.console import Progress, Tally, counted, plain


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    return now


def test_progress_waits_a_second_and_wipes_its_line(clock):
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
