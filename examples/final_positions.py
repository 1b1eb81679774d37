"""Write the final position of every record below a folder to a Parquet file, in constant memory.

python examples/final_positions.py tests/data/examples positions.parquet
"""

import sys

import pyarrow.parquet

import wei7core as w7


def main(path: str, target: str) -> None:
    writer = None
    for results in w7.replay_batches(path, jobs=2, board=True):
        table = results.to_arrow().select(["source", "record", "width", "height", "hash", "board", "error"])
        writer = writer or pyarrow.parquet.ParquetWriter(target, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
