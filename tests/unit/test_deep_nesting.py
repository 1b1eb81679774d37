"""A million branches, each inside the one before: bounded memory and no stack, from bytes to boards."""

import os
import subprocess
import sys

import pytest

resource = pytest.importorskip("resource", reason="limits of memory are set and measured with it")

DEPTH = 1_000_000
TEXT_MEGABYTES = 15
# The bound for what is kept besides the text: 200 bytes a branch for columns and replay, 800 for objects to edit.
COLUMNS_MEGABYTES = 200
OBJECTS_MEGABYTES = 800

READ = """
import resource, sys
import wei7core

depth = int(sys.argv[1])
text = b'{"format":"wei7","version":"3.0","tree":' + b'{"branches":[' * depth + b"{}" + b"]}" * depth + b"}"
pages = int(open("/proc/self/statm").read().split()[0]) if sys.platform == "linux" else 0
limit = pages * resource.getpagesize() + int(sys.argv[2]) * 1_000_000
if pages:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, hard))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""
MEASURE = """
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(peak * (1 if sys.platform == "darwin" else 1024) // 1_000_000)
"""


def megabytes(work, bound):
    """The most memory that `work` needed, in a process that cannot have more than `bound` (where that can be set)."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-c", READ + work + MEASURE, str(DEPTH), str(bound + TEXT_MEGABYTES)]
    done = subprocess.run(command, capture_output=True, check=False, env=environment, timeout=300)
    assert (done.returncode, done.stderr) == (0, b"")
    return int(done.stdout)


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps freed memory back")
@pytest.mark.parametrize(
    ("work", "bound"),
    [
        (
            "game = wei7core.loads(text)\nassert not game.problems and len(game.record.trees) == depth + 1",
            COLUMNS_MEGABYTES,
        ),
        (
            "(row,) = wei7core.replay(text)\nassert (row.error, row.problems, row.moves) == (None, 0, 0)",
            COLUMNS_MEGABYTES,
        ),
        (
            "nodes = wei7core.loads(text).walk()\nassert sum(1 for node in nodes) == depth + 1",
            OBJECTS_MEGABYTES,
        ),
    ],
    ids=["loads", "replay", "walk"],
)
def test_a_million_nested_branches(work, bound):
    assert megabytes(work, bound) <= bound
