"""Which encoding the texts of an SGF record are taken to have, and why."""

from __future__ import annotations

import encodings.aliases
import random

import pytest
from helpers.cases import in_groups
from helpers.effort import examples
from oracles import charset as oracle
from oracles import sgf as sgf_oracle

import wei7core
from wei7core.cli import main as cli
from wei7core.formats import _native
from wei7core.formats.sgf import charset as sgf_charset
from wei7core.formats.sgf import decode as sgf
from wei7core.formats.sgf import games as sgf_games
from wei7core.formats.sgf.charset_names import SINGLES
from wei7core.formats.sgf.charset_tables import CODECS, tables
from wei7core.formats.sgf.to_document import document_from_record
from wei7core.record.record import Record

CHINESE = "柯洁九段执黑中盘胜，白棋这手不好，应该在右边拆二。"
FINALS = "古力九段 中国围棋名人战决赛第三局 这步棋是恶手，白棋不得不补"
TAIWANESE = "周俊勳九段執黑中盤勝，白棋這手不好，應該在右邊拆二。功許蓋"
JAPANESE = "井山裕太名人、黒中押し勝ち。ここは黒がよくない。ソ表十予"
KOREAN = "이세돌 구단 흑 불계승. 이 수는 좋지 않았다."
RUSSIAN = "Черные выиграли партию"
FRENCH = "Problème corrigé : voilà une très mauvaise idée"

# The value of CA, how the text is written, the codec that reads it.
NAMED = [
    ("GB2312", "gb2312", "gb18030", CHINESE),
    ("gb2312", "gbk", "gb18030", CHINESE),
    ("GBK", "gbk", "gb18030", CHINESE),
    ("GB18030", "gb18030", "gb18030", CHINESE + "\U00020000"),
    ("gb_2312-80", "gbk", "gb18030", CHINESE),
    ("cp936", "gbk", "gb18030", CHINESE),
    ("EUC-CN", "gb2312", "gb18030", CHINESE),
    ("x-gbk", "gbk", "gb18030", CHINESE),
    ("Big5", "big5", "big5hkscs", TAIWANESE),
    ("big5-hkscs", "big5hkscs", "big5hkscs", TAIWANESE),
    ("cp950", "cp950", "big5hkscs", TAIWANESE),
    ("Shift_JIS", "cp932", "cp932", JAPANESE),
    ("SHIFT-JIS", "cp932", "cp932", JAPANESE),
    ("sjis", "cp932", "cp932", JAPANESE),
    ("windows-31j", "cp932", "cp932", JAPANESE),
    ("EUC-JP", "euc_jp", "euc_jp", JAPANESE),
    ("EUC-KR", "euc_kr", "cp949", KOREAN),
    ("windows-949", "cp949", "cp949", KOREAN + "똠"),
    ("KS_C_5601-1987", "euc_kr", "cp949", KOREAN),
    ("Windows-1251", "cp1251", "cp1251", RUSSIAN),
    ("KOI8-R", "koi8_r", "koi8-r", RUSSIAN),
    ("ISO-8859-1", "latin-1", "cp1252", FRENCH),
    ("Latin1", "latin-1", "cp1252", FRENCH),
    ("ISO-8859-15", "iso8859_15", "iso8859-15", FRENCH + " à 5 €"),
    ("Windows-1252", "cp1252", "cp1252", FRENCH + " à 5 €"),
    ("UTF-8", "utf-8", "utf-8", CHINESE),
    ("utf8", "utf-8", "utf-8", KOREAN),
    ("UFT-8", "utf-8", "utf-8", JAPANESE),
    (" utf-8 ", "utf-8", "utf-8", FRENCH),
]


def comments(record: Record) -> list[str]:
    spans = [record.details[step["detail"]]["comment"].tolist() for step in record.steps if step["detail"] >= 0]
    return [record.text(*span) for span in spans]


def game(name: str | None, text: str, encoding: str) -> bytes:
    head = "(;SZ[9]" if name is None else f"(;CA[{name}]SZ[9]"
    return f"{head};B[aa]C[{text}];W[bb]C[{text}{text}](;B[cc])(;B[dd]))".encode(encoding)


# As above, of texts that the encoding of CA can read, too, apart from a few bytes.
CONTRADICTED = [
    ("ISO-8859-1", "gbk", "gb18030", CHINESE),
    ("windows-1252", "big5", "big5hkscs", TAIWANESE),
    ("latin1", "euc_jp", "euc_jp", JAPANESE),
    ("ISO-8859-1", "euc_kr", "cp949", KOREAN),
    ("ISO-8859-1", "cp1251", "cp1251", RUSSIAN),
    ("Big5", "gbk", "gb18030", FINALS),
    ("Shift_JIS", "gbk", "gb18030", FINALS),
    # Second bytes that are letters of ASCII are between those beyond it.
    ("ISO-8859-1", "big5", "big5hkscs", "蘇格蘭許 黑中盤勝"),
    ("ISO-8859-1", "big5", "big5hkscs", "林海峰 功勳棋士 台北"),
    ("ISO-8859-1", "cp932", "cp932", "依田紀基 ソニー表示"),
    ("ISO-8859-1", "gbk", "gb18030", "古力 常昊 北京"),
]


@in_groups(("name", "encoding", "codec", "text"), CONTRADICTED)
def test_encodings_that_texts_contradict(name: str, encoding: str, codec: str, text: str) -> None:
    data = game(name, text, encoding)
    record = sgf.decode(data)
    assert record.encoding == codec
    assert [problem.code for problem in record.problems] == ["charset-contradicted"]
    assert comments(record) == [text, text * 2]
    first, second = wei7core.replay(data + data)
    assert (first.problems, second.problems, first.error) == (1, 1, None)
    games = [one.document for one in wei7core.loads_all(data + data, strict=False)]
    assert games == [wei7core.loads(data).document] * 2


LATIN = ["Müller", "Ærøskøbing", "À L'ÉCOLE, ÊTRE", "«¡Olé!» — señor Núñez", "Grüße aus Öd", "jäääär", "ööülikool"]
LATIN += ["n° ½ § 25° ¿Qué? £5", "João, João, Íñigo, n° 1, n° 2"]
PUNCTUATION = ["••••• a good move", "“Don’t” … – it’s", "a ——— b", "×××", "¹²³", "«««»»»", "\xa0\xa0\xa0"]


@in_groups("text", LATIN + PUNCTUATION)
def test_latin_letters_contradict_nothing(text: str) -> None:
    for words in (text, " ".join([text] * 12)):
        record = sgf.decode(game("ISO-8859-1", words, "cp1252"))
        assert (record.encoding, record.problems) == ("cp1252", ())


DAMAGED = [
    ("GB2312", "gb18030", CHINESE + FINALS),
    ("Big5", "big5hkscs", TAIWANESE * 2),
    ("EUC-JP", "euc_jp", JAPANESE * 2),
    ("Shift_JIS", "cp932", JAPANESE * 2),
    ("EUC-KR", "cp949", "이세돌 구단 흑 불계승 박정환 신진서 최철한 김지석 정석 포석 이 수는 좋지 않았다 " * 2),
]


@in_groups(("name", "codec", "text"), DAMAGED)
def test_one_missing_byte_contradicts_nothing(name: str, codec: str, text: str) -> None:
    words = " ".join(text[k : k + 4] for k in range(0, len(text), 4)) if " " not in text else text
    data = words.encode(codec).replace(b"\\", b"").replace(b"]", b"")
    for place in range(len(data)):
        cut = data[:place] + data[place + 1 :]
        record = sgf.decode(f"(;SZ[9]CA[{name}];B[aa]C[".encode() + cut.rstrip() + b" ])")
        assert record.encoding == codec, (place, cut)


@in_groups(("name", "encoding", "codec", "text"), NAMED)
def test_named_encodings(name: str, encoding: str, codec: str, text: str) -> None:
    record = sgf.decode(game(name, text, encoding))
    assert record.encoding == codec
    assert record.problems == ()
    assert comments(record) == [text, text + text]
    assert len(record.trees) == 3


SCRIPTS = [
    ("gb18030", CHINESE),
    ("big5hkscs", TAIWANESE),
    ("cp932", JAPANESE),
    ("euc_jp", JAPANESE),
    ("cp949", KOREAN),
    ("cp1251", RUSSIAN),
    ("cp1252", FRENCH),
]


@pytest.mark.parametrize("times", [1, 10])
@in_groups(("codec", "text"), SCRIPTS)
def test_encodings_that_are_not_named(codec: str, text: str, times: int) -> None:
    record = sgf.decode(game(None, text * times, codec))
    assert comments(record) == [text * times, text * times * 2]
    (problem,) = record.problems
    assert problem.code == "charset-assumed"
    assert f"read as {record.encoding}" in problem.message


@in_groups(("codec", "text"), SCRIPTS)
@pytest.mark.parametrize(("name", "code"), [("UTF-8", "charset-contradicted"), ("Klingon", "charset-unknown")])
def test_encodings_that_are_named_wrongly(codec: str, text: str, name: str, code: str) -> None:
    record = sgf.decode(game(name, text, codec))
    assert comments(record) == [text, text + text]
    assert [(problem.code, problem.path) for problem in record.problems] == [(code, "-;0.CA")]


NAMES = [
    ("gb18030", "柯洁"),
    ("gb18030", "古力九段"),
    ("big5hkscs", "黑中盤勝"),
    ("cp932", "井山裕太"),
    ("cp949", "이세돌"),
    ("cp949", "흑불계승"),
    ("cp1252", "Müller"),
    ("cp1251", "Привет"),
    ("cp1251", "ИВАНОВ"),
    ("cp1251", "«Сурин» — №1"),
    ("gb18030", "江维杰 汪见虹"),
    ("gb18030", "邱峻 张维"),
    ("gb18030", "郑弘 毛睿龙"),
    ("cp949", "윤준상 변상일"),
    ("cp949", "박영훈 이동훈"),
    ("cp949", "나현 서능욱"),
    ("cp949", "우정과 청평"),
    ("euc_jp", "高尾紳路 石田芳夫"),
    ("euc_jp", "小林光一 加藤正夫"),
    ("big5hkscs", "王元均 林君諺"),
]


def guess(text: bytes) -> str | None:
    """The codec whose characters are the likeliest for `text`, or None."""
    found = _native.guess_charset(text, tables())
    return CODECS[found] if found > 0 else None


@in_groups(("codec", "text"), NAMES)
def test_names_alone_are_guessed(codec: str, text: str) -> None:
    assert guess(text.encode(codec)) == codec


@pytest.mark.parametrize("damage", [b"?", b"", b"\xff", b" "])
def test_nearly_all_utf8_is_utf8_with_damage(damage: bytes) -> None:
    text = "(;GM[1]FF[4]SZ[19]GN[野狐职业]PB[李维清]PW[董明];B[dq])".encode()
    for place in [place for place, byte in enumerate(text) if byte >= 0x80]:
        for name in (b"", b"CA[gb2312]", b"CA[UTF-8]"):
            data = (text[:place] + damage + text[place + 1 :]).replace(b"SZ", name + b"SZ")
            record = sgf.decode(data)
            assert record.encoding == "utf-8"
            codes = {problem.code for problem in record.problems}
            expected = {b"": {"charset-assumed"}, b"CA[gb2312]": {"charset-contradicted"}, b"CA[UTF-8]": set()}[name]
            assert codes == {"text-undecodable", *expected}


@pytest.mark.parametrize("seed", range(4))
def test_the_guess_is_that_of_the_slow_twin(seed: int) -> None:
    chance = random.Random(seed)
    for codec, text in SCRIPTS * 20:
        some = "".join(chance.choice(text + "ab ") for _ in range(chance.randint(1, 7))).encode(codec)
        if chance.random() < 0.3:
            some += bytes([chance.randrange(0x80, 0x100)])
        assert guess(some) == oracle.guess(some), some


def two_byte_words(codec: str) -> list[str]:
    """Characters of an encoding whose bytes are a character of UTF-8 as well."""
    pairs = [bytes([lead, trail]) for lead in range(0xC2, 0xE0) for trail in range(0xA1, 0xC0)]
    found = [pair.decode(codec, "ignore") for pair in pairs]
    return [char for char in found if len(char) == 1 and char >= "\u3400"]


@pytest.mark.parametrize(("codec", "name"), [("gb18030", "gb2312"), ("big5hkscs", "Big5"), ("cp949", "EUC-KR")])
def test_pairs_that_are_utf8_too_are_what_the_record_names(codec: str, name: str) -> None:
    chance, words = random.Random(7), two_byte_words(codec)
    assert len(words) > 500
    for _ in range(examples(50)):
        text = "".join(chance.choice(words) for _ in range(chance.randint(1, 4)))
        data = f"(;CA[{name}]SZ[9]PB[{text}]C[1 {text}, 2];B[aa])".encode(codec)
        data.decode("utf-8")
        game = wei7core.loads(data)
        assert (game.properties["PB"], game.problems) == ((text,), ())
        (row,) = wei7core.replay([data])
        assert row.problems == 0
        assert wei7core.replay([data], metadata=True)[0].black == text


@pytest.mark.parametrize("text", ["Jörg", "José Ñ", "naïve", "Žižek"])
def test_letters_next_to_ascii_are_utf8_whatever_the_record_names(text: str) -> None:
    data = f"(;CA[gb2312]SZ[9]PB[{text}];B[aa])".encode()
    game = wei7core.loads(data)
    assert game.properties["PB"] == (text,)
    assert [problem.code for problem in game.problems] == ["charset-contradicted"]
    assert wei7core.replay([data])[0].problems == 1


def test_records_of_one_file_that_were_read_in_different_encodings_are_reported(tmp_path) -> None:
    def text(name: str, encoding: str, head: str = "") -> bytes:
        return f"(;{head}SZ[9]PB[{name}];B[aa])\n".encode(encoding)

    chinese = text("柯洁九段张陈", "gb18030")
    russian = text("Черные играют", "cp1251")
    data = chinese + text("常昊九段古力", "gb18030") + russian + text("イ", "cp932", "CA[sjis]") + chinese
    (tmp_path / "all.sgf").write_bytes(data)
    for games in (list(wei7core.loads_all(data)), list(wei7core.load_all(tmp_path / "all.sgf"))):
        is_reported = ["were read as" in problem.message for game in games for problem in game.problems]
        assert is_reported == [False, False, True, False]
        losses = []
        wei7core.dumps(games[2], format="wei7", losses=losses)
        assert [loss.code for loss in losses] == ["charset-doubtful"]
        assert "were read as gb18030" in losses[0].message
    (tmp_path / "one.sgf").write_bytes(russian)
    games = list(wei7core.load_all(tmp_path))
    assert ["were read as" in str(game.problems) for game in games] == [False, False, True, False, False, False]
    losses = tmp_path / "l.csv"
    assert cli.main(["convert", str(tmp_path / "all.sgf"), str(tmp_path / "out.jsonl"), "--losses", str(losses)]) == 0
    rows = losses.read_text(encoding="utf-8").splitlines()[1:]
    assert [row.split(",")[0] for row in rows if "charset-doubtful" in row] == ["charset-doubtful"]


def test_a_doubtful_guess_is_reported_as_one() -> None:
    clear, doubtful = (sgf.decode(game(None, text, "gb18030")).problems[0] for text in (CHINESE, "谷"))
    assert clear.message.endswith("it gives the most probable characters")
    assert doubtful.message.endswith("another encoding is nearly as probable")


def test_the_requested_encoding_counts_where_the_record_names_none() -> None:
    text = game(None, "柯洁", "gb18030")
    assert sgf.decode(text, encoding="koi8-r").encoding == "koi8-r"
    assert "it was asked for" in sgf.decode(text, encoding="koi8-r").problems[0].message
    assert sgf.decode(game("GBK", "柯洁", "gb18030"), encoding="koi8-r").encoding == "gb18030"
    assert sgf.decode(game(None, "柯洁", "utf-8"), encoding="gb18030").encoding == "utf-8"
    assert sgf.decode(b"(;C[x])", encoding="gb18030").encoding == "ascii"
    assert sgf.decode(text, encoding="utf-16").encoding == "gb18030"
    for name in ("klingon", "rot13", "idna", "\0"):
        with pytest.raises(LookupError):
            sgf.decode(text, encoding=name)


@in_groups("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("name", ["UTF-16", "utf16le", "UCS-2", "UTF-8", None])
def test_wide_encodings(encoding: str, name: str | None) -> None:
    record = sgf.decode(game(name, CHINESE, encoding))
    assert record.encoding == "utf-8"
    assert comments(record) == [CHINESE, CHINESE * 2]
    code = {None: ["charset-assumed"], "UTF-8": ["charset-contradicted"]}.get(name, [])
    assert [problem.code for problem in record.problems] == code


def test_narrow_text_that_is_named_wide() -> None:
    record = sgf.decode(game("UTF-16", CHINESE, "gb18030"))
    assert (record.encoding, [problem.code for problem in record.problems]) == ("gb18030", ["charset-contradicted"])


def test_every_codec_of_python_may_be_named() -> None:
    for name in sorted(set(encodings.aliases.aliases.values())):
        record = sgf.decode(game(name, "\xff\xfe\x81]", "latin-1") + bytes(range(256)))
        assert record.problems
        assert isinstance(comments(record)[0], str)


def test_what_only_looks_wide() -> None:
    for data in (b"\xff\xfe(;B[aa])", b"\0\0\0(;B[aa])", b"\0(;B[aa])", b"\xfe\xff\0", b"\0", b"\xff\xfe\0\0"):
        assert len(sgf.decode(data).steps) == (b"B[" in data)


@pytest.mark.parametrize(("codec", "lead"), [("gb18030", 0x8F), ("big5hkscs", 0xA5), ("cp932", 0x83)])
def test_second_bytes_that_look_like_brackets(codec: str, lead: int) -> None:
    texts = [bytes([lead, trail]).decode(codec) for trail in (0x5C, 0x5D)]
    for text in (*texts, texts[0] + texts[1], texts[1] * 3):
        record = sgf.decode(game(codec, text + "\\]", codec))
        assert comments(record) == [text + "]", text + "]" + text + "]"]
        assert record.problems == ()
        assert len(record.steps) == 4
    texts[0] = CHINESE[:4] + texts[0] if codec == "gb18030" else JAPANESE[:6] + texts[0]
    pieces = [game(codec, texts[1], codec), game(codec, "x", codec), game(codec, texts[1] * 2, codec)]
    ends = [sum(map(len, pieces[: k + 1])) for k in range(3)]
    assert [end for _, end in sgf_games.split(b"".join(pieces))] == ends


@in_groups(("codec", "text"), SCRIPTS)
def test_moves_do_not_depend_on_the_text(codec: str, text: str) -> None:
    chance = random.Random(7)
    for _ in range(200):
        damaged = bytearray(game(codec, text, codec))
        begin = damaged.index(b"C[") + 2
        for _ in range(3):
            damaged[begin + chance.randrange(4)] = chance.randrange(0x80, 0xFF)
        record = sgf.decode(bytes(damaged))
        assert [tuple(step) for step in record.steps[["color", "x", "y"]].tolist()][:1] == [(1, 0, 0)]
        assert len([problem for problem in record.problems if problem.code.startswith(("text-", "charset-"))]) <= 2


@pytest.mark.parametrize("name", [None, "the codec"])
@pytest.mark.parametrize(("codec", "text"), [("gb18030", CHINESE), ("big5hkscs", TAIWANESE), ("cp932", JAPANESE)])
def test_half_a_character_at_the_end_of_a_text_takes_no_move_away(codec: str, text: str, name: str | None) -> None:
    text *= 20
    half = text[0].encode(codec)[:1]
    head = b"(;" if name is None else f"(;CA[{codec}]".encode()
    root = b"SZ[9]PB[" + text.encode(codec) + b"|]N[|]\n LB[aa:1][bb:x|]"
    data = (head + root + b";B[aa]C[|]\r\n;;W[bb]XX[1][|]C[x|](;B[cc]C[|])(;B[dd]N[|]))").replace(b"|", half)
    record = sgf.decode(data)
    assert record.encoding == codec
    assert [step[:2] for step in record.steps[["kind", "x"]].tolist()] == [(1, 0), (8, -1), (1, 1), (1, 2), (1, 3)]
    assert len(record.trees) == 3
    assert comments(record) == ["\ufffd", "x\ufffd", "\ufffd"]
    halves = [problem.offset for problem in record.problems if problem.code == "text-undecodable"]
    assert halves == [
        at for at in range(len(data)) if data[at : at + 2] == half + b"]" and data[at + 2 : at + 3] != b"["
    ]
    document = document_from_record(record)
    assert document.info.black_name == text + "\ufffd"
    assert document.tree.steps[2].properties["XX"] == ("1", "\ufffd")
    assert [end for _, end in sgf_games.split(data * 3)] == [len(data), 2 * len(data), 3 * len(data)]


def test_whole_characters_that_end_as_values_do_stay_whole() -> None:
    for text in ("也", "也)", "(也)\n(也", "也;", "也[x\\]", "也 C", "也;)", "也(;", "也KGS["):
        record = sgf.decode(f"(;CA[Big5]SZ[9];B[aa]C[{text}];W[bb])".encode("big5"))
        assert comments(record) == [text.replace("\\", "")]
        assert record.problems == ()
        assert len(record.steps) == 2


def test_few_damaged_bytes_do_not_change_the_encoding() -> None:
    for name, encoding in (("GBK", "gb18030"), ("UTF-8", "utf-8"), (None, "utf-8")):
        data = game(name, CHINESE * 20, encoding).replace(b"];W", b"\xff];W")
        record = sgf.decode(data)
        assert record.encoding == encoding
        assert [problem.code for problem in record.problems if problem.code == "text-undecodable"]
        assert comments(record)[0].endswith("\ufffd")
        (damaged,) = (problem for problem in record.problems if problem.code == "text-undecodable")
        assert data[damaged.offset] == 0xFF


def test_names_of_encodings() -> None:
    for name in (b"rot13", b"base64", b"idna", b"punycode", b"unicode_escape", b"undefined", b"cp037", b"no\0such"):
        assert sgf_charset.codec(name) is None
    assert sgf_charset.codec("柯".encode()) is None
    assert sgf_charset.codec(b"MacCyrillic") == "mac-cyrillic"


@in_groups("codec", SINGLES)
def test_which_bytes_are_characters_is_as_in_python(codec):
    def is_character(byte):
        try:
            return bytes([byte]).decode(codec) is not None
        except UnicodeDecodeError:
            return False

    missing, names = SINGLES[codec]
    assert [byte for byte in range(0x80, 0x100) if not missing >> (byte - 0x80) & 1] == [
        *filter(is_character, range(0x80, 0x100))
    ]
    assert all(sgf_charset.codec(name.encode()) == codec for name in names.split())


def test_names_of_encodings_fit_the_table_of_c():
    names = sgf_charset._names()
    assert len(names) <= sgf_charset._NAMES and max(map(len, names)) < sgf_charset._NAME_BYTES
    assert set(names.values()) == {*CODECS, "utf-16", "utf-32"}


def test_the_oracle_reads_double_bytes_as_characters() -> None:
    text = game("GBK", CHINESE, "utf-8").decode("utf-8")
    expected = sgf_oracle.read_trees(text)
    record = sgf.decode(text.encode("gb18030"))
    assert [tree.parent for tree in expected] == record.trees["parent"].tolist()


def test_a_name_that_is_swallowed_when_characters_are_paired() -> None:
    data = b"(;C[\x81]CA[UTF-8]N[" + CHINESE.encode("gbk") + b"])"
    record = sgf.decode(data)
    assert record.encoding == "gb18030"
    contradicted = [problem for problem in record.problems if problem.code == "charset-contradicted"]
    assert [(problem.offset, problem.message[:9]) for problem in contradicted] == [(data.index(b"UTF"), "CA[UTF-8]")]


@in_groups("seed", range(20))
def test_bytes_changed_at_random_raise_nothing(seed: int) -> None:
    chance = random.Random(seed)
    for name, encoding, _, text in NAMED:
        data = bytearray(game(name, text, chance.choice([encoding, encoding, "utf-8", "utf-16"])))
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(3)] = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
        for begin, end in sgf_games.split(bytes(data)):
            record = sgf.decode(bytes(data[begin:end]))
            comments(record)
            for problem in record.problems:
                assert 0 <= problem.offset <= end - begin
                assert problem.message


@pytest.mark.parametrize(("codec", "missing"), [("utf-16-le", 1), ("utf-16-be", 1), ("utf-32-le", 3), ("utf-32-be", 1)])
def test_a_wide_text_that_lacks_its_last_bytes_has_no_problem_after_them(codec, missing):
    data = "(;GM[1]SZ[9];B[aa]C[名]".encode(codec)[:-missing]
    problems = wei7core.loads(data, strict=False).problems
    assert "tree-unclosed" in {problem.code for problem in problems}
    assert max(problem.offset for problem in problems) == len(data)
    assert len(wei7core.replay(data)) == 1
