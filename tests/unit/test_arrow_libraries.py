"""Batches of every library that speaks the Arrow C data interface: what is made of them is always the same."""

import pytest
from helpers.arrow_batches import VALUES

from wei7core.arrow import functions as arrow

pa = pytest.importorskip("pyarrow")

BATCH = pa.record_batch({"data": pa.array(VALUES, pa.binary()), "key": range(len(VALUES))})


class ArrayAlone:
    """What has the one method that batches have."""

    def __arrow_c_array__(self, requested_schema=None):
        return BATCH.__arrow_c_array__(requested_schema)


class StreamAlone:
    """What has the one method that tables have."""

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.table(BATCH).__arrow_c_stream__(requested_schema)


def of_polars():
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"data": polars.Series(VALUES, dtype=polars.Binary), "key": range(len(VALUES))})


def of_pandas():
    pandas = pytest.importorskip("pandas", minversion="2.2")
    return pandas.DataFrame({"data": VALUES, "key": range(len(VALUES))})


def of_duckdb():
    duckdb = pytest.importorskip("duckdb")
    batch = BATCH
    relation = duckdb.connect().sql("select * from batch order by key")
    assert batch is BATCH  # which DuckDB finds by its name
    return relation


LIBRARIES = [ArrayAlone, StreamAlone, of_polars, of_pandas, of_duckdb]


@pytest.mark.parametrize("made_by", LIBRARIES, ids=lambda made_by: made_by.__name__)
def test_functions_take_batches_of_every_library(made_by):
    for work in (arrow.replay_batch, arrow.keys_batch, arrow.check_batch):
        assert work(made_by(), keep=["key"]).to_pylist() == work(BATCH, keep=["key"]).to_pylist()
    assert arrow.positions_batch(made_by()).equals(arrow.positions_batch(BATCH))


@pytest.mark.parametrize("library", ["polars", "pandas", "duckdb"])
def test_what_is_made_goes_into_every_library_and_comes_back(library):
    module = pytest.importorskip(library)
    positions = arrow.positions_batch(BATCH)
    if library == "polars":
        there = module.DataFrame(positions)
    elif library == "pandas":
        there = positions.to_pandas()
    else:
        there = module.connect().sql("select * from positions")
    children = arrow.expand_batch(there, color=2, rules="japanese")
    assert children.equals(arrow.expand_batch(positions, color=2, rules="japanese"))
    assert len(children) > 1_000


def test_slices_of_polars_are_read_where_they_are():
    frame = of_polars()
    for begin, end in ((0, 5), (3, 16), (7, 7)):
        found = arrow.replay_batch(frame[begin:end])
        assert found.equals(arrow.replay_batch(BATCH.slice(begin, end - begin)))
