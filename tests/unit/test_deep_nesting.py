"""Very many branches, each inside the one before: bounded memory and no stack, from bytes to boards."""

import os
import subprocess
import sys

import pytest

resource = pytest.importorskip("resource", reason="limits of memory are set and measured with it")

TEXT_BYTES = 15  # of one branch
# The bounds for memory of a branch in addition to the text: columns and replay, objects to edit.
COLUMNS_BYTES = 200
OBJECTS_BYTES = 800

READ = """
import resource, sys
import wei7core

depth = int(sys.argv[1])
wei7core.replay(b'{"format":"wei7","version":"3.0","tree":{}}')  # modules are loaded when they are used
list(wei7core.loads(b'{"format":"wei7","version":"3.0","tree":{}}').walk())
text = b'{"format":"wei7","version":"3.0","tree":' + b'{"branches":[' * depth + b"{}" + b"]}" * depth + b"}"
pages = int(open("/proc/self/statm").read().split()[0]) if sys.platform == "linux" else 0
limit = pages * resource.getpagesize() + int(sys.argv[2]) * 1_000_000
if pages:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""
MEASURE = """
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(peak * (1 if sys.platform == "darwin" else 1024) // 1_000_000)
"""


def small_stack():
    """Before Python starts: it reads the size of its stack then, and newer ones recurse until that is used up."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def megabytes(work, depth, bound):
    """The most memory that `work` needed, in a process that cannot have more than `bound` (where that can be set)."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-c", READ + work + MEASURE, str(depth), str(bound + TEXT_BYTES * depth // 1_000_000)]
    done = subprocess.run(
        command,
        capture_output=True,
        check=False,
        env=environment,
        timeout=300,
        preexec_fn=small_stack,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return int(done.stdout)


@pytest.mark.exhaustive
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps freed memory back")
@pytest.mark.parametrize(
    ("work", "depth", "bytes_each"),
    [
        (
            "game = wei7core.loads(text)\nassert not game.problems and len(game.record.trees) == depth + 1",
            1_000_000,
            COLUMNS_BYTES,
        ),
        (
            "(row,) = wei7core.replay(text)\nassert (row.error, row.problems, row.moves) == (None, 0, 0)",
            1_000_000,
            COLUMNS_BYTES,
        ),
        (
            "nodes = wei7core.loads(text).walk()\nassert sum(1 for node in nodes) == depth + 1",
            300_000,
            OBJECTS_BYTES,
        ),
    ],
    ids=["loads", "replay", "walk"],
)
def test_deeply_nested_branches(work, depth, bytes_each):
    bound = bytes_each * depth // 1_000_000
    assert megabytes(work, depth, bound) <= bound
