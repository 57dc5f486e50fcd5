// SPDX-License-Identifier: MIT
// Finds common bytes of two unordered commands, and reports the conflict.
#include "api/access_log.h"
#include "api/program.h"
#include "api/trace.h"

#include "base/str.h"
#include "devices/dev.h"

static bool writes(enum touch t) { return t == WRITE || t == ATOMIC_WRITE; }
static bool is_atomic(enum touch t) { return t >= ATOMIC_READ; }

struct conflict {
    struct range at;
    enum touch a, b;
};

static bool overlap(const struct range *a, size_t na, const struct range *b, size_t nb,
                    struct range *out)
{
    for (size_t i = 0, k = 0; i < na && k < nb;) {
        const uint64_t from = a[i].from > b[k].from ? a[i].from : b[k].from,
                       to = a[i].to < b[k].to ? a[i].to : b[k].to;
        if (from < to) {
            *out = (struct range){from, to};
            return true;
        }
        if (a[i].to < b[k].to) i++;
        else k++;
    }
    return false;
}

/** The ranges of an access: exact, or possible ones given by the arguments. */
static const struct range *ranges_of(const struct use *u, enum touch t, size_t *n)
{
    const bool may = !u->known && t == (u->how & API_WRITES ? WRITE : READ);
    *n = u->known ? u->by[t].len : may;
    return u->known ? u->by[t].data : &u->may;
}

static bool conflict_of(const struct use *a, const struct use *b, struct conflict *out)
{
    static const enum touch order[] = {WRITE, ATOMIC_WRITE, READ, ATOMIC_READ};
    for (unsigned i = 0; i < TOUCHES; i++)
        for (unsigned k = 0; k < TOUCHES; k++) {
            const enum touch s = order[i], t = order[k];
            if (!(writes(s) || writes(t)) || (is_atomic(s) && is_atomic(t))) continue;
            size_t na, nb;
            const struct range *const of_a = ranges_of(a, s, &na), *const of_b =
                                                                       ranges_of(b, t, &nb);
            if (!overlap(of_a, na, of_b, nb, &out->at)) continue;
            out->a = s;
            out->b = t;
            return true;
        }
    return false;
}

static void put_command(struct str *s, const struct api_access_set *a)
{
    if (a->kernel)
        str_printf(s, "kernel '%s' (launch %llu)", a->kernel, (unsigned long long)a->launch);
    else str_put(s, a->function);
}

static void put_what(struct str *s, const struct api_access_set *a, enum touch t, bool may)
{
    const char *where = a->kernel ? api_call_site_enqueued(a->site) : api_call_site_called(a->site);
    put_command(s, a);
    if (where) str_printf(s, ", %s,", where);
    if (may)
        str_printf(s, " may %s them; which bytes it used was not recorded",
                   writes(t) ? "write" : "read");
    else str_put(s, writes(t) ? " writes them" : " reads them");
}

/** Describes how a command uses the bytes, if the two use different objects. */
static void put_way(struct str *s, const struct api_access_set *a, const struct use *u)
{
    const char *made = api_call_site_created(u->created);
    put_command(s, a);
    if (!u->root) str_put(s, " was given a pointer to them");
    else
        str_printf(s, " has them in %s %s of %llu bytes%s%s%s", *u->noun == 'i' ? "an" : "a",
                   u->noun, (unsigned long long)u->size, made ? " (" : "", made ? made : "",
                   made ? ")" : "");
}

/** The program-scope variable that contains an offset of a use's ranges. */
static const struct bc_object *variable_at(const struct use *u, uint64_t at, uint64_t *offset)
{
    const struct bc_object *o = u->program->module->objects;
    while (at >= vm_variable_room(o)) at -= vm_variable_room(o++);
    *offset = at;
    return o;
}

char *api_conflict_variable(const struct pair *p)
{
    const struct use *a = &p->a->uses.data[p->use_a], *u = &p->b->uses.data[p->use_b];
    struct conflict c;
    if (!u->program || !conflict_of(a, u, &c)) return NULL;
    const struct bc_module *m = u->program->module;
    uint64_t offset;
    struct str s = {0};
    const struct bc_object *o = variable_at(u, c.at.from, &offset);
    str_printf(&s, "'%s' has %llu bytes", bc_str(m, o->name), (unsigned long long)o->size);
    if (o->loc)
        str_printf(&s, " (declared at %s:%u)", bc_str(m, m->files[m->locs[o->loc].file].name),
                   m->locs[o->loc].line);
    str_printf(&s, "; they overlap at bytes %llu..%llu", (unsigned long long)offset,
               (unsigned long long)(offset + c.at.to - c.at.from) - 1);
    return str_take(&s);
}

/** Describes the memory object and the position of the bytes in it. */
static void put_object(struct str *s, const struct api_access_set *a,
                       const struct api_access_set *b, const struct use *of_a, const struct use *u,
                       const struct range *at)
{
    const char *made = api_call_site_created(u->created);
    if (of_a->root == u->root && u->root) {
        str_printf(s, "the %s has %llu bytes%s%s%s; they overlap at bytes %llu..%llu", u->noun,
                   (unsigned long long)u->size, made ? " (" : "", made ? made : "", made ? ")" : "",
                   (unsigned long long)(at->from - u->base),
                   (unsigned long long)(at->to - u->base) - 1);
        return;
    }
    str_printf(s, "they overlap at %llu bytes: ", (unsigned long long)(at->to - at->from));
    put_way(s, a, of_a);
    str_put(s, ", ");
    put_way(s, b, u);
}

struct conflicting { // two commands on the same bytes
    const struct api_access_set *a, *b;
    const struct use *of_a, *of_b;
    struct conflict at;
    const char *why;      // nothing orders them
    const char *mapped;   // how the host uses the bytes that b mapped for it; NULL: b is a command
    const char *variable; // describes the program's variable; NULL: a memory object
    bool possible;
    bool in_group; // both are commands of one enqueue of a command buffer
};

/** One finding for each pair of call sites and buffer. */
static void report(const struct conflicting *m)
{
    const struct api_access_set *const a = m->a, *const b = m->b;
    const struct use *const of_a = m->of_a, *const u = m->of_b;
    const struct conflict *const c = &m->at;
    const bool may = !of_a->known || !u->known;
    const char *const use = may ? "may use" : "use";
    const bool one = of_a->root == u->root && u->root; // object
    struct str title = {0}, object = {0}, first = {0}, second = {0}, bytes = {0};
    if (m->possible) str_put(&title, "a race: ");
    put_command(&title, a);
    if (m->mapped) {
        str_printf(&title, " %s %s %s while it is mapped", writes(c->a) ? "writes" : "reads",
                   *u->noun == 'i' ? "an" : "a", u->noun);
        str_printf(&second, "%s%s%s mapped them for the host to %s", b->function,
                   api_call_site_called(b->site) ? ", " : "",
                   api_call_site_called(b->site) ? api_call_site_called(b->site) : "", m->mapped);
    } else {
        str_put(&title, " and ");
        put_command(&title, b);
        if (u->program)
            str_printf(&title,
                       " %s the same bytes of a variable of their program, and nothing orders them",
                       use);
        else if (one)
            str_printf(&title, " %s the same bytes of %s %s, and nothing orders them", use,
                       *u->noun == 'i' ? "an" : "a", u->noun);
        else
            str_printf(&title, " %s the same bytes of the host's memory, and nothing orders them",
                       use);
        put_what(&second, b, c->b, !u->known);
    }
    put_what(&first, a, c->a, !of_a->known);
    const char *made = api_call_site_created(u->created);
    if (m->variable) str_put(&bytes, m->variable);
    else put_object(&bytes, a, b, of_a, u, &c->at);
    const char *sites[3] = {api_call_site_called(a->site), api_call_site_called(b->site), made};
    for (unsigned i = 0; i < 3; i++) str_printf(&object, "%s ", sites[i] ? sites[i] : "");
    str_printf(&object, "%s %s", a->kernel ? a->kernel : a->function,
               b->kernel ? b->kernel : b->function);
    const struct rep_finding f = {
        .kind = REP_HOST_RACE,
        .fix = m->mapped     ? REP_FIX_MAPPED
               : m->in_group ? REP_FIX_SYNC_POINT
                             : REP_FIX_OF_KIND,
        .possible = m->possible,
        .title = str_text(&title),
        .object = str_text(&object),
        .kernel = a->kernel ? a->kernel : b->kernel,
        .nnotes = 4,
        .notes = {str_text(&first), str_text(&second), str_text(&bytes), m->why}};
    rep_add(dev_report(), &f);
    api_timeline_mark("host-race", f.title);
    api_timeline_race(a->number, b->number);
    rep_flush(dev_report());
    str_deinit(&title);
    str_deinit(&object);
    str_deinit(&first);
    str_deinit(&second);
    str_deinit(&bytes);
}

void api_conflict_source_changed(const struct api_access_set *a)
{
    struct str title = {0};
    const char *where = api_call_site_called(a->site);
    str_printf(&title, "%s copies memory that the host changed meanwhile", a->function);
    const struct rep_finding f = {.kind = REP_HOST_RACE,
                                  .fix = REP_FIX_CHANGED,
                                  .title = str_text(&title),
                                  .object = where,
                                  .host_site = where,
                                  .nnotes = 1,
                                  .notes = {"the call does not wait: its memory is the command's "
                                            "until its event has ended, or the queue"}};
    rep_add(dev_report(), &f);
    api_timeline_mark("host-race", f.title);
    rep_flush(dev_report());
    str_deinit(&title);
}

void api_conflict_host_wrote(const struct api_access_set *a, const struct use *u,
                             const struct range *at)
{
    struct str title = {0}, object = {0}, bytes = {0};
    put_command(&title, a);
    str_put(&title, " is given memory to read that the host changed meanwhile");
    const char *where = api_call_site_enqueued(a->site), *made = api_call_site_created(u->created);
    str_printf(&object, "it is that of %s %s of %llu bytes%s%s%s%s", *u->noun == 'i' ? "an" : "a",
               u->noun, (unsigned long long)u->size, made ? " (" : "", made ? made : "",
               made ? ")" : "",
               u->root->flags & CL_MEM_USE_HOST_PTR ? ", made with CL_MEM_USE_HOST_PTR"
                                                    : ", which was mapped before");
    if (at)
        str_printf(&bytes,
                   "the kernel read its bytes %llu..%llu; they changed before it ended, and it "
                   "did not write them",
                   (unsigned long long)at->from, (unsigned long long)at->to - 1);
    else str_put(&bytes, "its bytes changed while the kernel ran, and no command wrote them");
    const struct rep_finding f = {.kind = REP_HOST_RACE,
                                  .fix = REP_FIX_CHANGED,
                                  .title = str_text(&title),
                                  .object = where,
                                  .host_site = where,
                                  .kernel = a->kernel,
                                  .nnotes = 2,
                                  .notes = {str_text(&object), str_text(&bytes)}};
    rep_add(dev_report(), &f);
    api_timeline_mark("host-race", f.title);
    rep_flush(dev_report());
    str_deinit(&title);
    str_deinit(&object);
    str_deinit(&bytes);
}

void api_conflict_report(const struct pair *p)
{
    const struct use *a = &p->a->uses.data[p->use_a], *b = &p->b->uses.data[p->use_b];
    struct conflicting m = {.a = p->a, .b = p->b, .of_a = a, .of_b = b, .variable = p->variable};
    if (!conflict_of(a, b, &m.at)) return;
    // Tolerate commands after the enqueue of the unmap of a read-only map: strictly speaking the
    // memory is still mapped, but the host has finished reading.
    const struct region *x = p->a->unmaps, *y = p->b->unmaps;
    const bool formal = (x && !x->writes) || (y && !y->writes);
    m.in_group = p->a->group && p->a->group == p->b->group;
    m.why = m.in_group ? "they are in one command buffer, and no sync point or barrier orders them"
            : p->a->queue == p->b->queue
                ? "their queue runs commands out of order, and no event or barrier orders the two"
                : "they are in two queues, and no event orders the two";
    m.possible = formal || !a->known || !b->known;
    report(&m);
}

void api_conflict_mapped(const struct api_access_set *a, const struct region *r)
{
    const struct range at = {r->from, r->to};
    for (size_t k = 0; k < a->uses.len; k++) {
        const struct use *u = &a->uses.data[k];
        if (!u->known || !u->root) continue;
        struct conflict c = {0};
        for (unsigned i = 0; i < TOUCHES; i++) {
            static const enum touch order[] = {WRITE, ATOMIC_WRITE, READ, ATOMIC_READ};
            c.a = order[i];
            if ((!writes(c.a) && !r->writes) ||
                !overlap(u->by[c.a].data, u->by[c.a].len, &at, 1, &c.at))
                continue;
            report(&(struct conflicting){
                .a = a,
                .b = r->map,
                .of_a = u,
                .of_b = u,
                .at = c,
                .why = "until clEnqueueUnmapMemObject has run, the bytes are the host's",
                .mapped = r->writes ? "write" : "read"});
            return;
        }
    }
}
