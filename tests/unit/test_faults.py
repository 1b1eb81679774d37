"""Disks that are full, files that cannot be read or change, readers that go away: one line, the right exit status."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from helpers.effort import first
from helpers.kills import leftovers, make_input

import wei7core
from wei7core.cli import main as cli

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals, limits and /dev/full")

SGF = b"(;GM[1]SZ[9];B[aa];W[bb])"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_input(tmp_path, 400)
    return tmp_path


def start(*arguments, **options):
    # Python 3.12.7 and earlier leaves bytecode cut off where a file cannot be written whole.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "wei7core", *arguments]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, **options)


def ends(process, status):
    """Wait for the end, and return the only line of standard error."""
    _, errors = process.communicate(timeout=600)
    assert (process.returncode, errors.count(b"\n")) == (status, 1), errors
    return errors.decode()


def small_disk():
    """Files of more than 4096 bytes cannot be written; the signal for it is ignored, as Python does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


JOBS = [
    (["replay", "in.jsonl", "-q", "-o", "out.csv"], "out.csv"),
    (["replay", "in.jsonl", "-q", "-o", "out.jsonl", "--jobs", "2"], "out.jsonl"),
    (["replay", "in.jsonl", "-q", "-o", "out.npz"], ""),
    (["replay", "in.jsonl", "-q", "-o", "out.csv", "--resume"], "out.csv"),
    (["validate", "in.jsonl", "-o", "out.jsonl"], "out.jsonl"),
    (["check", "in.jsonl", "-q", "-o", "out.jsonl"], "out.jsonl"),
    (["convert", "in.jsonl", "out.sgf"], "out.sgf"),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("arguments", "named"), JOBS, ids=lambda value: " ".join(value) if value else "any")
def test_a_full_disk_is_one_line_and_leaves_nothing(folder, arguments, named):
    line = next(text for text in Path("in.jsonl").read_text().splitlines(keepends=True) if '"r7"' in text)
    if arguments[0] in ("validate", "check"):
        Path("in.jsonl").write_text(line * 400)  # findings enough to fill the disk
    options = {"preexec_fn": small_disk, "stdout": subprocess.DEVNULL}
    process = start(*arguments, **options)
    _, errors = process.communicate(timeout=600)
    *_, last = errors.decode().splitlines()
    assert process.returncode == 2
    assert last.startswith("wei7core: ") and named in last and "File too large" in last
    assert "Traceback" not in errors.decode()
    assert [name for name in leftovers(folder) if ".unfinished" not in name] == []
    assert not any(name.startswith("out") and not name.endswith(".unfinished") for name in os.listdir())


@pytest.mark.exhaustive
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [["replay", "in.jsonl", "-q"], ["validate", "in.jsonl"]])
def test_standard_output_on_a_full_disk(folder, arguments):
    with open("/dev/full", "wb") as full:
        line = ends(start(*arguments, stdout=full), 2)
    assert line == "wei7core: output: No space left on device\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_has_its_row(folder, capsys):
    Path("secret.sgf").write_bytes(SGF)
    os.chmod("secret.sgf", 0)
    assert cli.main(["replay", ".", "--format", "jsonl"]) == 1
    assert '"error":"file-unreadable"' in capsys.readouterr().out.replace(" ", "")


def test_a_file_whose_disk_fails_has_its_row(folder, monkeypatch):
    """/proc/self/mem cannot be read at its start: for a reader an error of the disk."""
    if not os.path.exists("/proc/self/mem"):
        pytest.skip("there is no /proc")
    os.symlink("/proc/self/mem", "bad.sgf")
    Path("good.sgf").write_bytes(SGF)
    rows = list(wei7core.replay(["bad.sgf", "good.sgf"]))
    assert [row.source for row in rows] == ["bad.sgf", "good.sgf"]
    assert rows[0].error is not None and "Input/output error" in rows[0].error_message
    assert rows[1].error is None


@pytest.mark.exhaustive
def test_files_that_go_and_come_while_a_folder_is_read(folder):
    """Each file that was there all the time has its row; those that went have one that says so, or none."""
    os.mkdir("in")
    for number in range(400):
        Path("in", f"{number:03}.sgf").write_bytes(SGF)
    stop = threading.Event()

    def disturb():
        k = 0
        while not stop.is_set():
            Path("in", f"{k % 200 * 2 + 1:03}.sgf").unlink(missing_ok=True)
            Path("in", f"new{k}.sgf").write_bytes(SGF[: k % len(SGF)])
            k += 1

    other = threading.Thread(target=disturb)
    other.start()
    try:
        for _ in range(3):
            rows = {row.source: row for row in wei7core.replay("in", jobs=2)}
            for number in range(0, 400, 2):
                assert rows[os.path.join("in", f"{number:03}.sgf")].error is None
    finally:
        stop.set()
        other.join()


@pytest.mark.exhaustive
def test_a_large_file_that_is_cut_while_it_is_read(folder):
    text = Path("in.jsonl").read_bytes()
    Path("large.jsonl").write_bytes(text * (2 + (1 << 24) // len(text)))
    pieces = wei7core.replay_batches("large.jsonl", batch_size=100, jobs=2)
    assert len(next(pieces)) == 100
    os.truncate("large.jsonl", 1 << 20)
    assert 100 + sum(len(piece) for piece in pieces) < 400 * (2 + (1 << 24) // len(text))


@pytest.mark.parametrize(
    "arguments", first(1, [["replay", "in.jsonl", "--format", "csv"], ["convert", "in.jsonl", "-", "--to", "sgf"]])
)
def test_a_reader_that_goes_away(folder, arguments):
    # More than a pipe holds.
    Path("in.jsonl").write_bytes(Path("in.jsonl").read_bytes() * 8)
    process = start(*arguments, "-q", stdout=subprocess.PIPE)
    process.stdout.read(10)
    process.stdout.close()
    process.wait(600)
    assert process.returncode == 141
    assert b"Traceback" not in process.stderr.read()


@pytest.mark.exhaustive
@pytest.mark.parametrize("resume", [[], ["--resume"]])
@pytest.mark.parametrize(
    "command",
    [["replay", "in.jsonl", "-o", "out.csv", "--positions", "p.jsonl"], ["convert", "in.jsonl", "new", "--to", "sgf"]],
)
def test_an_interrupt(folder, command, resume):
    text = Path("in.jsonl").read_bytes()
    Path("in.jsonl").write_bytes(text * 300)  # it cannot end before it is interrupted
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells may have it ignored
    try:
        process = start(*command, "-q", *resume)
    finally:
        signal.signal(signal.SIGINT, before)
    while not leftovers(folder):
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130
    assert errors.decode().splitlines()[-1] == "wei7core: interrupted"
    assert [name for name in leftovers(folder) if ".unfinished" not in name] == []
    assert sorted(name for name in os.listdir() if "unfinished" not in name) == ["in.jsonl"]
