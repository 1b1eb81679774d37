"""Replay of records on boards: the only room that imports both.

May import `board`, `record`, `_util`, `errors` and `limits`. Start with `walk.h`, which plays every branch of a record;
`replay.pxi` summarises the positions it reaches, `cursor.pyx`, of which it is a part, walks a document.
"""
