"""An engine for tests that speaks GTP and misbehaves in the way that its argument names.

It is run as a script, imports next to nothing, and knows two commands apart from `quit`: `echo WORDS`, which answers
with the words, and `fail`; every other one succeeds without a text.
"""

import os
import sys
import time

MODES = (
    "well",  # as an engine should
    "late",  # each answer after 0.2 s
    "bytes",  # each byte by itself
    "wrong-id",  # another id
    "no-id",  # no id at all
    "noise",  # 20,000 lines of text before each answer
    "stderr",  # 20 MB on standard error before each answer
    "dies-at-once",  # ends before it reads
    "dies",  # ends at the first command
    "dies-in-answer",  # ends after half an answer
    "crashes",  # is killed by a signal at the first command
    "stubborn",  # ignores `quit`, the end of its input, and requests to terminate
    "silent",  # never answers
    "binary",  # answers with bytes that are no text
    "twice",  # answers everything twice
    "one-line-end",  # leaves out the empty line
    "skips",  # leaves out every second answer
    "swaps",  # answers two commands in the wrong order
    "crlf",  # ends its lines as Windows does
    "closes-output",  # closes its output, and lives on
    "closes-input",  # reads no more, and lives on
    "endless-line",  # a line that never ends
    "endless-answer",  # an answer that never ends
    "orphan",  # ends, and leaves a child that holds its output open
    "talks-first",  # writes a response before it is asked
    "error",  # refuses everything
)


def main(mode: str) -> None:
    out = sys.stdout.buffer
    begin(mode, out)
    for number, line in enumerate(sys.stdin.buffer):
        words = line.split()
        identity = words.pop(0) if words and words[0].isdigit() else b""
        if not words:
            continue
        if words[0] == b"quit" and mode != "stubborn":
            break
        ok = words[0] != b"fail" and mode != "error"
        text = b" ".join(words[1:]) if words[0] == b"echo" else b""
        before_answer(mode, out)
        for answer in answers(mode, number, identity, ok, text):
            out.write(answer)
            out.flush()
        if mode == "dies-in-answer":
            os._exit(1)
    if mode == "stubborn":
        while True:
            time.sleep(1000)


def begin(mode: str, out) -> None:  # type: ignore[no-untyped-def]  # any text stream
    if mode == "dies-at-once":
        print("no network file", file=sys.stderr)
        os._exit(3)
    if mode == "stubborn" and os.name == "posix":
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if mode == "talks-first":
        out.write(b"Welcome\n= hello\n\n")
        out.flush()
    if mode == "closes-input":
        sys.stdin.close()
        os.close(0)
        time.sleep(1000)


held: list[bytes] = []


def answers(mode: str, number: int, identity: bytes, ok: bool, text: bytes) -> list[bytes]:
    """Return the pieces of output for one command."""
    answer = (b"=" if ok else b"?") + identity + b" " + (text if ok else b"refused") + b"\n\n"
    if mode == "swaps":
        held.append(answer)
        if number % 2 == 0:
            return []
        pieces = held[::-1]
        held.clear()
        return pieces
    if mode == "skips" and number % 2 == 0:
        return []
    if mode == "bytes":
        return [answer[index : index + 1] for index in range(len(answer))]
    return [
        {
            "silent": b"",
            "one-line-end": answer[:-1],
            "wrong-id": b"=99999 " + text + b"\n\n",
            "no-id": answer.replace(identity, b"", 1),
            "binary": bytes(range(256)) * 4 + b"\n" + answer,
            "twice": answer * 2,
            "crlf": answer.replace(b"\n", b"\r\n"),
            "dies-in-answer": answer[: len(answer) // 2],
        }.get(mode, answer)
    ]


def before_answer(mode: str, out) -> None:  # type: ignore[no-untyped-def]  # any text stream
    if mode == "late":
        time.sleep(0.2)
    elif mode == "noise":
        out.write(b"thinking about it, thinking about it\n" * 20_000)
    elif mode == "stderr":
        os.write(2, b"a" * 1000 + b"\n")
        for _ in range(20):
            sys.stderr.write(("x" * 99 + "\n") * 10_000)
    elif mode == "dies":
        print("out of memory", file=sys.stderr)
        sys.stderr.flush()
        os._exit(7)
    elif mode == "crashes":
        os.abort()
    elif mode == "closes-output":
        sys.stdout.close()
        os.close(1)
        time.sleep(1000)
    elif mode == "endless-line":
        while True:
            out.write(b"x" * 65536)
    elif mode == "endless-answer":
        out.write(b"=\n")
        while True:
            out.write(b"more and more of it\n" * 1000)
    elif mode == "orphan":
        import subprocess

        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        os._exit(0)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except BrokenPipeError:
        os._exit(1)
