"""Damaged SGF never brings out anything but the package's own errors (tests/samples/sgf_mutations.py runs more of the
same)."""

import os

import pytest
from helpers.effort import first
from samples import sgf_mutations

COUNT = int(os.environ.get("WEI7CORE_MUTATIONS", "2000"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", first(1, range(4)))
def test_damaged_texts_never_escape(seed):
    for number, data in enumerate(sgf_mutations.mutations(COUNT // 4, seed)):
        sgf_mutations.read_in_every_way(data, thoroughly=number % 10 == 0)


def test_there_is_something_to_damage():
    assert len(sgf_mutations.seeds()) >= 5
