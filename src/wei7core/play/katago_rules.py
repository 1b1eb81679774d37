"""Rule sets in the words of KataGo: what its rules are called, and the rules that come nearest to one of ours."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from ..rules import Compensation, Dead, Ko, Rules, Scoring, recognised

_NAMES: Final = frozenset({"tromp-taylor", "chinese", "japanese", "korean", "aga", "new-zealand"})
_KO: Final = {
    Ko.NONE: "SIMPLE",
    Ko.SIMPLE: "SIMPLE",
    Ko.POSITIONAL: "POSITIONAL",
    Ko.SITUATIONAL: "SITUATIONAL",
    Ko.NATURAL: "SITUATIONAL",
}
"""KataGo always has a ko rule; natural superko is nearest to situational superko."""
_BONUS: Final = {Compensation.NONE: "0", Compensation.EACH: "N", Compensation.EACH_BUT_ONE: "N-1"}
_MEMBERS: Final[dict[str, dict[Any, Any]]] = {
    "ko": {"SIMPLE": Ko.SIMPLE, "POSITIONAL": Ko.POSITIONAL, "SITUATIONAL": Ko.SITUATIONAL},
    "scoring": {"AREA": Scoring.AREA, "TERRITORY": Scoring.TERRITORY},
    "tax": {"NONE": True, "SEKI": False},
    "suicide": {True: True, False: False},
    "hasButton": {False: False},
    "whiteHandicapBonus": {text: compensation for compensation, text in _BONUS.items()},
    "friendlyPassOk": {True: Dead.AGREED, False: Dead.NONE},
}
_FIELDS: Final = {
    "ko": "ko",
    "scoring": "scoring",
    "tax": "seki",
    "suicide": "suicide",
    "whiteHandicapBonus": "compensation",
    "friendlyPassOk": "dead",
}


def rules_of(rules: Rules) -> str | dict[str, Any]:
    """Return the rules of a KataGo query for a rule set: its name if KataGo has it, else the nearest rules."""
    return rules.name if rules.name in _NAMES and rules == recognised(rules.name) else _members(rules)


def to_json(rules: Rules) -> str:
    """Return the answer of `kata-get-rules`: one line of JSON."""
    return json.dumps(_members(rules), separators=(",", ":"))


def from_text(text: str) -> Rules:
    """Return the rules that `kata-set-rules` names: a name, or JSON as `kata-get-rules` answers.

    Raises `ValueError` where the name is not known, where a member is none of KataGo's, and for what no `Rules` has: a
    button or a tax on all groups.
    """
    text = text.strip()
    if not text.startswith("{"):
        found = recognised(text)
        if found is None:
            raise ValueError(f"unknown rules {text[:40]!r}")
        return found
    members = json.loads(text)
    rules = Rules(name="custom", ko=Ko.SIMPLE, suicide=False)
    for name, value in members.items():
        known = _MEMBERS.get(name)
        if known is None or isinstance(value, (dict, list)) or value not in known:
            raise ValueError(f"rules cannot have {name[:40]}: {json.dumps(value)[:40]}")
        if name in _FIELDS:
            rules = replace(rules, **{_FIELDS[name]: known[value]})
    return rules


def _members(rules: Rules) -> dict[str, Any]:
    return {
        "ko": _KO[rules.ko],
        "scoring": "TERRITORY" if rules.scoring is Scoring.TERRITORY else "AREA",
        "tax": "NONE" if rules.seki else "SEKI",
        "suicide": rules.suicide,
        "hasButton": False,
        "whiteHandicapBonus": _BONUS[rules.compensation],
        "friendlyPassOk": rules.dead is not Dead.NONE,
    }
