// SPDX-License-Identifier: MIT
// Records for a viewer of the trace-event format (Chrome, Perfetto): one track for each host thread
// and each queue. Commands are slices of their queue's track, launches lie inside of them,
// dependencies are flows from the end of one command to the start of the next, and host races are
// flows between the two commands.
#include "api/trace.h"

#include "api/new_names.h"

#include "api/object.h"
#include "api/platform.h"
#include "api/access_log.h"
#include "api/trace_record.h"
#include "base/mem.h"
#include "devices/dev.h"
#include "report/document.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EVENTS = 200000 };

bool api_timeline_on;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows
static struct trace_records records;
static VEC(struct waiting {
    cl_event command;
    uint64_t flow;               // that leads to it; 0: none
    size_t launch1;              // the record of a launch that it made, plus 1; 0: none
}) waiting;                      // for commands to end
static VEC(const void *) queues; // by number
static uint64_t flows, dropped;
static pid_t owner;

/** In a forked child: what the parent did is the parent's. */
static void see_process(void)
{
    if (owner == getpid()) return;
    for (size_t i = 0; owner && i < records.list.len; i++) free(records.list.data[i].name);
    vec_clear(&records.list);
    vec_clear(&records.races);
    vec_clear(&waiting);
    dropped = 0;
    owner = getpid();
}

static long track_of(cl_command_queue q)
{
    if (!q) return gettid();
    for (size_t i = 0; i < queues.len; i++)
        if (queues.data[i] == q) return TRACE_FIRST_QUEUE + (long)i;
    vec_push(&queues, q);
    return TRACE_FIRST_QUEUE + (long)queues.len - 1;
}

/** Its index, plus 1; 0: it is left out. */
static size_t add(struct trace_record r, const char *name)
{
    if (records.list.len >= MOST_EVENTS) {
        dropped++;
        return 0;
    }
    r.name = mem_strdup(name);
    vec_push(&records.list, r);
    return records.list.len;
}

void api_timeline_span(const char *category, const char *name, cl_event command, uint64_t begin,
                       uint64_t end)
{
    if (!api_timeline_on) return;
    pthread_mutex_lock(&lock);
    see_process();
    const size_t record1 =
        add((struct trace_record){.phase = TRACE_SLICE,
                                  .category = category,
                                  .at = begin,
                                  .until = end,
                                  .track = track_of(command ? command->queue : NULL)},
            name);
    if (command && record1)
        vec_push(&waiting, (struct waiting){.command = command, .launch1 = record1});
    pthread_mutex_unlock(&lock);
}

void api_timeline_mark(const char *category, const char *text)
{
    if (!api_timeline_on) return;
    const uint64_t now = api_clock();
    pthread_mutex_lock(&lock);
    see_process();
    add(
        (struct trace_record){
            .phase = TRACE_INSTANT, .category = category, .at = now, .track = gettid()},
        text);
    pthread_mutex_unlock(&lock);
}

void api_timeline_call(const char *function) { api_timeline_mark("api", function); }

static uint64_t end_of(cl_event e) { return e->ended > e->started ? e->ended : e->started + 1; }

/** The record of a command, plus 1; 0: it is left out, or that of a process that forked this one.
 */
static size_t record_of(cl_event e)
{
    const size_t k = e->timeline1;
    const struct trace_record *const r = k && k <= records.list.len ? &records.list.data[k - 1]
                                                                    : NULL;
    return r && r->submitted == e->submitted && r->until == end_of(e) ? k : 0;
}

void api_timeline_dependency(cl_event from, cl_event to)
{
    if (!api_timeline_on || !from->queue || !to->queue) return;
    pthread_mutex_lock(&lock);
    see_process();
    vec_push(&waiting, (struct waiting){.command = to, .flow = ++flows});
    add((struct trace_record){.phase = TRACE_FLOW_BEGIN,
                              .category = "dependency",
                              .at = from->ended,
                              .flow = flows,
                              .command1 = record_of(from)},
        "dependency");
    pthread_mutex_unlock(&lock);
}

void api_timeline_race(uint64_t a, uint64_t b)
{
    if (!api_timeline_on) return;
    pthread_mutex_lock(&lock);
    see_process();
    vec_push(&records.races, (struct trace_race){a, b});
    pthread_mutex_unlock(&lock);
}

static const char *type_name(cl_command_type type)
{
    static const struct {
        cl_command_type type;
        const char *name;
    } names[] = {
        {CL_COMMAND_NDRANGE_KERNEL, "NDRange kernel"},
        {CL_COMMAND_TASK, "task"},
        {CL_COMMAND_NATIVE_KERNEL, "native kernel"},
        {CL_COMMAND_READ_BUFFER, "read buffer"},
        {CL_COMMAND_WRITE_BUFFER, "write buffer"},
        {CL_COMMAND_COPY_BUFFER, "copy buffer"},
        {CL_COMMAND_READ_IMAGE, "read image"},
        {CL_COMMAND_WRITE_IMAGE, "write image"},
        {CL_COMMAND_COPY_IMAGE, "copy image"},
        {CL_COMMAND_MAP_BUFFER, "map buffer"},
        {CL_COMMAND_MAP_IMAGE, "map image"},
        {CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
        {CL_COMMAND_MARKER, "marker"},
        {CL_COMMAND_BARRIER, "barrier"},
        {CL_COMMAND_FILL_BUFFER, "fill buffer"},
        {CL_COMMAND_FILL_IMAGE, "fill image"},
        {CL_COMMAND_READ_BUFFER_RECT, "read buffer rectangle"},
        {CL_COMMAND_WRITE_BUFFER_RECT, "write buffer rectangle"},
        {CL_COMMAND_COPY_BUFFER_RECT, "copy buffer rectangle"},
        {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "copy image to buffer"},
        {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "copy buffer to image"},
        {CL_COMMAND_MIGRATE_MEM_OBJECTS, "migrate"},
        {NEW_COMMAND_COMMAND_BUFFER, "command buffer"},
        {NEW_COMMAND_SEMAPHORE_WAIT, "semaphore wait"},
        {NEW_COMMAND_SEMAPHORE_SIGNAL, "semaphore signal"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].type == type) return names[i].name;
    return "command";
}

void api_timeline_command(cl_event e)
{
    if (!api_timeline_on || !e->queue) return;
    pthread_mutex_lock(&lock);
    see_process();
    e->timeline1 = add((struct trace_record){.phase = TRACE_SLICE,
                                             .category = "command",
                                             .at = e->started,
                                             .until = end_of(e),
                                             .queued = e->queued,
                                             .submitted = e->submitted,
                                             .accesses = e->accesses ? e->accesses->number + 1 : 0,
                                             .track = track_of(e->queue),
                                             .status = e->status},
                       type_name(e->type));
    for (size_t i = 0; i < waiting.len;) {
        const struct waiting w = waiting.data[i];
        if (w.command != e) {
            i++;
            continue;
        }
        if (w.launch1) records.list.data[w.launch1 - 1].command1 = e->timeline1;
        else
            add((struct trace_record){.phase = TRACE_FLOW_END,
                                      .category = "dependency",
                                      .at = e->started,
                                      .flow = w.flow,
                                      .command1 = e->timeline1},
                "dependency");
        waiting.data[i] = waiting.data[--waiting.len];
    }
    pthread_mutex_unlock(&lock);
}

// ---- the document
static json_t *make(void *unused)
{
    pthread_mutex_lock(&lock);
    see_process();
    records.nqueues = queues.len;
    json_t *const trace =
        json_pack("{s: I, s: o}", "dropped", (json_int_t)dropped, "events", trace_events(&records));
    pthread_mutex_unlock(&lock);
    return trace;
}

static uint64_t never_fresh(void) { return 0; }

/** When the driver is loaded, before any call. */
static __attribute__((constructor)) void begin(void)
{
    const char *const options = getenv("CLDBG_OPTIONS");
    if (!options || !strstr(options, "trace") || !dev_settings()->trace) return;
    rep_add_member(dev_report(), &(struct rep_member){"trace", make, never_fresh, NULL});
    api_timeline_on = true;
}
