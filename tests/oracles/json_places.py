"""Lines, columns and paths of offsets in JSON text that may be broken, a byte at a time."""

from __future__ import annotations

import re

SPACES = b" \n\r\t"


def line_and_column(text: bytes, offset: int) -> tuple[int, int]:
    """Return line and column of an offset, both from 1; columns in characters of UTF-8."""
    before = text[:offset]
    start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, 1 + sum(byte & 0xC0 != 0x80 for byte in before[start:])


class _Level:
    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.index = -1
        self.key = ""
        self.is_active = False

    def __str__(self) -> str:
        if not self.is_active:
            return ""
        if not self.is_object:
            return f"[{self.index}]"
        return f".{self.key}" if re.fullmatch("[A-Za-z_][A-Za-z_0-9]*", self.key) else f'["{self.key}"]'


class Walk:
    """The paths of all offsets of a text; the last path from where it is broken. Its keys are short and of plain ASCII,
    else `ValueError` is raised.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.paths: list[str] = []
        self.levels: list[_Level] = []
        self._walk()
        self._until(len(text) + 1)

    def _until(self, limit: int) -> None:
        if len(self.paths) < limit:
            path = "$" + "".join(map(str, self.levels))
            self.paths += [path] * (limit - len(self.paths))

    def _byte(self, at: int) -> int:
        return self.text[at] if at < len(self.text) else 0

    def _spaces(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in SPACES:
            at += 1
        return at

    def _scalar(self, at: int) -> int:
        if self._byte(at) == ord('"'):
            at += 1
            while at < len(self.text) and self.text[at] != ord('"'):
                at += 2 if self.text[at] == ord("\\") and at + 1 < len(self.text) else 1
            return min(at + 1, len(self.text))
        while at < len(self.text) and self.text[at] > 32 and self.text[at] not in b",}]:":
            at += 1
        return at

    def _enter(self, at: int) -> int | None:
        top = self.levels[-1]
        self._until(at)
        top.index += 1
        if not top.is_object:
            top.is_active = True
            return at
        if self._byte(at) != ord('"'):
            return None
        end = self._scalar(at)
        if end - at < 2:
            return None
        top.key = self.text[at + 1 : end - 1].decode("ascii")
        if len(top.key) > 60 or "\\" in top.key:
            raise ValueError(f"the key {top.key!r} is not shown as it is")
        top.is_active = True
        self._until(end)
        end = self._spaces(end)
        return self._spaces(end + 1) if self._byte(end) == ord(":") else None

    def _walk(self) -> None:
        at: int | None = self._spaces(0)
        while at is not None and at < len(self.text):
            if self.text[at] in b"{[":
                is_object = self.text[at] == ord("{")
                self._until(at)
                self.levels.append(_Level(is_object))
                self._until(at + 1)
                at = self._spaces(at + 1)
                if at < len(self.text) and self.text[at] != ord("}" if is_object else "]"):
                    at = self._enter(at)
                    continue
            else:
                after = self._scalar(at)
                if after == at:
                    return
                at = after
                self._until(at)
            at = self._ended(at)

    def _ended(self, at: int) -> int | None:
        """What follows the value that ended, after the ends of all that ends with it."""
        while self.levels:
            top = self.levels[-1]
            top.is_active = False
            at = self._spaces(at)
            if self._byte(at) == ord(","):
                self._until(at + 1)
                return self._enter(self._spaces(at + 1))
            if at >= len(self.text) or self._byte(at) != ord("}" if top.is_object else "]"):
                return None
            at += 1
            self._until(at)
            self.levels.pop()
        return None
