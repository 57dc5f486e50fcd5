// SPDX-License-Identifier: MIT
#include "debug/history/earlier_writes.h"

#include "base/mem.h"
#include "debug/breakpoints/memory_access.h"
#include "debug/expressions/frame_text.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"
#include "interp/core/memory_object.h"
#include "interp/launch/run.h"

#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))
enum { UNKNOWN_ITEM = UINT32_MAX };

struct launch {
    uint64_t number;
    char *kernel;
    struct dbg_sizes sizes;
    uint32_t group_items;
};
struct site {                  // an instruction that wrote
    const struct bc_module *m; // NULL: freed; `text` has the line
    const struct bc_insn *insn;
    const struct bc_fn *fn;
    char *text;
    uint32_t writer; // the last one of the site
};
struct writer {
    uint32_t launch, site;        // index + 1; 0: a command of the app
    const char *function, *where; // of that command, or of the one that copied the bytes
    bool is_vague;                // it may have written other bytes only, or nothing
    uint64_t clock;               // of the last launch or command that it stands for
};
struct past_command {
    uint64_t clock, place, size, from;
    uint32_t writer;
};
struct range {
    uint64_t place, size;
    uint32_t writer;
    const struct bc_module *variables; // of this module; or NULL
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // commands run in any thread
static struct {
    VEC(struct launch) launches;
    VEC(struct site) sites;
    VEC(struct writer) writers;
    struct map site_of;                  // instruction → index in sites
    struct map command_of;               // place of a command → index in writers + 1
    struct dbg_writer_table before, now; // before: this launch
    const struct vm_run *run;            // the launch that runs, or NULL
    uint32_t first, attempt; // writers from these on belong to the launch, or to the attempt
    bool has_launch;         // it is in `launches`
    bool forgotten;          // some writes are not kept
    uint64_t clock;          // counts launches and commands
    VEC(struct past_command) commands;
    VEC(struct range) vague;     // what the launch may have written
    VEC(struct range) variables; // places of program-scope variables
} E;

// ---- writers
static uint32_t add_writer(struct writer w)
{
    w.clock = E.clock;
    vec_push(&E.writers, w);
    return (uint32_t)E.writers.len;
}

static uint32_t add_launch(void)
{
    if (!E.has_launch) {
        const struct vm_launch *l = E.run->l;
        vec_push(
            &E.launches,
            ((struct launch){l->number, mem_strdup(bc_str(E.run->code->module, l->kernel->name)),
                             dbg_sizes_of(l), E.run->group_items}));
        E.has_launch = true;
    }
    return (uint32_t)E.launches.len;
}

static struct site *site_of(const struct dbg_writing_site *at)
{
    bool is_new;
    uint64_t *index = map_put_ptr(&E.site_of, at->insn, &is_new);
    if (is_new) {
        *index = E.sites.len;
        vec_push(&E.sites, ((struct site){.m = at->m, .insn = at->insn, .fn = at->fn}));
    }
    return &E.sites.data[*index];
}

/** The writer for an instruction in this attempt of the launch. */
static uint32_t writer_of(struct vm_gang *g, const struct bc_insn *insn, bool is_vague)
{
    struct site *s = site_of(&(struct dbg_writing_site){g->code->module, g->frame->fn->bc, insn});
    if (s->writer <= E.attempt)
        s->writer = add_writer((struct writer){.launch = add_launch(),
                                               .site = (uint32_t)(s - E.sites.data) + 1,
                                               .is_vague = is_vague});
    return s->writer;
}

/** Keeps the tables within `set history-size`: forgets what earlier launches wrote. */
static void keep_in_bounds(void)
{
    if (E.before.bytes + E.now.bytes <= dbg_settings.history_limit) return;
    E.forgotten = true;
    dbg_writer_table_clear(&E.before);
    if (E.now.bytes > dbg_settings.history_limit) dbg_writer_table_clear(&E.now);
}

// ---- the launch that runs
void dbg_earlier_launch_begins(const struct vm_run *run)
{
    pthread_mutex_lock(&lock);
    E.run = run;
    E.clock++;
    E.has_launch = false;
    E.first = E.attempt = (uint32_t)E.writers.len;
    pthread_mutex_unlock(&lock);
}

void dbg_earlier_unrecorded(void)
{
    pthread_mutex_lock(&lock);
    E.clock++;
    pthread_mutex_unlock(&lock);
}

static void note_range(struct range r, bool is_variable)
{
    if (is_variable) {
        for (size_t i = 0; i < E.variables.len; i++)
            if (E.variables.data[i].place == r.place) return;
        vec_push(&E.variables, r);
        return;
    }
    for (size_t i = 0; i < E.vague.len; i++)
        if (E.vague.data[i].place == r.place && E.vague.data[i].writer == r.writer) return;
    vec_push(&E.vague, r);
}

static void record(struct vm_gang *g, const struct bc_insn *insn, uint32_t item, uint64_t address,
                   uint64_t size)
{
    const struct vm_object *o = vm_object_of(g, address);
    const bool is_variable = o->kind == VM_OBJ_PROGRAM;
    if ((o->kind != VM_OBJ_BUFFER && o->kind != VM_OBJ_IMAGE && !is_variable) || !o->base) return;
    const bool is_vague = size == UINT64_MAX;
    if (!is_vague && !dbg_is_performed(g, insn, address, size)) return;
    const uint64_t base = (uint64_t)(uintptr_t)o->base, before = E.now.bytes;
    const uint64_t number = g->group->linear * E.run->group_items + item;
    pthread_mutex_lock(&lock);
    const struct range whole = {base, o->size, writer_of(g, insn, is_vague),
                                is_variable ? g->code->module : NULL};
    if (is_variable) note_range(whole, true);
    if (is_vague) note_range(whole, false);
    else
        dbg_writer_table_set(&E.now, base + (uint64_t)vm_offset_of(address), size,
                             (struct dbg_write_mark){whole.writer, number < UNKNOWN_ITEM
                                                                       ? (uint32_t)number
                                                                       : UNKNOWN_ITEM});
    if (E.now.bytes != before) keep_in_bounds();
    pthread_mutex_unlock(&lock);
}

/** Does every lane write its element of the run, in a buffer? */
static bool is_whole_run(struct vm_gang *g, const struct bc_insn *insn, const struct dbg_run *r)
{
    const struct vm_object *o = vm_object_of(g, r->address);
    return o->kind == VM_OBJ_BUFFER && o->base &&
           r->size % g->code->module->sites[insn->site].align == 0 &&
           dbg_is_performed(g, insn, r->address, r->size * r->n) &&
           (g->group->linear + 1) * E.run->group_items < UNKNOWN_ITEM;
}

void dbg_earlier_record_run(struct vm_gang *g, const struct bc_insn *insn, const struct dbg_run *r)
{
    const uint32_t first = g->first_item + r->lane;
    if (dbg.repeats) return;
    if (r->n == 1 || !is_whole_run(g, insn, r)) {
        for (uint32_t k = 0; k < r->n; k++)
            record(g, insn, first + k, r->address + k * r->size, r->size);
        return;
    }
    const uint64_t number = g->group->linear * E.run->group_items + first, before = E.now.bytes;
    pthread_mutex_lock(&lock);
    dbg_writer_table_set_each(
        &E.now,
        (uint64_t)(uintptr_t)vm_object_of(g, r->address)->base + (uint64_t)vm_offset_of(r->address),
        r->size, r->n, (struct dbg_write_mark){writer_of(g, insn, false), (uint32_t)number});
    if (E.now.bytes != before) keep_in_bounds();
    pthread_mutex_unlock(&lock);
}

void dbg_earlier_record_scatter(struct vm_gang *g, const struct bc_insn *insn,
                                const struct dbg_scatter *s)
{
    const uint64_t first = g->group->linear * E.run->group_items + g->first_item;
    const uint64_t base = (uint64_t)(uintptr_t)s->buffer->base, before = E.now.bytes;
    if (dbg.repeats) return;
    pthread_mutex_lock(&lock);
    const uint32_t writer = writer_of(g, insn, false);
    for (uint32_t k = 0; k < s->n; k++) {
        const uint64_t item = first + s->at[k].lane;
        dbg_writer_table_set(
            &E.now, base + s->at[k].offset, s->size,
            (struct dbg_write_mark){writer, item < UNKNOWN_ITEM ? (uint32_t)item : UNKNOWN_ITEM});
    }
    if (E.now.bytes != before) keep_in_bounds();
    pthread_mutex_unlock(&lock);
}

void dbg_earlier_record(struct vm_gang *g, const struct bc_insn *insn, uint32_t lane)
{
    const uint32_t item = g->first_item + lane;
    uint64_t address, size;
    if (dbg.repeats) return;
    if (insn->op != BC_ASYNC_COPY) {
        if (dbg_access_of(g, insn, lane, false, &address, &size))
            record(g, insn, item, address, size);
        return;
    }
    struct dbg_async_copy c;
    dbg_async_copy_of(g, insn, lane, &c);
    for (uint64_t k = item; k < c.count; k += g->group->items)
        record(g, insn, item, c.to + k * c.step_to, c.elem);
}

void dbg_earlier_attempt(void)
{
    if (dbg.repeats) return;
    pthread_mutex_lock(&lock);
    E.attempt = (uint32_t)E.writers.len;
    pthread_mutex_unlock(&lock);
}

void dbg_earlier_undo(bool whole)
{
    if (dbg.repeats) return;
    pthread_mutex_lock(&lock);
    for (size_t i = whole ? E.first : E.attempt; i < E.writers.len; i++)
        if (E.writers.data[i].launch) E.writers.data[i].is_vague = true;
    E.attempt = (uint32_t)E.writers.len;
    pthread_mutex_unlock(&lock);
}

static void add(uint64_t place, uint64_t size, struct dbg_write_mark mark)
{
    dbg_writer_table_set(&E.before, place, size, mark);
    dbg_writer_table_keep(&E.before, place, (const void *)(uintptr_t)place, size);
}

void dbg_earlier_launch_ends(void)
{
    pthread_mutex_lock(&lock);
    dbg_writer_table_move(&E.before, &E.now);
    for (size_t i = 0; i < E.vague.len; i++)
        add(E.vague.data[i].place, E.vague.data[i].size,
            (struct dbg_write_mark){E.vague.data[i].writer, UNKNOWN_ITEM});
    vec_clear(&E.vague);
    dbg_writer_table_clear(&E.now);
    E.run = NULL;
    keep_in_bounds();
    pthread_mutex_unlock(&lock);
}

void dbg_earlier_module_removed(const struct bc_module *m)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < E.variables.len; i++)
        if (E.variables.data[i].variables == m) {
            dbg_writer_table_set(&E.before, E.variables.data[i].place, E.variables.data[i].size,
                                 (struct dbg_write_mark){0});
            E.variables.data[i--] = vec_pop(&E.variables);
        }
    map_clear(&E.site_of);
    for (size_t i = 0; i < E.sites.len; i++) {
        struct site *s = &E.sites.data[i];
        if (s->m && s->m != m) *map_put_ptr(&E.site_of, s->insn, NULL) = i;
        if (s->m != m) continue;
        struct str text = {0};
        dbg_put_line(&text, m, dbg_line_of(m, s->fn, s->insn));
        s->text = str_take(&text);
        s->m = NULL;
    }
    pthread_mutex_unlock(&lock);
}

// ---- commands
static uint32_t command(const char *function, const char *where)
{
    bool is_new;
    uint64_t *at = map_put_ptr(&E.command_of, where ? where : function, &is_new);
    if (is_new) *at = add_writer((struct writer){.function = function, .where = where});
    E.writers.data[*at - 1].clock = E.clock;
    return (uint32_t)*at;
}

static void note_command(struct past_command c)
{
    enum { MOST = 1 << 16 };
    if (E.commands.len == MOST) { // the older half
        memmove(E.commands.data, E.commands.data + MOST / 2, MOST / 2 * sizeof *E.commands.data);
        E.commands.len = MOST / 2;
        E.forgotten = true;
    }
    vec_push(&E.commands, c);
}

/** The writer, which may be 0, of what the command copied. */
static uint32_t copied_by(uint32_t writer, uint32_t by)
{
    struct writer w = E.writers.data[(writer ? writer : by) - 1];
    w.function = E.writers.data[by - 1].function;
    w.where = E.writers.data[by - 1].where;
    return w.launch ? add_writer(w) : by;
}

uint32_t dbg_earlier_copied_by(uint32_t writer, uint32_t command)
{
    pthread_mutex_lock(&lock);
    const uint32_t is = copied_by(writer, command);
    pthread_mutex_unlock(&lock);
    return is;
}

/** The bytes got the marks of those that they were copied from, with the command's name. */
static void copy_marks(uint64_t place, uint64_t size, uint64_t from, uint32_t by)
{
    struct map copied = {0}; // writer → the same with the command
    for (uint64_t at = 0, end; at < size; at = end - from) {
        struct dbg_write_mark mark = dbg_writer_table_get(&E.before, from + at, &end);
        if (end - from > size) end = from + size;
        bool is_new;
        uint64_t *writer = map_put(&copied, mark.writer, &is_new);
        if (is_new) *writer = copied_by(mark.writer, by);
        mark.writer = (uint32_t)*writer;
        dbg_writer_table_set(&E.before, place + at, end - from - at, mark);
    }
    map_deinit(&copied);
}

void dbg_earlier_command(const void *first, uint64_t size, const void *from, const char *function,
                         const char *where)
{
    const uint64_t place = (uint64_t)(uintptr_t)first;
    pthread_mutex_lock(&lock);
    E.clock++;
    const uint32_t by = where || from ? command(function, where) : 0; // 0: cldbg run itself
    note_command((struct past_command){E.clock, place, size, (uint64_t)(uintptr_t)from, by});
    if (from) copy_marks(place, size, (uint64_t)(uintptr_t)from, by);
    else dbg_writer_table_set(&E.before, place, size, (struct dbg_write_mark){by, UNKNOWN_ITEM});
    if (by) dbg_writer_table_keep(&E.before, place, first, size);
    keep_in_bounds();
    pthread_mutex_unlock(&lock);
}

void dbg_earlier_freed(const void *first, uint64_t size)
{
    pthread_mutex_lock(&lock);
    const uint64_t place = (uint64_t)(uintptr_t)first;
    dbg_writer_table_set(&E.before, place, size, (struct dbg_write_mark){0});
    note_command((struct past_command){++E.clock, place, size, 0, 0});
    pthread_mutex_unlock(&lock);
}

// ---- answers
static bool is_same(struct dbg_write_mark a, struct dbg_write_mark b)
{
    return a.writer == b.writer && a.item == b.item;
}

struct dbg_earlier_write dbg_earlier_find(uint64_t place, uint64_t size, const uint8_t *value)
{
    struct dbg_earlier_write w = {.size = 0};
    uint64_t end = place;
    pthread_mutex_lock(&lock);
    while (w.size < size) {
        const struct dbg_write_mark mark = dbg_writer_table_get(&E.before, place + w.size, &end);
        if (!w.size) w.mark = mark;
        else if (!is_same(mark, w.mark)) break;
        w.size = end - place < size ? end - place : size;
    }
    for (uint64_t i = 0; w.mark.writer && value && i < w.size; i++) {
        uint8_t kept;
        w.is_changed |= dbg_writer_table_kept(&E.before, place + i, &kept) && kept != value[i];
    }
    pthread_mutex_unlock(&lock);
    return w;
}

bool dbg_earlier_is_forgotten(void)
{
    pthread_mutex_lock(&lock);
    const bool is = E.forgotten;
    pthread_mutex_unlock(&lock);
    return is;
}

uint64_t dbg_earlier_clock(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t clock = E.clock;
    pthread_mutex_unlock(&lock);
    return clock;
}

bool dbg_earlier_is_before(const struct dbg_earlier_write *w, uint64_t clock)
{
    pthread_mutex_lock(&lock);
    const bool is = E.writers.data[w->mark.writer - 1].clock < clock;
    pthread_mutex_unlock(&lock);
    return is;
}

bool dbg_earlier_find_command(uint64_t place, uint64_t size, struct dbg_clock_range when,
                              struct dbg_earlier_command *out)
{
    bool found = false;
    *out = (struct dbg_earlier_command){.write.size = size};
    pthread_mutex_lock(&lock);
    for (size_t i = E.commands.len; i-- > 0 && !found;) {
        const struct past_command *c = &E.commands.data[i];
        if (c->clock >= when.before || c->clock <= when.after) continue;
        found = place - c->place < c->size;
        if (found) {
            const uint64_t left = c->size - (place - c->place);
            out->write.mark = (struct dbg_write_mark){c->writer, UNKNOWN_ITEM};
            out->clock = c->clock;
            out->from = c->from ? c->from + (place - c->place) : 0;
            if (left < out->write.size) out->write.size = left;
        } else if (c->size && c->place - place < out->write.size) {
            out->write.size = c->place - place;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

bool dbg_earlier_command_after(uint64_t clock, size_t i, uint64_t *place, uint64_t *size)
{
    pthread_mutex_lock(&lock);
    size_t first = E.commands.len;
    while (first && E.commands.data[first - 1].clock > clock) first--;
    const bool is = first + i < E.commands.len;
    if (is) {
        *place = E.commands.data[first + i].place;
        *size = E.commands.data[first + i].size;
    }
    pthread_mutex_unlock(&lock);
    return is;
}

uint32_t dbg_earlier_writer_of(uint64_t launch, const struct bc_insn *insn)
{
    uint32_t found = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = E.writers.len; i-- > 0 && !found;) {
        const struct writer *w = &E.writers.data[i];
        if (w->launch && !w->function && E.launches.data[w->launch - 1].number == launch &&
            E.sites.data[w->site - 1].insn == insn && E.sites.data[w->site - 1].m)
            found = (uint32_t)i + 1;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/** With the lock held. */
static void describe(const struct dbg_earlier_write *e, struct dbg_earlier_source *out)
{
    const struct writer *w = &E.writers.data[e->mark.writer - 1];
    *out = (struct dbg_earlier_source){
        .function = w->function, .where = w->where, .is_vague = w->is_vague};
    if (!w->launch) return;
    const struct launch *l = &E.launches.data[w->launch - 1];
    const struct site *s = &E.sites.data[w->site - 1];
    out->launch = l->number;
    out->kernel = l->kernel;
    out->m = s->m;
    out->loc = s->m ? dbg_line_of(s->m, s->fn, s->insn) : NULL;
    out->insn = s->m ? s->insn : NULL;
    out->line = s->text;
    out->has_item = e->mark.item != UNKNOWN_ITEM && !w->is_vague;
    if (out->has_item)
        dbg_item_ids_in(&l->sizes, e->mark.item / l->group_items, e->mark.item % l->group_items,
                        out->local, out->group, out->global);
}

uint32_t dbg_earlier_add_writer(const struct vm_launch *l, const struct dbg_writing_site *at,
                                uint64_t clock)
{
    uint32_t items = 1;
    for (int d = 0; d < 3; d++)
        items *= (uint32_t)(l->global[d] < l->local[d] ? l->global[d] : l->local[d]);
    pthread_mutex_lock(&lock);
    size_t n = E.launches.len;
    while (n && E.launches.data[n - 1].number != l->number) n--;
    if (!n) {
        vec_push(&E.launches,
                 ((struct launch){l->number, mem_strdup(bc_str(at->m, l->kernel->name)),
                                  dbg_sizes_of(l), items}));
        n = E.launches.len;
    }
    const uint32_t writer = add_writer(
        (struct writer){.launch = (uint32_t)n, .site = (uint32_t)(site_of(at) - E.sites.data) + 1});
    E.writers.data[writer - 1].clock = clock;
    pthread_mutex_unlock(&lock);
    return writer;
}

void dbg_earlier_describe(const struct dbg_earlier_write *e, struct dbg_earlier_source *out)
{
    pthread_mutex_lock(&lock);
    describe(e, out);
    pthread_mutex_unlock(&lock);
}

void dbg_earlier_put(struct str *out, const struct dbg_earlier_write *e)
{
    struct dbg_earlier_source w;
    dbg_earlier_describe(e, &w);
    if (e->is_changed) str_put(out, ": changed by the host, after it was written");
    else if (w.is_vague) str_put(out, ": perhaps written");
    else if (!w.launch) str_put(out, ": written");
    str_put(out, " by ");
    if (w.launch) {
        str_printf(out, "launch %llu, kernel '%s'", LL(w.launch), w.kernel);
        if (w.has_item)
            str_printf(out, ", work-item global (%llu,%llu,%llu)", LL(w.global[0]), LL(w.global[1]),
                       LL(w.global[2]));
        str_put(out, " at ");
        if (w.m) dbg_put_line(out, w.m, w.loc);
        else str_put(out, w.line);
    }
    if (!w.function) return;
    str_printf(out, "%s%s%s%s%s", w.launch ? " (copied by " : "", w.function, w.where ? ", " : "",
               w.where ? w.where : "", w.launch ? ")" : "");
}
