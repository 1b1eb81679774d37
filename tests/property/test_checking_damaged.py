"""Nothing in a record raises: whatever is damaged becomes findings, each with a place in the text, and can be shown."""

from operator import itemgetter

from helpers.effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples.mixed_texts import texts

import wei7core as w7
from wei7core.checking.codes import CODES
from wei7core.checking.finding_position import finding_position
from wei7core.cli.check import check_line
from wei7core.rules import NAMED


@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(data=texts().map(itemgetter(0)), rules=st.sampled_from([None, *NAMED]))
def test_damaged_records_have_findings_with_places(data: bytes, rules: str | None) -> None:
    found = list(w7.check(data, rules=rules, severity="info"))
    for finding in found:
        assert finding.code in CODES
        assert 0 <= finding.offset <= len(data) + 3  # units of wide encodings may be cut
        assert finding.line >= 1 and finding.column >= 1
        assert finding.path and finding.message
        assert check_line(finding).isprintable()
        game = lenient(data) if finding.record == 0 else None
        shown = None if game is None else finding_position(game, finding)
        if shown is not None:
            assert shown.text().startswith(shown.caption)
    # A check for some of it says the same of that.
    some = [finding for finding in found if CODES[finding.code].group == "moves"]
    assert list(w7.check(data, rules=rules, severity="info", select="moves")) == some


def lenient(data: bytes) -> w7.Game | None:
    try:
        return next(w7.loads_all(data, strict=False))
    except w7.RecordError:
        return None
