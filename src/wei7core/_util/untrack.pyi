"""Objects that the garbage collector does not walk."""

__all__ = ["untrack"]

def untrack(value: object) -> None: ...
