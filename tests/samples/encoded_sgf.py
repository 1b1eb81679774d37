"""Games of SGF in legacy encodings, whole and damaged, named rightly, wrongly or not at all."""

from . import sgf_mutations

ENCODINGS = {
    "gb2312": ("古力九段执黑", "GB2312"),
    "gb18030": ("柯洁九段执黑中盘胜𠀀", "gbk"),
    "big5": ("周俊勳九段執黑中盤勝功許蓋", "Big5"),
    "cp932": ("井山裕太名人、黒中押しソ表十予ｿ", "Shift_JIS"),
    "euc_jp": ("井山裕太名人、黒中押し勝ち", "EUC-JP"),
    "euc_kr": ("이세돌 구단 흑 불계승", "EUC-KR"),
    "cp1251": ("Черные выиграли", "windows-1251"),
    "cp1252": ("Problème corrigé", "ISO-8859-1"),
    "utf-8": ("野狐职业 李维清", "UTF-8"),
}
NAMED = (None, "", " ", "UTF-8", "GB2312", "Big5", "sjis", "koi8-r", "utf-16", "Klingon", "x" * 99)
PARTS = (b"\\", b"]", b"\\]", b"\n", b"[", b"\x81", b"\x81]", b"\xff", b"\x8f\x5d", b"\x83\x5c", b";B[cc]", b":", b"(;")


def encoded_games(chance, *, most):
    """Games in many encodings, named rightly, wrongly or not at all, whole and damaged."""
    for encoding, (text, right) in ENCODINGS.items():
        for named in (*NAMED, right):
            for damage in range(most):
                head = "" if named is None else f"CA[{named}]"
                pieces = [chance.choice(text) for _ in range(chance.randint(1, 30))]
                raw = [piece.encode(encoding) for piece in pieces]
                if damage:
                    raw.insert(chance.randint(0, len(raw)), chance.choice(PARTS))
                words = b"".join(raw)
                gn = b"GN[" + (text + "\\]\\\n\t\n.").encode(encoding) + b"]" if chance.random() < 0.5 else b""
                game = (
                    f"(;{head}SZ[9]".encode() + gn + b"PB[" + words + b"];B[aa]C[" + words + b"](;W[bb])(;W[cc]N[x]))"
                )
                yield sgf_mutations.mutated(chance, game) if damage > 2 else game
