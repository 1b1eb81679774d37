"""Runs a command on some processors (0: all) and writes what it took:
`python -I -S launcher.py REPORT PROCESSORS PROGRAM ARGUMENT...`.

A process of its own because the system counts, as the peak memory of a child, that of the process that started it if
it was more, and this one is small.
"""

import os
import sys
import time

if processors := int(sys.argv[2]):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:processors])
begin = time.perf_counter()
child = os.posix_spawn(sys.argv[3], sys.argv[3:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - begin
peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
with open(sys.argv[1], "w") as report:
    report.write(f"{seconds} {usage.ru_utime + usage.ru_stime} {peak}")
sys.exit(os.waitstatus_to_exitcode(status))
