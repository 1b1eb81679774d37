"""Live games whose process is killed again and again, and what must hold of the journal after each kill.

`cd tests; python -m helpers.journal_kills [N]`: N kills, by default 1,000. A process appends actions that follow
from their number alone, and reports each that `append` returned from. It is killed at a random moment; the next one
recovers the journal and goes on. Whatever the moments: all reported actions are in the journal, it holds no others than
those of the list in their order, and the record at the end is that of a game that nobody killed.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

import wei7core as w7

ACTIONS = 400
SIZE = 9


def action_of(number: int) -> w7.Move | w7.Message | w7.Takeback | w7.MarkAction:
    """The action of a number: moves on points that are free whatever happened before, and others between them."""
    rest = number % 5
    if rest == 3:
        return w7.Takeback(1)
    if rest == 4:
        return w7.Message(f"{number} \u00e9\u2028" * (1 + number % 40))
    if rest == 2:
        return w7.MarkAction((number % SIZE, number // SIZE % SIZE), "a")
    return w7.Move(1 + number % 2, None)


def go_on(path: Path, report: int) -> None:
    """Begin the game, or recover it, and append what it lacks; write a byte to `report` after each action."""
    live = w7.LiveGame.recover(path) if path.exists() else w7.LiveGame(SIZE, journal=path)
    os.write(report, b"s")
    for number in range(len(live), ACTIONS):
        live.append(action_of(number), actor=number % 2, time=number / 4)
        os.write(report, b"a")
    if not live.closed:
        live.close()


def start(path: Path) -> tuple[int, int]:
    """Start a process that continues the game; returns its number and the end of the pipe that it reports to."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            go_on(path, writing)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writing)
    return child, reading


def reported(reading: int, most: int) -> int:
    """Wait for `most` bytes, or for the end of the process; returns how many actions were reported."""
    actions = seen = 0
    while seen < most:
        data = os.read(reading, most - seen)
        if not data:
            break
        seen += len(data)
        actions += data.count(b"a")
    return actions


def check(path: Path, least: int) -> int:
    """What must hold of a journal after a kill; returns how many actions it has."""
    if not path.exists():
        assert least == 0, "the journal is not there, and an action was reported"
        return 0
    before = path.read_bytes()
    live = w7.LiveGame.recover(path)
    count = len(live)
    assert least <= count <= ACTIONS, f"{least} actions were reported, and the journal has {count}"
    for number, event in enumerate(live.events):
        assert event == w7.Event(number, action_of(number), number % 2, number / 4)
    after = path.read_bytes()
    assert before.startswith(after) and b"\n" not in before[len(after) :], "more was cut off than an unfinished line"
    return count


def one_game(path: Path, choose: random.Random, kills: int) -> int:
    """Kill the processes of one game until it is finished, `kills` times at most; returns how often."""
    done = count = 0
    while done < kills and count < ACTIONS:
        child, reading = start(path)
        try:
            found = reported(reading, choose.choice((0, 1, 2, choose.randrange(1, 30))))
            until = time.perf_counter() + choose.choice((0.0, choose.uniform(0, 4e-4)))
            while time.perf_counter() < until:
                pass
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            found += reported(reading, 1 << 20)
        finally:
            os.close(reading)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the process failed by itself"
        done += os.WIFSIGNALED(status)
        count = check(path, count + found)
    child, reading = start(path)
    reported(reading, 1 << 20)
    os.close(reading)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return done


def main(wanted: int, seed: int = 1) -> int:
    """Play games until so many processes were killed; returns how many."""
    choose = random.Random(seed)
    done = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open(os.devnull, "wb") as nothing:
            go_on(folder / "whole", nothing.fileno())
        whole = (folder / "whole").read_bytes()
        record = w7.dumps(w7.LiveGame.recover(folder / "whole").to_game())
        while done < wanted:
            path = folder / "journal"
            done += one_game(path, choose, wanted - done)
            assert path.read_bytes() == whole
            assert w7.dumps(w7.LiveGame.recover(path).to_game()) == record
            path.unlink()
            assert sorted(entry.name for entry in folder.iterdir()) == ["whole"], "a killed process left files"
    return done


if __name__ == "__main__":
    print(f"{main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)} kills")
