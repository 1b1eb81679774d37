"""Bad documents that are no JSON, no UTF-8, or strange in their strings and numbers."""

from helpers.effort import is_quick

DEEP = 10_000 if is_quick() else 100_000
MANY = 10 * DEEP
SMALL = (
    b'{"format": "wei7", "version": "3.0", "size": {"width": 9, "height": 9}, "info": {"name": "\\u56f4\\n", "rules": '
    b'{"komi": -7.5e+0}}, "tree": {"pre": {"stones": [{"color": 1, "point": {"x": 0, "y": 1}}]}, "steps": [{"time": '
    b'0.5, "action": {"type": "move", "value": {"color": 2, "point": null}}}], "branches": [{}, {"title": ""}]}}'
)
HEAD = b'{"format": "wei7", "version": "3.0", '
SYNTAX = ("json-syntax",)
ENCODING = ("encoding-invalid",)
BYTES = ("json-syntax", "encoding-invalid")


def tree(value):
    """A record with this JSON text as its tree."""
    return HEAD + b'"tree": ' + value + b"}"


def title(text):
    """A record whose title holds these bytes between its quotes."""
    return tree(b'{"title": "' + text + b'"}')


def komi(number):
    """A record with this JSON text as its komi."""
    return HEAD + b'"info": {"rules": {"komi": ' + number + b'}}, "tree": {}}'


def cuts():
    """The small record broken off before and after each structural character, inside words and escapes."""
    places = {0, 1, len(SMALL) - 1}
    for index, byte in enumerate(SMALL):
        if byte in b'{}[]:,"\\.+-':
            places |= {index, index + 1}
    places |= {SMALL.index(b"null") + step for step in range(4)}
    places |= {SMALL.index(b"\\u56f4") + step for step in range(6)}
    places |= {SMALL.index(b"e+0") + step for step in range(3)}
    return [(f"cut-at-{place}", SMALL[:place], SYNTAX) for place in sorted(places) if place < len(SMALL)]


ESCAPES = (
    b"\\",
    b"\\q",
    b"\\x41",
    b"\\u",
    b"\\u1",
    b"\\u12",
    b"\\u123",
    b"\\u123g",
    b"\\u 123",
    b"\\u+123",
    b"\\U0041",
    b"\\0",
)
ESCAPES += (
    b"\\'",
    b"\\a",
    b"\\v",
    b"\\e",
    b"\\\n",
    b"\\u{41}",
    b"\\ud800\\u",
    b"\\ud800\\ud",
    b"\\ud800\\q",
    b"\\ ",
    b"\\u00\\u0041",
)
CONTROLS = tuple(bytes([code]) for code in range(0x20))
NUMBERS = (
    b"01",
    b"-01",
    b"00",
    b"+1",
    b".5",
    b"1.",
    b"1.e1",
    b"1e",
    b"1e+",
    b"1E-",
    b"-",
    b"--1",
    b"- 1",
    b"1..2",
    b"1.2.3",
)
NUMBERS += (
    b"1e5.5",
    b"0x10",
    b"0b1",
    b"1_000",
    b"1,5",
    b"NaN",
    b"nan",
    b"Infinity",
    b"-Infinity",
    b"inf",
    b"1f",
    b"1L",
    b"1n",
)
NUMBERS += (b"1e1e1", b"e5", b"1 2", b"\xd9\xa1", b"1-1", b"0.0.", b"-.5", b"1e\x00", b"\xef\xbc\x91", b"1/2", b"-e1")
WORDS = (
    b"True",
    b"TRUE",
    b"nul",
    b"nulll",
    b"nil",
    b"None",
    b"undefined",
    b"tru",
    b"truee",
    b"fals",
    b"falsee",
    b"t",
    b"n",
    b"f",
    b"NULL",
)
STRUCTURE = (
    (b"", "nothing"),
    (b" ", "one space"),
    (b"\n\r\t ", "white space"),
    (b"\x00", "zero byte"),
    (b"}", "closing brace"),
    (b"]", "closing bracket"),
    (b",", "comma"),
    (b":", "colon"),
    (b'"', "quote"),
    (b"{", "opening brace"),
    (b"[", "opening bracket"),
    (b"{]", "brace closed by bracket"),
    (b"[}", "bracket closed by brace"),
    (b"{}{}", "two roots"),
    (b"{} []", "root and array"),
    (b"{}1", "root and number"),
    (b"{},", "root and comma"),
    (b"{:}", "colon alone"),
    (b"{,}", "comma alone"),
    (b'{"a"}', "key alone"),
    (b'{"a":}', "key without value"),
    (b'{"a" 1}', "no colon"),
    (b'{"a"::1}', "two colons"),
    (b'{"a":1,,"b":2}', "two commas"),
    (b'{"a":1 "b":2}', "no comma"),
    (b'{"a":1,}', "comma at the end"),
    (b'{,"a":1}', "comma at the start"),
    (b'{"a"=1}', "equals sign"),
    (b"{a:1}", "bare key"),
    (b"{'a':1}", "single quotes"),
    (b"{1:1}", "number as key"),
    (b"{null:1}", "null as key"),
    (b'{{"a":1}}', "object as key"),
    (b'{["a"]:1}', "array as key"),
    (b'{"a":1;"b":2}', "semicolon"),
    (b'{"a":(1)}', "parenthesis"),
    (b'{"a":[1,]}', "comma at the end of an array"),
    (b'{"a":[,1]}', "comma at the start of an array"),
    (b'{"a":[1 2]}', "array without comma"),
    (b'{"a":[1:2]}', "colon in an array"),
    (b'{"a":[1}', "array closed by brace"),
    (b'{"a":{"b":1]}', "object closed by bracket"),
    (b'{"a":1}}', "one brace too many"),
    (b'{"a":[]]}', "one bracket too many"),
    (b'/* c */{"a":1}', "comment before"),
    (b'{"a":1}/* c */', "comment after"),
    (b'{"a":1}// c', "line comment"),
    (b'{"a":1 # c\n}', "hash comment"),
    (b'{"a":"b" "c"}', "strings side by side"),
    (b'{"a":"b"+"c"}', "sum of strings"),
    (b'{"a":`b`}', "backquotes"),
    (b'{"a":\x0b1}', "vertical tab as white space"),
    (b'{"a":\x0c1}', "form feed as white space"),
    (b'{"a":\xc2\xa01}', "no-break space as white space"),
    (b'{"a":\xe2\x80\xa81}', "line separator as white space"),
    (b'{"a":\x001}', "zero byte as white space"),
    (b"<game/>", "XML"),
    (b"(define x 1)", "parentheses"),
    (b"---\nformat: wei7\n", "YAML"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b\x08", "gzip"),
)
UTF8 = (
    (b"\x80", "lone continuation, lowest"),
    (b"\xbf", "lone continuation, highest"),
    (b"a\x80b", "lone continuation between letters"),
    (b"\xc2", "two bytes cut to one"),
    (b"\xc2a", "second byte of two is a letter"),
    (b"\xc2\xc2\x80", "second byte of two is a first"),
    (b"\xc0\x80", "overlong zero"),
    (b"\xc0\xaf", "overlong slash"),
    (b"\xc1\xbf", "overlong, two bytes"),
    (b"\xc0\xa2", "overlong quote"),
    (b"\xe0\x80\x80", "overlong zero, three bytes"),
    (b"\xe0\x9f\xbf", "overlong, three bytes"),
    (b"\xe5\x9b", "three bytes cut to two"),
    (b"\xe5", "three bytes cut to one"),
    (b"\xe5a\xb4", "second byte of three is a letter"),
    (b"\xe5\x9ba", "third byte of three is a letter"),
    (b"\xed\xa0\x80", "high surrogate"),
    (b"\xed\xbf\xbf", "low surrogate"),
    (b"\xed\xa0\xbd\xed\xb8\x80", "surrogate pair, CESU-8"),
    (b"\xf0\x80\x80\x80", "overlong zero, four bytes"),
    (b"\xf0\x8f\xbf\xbf", "overlong, four bytes"),
    (b"\xf0\x9f\x98", "four bytes cut to three"),
    (b"\xf0\x9f", "four bytes cut to two"),
    (b"\xf0", "four bytes cut to one"),
    (b"\xf0\x9f\x98a", "fourth byte of four is a letter"),
    (b"\xf4\x90\x80\x80", "one above U+10FFFF"),
    (b"\xf5\x80\x80\x80", "first byte F5"),
    (b"\xf7\xbf\xbf\xbf", "first byte F7"),
    (b"\xf8\x88\x80\x80\x80", "five bytes"),
    (b"\xfc\x84\x80\x80\x80\x80", "six bytes"),
    (b"\xfe", "FE"),
    (b"\xff", "FF"),
    ("围棋".encode("gbk"), "GBK"),
    ("囲碁".encode("shift_jis"), "Shift JIS"),
    ("바둑".encode("cp949"), "CP949"),
    ("圍棋".encode("big5"), "Big5"),
    ("café".encode("latin-1"), "Latin-1"),
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "cp037", "utf-7")

TEXTS = [
    *cuts(),
    *((f"escape-{text!r}", title(text), SYNTAX) for text in ESCAPES),
    *((f"raw-control-{code[0]:02x}", title(b"a" + code + b"b"), SYNTAX) for code in CONTROLS),
    *((f"number-{text!r}", komi(text), BYTES if text[0] > 0x7F else SYNTAX) for text in NUMBERS),
    *((f"word-{text!r}", tree(text), SYNTAX) for text in WORDS),
    *((name, text, SYNTAX) for text, name in STRUCTURE),
    *((f"utf8 {name}", title(text), ENCODING) for text, name in UTF8),
    *((f"utf8 outside strings, {name}", tree(text + b"{}"), BYTES) for text, name in UTF8[:12]),
    *((f"utf8 in a key, {name}", tree(b'{"' + text + b'": 1}'), ENCODING) for text, name in UTF8[12:24]),
    *((f"encoding-{name}", SMALL.decode().encode(name), BYTES) for name in ENCODINGS if name != "utf-7"),
    ("utf-7", b'{"format": "wei7", +ACIA-version": "3.0"}', SYNTAX),
    ("mark-twice", b"\xef\xbb\xbf" * 2 + tree(b"{}"), SYNTAX),
    ("mark-alone", b"\xef\xbb\xbf", SYNTAX),
    ("mark-cut", b"\xef\xbb" + tree(b"{}"), BYTES),
    ("mark-after", tree(b"{}") + b"\xef\xbb\xbf", SYNTAX),
    ("mark-inside", HEAD + b'\xef\xbb\xbf"tree": {}}', SYNTAX),
    ("mark-of-utf-16", b"\xff\xfe" + tree(b"{}"), BYTES),
    ("zero-after", tree(b"{}") + b"\x00", SYNTAX),
    ("zeros-after", tree(b"{}") + b"\x00" * 4096, SYNTAX),
    ("zero-before", b"\x00" + tree(b"{}"), BYTES),
    ("zero-in-key", tree(b'{"ti\x00tle": ""}'), SYNTAX),
    ("text-after", tree(b"{}") + b"wei7", SYNTAX),
    ("record-after", tree(b"{}") * 2, SYNTAX),
    ("lines-of-records", tree(b"{}") + b"\n" + tree(b"{}"), SYNTAX),
    ("open-braces", b'{"tree":' * DEEP, SYNTAX),
    ("open-brackets", b"[" * MANY, (*SYNTAX, "type-mismatch")),
    ("closing-brackets", b"]" * 1000, SYNTAX),
    ("open-arrays-in-title", tree(b'{"title": ' + b"[" * DEEP), SYNTAX),
    ("brackets-crossed", tree(b'{"other": ' + b"[{" * 3 + b"]}" * 3 + b"}"), SYNTAX),
    ("string-without-end", tree(b'{"title": "' + b"a" * MANY), SYNTAX),
    ("escapes-without-end", tree(b'{"title": "' + b"\\\\" * DEEP), SYNTAX),
    ("backslash-before-the-quote", tree(b'{"title": "abc\\"}'), SYNTAX),
]
