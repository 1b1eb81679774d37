"""Runs that are killed; `ci/kill` does the same many times more."""

import os

import pytest
from helpers.kills import INDEX_JOBS, Job, main

pytestmark = [pytest.mark.exhaustive, pytest.mark.skipif(os.name != "posix", reason="kills processes")]

ALL = ("replay", "in.jsonl", "-q", "-o", "out.jsonl", "--positions", "positions.npz")
JOBS = [
    Job(ALL, ("out.jsonl", "positions.npz"), True),
    Job(ALL, ("out.jsonl", "positions.npz"), False),
    Job(("convert", "in.jsonl", "there", "-q", "--to", "sgf"), ("there",), True),
    Job(("convert", "in.jsonl", "new", "-q", "--to", "sgf"), ("new",), False),
    Job(("check", "in.jsonl", "-q", "-o", "out.csv", "--quarantine", "aside"), ("out.csv", "aside"), False),
    Job(("check", "in.jsonl", "-q", "-o", "out.jsonl"), ("out.jsonl",), True),
    *INDEX_JOBS,
]


@pytest.mark.parametrize(
    "job", JOBS, ids=lambda job: f"{job.arguments[0]}-{job.outputs[0]}-{'resumed' if job.resume else 'anew'}"
)
def test_a_killed_run_leaves_no_part_for_a_whole_and_nothing_behind_the_next(job):
    assert main(2, [job]).total() >= 2
