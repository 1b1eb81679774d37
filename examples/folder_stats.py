"""Print statistics of all records below a folder.

python examples/folder_stats.py tests/data/examples
"""

import sys
from collections import Counter

import wei7core as w7


def main(path: str) -> None:
    formats: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    records = moves = captured = 0
    for results in w7.replay_batches(path, jobs=2):
        columns = results.to_numpy()
        records += len(results)
        moves += int(columns["moves"].sum())
        captured += int(columns["black_captured"].sum() + columns["white_captured"].sum())
        for row in results:
            formats[row.format or "unknown"] += 1
            sizes[f"{row.width}x{row.height}"] += 1
            if row.error:
                errors[row.error] += 1
    print(f"{records} records, {moves} moves, {captured} stones captured")
    for title, counts in (("format", formats), ("size", sizes), ("error", errors)):
        for name, count in counts.most_common():
            print(f"{title:8} {name:16} {count}")


if __name__ == "__main__":
    main(sys.argv[1])
