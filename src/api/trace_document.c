// SPDX-License-Identifier: MIT
// Trace events as viewers need them. Perfetto's rules are the strictest (src/trace_processor/
// importers/json): the slices of a track nest; of events at the same time, the enclosing slice
// comes first; a flow begins and ends inside of a slice of its track; the ids of flows are unique
// among all processes; times are truncated to nanoseconds after a multiplication of doubles.
#include "api/trace_record.h"

#include "base/mem.h"
#include "report/document.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LANES = 256, BEFORE_END = 1000 }; // BEFORE_END: nanoseconds

static int by_time(const void *pa, const void *pb)
{
    const struct trace_record *const a = *(struct trace_record *const *)pa,
                                     *const b = *(struct trace_record *const *)pb;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    if ((a->phase == TRACE_SLICE) != (b->phase == TRACE_SLICE))
        return a->phase == TRACE_SLICE ? -1 : 1;
    if (a->phase == TRACE_SLICE && a->until != b->until) return a->until > b->until ? -1 : 1;
    return (a > b) - (a < b);
}

static bool is_command(const struct trace_record *r) { return !strcmp(r->category, "command"); }
static bool is_launch(const struct trace_record *r) { return !strcmp(r->category, "launch"); }
/** A flow or launch whose command did not end, or was left out, has no place. */
static bool has_place(const struct trace_record *r)
{
    return r->command1 || (r->phase < TRACE_FLOW_BEGIN && !is_launch(r));
}

/** The last command of each lane of a queue. */
struct queue_lanes {
    struct trace_record *last[LANES];
    unsigned n;
};

/** Commands of an out-of-order queue that overlap get lanes of their own. */
static void place_command(struct queue_lanes *q, struct trace_record *r)
{
    unsigned lane = 0;
    while (lane < q->n && q->last[lane]->until >= r->at) lane++;
    if (lane == LANES) lane--;
    if (lane == q->n) q->n++;
    q->last[lane] = r;
    r->lane = lane;
}

/** Commands on lanes, their launches inside of them. */
static void place(const struct trace_records *all, struct trace_record **sorted, unsigned *lanes)
{
    const size_t n = all->list.len, nqueues = all->nqueues;
    struct queue_lanes *const queues = mem_alloc((nqueues + 1) * sizeof *queues);
    for (size_t i = 0; i < n; i++)
        if (is_command(sorted[i]))
            place_command(&queues[sorted[i]->track - TRACE_FIRST_QUEUE], sorted[i]);
    for (size_t i = 0; i < n; i++)
        if (is_launch(sorted[i]) && sorted[i]->command1)
            sorted[i]->lane = all->list.data[sorted[i]->command1 - 1].lane;
    for (size_t i = 0; i < nqueues; i++) lanes[i] = queues[i].n;
    free(queues);
}

// ---- events
static json_t *microseconds(uint64_t ns) { return json_real((double)ns / 1000); }

static long track_of(const struct trace_record *r)
{
    if (r->track < TRACE_FIRST_QUEUE) return r->track;
    return TRACE_FIRST_QUEUE + (r->track - TRACE_FIRST_QUEUE) * LANES + (long)r->lane;
}

static json_t *event(const char *phase, const struct trace_record *r, const char *name, uint64_t at)
{
    return json_pack("{s: s, s: s, s: o, s: i, s: I, s: o}", "ph", phase, "cat", r->category,
                     "name", rep_json_text(name, strlen(name)), "pid", (int)getpid(), "tid",
                     (json_int_t)track_of(r), "ts", microseconds(at));
}

static json_t *slice(const struct trace_record *r)
{
    json_t *const o = event("X", r, r->name, r->at), *args;
    json_object_set_new(o, "dur", microseconds(r->until - r->at));
    if (!r->queued) return o;
    json_object_set_new(o, "args", args = json_object());
    json_object_set_new(args, "queued", microseconds(r->queued));
    json_object_set_new(args, "submitted", microseconds(r->submitted));
    json_object_set_new(args, "status", json_integer(r->status));
    return o;
}

/** An end of a flow, inside of the command's slice. Ids are exact as doubles. */
static json_t *flow(const char *phase, const char *category, uint64_t id,
                    const struct trace_record *command, uint64_t at)
{
    struct trace_record r = *command;
    r.category = category;
    json_t *const o = event(phase, &r, category, at);
    json_object_set_new(o, "id", json_integer((json_int_t)getpid() << 31 | (json_int_t)id));
    if (*phase == 'f') json_object_set_new(o, "bp", json_string("e"));
    return o;
}

static json_t *event_of(const struct trace_records *all, const struct trace_record *r)
{
    if (r->phase == TRACE_SLICE) return slice(r);
    if (r->phase == TRACE_INSTANT) {
        json_t *const o = event("i", r, r->name, r->at);
        json_object_set_new(o, "s", json_string("t"));
        return o;
    }
    const struct trace_record *const c = &all->list.data[r->command1 - 1];
    if (r->phase == TRACE_FLOW_END) return flow("f", r->category, r->flow, c, c->at);
    const uint64_t half = (c->until - c->at) / 2;
    return flow("s", r->category, r->flow, c, c->until - (half < BEFORE_END ? half : BEFORE_END));
}

static json_t *named(const char *what, long track, const char *name)
{
    return json_pack("{s: s, s: s, s: i, s: I, s: {s: s}}", "ph", "M", "name", what, "pid",
                     (int)getpid(), "tid", (json_int_t)track, "args", "name", name);
}

static void add_names(json_t *events, const unsigned *lanes, size_t nqueues)
{
    json_array_append_new(events, named("process_name", getpid(), "app under cldbg"));
    for (size_t i = 0; i < nqueues; i++)
        for (unsigned lane = 0; lane < lanes[i] || !lane; lane++) {
            char name[48];
            const int n = snprintf(name, sizeof name, "queue %zu", i + 1);
            if (lane) snprintf(name + n, sizeof name - (size_t)n, " (%u)", lane + 1);
            json_array_append_new(
                events, named("thread_name", TRACE_FIRST_QUEUE + (long)(i * LANES + lane), name));
        }
}

static const struct trace_record *command_of(const struct trace_records *all, uint64_t number)
{
    for (size_t i = 0; i < all->list.len; i++)
        if (all->list.data[i].accesses == number + 1) return &all->list.data[i];
    return NULL;
}

/** Flows between the commands that race, from the one that began first. */
static void add_races(json_t *events, const struct trace_records *all)
{
    uint64_t id = 1u << 30; // above those of dependencies
    for (size_t i = 0; i < all->races.len; i++) {
        const struct trace_record *a = command_of(all, all->races.data[i].a),
                                  *b = command_of(all, all->races.data[i].b), *const x = a;
        if (!a || !b || a == b) continue; // one did not run, or was left out
        if (a->at > b->at) a = b, b = x;
        json_array_append_new(events, flow("s", "host-race", ++id, a, a->at));
        json_array_append_new(events, flow("f", "host-race", id, b, b->at));
    }
}

static bool is_flow(const struct trace_record *r) { return r->phase >= TRACE_FLOW_BEGIN; }

/** By flow: how many of its ends have a place. The caller frees it. */
static uint8_t *count_ends(const struct trace_records *r)
{
    uint64_t most = 0;
    for (size_t i = 0; i < r->list.len; i++)
        if (r->list.data[i].flow > most) most = r->list.data[i].flow;
    uint8_t *const ends = mem_alloc(most + 1);
    for (size_t i = 0; i < r->list.len; i++)
        if (is_flow(&r->list.data[i])) ends[r->list.data[i].flow] += has_place(&r->list.data[i]);
    return ends;
}

json_t *trace_events(struct trace_records *r)
{
    const size_t n = r->list.len;
    struct trace_record **const sorted = mem_array(NULL, n + 1, sizeof *sorted);
    unsigned *const lanes = mem_array(NULL, r->nqueues + 1, sizeof *lanes);
    for (size_t i = 0; i < n; i++) sorted[i] = &r->list.data[i];
    qsort(sorted, n, sizeof *sorted, by_time);
    place(r, sorted, lanes);
    json_t *const events = json_array();
    add_names(events, lanes, r->nqueues);
    uint8_t *const ends = count_ends(r); // a command may not have run, or be left out
    for (size_t i = 0; i < n; i++)
        if (has_place(sorted[i]) && (!is_flow(sorted[i]) || ends[sorted[i]->flow] == 2))
            json_array_append_new(events, event_of(r, sorted[i]));
    free(ends);
    add_races(events, r);
    free(sorted);
    free(lanes);
    return events;
}
