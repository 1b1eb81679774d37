"""How much the property tests try, where a test needs another number of examples than the profile has."""

from hypothesis import settings

EXAMPLES_OF_DEV = 100


def examples(count: int) -> int:
    """Return `count` in the profiles `dev` and `ci`, and in the others as many in proportion."""
    return max(1, count * settings.default.max_examples // EXAMPLES_OF_DEV)
