// SPDX-License-Identifier: MIT
#include "debug/debug.h"

#include "base/env.h"
#include "debug/adapter/agent.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/history/earlier_writes.h"
#include "debug/history/repeated_launch.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

bool dbg_wanted(void)
{
    const char *name = env_get("CLDBG_DEBUG");
    return name && *name;
}

void dbg_start(void (*leave)(void))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!dbg_wanted()) return;
    dbg_client.leave = leave;
    pthread_once(&once, dbg_agent_connect);
}

void dbg_module_added(const struct bc_module *m, const char *options)
{
    static unsigned builds;
    if (!dbg.connected || !m) return;
    dbg_agent_lock();
    vec_push(&dbg_programs.modules,
             ((struct dbg_module){.number = ++builds,
                                  .m = m,
                                  .types = dbg_types_of(m, &dbg.arena),
                                  .options = arena_strdup(&dbg.arena, options ? options : "")}));
    dbg_events.module_changed(&vec_last(&dbg_programs.modules), true);
    dbg_break_module_added(m);
    dbg_agent_unlock();
}

/** Removes the module from the list; returns what it was. */
static struct dbg_module take_module(const struct bc_module *m)
{
    struct dbg_module was = {0};
    size_t kept = 0;
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        if (dbg_programs.modules.data[i].m == m) was = dbg_programs.modules.data[i];
        else dbg_programs.modules.data[kept++] = dbg_programs.modules.data[i];
    }
    dbg_programs.modules.len = kept;
    return was;
}

bool dbg_module_released(const struct bc_module *m)
{
    if (!dbg.connected || !m) return false;
    dbg_agent_lock();
    const struct dbg_module *known = dbg_module_of(m);
    if (known) dbg_events.module_changed(known, false);
    const struct dbg_module was = take_module(m);
    const bool keeps = was.m && dbg_repeat_uses(m);
    if (keeps) vec_push(&dbg_programs.released, was);
    dbg_break_module_removed(m);
    if (dbg_listing.module == m) dbg_listing.module = NULL, dbg_listing.line = 0;
    dbg_agent_unlock();
    if (!keeps) dbg_module_removed(m);
    return keeps;
}

void dbg_module_removed(const struct bc_module *m)
{
    if (!dbg.connected || !m) return;
    dbg_agent_lock();
    dbg_repeat_module_removed(m);
    dbg_earlier_module_removed(m);
    for (size_t i = 0; i < dbg_programs.released.len; i++)
        if (dbg_programs.released.data[i].m == m)
            dbg_programs.released.data[i--] = vec_pop(&dbg_programs.released);
    dbg_agent_unlock();
}

void dbg_memory_written(const struct dbg_memory_write *w)
{
    if (dbg_debugger()) dbg_earlier_command(w->first, w->size, w->from, w->function, w->where);
}

void dbg_memory_freed(const void *first, uint64_t size)
{
    if (dbg.connected && first) dbg_earlier_freed(first, size);
}
