"""The command `wei7core`; outside the package, so that an interrupt while that loads shows no traceback."""

try:
    from wei7core.__main__ import run  # noqa: F401 - the entry point
except KeyboardInterrupt:
    raise SystemExit(130) from None
