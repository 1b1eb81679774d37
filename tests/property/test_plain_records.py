"""Plain records are written in C as their documents are; every other record is declined, not written wrong."""

import json
import random
import re
from collections import Counter

import pytest
from helpers.effort import examples
from hypothesis import given
from hypothesis import strategies as st
from samples import corpus, encoded_sgf, generated_headers, sgf_mutations, wei7_layouts
from samples.sgf_documents import sgf_documents
from samples.wei7_documents import documents, spoiled, write

import wei7core as w7
from wei7core.batch.examined import examine_chunk
from wei7core.batch.options import Options
from wei7core.formats.registry import read_document, write_document
from wei7core.formats.sgf.write import text_of_moves
from wei7core.game.conversion import encode_document, encode_record
from wei7core.game.conversion.plain_records import moved_counts, moved_losses, plain_record, plain_writing
from wei7core.game.conversion.report import count_by_code
from wei7core.game.conversion.to_wei7 import without_empty_lists
from wei7core.record.move_runs import move_of
from wei7core.sources.sources import Sources

FORMATS = ("sgf", "wei7-rev7", "wei7-rev2")
OTHER_ENCODINGS = {"koi8-r": "Чёрные", "johab": "흑불계승"}  # which are not guessed
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
NODE_TEXTS = [
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


def check(data, formats=FORMATS, declined=False, **options):
    """Compare what is written of a record by columns with its document; returns how often it was not declined.

    With `declined` also what is written of one that is declined, which may have no object for each move.
    """
    record = w7.loads(data, strict=False, **options)
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
            f";{chance.choice('BW')}[{chance.choice(('aa', 'bb', 'cc', 'sb', 'tt', ''))}]" + chance.choice(NODE_TEXTS)
            if chance.random() < 0.7
            else ";" + chance.choice(NODE_TEXTS)
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
        node = chance.choice(NODE_TEXTS)
        tail = chance.choice(
            (
                *("", "(;B[dd])(;W[ee];B[ff])", "(;B[dd](;W[ee])(;W[ff]))(;B[gg]C[z])"),
                *(f"(;{node})(;;W[ee];C[n]{node})", f"(;C[n](;{node};B[ff]{node};))(;;;{node};C[m])"),
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
    data = b"(;FF[4]KM[-1]EV[e]DT[d]HA[1]BL[1]XX[]" + b";B[]BL[2]XX[]C[]V[1]" * 120 + b";)"
    _, numbers = plain_record(w7.loads(data).record, "wei7")
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


def written_by(writing):
    """The records of a batch as `Writer.write` returns them, by their numbers."""
    text = bytes(writing)
    ends = [0, *(end + (text[end - 1 : end] != b"\n") for _, end, _ in writing.made.values())]
    assert [begin for begin, _, _ in writing.made.values()] == ends[:-1]  # one after the other
    assert len(text) == ends[-1]
    assert all(text[end - 1 : end] == b"\n" for end in ends[1:])
    return {number: (text[begin:end], lost) for number, (begin, end, lost) in writing.made.items()}


def test_engine_writes_records_of_encodings_as_single_ones():
    chance = random.Random(7)
    games = [
        sgf_mutations.mutated(chance, data) if chance.random() < 0.2 else data
        for data in encoded_sgf.encoded_games(chance, most=4)
    ]
    games += [f"(;CA[{name}]GN[{text}];B[aa]C[{text}])".encode(name) for name, text in OTHER_ENCODINGS.items()]
    taken = Counter()
    for format in ("sgf", "wei7-rev7"):
        for text in Sources(games):
            if text.data is None:
                continue
            writing = plain_writing("sgf", format)
            (records,) = examine_chunk(text.as_chunk(), 0, 1, Options(), writing=writing)
            record, problems = records.outcome(0).record, records.outcome(0).problems
            wanted = None
            if len(record.trees) and not any(problem.severity == "error" for problem in problems):
                wanted = plain_record(record, format, problems)
            assert written_by(writing).get(0) == wanted, (format, text.data)
            taken[record.encoding] += wanted is not None
    wanted = {"gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp1251", "cp1252", "koi8-r", "johab"}
    assert wanted <= (+taken).keys()


def test_engine_writes_records_of_wei7_as_single_ones():
    chance = random.Random(8)
    games = [wei7_record(chance).encode("utf-8", "surrogatepass") for _ in range(examples(300))]
    games = [game for game in games if not w7.loads(game, strict=False).problems]
    (chunk,) = Sources(b"\n".join(re.sub(rb"\s*\n\s*", b"", game) for game in games)).blocks()
    for format in ("sgf", "wei7-rev7"):
        writing = plain_writing("wei7", format)
        for _ in range(2):
            assert writing.clear()
            (records,) = examine_chunk(chunk, 0, len(games), Options(), writing=writing)
            made = written_by(writing)
            for place in range(len(games)):
                assert made.get(place) == plain_record(records.outcome(place).record, format)
            assert len(made) > len(games) // 2
            assert not records.result.rows["hash"].any()  # nobody reads them
    assert plain_writing("wei7", "wei7-rev2") is None
    assert plain_writing("wei7", "wei7-rev2", 2) is not None


def test_text_of_a_batch_that_somebody_holds_stays():
    (chunk,) = Sources(b"(;FF[4]GN[a])(;FF[4]GN[b])").blocks()
    writing = plain_writing("sgf", "sgf")
    assert bytes(writing) == b""
    list(examine_chunk(chunk, 0, 1, Options(), writing=writing))
    text = memoryview(writing)
    before = bytes(text)
    assert b"GN[a]" in before
    assert text.readonly
    assert not writing.clear()
    with pytest.raises(BufferError, match="views"):
        list(examine_chunk(chunk, 1, 2, Options(), writing=writing))
    assert text == before
    text.release()
    assert writing.clear()
    list(examine_chunk(chunk, 1, 2, Options(), writing=writing))
    assert bytes(writing) == before.replace(b"[a]", b"[b]")


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


# What a text of wei7 may hold; those after the first ones change on their way to SGF, or are no plain characters.
WORDS = [
    *("a", "이세돌", " x ", "a]b", "9p", "{0}", "%s", "DT[0000-00-00]", "0000-00-00", "\U0001f600", "name", "a:b"),
    *("", " ", 'a"b', "a\\b", "\u3000", "\xa0", "\x7f", "\ue000", "\uf8ff\ue001", "\u2028", "\ufffd"),
]
TIMES = ("2013-03-06T10:10Z", "2000-02-29T00:00:59Z", "0000-01-01T00:00Z", "1999-12-31T23:59:59.123456789Z", "2013")
REMARKS = [*WORDS, "x\ny", "x\r\ny", "\t", "\v", "\f", "\r", "\b", "\0", "/", "\\]", "\ud800", "\udc00", "黑\n]"]
KOMI = (0, 0.5, 6.5, 7, 7.5, 9.5, 3.75, 100)


def some(chance, **values):
    """An object with half of these members, or most, in any order; a member may be a tuple of what it can be."""
    share = chance.choice((0.3, 0.9))
    names = [name for name in chance.sample(list(values), len(values)) if chance.random() < share]
    return {name: chance.choice(one) if isinstance(one := values[name], (tuple, list)) else one for name in names}


def information(chance, words):
    """An `info` object, valid but for what some of the values are."""
    people = [some(chance, **dict.fromkeys(("name", "rank", "title", "id", "domain"), words)) for _ in range(2)]
    people = chance.choice(([], people, people, people, people * 2))
    players = [some(chance, color=(1, 2)) | {"participant": k} for k in range(len(people))]
    if len(people) == 2 and chance.random() < 0.8:
        players = chance.sample([{"participant": 0, "color": 1}, {"participant": 1, "color": 2}], 2)
    return some(
        chance,
        name=words,
        domain=words,
        id=words,
        place=words,
        time=TIMES,
        rules=(some(chance, scoring=("area", "territory"), komi=KOMI, type=("Chinese", "Japanese", "Korean")),),
        participants=(people,),
        players=(players,),
        result=(some(chance, margin=(0.5, 1, 12.5)) | {"winner": chance.choice((1, 2, None))},),
    )


def step(chance, remarks):
    """A move on any point, with a comment or an evaluation; few have what SGF has no place for."""
    point = {"x": chance.randrange(9), "y": chance.randrange(9)}
    value = {"color": chance.choice((1, 2)), "point": None if chance.random() < 0.1 else point}
    if chance.random() < 0.1:
        value["evaluation"] = chance.choice(("good", "bad"))
    made = {"action": {"type": "move", "value": value}}
    if chance.random() < 0.2:
        made["comment"] = chance.choice(remarks)
    if chance.random() < 0.01:
        made |= some(chance, time=(3,), actor=(0,), marks=([], [{"symbol": "a", "point": point}]))
    return made


def tree(chance, remarks, depth, share):
    """A branch and those below; `share` of the steps stay where they are playable."""
    made = {"steps": [step(chance, remarks) for _ in range(chance.choice((0, 1, 2, 9, 21)) if depth < 4 else 1)]}
    if depth > 0 and chance.random() < share:
        made["branches"] = [tree(chance, remarks, depth - 1, share) for _ in range(chance.choice((0, 1, 2, 3)))]
    if chance.random() < 0.02:
        made |= some(chance, title=remarks, pre=({}, {"comment": "x"}, {"problem": {"color": 1}}))
    return made


def wei7_record(chance):
    """A record of 9 x 9 of the usual kind, or nearly so, as text."""
    words = WORDS[: chance.choice((12, len(WORDS)))]
    remarks = REMARKS[: chance.choice((12, len(REMARKS)))]
    game = {"format": "wei7", "version": "3.0", "size": 9, "tree": tree(chance, remarks, 4, chance.choice((0, 0.7)))}
    if chance.random() < 0.9:
        game["info"] = information(chance, words)
    if chance.random() < 0.3:
        points = chance.sample([(x, y) for x in range(9) for y in range(9)], chance.choice((0, 1, 2, 9)))
        stones = [{"color": chance.choice((1, 1, 1, 2)), "point": {"x": x, "y": y}} for x, y in points]
        game["tree"]["pre"] = some(chance, stones=(stones,), comment=remarks, marks=([],))
    separators = chance.choice(((",", ":"), None))
    indent = chance.choice((None, None, None, 1))
    return json.dumps(game, ensure_ascii=chance.random() < 0.3, separators=separators, indent=indent)


def test_wei7():
    chance = random.Random(3)
    taken, count = 0, examples(2000)
    for _ in range(count):
        taken += check(wei7_record(chance).encode("utf-8", "surrogatepass"), ("sgf", "wei7-rev7"))
    assert taken > count // 4


def test_wei7_headers_one_after_the_other():
    """Of one kind, so that each is filled into what the first has made."""
    chance = random.Random(4)
    for _ in range(examples(150)):
        header = json.dumps(information(chance, ["@"]))
        for _ in range(4):
            info = "".join(
                json.dumps(chance.choice(WORDS), ensure_ascii=chance.random() < 0.3)[1:-1] if part == "@" else part
                for part in re.split("(@)", header)
            )
            check(f'{{"format":"wei7","version":"3.0","info":{info},"tree":{{}}}}'.encode(), ("sgf", "wei7"))


@pytest.mark.parametrize("name", ["0000-00-00", "DT[0000-00-00", "]DT[0000-00-00]"])
@pytest.mark.parametrize("between", [":", ": ", ":  ", " :   "])
def test_dates_and_names_like_the_one_that_stands_for_them(name, between):
    info = f'{{"time":"2013-03-06T10:10Z","name"{between}"{name}","place"{between}"  {name}"}}'
    assert check(f'{{"format":"wei7","version":"3.0","info":{info},"tree":{{}}}}'.encode(), ("sgf", "wei7")) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_records_of_other_formats_with_sgf_in_a_text(encoding):
    name = "(;GN[x];B[aa])홍길동"
    gib = f"\\HS\n\\[GAMEBLACKNAME={name}\\]\n\\HE\n\\GS\n2 1 0\n119 0 &4\nINI 0 1 0 &4\nSTO 0 2 1 15 3 \n\\GE\n"
    game = w7.loads(gib.encode(encoding))
    record = game.record
    assert (game.format, game.info.black_name) == ("gib", name)
    for format in FORMATS:
        assert plain_record(record, format) is None
        assert encode_record(record, format, ()) == encode_document(read_document(record), format)


def test_marks_of_the_root():
    """As those of other nodes: SGF stays as it was read, whatever is on one point."""
    for properties in ("TR[aa]SQ[aa]", "LB[aa:A][aa:A]", "LB[aa:A][aa:B]CR[aa:bb]", "MA[]"):
        for node in (";B[bb]", ";B[bb]N[n]"):
            assert check(f"(;FF[4]{properties}{node})".encode(), ("sgf",)) == 1


@pytest.mark.parametrize("info", generated_headers.WEI7_INFOS)
def test_odd_headers_of_wei7(info):
    check(json.dumps(generated_headers.wei7_game(info)).encode(), ("sgf", "wei7"))


@given(documents())
def test_any_wei7(document):
    check(json.dumps(document).encode(), ("sgf", "wei7"))


@given(documents(revision=2))
def test_any_wei7_of_revision_2(document):
    check(json.dumps(document).encode(), ("sgf", "wei7-rev2"), revision=2)


@given(spoiled())
def test_spoiled_wei7(document):
    check(write(document).encode("utf-8", "surrogatepass"), ("sgf", "wei7"))


def test_damaged_wei7():
    chance = random.Random(6)
    for _ in range(examples(300)):
        check(wei7_layouts.damaged(chance, wei7_record(chance).encode("utf-8", "surrogatepass")), ("sgf", "wei7"))
        check(wei7_layouts.document(chance), ("sgf", "wei7"))


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


@given(documents(), st.booleans(), st.sampled_from([(",", ":"), None]), st.randoms(use_true_random=False))
def test_any_wei7_as_wei7(document, ascii, separators, chance):
    """However it is spelled: in any order of the members, with any spaces and escapes."""
    text = json.dumps(shuffled(document, chance), ensure_ascii=ascii, separators=separators)
    record = w7.loads(text.encode("utf-8", "surrogatepass"), strict=False)
    if not record.problems:
        wanted = write_document(without_empty_lists(read_document(record.record)), "wei7"), ()
        assert plain_record(record.record, "wei7") in (wanted, None)
        assert encode_record(record.record, "wei7", ()) == (wanted[0], [])


def shuffled(value, chance):
    if isinstance(value, dict):
        names = chance.sample(list(value), len(value))
        return {name: shuffled(value[name], chance) for name in names}
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


PASS = '{"action":{"type":"move","value":{"color":2,"point":null}}}'
MOVE = '{"action":{"type":"move","value":{"color":1,"point":{"x":3,"y":4}}}}'
STEPS = [
    *('{"time":1.5,"action":{"type":"takeback","value":1},"actor":0}', '{"action":{"type":"message","value":"a\\n"}}'),
    *('{"action":{"type":"mark","value":{"point":{"x":1,"y":2},"symbol":"A"}},"comment":"\\u9ed1 \\/"}',),
    '{"action":{"type":"result","value":{"winner":1,"margin":0.5}}}',
    '{"action":{"type":"result","value":{"winner":null}},"marks":[]}',
    PASS.replace("}}}", ',"evaluation":"good"}},"marks":[{"point":{"x":0,"y":0},"symbol":"%"}],"comment":""}'),
    MOVE.replace('{"x":3,"y":4}', "null"),
]


@pytest.mark.parametrize("before", ["", MOVE + ","])
@pytest.mark.parametrize("step", STEPS)
def test_steps_of_wei7_as_wei7(before, step):
    people = '"info":{"participants":[{"name":"a"}],"players":[]},'
    text = (
        f'{{"format":"wei7","version":"3.0",{people}"tree":{{"steps":[{before}{PASS},{PASS},{step},{step}]}}}}'.encode()
    )
    record = w7.loads(text)
    written, lost = plain_record(record.record, "wei7")
    assert written == write_document(without_empty_lists(read_document(record.record)), "wei7")
    assert lost == ()


NUMBERS = [
    *("0", "1", "15", "0.5", "12.25", "1234567", "0.001", "0.0001", "0.12345", "1.0", "1.50", "1e1", "0.0"),
    *("0.00001", "0.0000", "-0", "1234567890123456", "0.1234567890123456789", "1E-2", "10000.5"),
]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_wei7_as_wei7(number):
    """A number in unusual words is declined."""
    text = f'{{"format":"wei7","version":"3.0","tree":{{"steps":[{MOVE.replace("{", f"""{{"time":{number},""", 1)}]}}}}'
    record = w7.loads(text.encode(), strict=False)
    plain = plain_record(record.record, "wei7")
    wanted = write_document(read_document(record.record), "wei7")
    assert plain in (None, (wanted, ()))
    assert (plain is not None) == (record.record.kept.size == 0 and (NUMBERS.index(number) < 9 or number[-1] in "5"))


@pytest.mark.parametrize("size", [(1, 1), (9, 13), (19, 19), (60, 3)])
def test_sizes_of_wei7_as_wei7(size):
    width, height = size
    members = f'{{"width":{width},"height":{height}}}'
    point = f'{{"x":{width - 1},"y":{height - 1}}}'
    step = MOVE.replace('{"x":3,"y":4}', point)
    tree = f'{{"pre":{{"stones":[{{"color":2,"point":{point}}}]}},"branches":[{{"steps":[{step}]}},{{}}]}}'
    for form in (members, f"{width}")[: 1 + (width == height)]:
        text = f'{{"format":"wei7","version":"3.0","size":{form},"tree":{tree}}}'
        check(text.encode(), ("wei7",))
        record = w7.loads(text.encode(), strict=False).record
        assert plain_record(record, "wei7") == (write_document(read_document(record), "wei7"), ())


def test_deep_wei7_as_wei7():
    depth = 50_000
    text = (
        '{"format":"wei7","version":"3.0","tree":'
        + '{"branches":[{},' * depth
        + "{}"
        + ',{"title":"t"}]}' * depth
        + "}"
    )
    record = w7.loads(text.encode(), limits=w7.Limits(max_depth=4 * depth)).record
    assert plain_record(record, "wei7") == (text.encode(), ())


def test_wei7_with_problems_takes_the_way_of_documents():
    text = b'{"format":"wei7","version":"3.0","tree":{},"x":1}'
    game = w7.loads(text, strict=False)
    assert game.problems
    assert plain_record(game.record, "wei7", game.problems) is None
    assert plain_record(game.record, "wei7") is None  # the member that has no column
