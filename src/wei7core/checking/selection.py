"""Which findings somebody wants to see: `--select`, `--ignore` and `--severity`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .codes import CODES, GROUPS, Code
from .finding import SEVERITIES, Finding, FindingSeverity

__all__ = ["Selection", "UnknownCodeError", "codes_called"]

_ALL: Final = "all"
_MOST_SUGGESTED: Final = 3


class UnknownCodeError(ValueError):
    """A name is none of a code, of a group of codes or of what several codes begin with."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The findings that are wanted. Immutable, hashable; threads may share it.

    `codes` are the codes that may be shown; of them those in `named` whatever their severity is, the others from
    `severity` on. `Selection.of` makes one of what people write.
    """

    codes: frozenset[str] = frozenset(CODES)
    named: frozenset[str] = frozenset()
    severity: FindingSeverity = "warning"

    @classmethod
    def of(
        cls,
        select: str | Iterable[str] | None = None,
        ignore: str | Iterable[str] | None = None,
        severity: str = "warning",
    ) -> Selection:
        """Return the selection of codes in `select` (None: all) without those in `ignore`, from `severity` on.

        Both are names, or texts of names with commas between them. A name is that of a code (`ko-recapture`), of a
        group (`moves`), whole words that codes begin with (`superko`, `result`), or `all`. A code that `select` has by
        its own name is shown whatever its severity. `ignore` is stronger than `select`.

        Raises `UnknownCodeError` for another name, and `ValueError` for another severity, and where no code remains.
        """
        if severity not in SEVERITIES:
            raise ValueError(f"a severity is {', '.join(SEVERITIES[:-1])} or {SEVERITIES[-1]}, not {severity!r}")
        wanted, unwanted = _names(select), _names(ignore)
        codes = _codes(wanted) if select is not None else frozenset(CODES)
        codes -= _codes(unwanted)
        selection = cls(codes, codes.intersection(wanted), severity)
        if not any(map(selection.wants, CODES)):
            raise ValueError("with this choice of codes and severity there is nothing to look for")
        return selection

    def wants(self, code: str) -> bool:
        """Return whether a finding of that code can be one that is shown, so that it is worth looking for."""
        return code in self.codes and (code in self.named or _rank(CODES[code].severity) >= _rank(self.severity))

    def shows(self, finding: Finding) -> bool:
        """Return whether this finding is wanted."""
        return self.shows_code(finding.code, finding.severity)

    def shows_code(self, code: str, severity: FindingSeverity) -> bool:
        """Return whether a finding of that code and severity is wanted."""
        return code in self.codes and (code in self.named or _rank(severity) >= _rank(self.severity))


def _rank(severity: FindingSeverity) -> int:
    return SEVERITIES.index(severity)


def _names(said: str | Iterable[str] | None) -> list[str]:
    """The names in texts with commas between them, in small letters."""
    texts = [said] if isinstance(said, str) else said or ()
    return [name.strip().lower() for text in texts for name in text.split(",") if name.strip()]


def _codes(names: Iterable[str]) -> frozenset[str]:
    return frozenset(code.name for name in names for code in codes_called(name))


def codes_called(name: str) -> list[Code]:
    """Return the codes that a name selects: a code, a group, whole words that codes begin with, or `all`.

    Raises `UnknownCodeError` where there are none, with the nearest names. Thread safe.
    """
    name = name.strip().lower()
    found = [
        code for code in CODES.values() if name in (_ALL, code.name, code.group) or code.name.startswith(f"{name}-")
    ]
    if not found:
        raise UnknownCodeError(_unknown(name))
    return found


def _unknown(name: str) -> str:
    import difflib

    words = {"-".join(parts[:end]) for parts in (code.split("-") for code in CODES) for end in range(1, len(parts))}
    near = difflib.get_close_matches(name, [*CODES, *GROUPS, *sorted(words - set(GROUPS))], _MOST_SUGGESTED)
    hint = f"do you mean {' or '.join(near)}?" if near else "--explain all lists the codes"
    return f"{name!r} is no code of a check, and no group of them; {hint}"
