"""Names of files that are made of where records come from."""

from helpers.cases import in_groups

from wei7core.checking.safe_names import file_name, folder_parts, numbered
from wei7core.sources.chunks import RawRecord


def name(source, *, is_whole=True, **where):
    return file_name(RawRecord(source, where.pop("record", 0), b"", **where), is_whole=is_whole)


@in_groups(
    ("source", "harmless"),
    [
        ("a.sgf", "a.sgf"),
        ("in/a b.sgf", "a b.sgf"),
        ("c:\\games\\a.sgf", "a.sgf"),
        ("", "_"),
        ("/", "_"),
        ("./.", "_"),
        ("..", "_"),
        ('a\0\n<>:"|?*\u202eb.sgf', "a__________b.sgf"),
        ("X. . .", "X"),
        ("aX", "aX"),
        (".hidden", "_.hidden"),
        ("-rf", "_-rf"),
        ("~root", "_~root"),
        ("CON", "_CON"),
        ("nul.tar.gz", "_nul.tar.gz"),
        ("lpt9.sgf", "_lpt9.sgf"),
        ("console.sgf", "console.sgf"),
        ("<bytes>", "bytes"),
    ],
)
def test_every_name_is_harmless(source, harmless):
    assert name(source) == harmless


def test_long_names_keep_their_begin_and_their_suffix():
    assert name("a" * 116 + ".sgf") == "a" * 116 + ".sgf"
    assert name("a" * 117 + ".sgf") == "a" * 116 + ".sgf"
    assert name("囲" * 40) == "囲" * 40
    assert name("囲" * 41) == "囲" * 40
    assert name("a" + "囲" * 40) == "a" + "囲" * 39  # no half of a character
    longest = "." + "s" * 15
    assert name("a" * 200 + longest) == "a" * 104 + longest
    assert name("a" * 200 + longest + "s") == "a" * 120
    assert name("\ud800" * 130) == "_" * 120  # no character, and no bytes of UTF-8


def test_a_record_that_is_written_anew_has_the_suffix_of_its_format():
    assert name("in/a.sgf.gz", is_whole=False, format="sgf") == "a.sgf"
    assert name("in/a.SGF", is_whole=False, format="sgf") == "a.SGF"
    assert name("in/a.txt", is_whole=False, format="sgf") == "a.sgf"
    assert name("in/a", is_whole=False, format="wei7") == "a.wei7"
    assert name("a.sgf", is_whole=False, format="sgf", one_of_many=True, record=7) == "a-000007.sgf"
    assert name("many.jsonl", is_whole=False, one_of_many=True, record=1_234_567) == "many-1234567.wei7"


def test_folders():
    assert folder_parts("a.sgf") == []
    assert folder_parts("../c:/x.zip!/./in//a.sgf") == ["_", "c_", "x.zip!", "in"]
    assert folder_parts("/".join(map(str, range(20)))) == [str(number) for number in range(7, 19)]


def test_numbers():
    assert [numbered("a.b.sgf", number) for number in (1, 2, 10)] == ["a.b.sgf", "a.b-2.sgf", "a.b-10.sgf"]
