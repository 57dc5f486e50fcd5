# SPDX-License-Identifier: MIT
"""doc/HOWTO-add-a-check.md: a check of one builtin: wait_group_events without events."""
MOST = 2

EDITS = {
    'src/check/faults.def': ('FAULT(SUB_GROUP', '''FAULT(NO_EVENTS, INVALID_EVENT, DIVERGENCE, "wait_group_events is given no events", "waited", NULL, OF_KIND, NULL)
'''),
    'src/interp/calls/sys_async.c': ('        uint64_t all = 0; // a sum', '''        if (!n)
            vm_fault_lane(g, &rd, i,
                          &(struct chk_fault){.kind = CHK_NO_EVENTS, .site = ip->src->site, .insn = ip->src});
'''),
}

FILES = {
    'tests/kernels/async/no_events.cl': '''// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=0
// RUN: --global=12 --local=4 --arg=int[8]=iota --arg=int=0
// SAYS: wait_group_events is given no events
kernel void k(global int *a, int n)
{
    local int t[8];
    event_t e = async_work_group_copy(t, a, 8, 0);
    wait_group_events(n, &e); // EXPECT invalid-event
    wait_group_events(1, &e);
}
''',
}


def check(run):
    run('../tests/kernels/run.py', '../tests/kernels/async')
    out = run('cli/cldbg', '--check=-barrier-divergence,-invalid-event', 'run', '../tests/kernels/async/no_events.cl', '--global=8', '--local=8',
              '--arg=int[8]=iota', '--arg=int=0')
    assert 'no events' not in out, out
