"""Plain records of SGF are written in C as their documents are; every other record is declined, not written wrong."""

import random

import pytest
from helpers.effort import examples
from hypothesis import given
from hypothesis import strategies as st
from samples import corpus, encoded_sgf, sgf_mutations
from samples.sgf_documents import sgf_documents

import wei7core as w7
from wei7core.formats.registry import read_document, write_document
from wei7core.formats.sgf._decoder import text_of_moves
from wei7core.game.conversion import encode_document, encode_record
from wei7core.game.conversion.plain_records import moved_counts, moved_losses, plain_record, plain_texts
from wei7core.game.conversion.report import count_by_code
from wei7core.limits import DEFAULT_LIMITS
from wei7core.record.move_runs import move_of
from wei7core.sources.sources import Sources

FORMATS = ("sgf", "wei7-rev7", "wei7-rev2")
NAMES = [
    *("GN", "PC", "PB", "BR", "PW", "WR", "EV", "RO", "KM", "RU", "RE", "HA", "TM", "OT", "DT", "SO", "US", "AN", "CP"),
    *("ON", "GC", "BT", "WT", "AP", "ST", "PL", "V", "TB", "ID", "XX", "KGS", "C", "N", "LB", "TR", "AB", "AW", "AE"),
    *("FF", "CA", "GM", "SZ", "B", "TC", "LT", "BL", "OW", "TW", "KO", "MULTIGOGM"),
]
VALUES = [
    *("", " ", "a", "x y", "a\\]b", "a\\\\", "a\\\nb", "a\nb", "a\r\nb", "\ta", "a\\:b", '"', "\x07", "\x1f "),
    *("\x85\xa0", "\u3000", "\u3000黑", "“黑”", "白\u2028", "\U0001f600", "黑" * 64, "x" * 128, "y" * 129, "\x7f"),
    *(
        "1",
        "0",
        "2",
        "3",
        "4",
        "12",
        "6.5",
        "7.5",
        "3.75",
        "375",
        "650",
        "0.3",
        "B+R",
        "W+Resign",
        "B+3.5",
        "W+T",
        "B+0",
    ),
    *("Void", "?", "Draw", "Chinese", "japanese", "AGA", "area", "GOE", "aa", "aa:cc", "aa:x", "9", "19", "9:13"),
    *("UTF-8", "GB18030", "a][b", "][", "aa][bb", "tt", "2016-01-02"),
]
SAID = [
    *[""] * 12,
    *("C[x\\]]", "C[a\n\nb\t]", "N[n]", "C[]", "BL[3]", "LB[aa:1]TR[bb]", "KGSX[1] [2]"),
    *("OB[1]WL[2.5]", "C[c]TB[aa] [ab:cd][]TW[ ]", "TW[aa]C[]", "V[1.5]XX[]", "V[ ]", "PL[b]", "PL[ White ]", "PL[x]"),
    *(
        "LB[ab:1] [ba:z][ab:?][]",
        "SL[aa]MA[bb][bb]SQ[aa]CR[]TR[ab][aa]CR[ba]",
        "TR[aa:bb]",
        "LB[ab:10]",
        "CR[AA]",
        "TR[zz]",
    ),
    *(
        "LB[aa:\\]]",
        "LB[aa:*]",
        "LB[aa]",
        "BM[1]",
        "TE[1]BM[1]",
        "TE[2]",
        "BM[]C[wrong]",
        "C[Correct]",
        "C[+]TE[1]LB[aa:A]",
    ),
    *("PL[]", "VW[][aa", "HA[2]", "TE[1]", "XX[1]C[d][e]"),
]


def outcome(encode, *arguments):
    """What is returned, or what is raised."""
    try:
        return encode(*arguments)
    except ValueError as error:
        return type(error), str(error)


def check(data, formats=FORMATS, declined=False):
    """Compare what is written of a record by columns with its document; returns how often it was not declined.

    With `declined` also what is written of one that is declined, which may have no object for each move.
    """
    record = w7.loads(data, strict=False)
    if record.record is None or any(problem.severity == "error" for problem in record.problems):
        return 0
    document, taken = None, 0
    for format in formats:
        plain = plain_record(record.record, format, record.problems)
        if plain is not None or declined:
            document = document or read_document(record.record)
            wanted = outcome(encode_document, document, format)
        if plain is not None:
            written, moved = plain
            assert (written, list(moved_losses(moved))) == wanted, (format, data)
            taken += 1
        elif declined:
            assert outcome(encode_record, record.record, format, record.problems) == wanted, (format, data)
        if record.record.encoding in ("ascii", "utf-8"):
            assert plain_texts([(record.record.source, "utf-8")], format, DEFAULT_LIMITS)[0] in (plain, None)
    return taken


def test_headers():
    chance = random.Random(23)
    taken, count = 0, examples(4000)
    for _ in range(count):
        names = chance.sample(NAMES, chance.randint(0, 5))
        if chance.random() < 0.1:
            names += names[:1]
        header = "".join(f"{name}[{chance.choice(VALUES)}]" for name in names)
        nodes = "".join(
            f";{chance.choice('BW')}[{chance.choice(('aa', 'bb', 'cc', 'sb', 'tt', ''))}]" + chance.choice(SAID)
            if chance.random() < 0.7
            else ";" + chance.choice(SAID)
            for _ in range(chance.randint(0, 5))
        )
        size = chance.choice(
            (
                "SZ[19]",
                "SZ[9:13]",
                "",
                "SZ[5]AB[aa][bb]",
                "AB[cc]AW[dd]",
                "AB[cc]AW[dd]PL[B]",
                "AB[cc]AW[dd]HA[0]",
                "SZ[2]AB[aa][ab][ba]",
            )
        )
        said = chance.choice(SAID)
        tail = chance.choice(
            (
                *("", "(;B[dd])(;W[ee];B[ff])", "(;B[dd](;W[ee])(;W[ff]))(;B[gg]C[z])"),
                *(f"(;{said})(;;W[ee];C[n]{said})", f"(;C[n](;{said};B[ff]{said};))(;;;{said};C[m])"),
            )
        )
        taken += check(f"(;FF[4]CA[UTF-8]{size}{header}{nodes}{tail})".encode("utf-8", "surrogatepass"))
    assert taken > count * 3 // 8


def test_more_losses_than_are_listed():
    """Clocks of more nodes than a list has, names left out often, and the places of both in variations."""
    clocks = "".join(f";{'BW'[k % 2]}[]{'BW'[k % 2]}L[{k}]OB[1]KGSX[{k}]XX[]XY[]V[{k}]" for k in range(150))
    for tree in (clocks, f"({clocks})(;B[aa]({clocks})(;W[bb];;XX[];C[d];BL[2]{clocks}))", ";" * 120 + clocks):
        assert check(f"(;FF[4]CA[UTF-8]BL[9]KM[-1]RE[B+600]XX[1]{tree})".encode()) == len(FORMATS)
    names = "".join(f"X{letter}[]" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert check(f"(;FF[4]{names};{names};B[aa]{names})".encode()) == len(FORMATS)
    assert check(f"(;FF[4]{names};{names.replace('[]', 'Z[]')};B[aa]{names})".encode()) == 1  # as SGF
    for depth in (60, 70_000):
        deep = "(;B[]" * depth + "BL[1]" + ")" * depth
        assert check(f"(;FF[4]{deep})".encode(), ("wei7-rev7",)) == (depth == 60)


def test_nodes_without_a_move():
    for tree in (";;B[aa]", ";C[a];B[aa];C[b];W[bb](;C[c])(;)(;B[cc])", ";C[a](;C[b];;C[c];B[aa])(;W[bb];)", "(;)(;)"):
        for root in ("", "AB[dd]", "C[root]", "AB[dd]C[root]", "DT[2020]AB[dd]"):
            assert check(f"(;FF[4]CA[UTF-8]{root}{tree})".encode()) == len(FORMATS)


def test_counts():
    said = b"(;FF[4]KM[-1]EV[e]DT[d]HA[1]BL[1]XX[]" + b";B[]BL[2]XX[]C[]V[1]" * 120 + b";)"
    _, numbers = plain_record(w7.loads(said).record, "wei7")
    assert moved_counts(numbers) == count_by_code(moved_losses(numbers))
    assert moved_counts(numbers)["time-dropped"] == moved_counts(numbers)["property-dropped"] == 121


@given(sgf_documents(info=True))
def test_generated(document):
    check(write_document(document, "sgf"))


@given(st.data())
def test_texts(data):
    text = data.draw(st.text(st.characters(exclude_categories=("Cs",)), max_size=20))
    value = text.replace("\\", "\\\\").replace("]", "\\]")
    name = data.draw(st.sampled_from(["GN", "PB", "EV", "DT", "GC", "C", "RE", "KM", "RU", "XX"]))
    check(f"(;FF[4]CA[UTF-8]{name}[{value}];B[aa]C[{value}])".encode())


def test_encodings_and_damage():
    chance = random.Random(5)
    taken = count = 0
    for data in encoded_sgf.encoded_games(chance, most=3):
        taken += check(data, declined=True)
        check(sgf_mutations.mutated(chance, data), declined=True)
        count += 1
    assert taken > count // 2


def test_text_of_moves():
    for width, height in ((1, 1), (9, 13), (52, 52)):
        codes = list(range(2 * (width * height + 1)))
        for left in (0, 3, 10):
            text, rest = text_of_moves(codes, width, height, left)
            wanted, line = "", left
            for code in codes:
                color, point = move_of(code, width, height)
                if line == 0:
                    wanted, line = wanted + "\n", 10
                line -= 1
                name = "" if point is None else "".join(chr(c + 97 if c < 26 else c + 39) for c in point)
                wanted += f";{' BW'[color]}[{name}]"
            assert (text, rest) == (wanted, line)
    for codes, width, height in (([4], 1, 1), ([-1], 9, 9), ([0], 53, 9)):
        with pytest.raises(ValueError, match=r"code|large"):
            text_of_moves(codes, width, height, 0)


@pytest.mark.exhaustive
def test_the_corpus():
    """All moves of records by engines, which comment on them, and of every fourth other; 40 nodes of the rest."""
    folder = corpus.require()
    chance = random.Random(11)
    count = taken = 0
    for name, most in (("ai-sgf", 1000), ("tygem-tom-irregular.sgf.gz", 1000), ("tygem-dev.sgf.gz", 3000)):
        for number, text in enumerate(Sources([str(folder / name)])):
            if text.data is None or number > most:
                continue
            is_whole = name == "ai-sgf" or number % 4 == 0
            record = text.data if is_whole else b";".join(text.data.split(b";", 40)[:40]) + b")"
            for data in (record, sgf_mutations.mutated(chance, record)):
                # Columns are written alike by both revisions.
                formats = ("sgf", ("wei7-rev7", "wei7-rev2")[count % 3 == 0])
                try:
                    taken += check(data, formats, declined=True)
                    count += 1
                except w7.RecordError as error:
                    assert error.code in ("charset-unknown", "no-game"), error
    assert taken > count
