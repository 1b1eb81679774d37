"""The formats of game records: bytes to records and documents, and back.

One package a format: `wei7` (3.0, JSON), `wei7xml` (2.x), `sgf`, `giseong`, and `servers` (GIB, NGF, UGF, OGS,
which are only read). May import `record`, `_util`, `errors`, `limits`, `rules` and `coordinates`; needs no board.
Start with `registry.py`, which detects the format of bytes and names the decoder and the writer of each.
"""
