# SPDX-License-Identifier: MIT
"""doc/HOWTO-add-a-command.md: a command of the debugger."""
MOST = 1

EDITS = {
    'src/debug/commands/cmd_break.c': ('static struct err *set_break', '''COMMAND(hits, STOPS, "hits", "", 0, "", "Show how often each breakpoint was hit. Those that were deleted are left out.")
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++)
        str_printf(out, "%u: %llu\\n", dbg_breaks.list.data[i]->number,
                   (unsigned long long)dbg_breaks.list.data[i]->hits);
    return NULL;
}

'''),
}

FILES = {
    'tests/debug/sessions/hits.txt': '''# run: run loop.cl --global=8 --local=4 --arg=int[8]=iota --arg=int=3 --arg=local:int[4]
(cldbg) break loop.cl:9
Breakpoint 1 (loop.cl:9) pending
(cldbg) run
[Switching to work-item local (0,0,0) group (0,0,0) global (0,0,0)]
Breakpoint 1, k (o=&o[0], n=3, t=&t[0]) at loop.cl:9
9	    o[i] += q;
(cldbg) c
Breakpoint 1, k (o=&o[0], n=3, t=&t[0]) at loop.cl:9
9	    o[i] += q;
(cldbg) hits
1: 2
(cldbg) help hits
Show how often each breakpoint was hit. Those that were deleted are left out.
Usage: hits
(cldbg) kill
[The program was killed]
''',
}


def check(run):
    run('../tests/debug/sessions.py', '../tests/debug/sessions/hits.txt')
    page = run('cat', 'man/cldbg-commands.7')
    assert '\n.B hits\nShow how often' in page, page
