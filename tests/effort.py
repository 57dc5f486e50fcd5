# SPDX-License-Identifier: MIT
"""What the processes of a session have computed: limits by it are the same on a busy machine. For cts.py and real_apps.py."""
import os


def effort(session):
    """Processor time in seconds that the processes of a session have used, with those they waited for, and whether one wants more."""
    ticks, busy = 0, False
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/stat') as f:
                fields = f.read().rsplit(')', 1)[1].split()
            if int(fields[3]) != session:
                continue
            ticks += sum(map(int, fields[11:15]))
            for thread in os.listdir(f'/proc/{pid}/task'):
                with open(f'/proc/{pid}/task/{thread}/stat') as f:
                    busy |= f.read().rsplit(')', 1)[1].split()[0] in 'RD'
        except OSError:
            continue
    return ticks / os.sysconf('SC_CLK_TCK'), busy
