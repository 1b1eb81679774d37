"""Batches of Arrow in and out: the rows are those of `wei7core.replay`, whatever the column's type and library."""

import gzip
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from helpers.arrow_batches import NOT_UTF8, SGF, VALUES, expected, rows_of
from helpers.cases import in_groups
from samples.batch_texts import BAD, GOOD

import wei7core
from wei7core.arrow import functions as arrow
from wei7core.limits import Limits

pa = pytest.importorskip("pyarrow")


def batch_of(values, type=None, **others):
    return pa.record_batch({"data": pa.array(values, type or pa.binary()), **others})


TYPES = [pa.binary(), pa.large_binary(), pa.dictionary(pa.int8(), pa.binary()), pa.binary_view()]


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("board", [False, True])
def test_rows_are_those_of_replay(type, board):
    options = arrow.Options(board=board)
    made = arrow.replay_batch(batch_of(VALUES, type), options=options)
    assert made.schema == arrow.replay_schema(options)
    made.validate(full=True)
    assert rows_of(made) == expected(VALUES, board=board)


@in_groups("type", TYPES, ids=str)
@pytest.mark.parametrize(("begin", "end"), [(0, 0), (1, 4), (2, 3), (5, 16), (16, 16)])
def test_slices_are_read_where_they_are(type, begin, end):
    made = arrow.replay_batch(batch_of(VALUES, type).slice(begin, end - begin))
    assert rows_of(made) == expected(VALUES[begin:end])


@pytest.mark.parametrize("type", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_strings_are_records_too(type):
    values = [value for number, value in enumerate(VALUES) if number not in NOT_UTF8]
    texts = [value and value.decode() for value in values]
    made = arrow.replay_batch(batch_of(texts, type).slice(1))
    assert rows_of(made) == expected(values[1:])


@pytest.mark.parametrize("record", [GOOD, SGF])
def test_records_follow_any_white_space(record):
    spaces = [b"", b" ", b"\n" * 63, b" \t" * 32, b"\r\n" * 33, b" " * 5000, b" " * 65535, b" " * 65536]
    values = [space + record + end for space in spaces for end in (b"", b"\n")] + [b" " * 64, b" " * 65]
    assert rows_of(arrow.replay_batch(batch_of(values))) == expected(values)


def test_json_without_a_format_first_is_wei7_or_ogs():
    ogs = b'{"width":9,"height":9,"moves":[[1,1,0],[2,2,0]],"players":{}}'
    values = [ogs, b" \n" + ogs, b'{"size":9}', b'{"size":9,"format":"wei7"}', b"{} ", b'{"format"', b'{"f']
    made = arrow.replay_batch(batch_of(values))
    assert rows_of(made) == expected(values)
    assert made["format"][0].as_py() == "ogs"


def test_a_string_is_in_utf_8_whatever_it_names():
    data = "(;CA[GB2312]SZ[3]GN[围棋];B[aa])"
    assert arrow.replay_batch(batch_of([data], pa.string()))["id"].to_pylist() == ["围棋"]


def test_runs_fixed_sizes_nulls_and_dictionaries_with_nulls():
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3, 5], pa.int32()), pa.array([GOOD, None, SGF]))
    values = [GOOD, GOOD, None, SGF, SGF]
    assert rows_of(arrow.replay_batch(pa.record_batch({"data": runs}))) == expected(values)
    assert rows_of(arrow.replay_batch(pa.record_batch({"data": runs.slice(1, 3)}))) == expected(values[1:4])
    fixed = batch_of([b"(;SZ[3];B[aa])", None, b"(;SZ[3];B[bb])"], pa.binary(14)).slice(1)
    assert rows_of(arrow.replay_batch(fixed)) == expected([None, b"(;SZ[3];B[bb])"])
    assert rows_of(arrow.replay_batch(pa.record_batch({"data": pa.nulls(2)}))) == expected([None, None])
    words = pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 2]), pa.array([None, GOOD, SGF]))
    assert rows_of(arrow.replay_batch(pa.record_batch({"data": words}))) == expected([GOOD, None, None, SGF])
    empty = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.binary()))
    assert rows_of(arrow.replay_batch(pa.record_batch({"data": empty}))) == expected([None, None])


def test_views_of_many_buffers():
    parts = [pa.array([SGF, b"", GOOD], pa.binary_view()), pa.array([None, b"(;B[aa])", BAD, SGF], pa.binary_view())]
    joined = pa.concat_arrays(parts)
    assert rows_of(arrow.replay_batch(pa.record_batch({"data": joined}))) == expected(
        [SGF, b"", GOOD, None, b"(;B[aa])", BAD, SGF]
    )


def test_an_empty_batch_has_the_schema():
    for data in (
        batch_of([]),
        batch_of([]).schema.empty_table(),
        pa.table({"data": pa.chunked_array([], pa.binary())}),
    ):
        made = arrow.replay_batch(data, keep=())
        assert (len(made), made.schema) == (0, arrow.replay_schema())
    assert len(arrow.positions_batch(batch_of([]))) == 0
    assert len(arrow.expand_batch(arrow.positions_batch(batch_of([])))) == 0


def test_a_text_that_holds_several_records_is_one_row():
    both = SGF + b"\n" + SGF
    made = rows_of(arrow.replay_batch(batch_of([both, GOOD + b"\n" + GOOD])))
    assert (made[0].record, made[0].problems, made[0].error) == (0, 1, None)
    assert made[1].error == "json-syntax"
    packed = gzip.compress(both)
    assert rows_of(arrow.replay_batch(batch_of([packed])))[0].error == "more-games"


def test_options_reach_every_record():
    odd = GOOD.replace(b'"version"', b'"x": 1, "version"')
    strict = arrow.Options(strict=True)
    assert arrow.replay_batch(batch_of([odd]), options=strict)["error"].to_pylist() == ["unknown-member"]
    short = arrow.Options(limits=Limits(max_bytes=10))
    assert rows_of(arrow.replay_batch(batch_of([GOOD, SGF]), options=short)) == expected(
        [GOOD, SGF], limits=short.limits
    )
    gb = "(;SZ[3]GN[围棋];B[aa])".encode("gb18030")
    named = arrow.Options(encoding="gb18030")
    assert arrow.replay_batch(batch_of([gb]), options=named)["id"].to_pylist() == ["围棋"]


def test_options_are_pickled():
    options = arrow.Options(board=True, limits=Limits(max_moves=3))
    function, again = pickle.loads(pickle.dumps((arrow.replay_batch, options)))
    assert (function, again) == (arrow.replay_batch, options)


def test_columns_are_kept():
    batch = batch_of(
        [GOOD, SGF, GOOD],
        key=pa.array([7, None, 9]),
        source=pa.array(["a", "b", "a"]),
        record=pa.array([4, 0, 5], pa.int32()),
    )
    made = arrow.replay_batch(batch, keep=["record", "key", "source"])
    assert made.schema.names == ["key", *arrow.replay_schema().names]
    assert made.schema.field("record").type == pa.int64()
    assert made.select(["key", "source", "record", "format"]).to_pydict() == {
        "key": [7, None, 9],
        "source": ["a", "b", "a"],
        "record": [4, 0, 5],
        "format": ["wei7", "sgf", "wei7"],
    }
    with pytest.raises(ValueError, match="'moves' is a column of the result"):
        arrow.replay_batch(batch_of([GOOD], moves=pa.array([1])), keep=["moves"])
    with pytest.raises(ValueError, match="null"):
        arrow.replay_batch(batch_of([GOOD], source=pa.array([None], pa.string())), keep=["source"])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"column": "x"}, KeyError, "no column 'x' in a batch of data, number"),
        ({"column": "number"}, TypeError, "strings or bytes, got int64"),
        ({"keep": ["y"]}, KeyError, "no column 'y'"),
        ({"options": arrow.Options(revision=3)}, ValueError, "revision"),
        ({"options": arrow.Options(positions=True)}, ValueError, "positions_batch"),
    ],
)
def test_wrong_arguments_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        arrow.replay_batch(batch_of([GOOD], number=pa.array([1])), **wrong)


def test_what_is_no_batch_is_refused():
    with pytest.raises(TypeError, match="got bytes"):
        arrow.replay_batch(GOOD)


def array_of(type, count, *buffers):
    return pa.record_batch({"data": pa.Array.from_buffers(type, count, buffers)})


def ints(*values, dtype=np.int32):
    return pa.py_buffer(np.array(values, dtype))


def view(size, buffer=0, offset=0):
    return np.array([(size, b"(;SZ", buffer, offset)], [("a", "i4"), ("b", "V4"), ("c", "i4"), ("d", "i4")])


OUTSIDE = [
    array_of(pa.binary(), 2, None, ints(0, 99, 8), pa.py_buffer(b"12345678")),
    array_of(pa.binary(), 2, None, ints(0, -3, 8), pa.py_buffer(b"12345678")),
    array_of(pa.large_binary(), 2, None, ints(0, 1 << 40, 8, dtype=np.int64), pa.py_buffer(b"12345678")),
    array_of(pa.large_binary(), 2, None, ints(0, -(1 << 62), 8, dtype=np.int64), pa.py_buffer(b"12345678")),
]
if int(pa.__version__.split(".")[0]) >= 19:  # others make no array of views from its buffers
    OUTSIDE += [
        array_of(pa.binary_view(), 1, None, pa.py_buffer(view(20, 0, 0)), pa.py_buffer(b"12345678")),
        array_of(pa.binary_view(), 1, None, pa.py_buffer(view(20, 5, 0)), pa.py_buffer(b"12345678" * 3)),
        array_of(pa.binary_view(), 1, None, pa.py_buffer(view(20, -2, 0)), pa.py_buffer(b"12345678" * 3)),
        array_of(pa.binary_view(), 1, None, pa.py_buffer(view(20, 0, -4)), pa.py_buffer(b"12345678" * 3)),
        array_of(pa.binary_view(), 1, None, pa.py_buffer(view(-5)), pa.py_buffer(b"12345678" * 3)),
    ]


@in_groups("batch", OUTSIDE, map(str, range(len(OUTSIDE))))  # not their text: pyarrow reads where they point
def test_values_outside_of_their_buffers_are_refused(batch):
    with pytest.raises(ValueError, match=r"exceeds its buffer|names a buffer"):
        arrow.replay_batch(batch)


def test_offsets_beyond_four_gigabytes_are_those_of_the_memory():
    """A large_binary array that starts far into its buffer, which is a file with a hole."""
    import mmap
    import tempfile

    with tempfile.TemporaryFile() as file:
        start = (1 << 32) + 12_345
        file.seek(start)
        file.write(SGF + GOOD)
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
            ends = np.array([start, start + len(SGF), start + len(SGF) + len(GOOD)])
            batch = array_of(pa.large_binary(), 2, None, pa.py_buffer(ends), pa.py_buffer(memory))
            assert rows_of(arrow.replay_batch(batch)) == expected([SGF, GOOD])
            del batch


def test_values_are_not_copied():
    array = pa.array([SGF, GOOD], pa.binary())
    from wei7core.arrow.records import records_of
    from wei7core.arrow.values import values_of
    from wei7core.limits import DEFAULT_LIMITS

    address = array.buffers()[2].address
    blocks, order = records_of(values_of(array), DEFAULT_LIMITS)
    assert order.tolist() == [1, 0]
    assert {np.frombuffer(block.data, np.uint8).ctypes.data for block in blocks} == {address}


def test_the_lock_is_not_held():
    """Another thread runs while a batch is replayed: else it would be blocked throughout."""
    batch = batch_of([SGF] * 100_000)
    ticks = []
    thread = threading.Thread(target=lambda: (arrow.replay_batch(batch), ticks.append(None)))
    sys.setswitchinterval(5)  # the other thread gives way only where it lets go
    try:
        thread.start()
        while not ticks or ticks[-1] is not None:
            ticks.append(time.perf_counter())
            time.sleep(0)
    finally:
        sys.setswitchinterval(0.005)
        thread.join()
    assert len(ticks) > 10


def test_threads_share_a_batch():
    batch = batch_of(VALUES * 20)
    made = []
    threads = [threading.Thread(target=lambda: made.append(arrow.replay_batch(batch))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.equals(arrow.replay_batch(batch)) for one in made] == [True] * 4


def test_a_stream_is_read_as_it_is_asked_for():
    read = []

    def batches():
        for number in range(3):
            read.append(number)
            yield batch_of([GOOD, SGF])

    reader = arrow.replay_stream(pa.RecordBatchReader.from_batches(batch_of([GOOD]).schema, batches()))
    assert (reader.schema, read) == (arrow.replay_schema(), [])
    first = reader.read_next_batch()
    assert (first["record"].to_pylist(), len(read) < 3) == ([0, 1], True)
    assert reader.read_all()["record"].to_pylist() == [2, 3, 4, 5]


def test_positions_and_what_can_follow():
    made = arrow.positions_batch(batch_of(VALUES))
    assert made.schema == arrow.positions_schema()
    rows = []
    for number, value in enumerate(VALUES):
        if value is not None:
            rows += [
                (*row._replace(source="<bytes>", record=number)[:-1], row.board)
                for row in wei7core.replay([value], positions=True).positions
            ]
    found = [
        tuple(row[name] for name in ("source", "record", "branch", "step", "move_number", "color", "x", "y", "hash"))
        for row in made.to_pylist()
    ]
    assert found == [row[:-1] for row in rows]
    children = arrow.expand_batch(made, color=2, rules="japanese")
    assert children.schema == arrow.expand_schema()
    boards = wei7core.replay([value for value in VALUES if value is not None], positions=True).positions.data["board"]
    assert children.to_pylist() == wei7core.expand(boards, 2, rules="japanese").to_arrow().to_pylist()


def test_wrong_positions_are_refused():
    made = arrow.positions_batch(batch_of([GOOD]))
    with pytest.raises(ValueError, match="no packed board of 9 x 3"):
        arrow.expand_batch(made.set_column(made.schema.get_field_index("width"), "width", pa.array([9, 9])), color=1)
    with pytest.raises(ValueError, match="null"):
        arrow.expand_batch(
            made.set_column(made.schema.get_field_index("color"), "color", pa.array([1, None], pa.int8()))
        )
    with pytest.raises(ValueError, match="color"):
        arrow.expand_batch(made, color=3)

    def other(name, *values, type=None):
        return made.set_column(made.schema.get_field_index(name), name, pa.array(values, type))

    with pytest.raises(TypeError, match="column 'width' must be of integers, not of string"):
        arrow.expand_batch(other("width", "9", "9"), color=1)
    for wrong in (0, -1, 1 << 31):
        with pytest.raises(ValueError, match="a width and a height of at least 1"):
            arrow.expand_batch(other("width", wrong, wrong, type=pa.int64()), color=1)
    with pytest.raises(ValueError, match="column 'board' has null values"):
        arrow.expand_batch(other("board", made["board"][0].as_py(), None, type=pa.binary()), color=1)


def test_wrong_positions_of_several_batches_are_found():
    made = arrow.positions_batch(batch_of([GOOD]))
    wrong = made.set_column(made.schema.get_field_index("width"), "width", pa.array([3, 9], pa.int32()))
    wrong = wrong.cast(made.schema)  # no value is null there
    with pytest.raises(ValueError, match=r"^in the batch that starts with row 2: position 1 is no packed"):
        arrow.expand_batch(pa.Table.from_batches([made, wrong]), color=1)
    with pytest.raises(ValueError, match=r"^position 1 is no packed"):
        arrow.expand_batch(pa.Table.from_batches([wrong, made]), color=1)


def test_a_batch_of_the_c_interface_alone():
    class Exported:
        def __init__(self, batch):
            self.__arrow_c_array__ = batch.__arrow_c_array__

    made = batch_of(VALUES)
    assert arrow.replay_batch(Exported(made)).equals(arrow.replay_batch(made))


def test_a_dictionary_without_what_is_named():
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 2]), pa.array([GOOD, GOOD]), safe=False)
    with pytest.raises(ValueError, match="not in its dictionary"):
        arrow.replay_batch(pa.record_batch({"data": wrong}))


def test_an_extension_of_bytes_is_bytes():
    class Sgf(pa.ExtensionType):
        def __init__(self):
            super().__init__(pa.binary(), "wei7core.tests.sgf")

        def __arrow_ext_serialize__(self):
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, storage, serialized):
            return cls()

    storage = pa.array([GOOD, None], pa.binary())
    extended = pa.record_batch({"data": pa.ExtensionArray.from_storage(Sgf(), storage)})
    assert arrow.replay_batch(extended).equals(arrow.replay_batch(pa.record_batch({"data": storage})))


def test_a_value_that_is_packed_and_empty():
    (row,) = arrow.replay_batch(batch_of([gzip.compress(b"")])).to_pylist()
    assert row["error"] is not None


@pytest.mark.exhaustive
def test_an_extra_is_named_where_pyarrow_is_missing():
    code = (
        "import sys; sys.modules['pyarrow'] = None; import wei7core.arrow as a\n"
        "try: a.replay_batch(None)\nexcept ImportError as e: print(e)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "wei7core[arrow]" in output


def test_pandas():
    pandas = pytest.importorskip("pandas", minversion="2.2")
    made = arrow.replay_batch(pandas.DataFrame({"data": VALUES}))
    assert rows_of(made) == expected(VALUES)


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"data": polars.Series(VALUES, dtype=polars.Binary), "key": range(len(VALUES))})
    made = arrow.replay_batch(frame, keep=["key"])
    assert rows_of(made.drop_columns(["key"])) == expected(VALUES)
    assert polars.DataFrame(made)["moves"].to_list() == [row.moves for row in expected(VALUES)]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    batch = batch_of(VALUES, number=pa.array(range(len(VALUES))))
    with duckdb.connect() as connection:
        relation = connection.sql("select data from batch order by number")
        made = arrow.replay_batch(relation)
        assert rows_of(made) == expected(VALUES)
        moves = sum(row.moves for row in expected(VALUES))
        assert connection.sql("select sum(moves) from made").fetchall() == [(moves,)]
        assert len(batch) == len(VALUES)
