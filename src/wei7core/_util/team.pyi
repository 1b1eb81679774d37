from typing import final

__all__ = ["Team"]

@final
class Team:
    def __new__(cls, jobs: int) -> Team: ...
