// SPDX-License-Identifier: MIT
#include "debug/session/focus.h"

#include "debug/session/goal.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

struct dbg_launch dbg_launch;
struct dbg_focus dbg_focus;
struct dbg_listing dbg_listing;
struct dbg_goal dbg_goal;

struct err *dbg_need_stopped(void)
{
    if (dbg.state == DBG_STOPPED) return NULL;
    if (dbg_client.idle) return dbg_no_program();
    return err_new(dbg.state == DBG_BEGINNING ? "The program is not being run; `run` starts it."
                                              : "No kernel is stopped.");
}

struct vm_gang *dbg_focus_gang(void)
{
    return dbg.state == DBG_STOPPED ? dbg_gang(dbg_focus.item) : NULL;
}

bool dbg_launch_note(const struct vm_launch *l, const struct bc_module *m)
{
    enum { MAX_LAUNCHES = 200 };
    struct str s = {0};
    if (dbg_launch.log.len && vec_last(&dbg_launch.log).number == l->number) return false;
    dbg_launch.count++;
    str_printf(&s, "%s, ", bc_str(m, l->kernel->name));
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t *size = i ? l->local : l->global;
        str_put(&s, i ? ", local " : "global ");
        for (unsigned k = 0; k < l->dims; k++)
            str_printf(&s, "%s%llu", k ? "x" : "", (unsigned long long)size[k]);
    }
    if (l->host_site) str_printf(&s, ", %s", l->host_site);
    if (dbg_launch.log.len == MAX_LAUNCHES) {
        free(dbg_launch.log.data[0].text);
        memmove(dbg_launch.log.data, dbg_launch.log.data + 1,
                --dbg_launch.log.len * sizeof *dbg_launch.log.data);
    }
    vec_push(&dbg_launch.log, ((struct dbg_launched){l->number, str_take(&s)}));
    return true;
}

void dbg_group_enter(struct vm_group *grp)
{
    dbg_focus.ran_together = false;
    dbg_launch.first_insn = NULL;
    for (uint32_t i = 0; i < grp->items; i++) {
        struct vm_gang *g = grp->gangs[i];
        vm_step_begin(g);
        while (g->at && !g->at->src->loc && g->at->src->op == BC_STORE) vm_step(g);
        if (g->at) dbg_launch.first_insn = g->at->src;
    }
}

void dbg_group_begin(struct vm_group *grp)
{
    vm_group_begin(grp);
    dbg_group_enter(grp);
}

struct dbg_sizes dbg_sizes_of(const struct vm_launch *l)
{
    struct dbg_sizes s;
    memcpy(s.offset, l->offset, sizeof s.offset);
    memcpy(s.global, l->global, sizeof s.global);
    memcpy(s.local, l->local, sizeof s.local);
    for (int k = 0; k < 3; k++) s.grid[k] = (l->global[k] + l->local[k] - 1) / l->local[k];
    return s;
}

void dbg_item_ids_in(const struct dbg_sizes *s, uint64_t group, uint32_t item, uint64_t local[3],
                     uint64_t grp[3], uint64_t global[3])
{
    uint64_t shape[3];
    grp[0] = group % s->grid[0];
    grp[1] = group / s->grid[0] % s->grid[1];
    grp[2] = group / s->grid[0] / s->grid[1];
    for (int k = 0; k < 3; k++) {
        const uint64_t left = s->global[k] - grp[k] * s->local[k];
        shape[k] = left < s->local[k] ? left : s->local[k];
    }
    local[0] = item % shape[0];
    local[1] = item / shape[0] % shape[1];
    local[2] = item / shape[0] / shape[1];
    for (int k = 0; k < 3; k++) global[k] = s->offset[k] + grp[k] * s->local[k] + local[k];
}

void dbg_item_ids(uint64_t group, uint32_t item, uint64_t local[3], uint64_t grp[3],
                  uint64_t global[3])
{
    const struct dbg_sizes s = dbg_sizes_of(dbg_launch.run->l);
    dbg_item_ids_in(&s, group, item, local, grp, global);
}

#define LL(x) ((unsigned long long)(x))
void dbg_put_item(struct str *out, uint64_t group, uint32_t item)
{
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(group, item, l, g, w);
    str_printf(out, "local (%llu,%llu,%llu) group (%llu,%llu,%llu) global (%llu,%llu,%llu)",
               LL(l[0]), LL(l[1]), LL(l[2]), LL(g[0]), LL(g[1]), LL(g[2]), LL(w[0]), LL(w[1]),
               LL(w[2]));
}
