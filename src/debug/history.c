// SPDX-License-Identifier: MIT
#include "debug/history.h"

#include "debug/command.h"

void dbg_history_group(struct vm_group *grp) {}
void dbg_history_before(struct vm_gang *g, uint32_t item, const struct vm_insn *ip) {}
void dbg_history_judge(void) {}
void dbg_history_at_stop(void) {}
void dbg_history_changed(void) {}
void dbg_history_launch_ends(void) {}

struct err *dbg_info_history(struct str *out)
{
    str_put(out, "There is no history.\n");
    return NULL;
}
