"""Runs a command and writes what it took: `python -I -S launcher.py REPORT PROGRAM ARGUMENT...`.

A process of its own because the system counts, as the peak memory of a child, that of the process that started it if
it was more, and this one is small.
"""

import os
import sys
import time

begin = time.perf_counter()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - begin
peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
with open(sys.argv[1], "w") as report:
    report.write(f"{seconds} {usage.ru_utime + usage.ru_stime} {peak}")
sys.exit(os.waitstatus_to_exitcode(status))
