"""Selection of findings: `--select`, `--ignore` and `--severity`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .codes import CODES, GROUPS, Code
from .finding import SEVERITIES, Finding, FindingSeverity

_ALL: Final = "all"
_MOST_SUGGESTED: Final = 3


class UnknownCodeError(ValueError):
    """A name is neither a code, nor a group of codes, nor a prefix of codes."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected findings. Immutable, hashable; threads may share it.

    `codes` are the codes that may be reported: those in `named` whatever their severity, the others from `severity` on.
    `Selection.of` parses the options.
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

        Both are names, or texts of comma-separated names. A name is a code (`ko-recapture`), a group (`moves`), a
        prefix of codes of whole words (`superko`, `result`), or `all`. A code named in `select` itself is reported
        whatever its severity. `ignore` overrides `select`.

        Raises `UnknownCodeError` for another name, and `ValueError` for another severity, and if no code remains.
        """
        if severity not in SEVERITIES:
            raise ValueError(f"unknown severity {severity!r} (choose from {', '.join(SEVERITIES)})")
        wanted, unwanted = _names(select), _names(ignore)
        codes = _codes(wanted) if select is not None else frozenset(CODES)
        codes -= _codes(unwanted)
        selection = cls(codes, codes.intersection(wanted), severity)
        if not any(map(selection.wants, CODES)):
            raise ValueError("this selection of codes and severity excludes every finding")
        return selection

    def wants(self, code: str) -> bool:
        """Return whether a finding of this code can be selected at all."""
        return code in self.codes and (code in self.named or _rank(CODES[code].severity) >= _rank(self.severity))

    def shows(self, finding: Finding) -> bool:
        """Return whether this finding is selected."""
        return self.shows_code(finding.code, finding.severity)

    def shows_code(self, code: str, severity: FindingSeverity) -> bool:
        """Return whether a finding of this code and severity is selected."""
        return code in self.codes and (code in self.named or _rank(severity) >= _rank(self.severity))


def _rank(severity: FindingSeverity) -> int:
    return SEVERITIES.index(severity)


def _names(value: str | Iterable[str] | None) -> list[str]:
    """The comma-separated names in texts, in lower case."""
    texts = [value] if isinstance(value, str) else value or ()
    return [name.strip().lower() for text in texts for name in text.split(",") if name.strip()]


def _codes(names: Iterable[str]) -> frozenset[str]:
    return frozenset(code.name for name in names for code in codes_called(name))


def codes_called(name: str) -> list[Code]:
    """Return the codes that a name selects: a code, a group, a prefix of whole words, or `all`.

    Raises `UnknownCodeError` with the nearest names if there are none. Thread safe.
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
    hint = f"did you mean {' or '.join(near)}?" if near else "--explain all lists the codes"
    return f"{name!r} is neither a code nor a group of codes; {hint}"
