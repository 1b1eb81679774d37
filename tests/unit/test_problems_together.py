"""Problems whose places are found together: they are those that are described record by record."""

import numpy as np
import pytest
from samples.checking_cases import CASES

from wei7core.batch import failures
from wei7core.checking.check import check

SGF = [
    b"(;FF[4]GM[1]SZ[19]PL[x];B[aa];W[zz])",
    b" \n(;FF[4]GM[1]SZ[9]\nCA[GB18030]PB[\xc0\xee\x95\x5d];B[aa]\n;W[k9];KM[x];PL[a\x00b\x7f])",
    b"(;FF[4]GM[1]SZ[19]CA[UTF-8]GN[\xe5\xbc\xa0]KM[650]HA[" + "\u5f20".encode() * 300 + b"];B[aa];W[\xe5\xbc\xa0])",
    b"(;FF[4]GM[1]SZ[19]RE[B+R]HA[x];B[aa]TE[" + b"\\]" * 500 + b"];W[bb]DM[3]BM[4]TE[5]DO[6]IT[7])",
    "(;FF[4]GM[1]SZ[19]KM[x];B[aa])".encode("utf-16"),
    "(;FF[4]GM[1]SZ[19]KM[x];B[aa])".encode("utf-16-le"),
    b"\xef\xbb\xbf(;FF[4]GM[1]SZ[19]KM[x];B[aa])",
    b"(;FF[4]GM[1]SZ[5];B[aa]KO[1];W[aa];B[bb]PL[x",
    b"(;",
]
WEI7 = [
    b'{"format":"wei7","version":"3.0","x":1,"info":{"id":5},"tree":{}}',
    b' {"format":"wei7","version":"3.0","info":{"rules":{"komi":"6","type":"\\u4e2d\x7f"}},"tree":{}}',
    '{"format":"wei7","version":"3.0","info":{"result":{"winner":"中国"}},"tree":{"branches":[7]}}'.encode(),
    b'{"format":"wei7","version":"3.0","' + b"n" * 500 + b'":1,"tree":{"steps":[{}],"y":{},"z":[]}}',
    b'{"format":"wei7","version":"3.0"',
]
TEXTS = [case.offending for case in CASES if isinstance(case.offending, bytes)]
INPUTS = {
    "SGF": SGF,
    "collection": [b"".join(SGF[:4]), b"\n\n".join(SGF[:4] * 20)],
    "wei7": WEI7,
    "lines": [b"\n".join(WEI7 * 20)],
    "cases": TEXTS,
    "all": [*SGF, *WEI7, *TEXTS],
}


def described(texts, revision):
    return list(check(texts, severity="info", revision=revision))


@pytest.mark.parametrize("revision", [7, 2])
@pytest.mark.parametrize("texts", INPUTS.values(), ids=INPUTS)
def test_findings_are_those_described_record_by_record(monkeypatch, texts, revision):
    together = described(texts, revision)
    monkeypatch.setattr(failures, "_may_be_wide", lambda _, indices: np.ones(len(indices), bool))
    assert together == described(texts, revision)
    assert together


@pytest.mark.parametrize("texts", INPUTS.values(), ids=INPUTS)
def test_lines_of_validate_are_those_described_record_by_record(monkeypatch, capsys, tmp_path, texts):
    from wei7core.cli.main import main

    for number, text in enumerate(texts):
        (tmp_path / f"{number:04}.{'sgf' if b'(' in text[:9] else 'wei7'}").write_bytes(text)
    main(["validate", str(tmp_path)])
    together = capsys.readouterr().out
    monkeypatch.setattr(failures, "_may_be_wide", lambda _, indices: np.ones(len(indices), bool))
    main(["validate", str(tmp_path)])
    assert together == capsys.readouterr().out
    assert together
