"""Check games of self-play by their rules; the exit status is 1 if a game must not be trained on.

python examples/check_selfplay.py selfplay/ tromp-taylor
"""

import sys
from collections import Counter

import wei7core as w7

CODES = "moves,result-winner-mismatch,result-score-mismatch,duplicate-game"


def main(path: str, rules: str) -> int:
    checking = w7.check(path, rules=rules, select=CODES, jobs=2)
    counts: Counter[str] = Counter()
    bad = set()
    for finding in checking:
        counts[finding.code] += 1
        if finding.severity == "error":
            bad.add((finding.source, finding.record))
    for code, count in counts.most_common():
        print(f"{count:8} {code}")
    print(f"{len(bad)} of {checking.records} games have errors")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
