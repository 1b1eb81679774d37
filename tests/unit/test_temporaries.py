"""Files and folders that are being written: what dead runs left is cleared away, what living ones write stays."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import wei7core as w7
from wei7core._util import atomic_write as temporaries
from wei7core._util import files
from wei7core._util.atomic_write import InterruptsLater, new_file, new_folder
from wei7core._util.files import write_whole
from wei7core.checking import quarantine

needs_locks = pytest.mark.skipif(os.name != "posix", reason="locks end with their process")


def parts(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith(".wei7core-"))


def make(kind, folder):
    target = str(folder / "out.csv")
    return new_file(target) if kind == "file" else new_folder(target, str(folder))


@needs_locks
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_places_of_living_runs_are_taken_and_those_of_dead_ones_free(tmp_path, kind):
    first, first_lock = make(kind, tmp_path)
    second, second_lock = make(kind, tmp_path)
    assert first != second
    if kind == "folder":
        (tmp_path / first / "inside").write_text("x")
    os.close(first_lock)  # as when the process ends
    third, third_lock = make(kind, tmp_path)
    assert third == first
    assert parts(tmp_path) == sorted(map(os.path.basename, (first, second)))
    assert os.path.getsize(third) == 0 or kind == "folder"
    assert kind == "file" or os.listdir(third) == []
    os.close(second_lock)
    os.close(third_lock)


@needs_locks
def test_a_killed_run_is_cleared_away_by_the_next_one_to_its_target_alone(tmp_path):
    code = (
        "import os, signal, sys\n"
        "from wei7core._util.files import write_whole\n"
        "with write_whole(sys.argv[1]) as file:\n"
        "    file.write('half'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    for name in ("a.csv", "b.csv"):
        subprocess.run([sys.executable, "-c", code, str(tmp_path / name)], env=environment, check=False)
    assert len(parts(tmp_path)) == 2
    with write_whole(tmp_path / "a.csv") as file:
        file.write("whole")
    assert (tmp_path / "a.csv").read_text() == "whole"
    assert len(parts(tmp_path)) == 1
    with write_whole(tmp_path / "b.csv") as file:
        file.write("whole")
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "b.csv"]


def test_two_runs_to_one_target_leave_the_result_of_the_last(tmp_path):
    target = tmp_path / "out"
    with write_whole(target) as outer:
        outer.write("outer")
        with write_whole(target) as inner:
            inner.write("inner")
        assert target.read_text() == "inner"
    assert target.read_text() == "outer"
    assert os.listdir(tmp_path) == ["out"]


@needs_locks
def test_links_and_what_may_not_be_removed_stay(tmp_path, monkeypatch):
    path, lock = make("file", tmp_path)
    os.close(lock)
    os.unlink(path)
    precious = tmp_path / "precious"
    precious.write_text("x")
    os.symlink(precious, path)
    other, lock = make("file", tmp_path)
    os.close(lock)
    assert other != path
    assert precious.read_text() == "x"
    os.unlink(path)
    os.unlink(other)
    left, lock = make("folder", tmp_path)
    os.close(lock)
    monkeypatch.setattr(temporaries, "_remove", lambda _: (_ for _ in ()).throw(PermissionError(13, "no")))
    other, lock = make("folder", tmp_path)
    os.close(lock)
    assert other != left


@needs_locks
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_another_run_clears_away_too_early_is_made_anew(tmp_path, monkeypatch, kind):
    """Between the making of a file and its lock, another run takes it for a leftover."""
    lock_it = temporaries._lock
    taken = []

    def lock(descriptor, *, wait):
        if wait and not taken:
            taken.append(True)
            name = str(tmp_path / parts(tmp_path)[0])
            temporaries._remove(name)
        return lock_it(descriptor, wait=wait)

    monkeypatch.setattr(temporaries, "_lock", lock)
    path, descriptor = make(kind, tmp_path)
    assert taken and os.path.exists(path)
    os.close(descriptor)


@needs_locks
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_where_there_are_no_locks_nothing_is_taken_for_dead(tmp_path, monkeypatch, kind):
    import fcntl

    def none(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", none)
    first, lock = make(kind, tmp_path)
    os.close(lock)
    second, lock = make(kind, tmp_path)
    os.close(lock)
    assert len({first, second}) == 2 and len(parts(tmp_path)) == 2


def test_a_folder_that_is_not_there_is_named_as_it_was_given(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, write_whole(tmp_path / "none" / "out"):
        pass
    assert caught.value.filename == str(tmp_path / "none" / "out")


def interrupt(*_arguments, **_options):
    raise KeyboardInterrupt


@needs_locks
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_who_is_interrupted_while_it_begins_leaves_nothing(tmp_path, kind, monkeypatch):
    monkeypatch.setattr(temporaries, "_lock", interrupt)
    with pytest.raises(KeyboardInterrupt):
        make(kind, tmp_path)
    assert parts(tmp_path) == []


def test_a_quarantine_that_is_interrupted_while_it_begins_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(quarantine, "TableWriter", interrupt)
    with pytest.raises(KeyboardInterrupt):
        quarantine.Quarantine(tmp_path / "aside", [])
    assert parts(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupt_waits_for_the_end_of_the_block(heeds_interrupts):
    done = []
    with pytest.raises(KeyboardInterrupt), InterruptsLater():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        done.append(1)
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with InterruptsLater():
        pass
    with pytest.raises(ZeroDivisionError), InterruptsLater():
        done.append(1 // 0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupt_while_a_file_is_made_leaves_none(heeds_interrupts, tmp_path, monkeypatch):
    """Whichever it is of the steps between making it and the block that writes it."""
    made = files.new_file

    def interrupted(target):
        found = made(target)
        os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(files, "new_file", interrupted)
    with pytest.raises(KeyboardInterrupt), files.write_whole(tmp_path / "rows.csv") as file:
        file.write("never")
    assert os.listdir(tmp_path) == []


def test_other_threads_and_handlers_are_left_alone():
    found = []

    def work():
        with InterruptsLater():
            found.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with InterruptsLater():
            found.append(signal.getsignal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)
    assert found == [before, signal.SIG_IGN]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_permissions_of_a_target_are_kept(tmp_path, mode):
    target = tmp_path / "a.sgf"
    target.write_bytes(b"(;SZ[9];B[aa])")
    target.chmod(mode)
    (tmp_path / "link.sgf").symlink_to(target)
    for path in (target, tmp_path / "link.sgf"):
        w7.dump(w7.load(path), path)
        assert target.stat().st_mode & 0o777 == mode
    before = os.umask(0o027)
    try:
        w7.dump(w7.load(target), tmp_path / "new.sgf")
    finally:
        os.umask(before)
    assert (tmp_path / "new.sgf").stat().st_mode & 0o777 == 0o640


INTERRUPTED_IMPORT = """
import os, signal, sys
import wei7core as w7

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy.lib":  # half of NumPy is there
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

def act():
    return eval(sys.argv[1])

sys.meta_path.insert(0, Interrupting())
try:
    act()
except KeyboardInterrupt:
    act()
    print("again")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "act", ["w7.replay(b'(;SZ[9])').to_numpy()", "w7.to_planes(w7.Board(9), 1)", "w7.BoardBatch(1, 9)"]
)
def test_an_interrupt_does_not_break_the_import_of_numpy(act):
    """NumPy cannot be imported again in the process after an interrupt of its import, as by Ctrl-C in a notebook."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_IMPORT, act], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("again\n", 0), done.stderr
