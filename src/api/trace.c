// SPDX-License-Identifier: MIT
// Events for a viewer of the trace-event format (Chrome, Perfetto): one track for each host thread
// and each queue. Commands are slices of their queue's track, launches lie inside of them, and
// dependencies are flows from the end of one command to the start of the next.
#include "api/trace.h"

#include "api/object.h"
#include "api/platform.h"
#include "base/mem.h"
#include "base/vec.h"
#include "devices/dev.h"
#include "report/document.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EVENTS = 200000 };

enum phase { SLICE, INSTANT, FLOW_BEGIN, FLOW_END };
struct record {
    enum phase phase;
    const char *category;
    char *name; // owned
    uint64_t at, until;
    uint64_t queued, submitted; // of a command; 0: none
    uint64_t flow;
    long track; // thread, or FIRST_QUEUE + number of the queue
    cl_int status;
};
enum { FIRST_QUEUE = 1 << 24 };

bool api_timeline_on;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows
static VEC(struct record) records;
static VEC(struct waiting {
    cl_event to;
    uint64_t flow;
}) waiting;                      // flows that have begun
static VEC(const void *) queues; // by number
static uint64_t flows, dropped;
static pid_t owner;

/** In a forked child: what the parent did is the parent's. */
static void see_process(void)
{
    if (owner == getpid()) return;
    for (size_t i = 0; owner && i < records.len; i++) free(records.data[i].name);
    vec_clear(&records);
    vec_clear(&waiting);
    dropped = 0;
    owner = getpid();
}

static long track_of(cl_command_queue q)
{
    if (!q) return gettid();
    for (size_t i = 0; i < queues.len; i++)
        if (queues.data[i] == q) return FIRST_QUEUE + (long)i;
    vec_push(&queues, q);
    return FIRST_QUEUE + (long)queues.len - 1;
}

static void add(struct record r, const char *name)
{
    if (records.len >= MOST_EVENTS) {
        dropped++;
        return;
    }
    r.name = mem_strdup(name);
    vec_push(&records, r);
}

void api_timeline_span(const char *category, const char *name, cl_command_queue queue,
                       uint64_t begin, uint64_t end)
{
    if (!api_timeline_on) return;
    pthread_mutex_lock(&lock);
    see_process();
    add((struct record){.phase = SLICE,
                        .category = category,
                        .at = begin,
                        .until = end,
                        .track = track_of(queue)},
        name);
    pthread_mutex_unlock(&lock);
}

void api_timeline_mark(const char *category, const char *text)
{
    if (!api_timeline_on) return;
    const uint64_t now = api_clock();
    pthread_mutex_lock(&lock);
    see_process();
    add((struct record){.phase = INSTANT, .category = category, .at = now, .track = gettid()},
        text);
    pthread_mutex_unlock(&lock);
}

void api_timeline_call(const char *function) { api_timeline_mark("api", function); }

void api_timeline_dependency(cl_event from, cl_event to)
{
    if (!api_timeline_on || !from->queue || !to->queue) return;
    pthread_mutex_lock(&lock);
    see_process();
    vec_push(&waiting, (struct waiting){to, ++flows});
    add((struct record){.phase = FLOW_BEGIN,
                        .category = "dependency",
                        .at = from->ended ? from->ended - 1 : 0,
                        .flow = flows,
                        .track = track_of(from->queue)},
        "dependency");
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
    const long track = track_of(e->queue);
    for (size_t i = 0; i < waiting.len;) {
        if (waiting.data[i].to != e) {
            i++;
            continue;
        }
        add((struct record){.phase = FLOW_END,
                            .category = "dependency",
                            .at = e->started,
                            .flow = waiting.data[i].flow,
                            .track = track},
            "dependency");
        waiting.data[i] = waiting.data[--waiting.len];
    }
    add((struct record){.phase = SLICE,
                        .category = "command",
                        .at = e->started,
                        .until = e->ended,
                        .queued = e->queued,
                        .submitted = e->submitted,
                        .track = track,
                        .status = e->status},
        type_name(e->type));
    pthread_mutex_unlock(&lock);
}

// ---- the document
static json_t *microseconds(uint64_t ns) { return json_real((double)ns / 1000); }

static json_t *event(const struct record *r)
{
    static const char *const phases[] = {
        [SLICE] = "X", [INSTANT] = "i", [FLOW_BEGIN] = "s", [FLOW_END] = "f"};
    json_t *const o = json_object(), *args;
    json_object_set_new(o, "ph", json_string(phases[r->phase]));
    json_object_set_new(o, "cat", json_string(r->category));
    json_object_set_new(o, "name", rep_json_text(r->name, strlen(r->name)));
    json_object_set_new(o, "pid", json_integer(getpid()));
    json_object_set_new(o, "tid", json_integer(r->track));
    json_object_set_new(o, "ts", microseconds(r->at));
    if (r->phase == SLICE) json_object_set_new(o, "dur", microseconds(r->until - r->at));
    if (r->phase == INSTANT) json_object_set_new(o, "s", json_string("t"));
    if (r->phase >= FLOW_BEGIN) json_object_set_new(o, "id", json_integer((json_int_t)r->flow));
    if (r->phase == FLOW_END) json_object_set_new(o, "bp", json_string("e"));
    if (!r->queued) return o;
    json_object_set_new(o, "args", args = json_object());
    json_object_set_new(args, "queued", microseconds(r->queued));
    json_object_set_new(args, "submitted", microseconds(r->submitted));
    json_object_set_new(args, "status", json_integer(r->status));
    return o;
}

static json_t *named(const char *what, long track, const char *name)
{
    return json_pack("{s: s, s: s, s: i, s: I, s: {s: s}}", "ph", "M", "name", what, "pid",
                     (int)getpid(), "tid", (json_int_t)track, "args", "name", name);
}

static json_t *make(void *unused)
{
    json_t *const events = json_array();
    pthread_mutex_lock(&lock);
    see_process();
    json_array_append_new(events, named("process_name", getpid(), "app under cldbg"));
    for (size_t i = 0; i < queues.len; i++) {
        char name[32];
        snprintf(name, sizeof name, "queue %zu", i + 1);
        json_array_append_new(events, named("thread_name", FIRST_QUEUE + (long)i, name));
    }
    for (size_t i = 0; i < records.len; i++) json_array_append_new(events, event(&records.data[i]));
    json_t *const trace =
        json_pack("{s: I, s: o}", "dropped", (json_int_t)dropped, "events", events);
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
