"""Prints one of the README's two shell lines, so that CI runs what the README has.

python3 ci/readme_lines.py replay|test
"""

import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def shell_lines() -> dict[str, str]:
    """The lines of the README's first shell block, by what they do."""
    text = README.read_text(encoding="utf-8")
    block = text.split("```sh\n", 1)[1].split("\n```", 1)[0]
    lines = [line for line in block.splitlines() if line and not line.startswith("#")]
    if len(lines) != 2:
        sys.exit(f"{README.name}: the first shell block has {len(lines)} lines, not 2")
    return dict(zip(("replay", "test"), lines, strict=True))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("replay", "test"):
        sys.exit(__doc__)
    print(shell_lines()[sys.argv[1]])
