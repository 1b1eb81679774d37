"""Records on boards: the only room where the two meet.

May import `board`, `record`, `_util`, `errors` and `limits`. Start with `walk.h`, which plays every branch of a record;
`replay.pyx` describes what it reaches, `cursor.pyx` walks a document.
"""
