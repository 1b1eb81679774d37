"""Characters that Hypothesis draws."""

from __future__ import annotations

from hypothesis import strategies as st

UNICODE = st.characters(exclude_categories=["Cs"])
"""All characters of UTF-8, as in the default alphabet of `st.text`, which takes seconds in a new checkout."""
