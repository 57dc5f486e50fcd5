// SPDX-License-Identifier: MIT
// Random programs of several queues, held against the transitive closure of everything that orders
// their commands: only commands that nothing orders are reported, and each conflict is, by itself
// or with an access that is ordered after it and conflicts with more. The order in which commands
// run is random, too. usage: test_happens_before [TRACES [SEED]]
#include "api/access_log.h"
#include "api/cmdgraph.h"
#include "devices/dev.h"
#include "devices/mapped_memory.h"

#include <stdio.h>

// ---- stubs of what the sets need

static const struct dev_settings settings;
const struct dev_settings *dev_settings(void) { return &settings; }
struct rep_session *dev_report(void) { return NULL; }
bool rep_wants(const struct rep_session *s, enum rep_kind kind)
{
    return (void)s, (void)kind, true;
}
const char *api_function(void) { return "command"; }
const void *api_call_site(void) { return NULL; }
void *dev_memory_alloc(size_t size) { return calloc(1, size); }
void dev_memory_free(void *p, size_t size) { (void)size, free(p); }
void api_host_watch(struct api_access_set *a) { (void)a; }
void api_host_check(const struct api_access_set *a) { (void)a; }
void api_conflict_mapped(const struct api_access_set *a, const struct region *r)
{
    (void)a, (void)r;
}
char *api_conflict_variable(const struct pair *p) { return (void)p, NULL; }

// ---- a program

enum { MAX_COMMANDS = 96, MAX_NODES = 512, QUEUES = 4, BUFFERS = 3, BYTES = 24, MAX_WAIT = 3 };
static struct command {
    struct _cl_event event;     // only its accesses and its edges to commands that wait for it
    struct api_access_set *set; // only compared as a pointer; NULL: not known yet
    unsigned node, queue;
    bool is_user, is_done, in_order, is_barrier;
    unsigned buffer, from, to; // bytes; from == to: none
    bool writes, atomic;
    unsigned npred, pred[MAX_COMMANDS]; // commands
} commands[MAX_COMMANDS];
static unsigned ncommands, nnodes, host;           // the host's last node
static uint64_t before[MAX_NODES][MAX_NODES / 64]; // before[n]: nodes that are ordered before n
static bool reported[MAX_COMMANDS][MAX_COMMANDS];
static struct queue {
    struct api_order_queue order;
    unsigned n, of[MAX_COMMANDS], barrier; // barrier: 1 + a command
} queues[QUEUES];
static struct _cl_mem buffers[BUFFERS];
static uint64_t state;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static void edge(unsigned from, unsigned to)
{
    for (unsigned i = 0; i < MAX_NODES / 64; i++) before[to][i] |= before[from][i];
    before[to][from / 64] |= 1ull << from % 64;
}

static bool ordered(unsigned x, unsigned y) { return before[y][x / 64] >> x % 64 & 1; }

static unsigned host_step(void)
{
    const unsigned n = nnodes++;
    edge(host, n);
    return host = n;
}

static unsigned command_of(const struct api_access_set *a)
{
    for (unsigned i = 0; i < ncommands; i++)
        if (commands[i].set == a) return i;
    abort();
}

void api_conflict_report(const struct pair *p)
{
    const unsigned a = command_of(p->a), b = command_of(p->b);
    reported[a][b] = reported[b][a] = true;
}

// The nodes of commands get their predecessors when they run: user events order later, too.
static bool is_ready(const struct command *c)
{
    for (unsigned i = 0; i < c->npred; i++)
        if (!commands[c->pred[i]].is_done) return false;
    return !c->is_user;
}

static void end(struct command *c)
{
    c->is_done = true;
    api_order_completed(&c->event);
    vec_free(&c->event.out);
}

static void run(struct command *c)
{
    for (unsigned i = 0; i < c->npred; i++) edge(commands[c->pred[i]].node, c->node);
    api_access_started(c->set, true);
    api_access_done(c->set);
    end(c);
    api_access_ended(c->set);
}

static void after(struct command *c, unsigned pred)
{
    c->pred[c->npred++] = pred;
    struct command *p = &commands[pred];
    if (!p->is_done) vec_push(&p->event.out, (struct api_edge){&c->event, true});
}

static struct command *command_new(void)
{
    struct command *c = &commands[ncommands++];
    memset(c, 0, sizeof *c);
    c->node = nnodes++;
    c->set = c->event.accesses = api_access_set_new();
    return c;
}

static void enqueue(unsigned nqueue)
{
    struct queue *q = &queues[nqueue];
    const unsigned me = ncommands;
    struct command *c = command_new();
    cl_event list[MAX_WAIT];
    cl_uint n = 0;
    c->queue = nqueue;
    c->in_order = q->order.in_order;
    const unsigned kind = draw(12);
    const enum api_order order = kind == 0   ? API_ORDER_MARKER
                                 : kind == 1 ? API_ORDER_BARRIER
                                             : API_ORDER_COMMAND;
    for (unsigned i = draw(MAX_WAIT + 1); me && draw(2) && i--;) {
        const unsigned p = me - 1 - draw(me < 12 ? me : 12);
        list[n++] = &commands[p].event;
        after(c, p);
    }
    if (c->in_order && q->n) after(c, q->of[q->n - 1]);
    else if (!c->in_order && order != API_ORDER_COMMAND && !n)
        for (unsigned i = 0; i < q->n; i++) after(c, q->of[i]);
    else if (q->barrier) after(c, q->barrier - 1);
    if (order == API_ORDER_COMMAND) {
        c->buffer = draw(BUFFERS);
        c->from = draw(BYTES);
        c->to = c->from + 1 + draw(BYTES - c->from);
        c->writes = draw(3) == 0;
        c->atomic = draw(3) == 0;
        cl_mem m = &buffers[c->buffer];
        if (c->atomic) { // as of a launch
            api_access_argument(c->set, m, API_READS | API_WRITES);
        } else {
            api_access_range(c->set, m, m->data + c->from, c->to - c->from,
                             c->writes ? API_WRITES : API_READS);
        }
    }
    edge(host, c->node);
    host_step();
    api_order_enqueued(c->set, &q->order, order, n, list);
    q->of[q->n++] = me;
    if (order == API_ORDER_BARRIER && !c->in_order) q->barrier = me + 1;
    if (!c->atomic) return;
    struct vm_touched *t = mem_alloc(sizeof *t); // as if it had run and noted this
    for (unsigned k = 0; k < TOUCHES; k++) t->by[k] = dev_memory_alloc(BYTES);
    const enum touch how = c->writes ? ATOMIC_WRITE : ATOMIC_READ;
    memset(t->by[how] + c->from, 1, c->to - c->from);
    t->any[how] = true;
    c->set->uses.data[0].touched = t;
}

static void observe(unsigned i)
{
    host_step();
    edge(commands[i].node, host);
    api_order_observed(commands[i].set);
}

static void finish(struct queue *q)
{
    for (unsigned i = 0; i < q->n; i++)
        if (!commands[q->of[i]].is_done) return;
    struct api_access_set *all = api_order_of_queue(&q->order);
    host_step();
    for (unsigned i = 0; i < q->n; i++) edge(commands[q->of[i]].node, host);
    api_order_observed(all);
    api_access_set_put(all);
}

static void run_some(unsigned tries)
{
    while (tries--) {
        struct command *c = &commands[draw(ncommands)];
        if (!c->is_done && is_ready(c)) run(c);
    }
}

static void set_user_event(struct command *c)
{
    edge(host, c->node);
    host_step();
    api_order_set(c->set);
    end(c);
}

static void queue_release(unsigned i)
{
    api_order_queue_deinit(&queues[i].order);
    memset(&queues[i], 0, sizeof queues[i]);
    api_order_queue_init(&queues[i].order, i % 2);
}

/** Once what uses it has run, as with cl_mem: commands hold it. */
static void buffer_release(unsigned b)
{
    for (unsigned i = 0; i < ncommands; i++)
        if (!commands[i].is_done && commands[i].from < commands[i].to && commands[i].buffer == b)
            return;
    // conflicts with what comes later are about another buffer
    for (unsigned i = 0; i < ncommands; i++)
        if (commands[i].buffer == b) commands[i].buffer += 16 * (1 + ncommands);
    api_access_log_close(buffers[b].access_log);
    buffers[b].access_log = NULL;
}

// ---- what is right

static unsigned conflicts_of(
    const struct command *c) // bits: reads, writes, atomic reads, atomic writes
{
    return c->writes ? c->atomic ? 3 : 15 : c->atomic ? 2 : 10;
}

/** What conflicts with x does so with y. */
static bool is_covered(const struct command *x, const struct command *y)
{
    return !(conflicts_of(x) & ~conflicts_of(y));
}

static bool conflict(const struct command *x, const struct command *y, unsigned byte)
{
    return x->buffer == y->buffer && byte >= x->from && byte < x->to && byte >= y->from &&
           byte < y->to && (x->writes || y->writes) && !(x->atomic && y->atomic) &&
           !ordered(x->node, y->node) && !ordered(y->node, x->node);
}

static unsigned races;
static bool check(void)
{
    for (unsigned i = 0; i < ncommands; i++)
        for (unsigned k = i + 1; k < ncommands; k++) {
            const struct command *x = &commands[i], *y = &commands[k];
            bool races_here = false;
            for (unsigned byte = 0; byte < BYTES; byte++) {
                if (!conflict(x, y, byte)) continue;
                races_here = true;
                bool found = reported[i][k];
                for (unsigned o = 0; o < ncommands && !found; o++) {
                    const struct command *z = &commands[o];
                    found = (reported[o][k] && ordered(x->node, z->node) && conflict(z, y, byte) &&
                             is_covered(x, z)) ||
                            (reported[o][i] && ordered(y->node, z->node) && conflict(z, x, byte) &&
                             is_covered(y, z));
                    for (unsigned w = 0; w < ncommands && !found; w++) // both were covered
                        found = reported[o][w] && ordered(x->node, z->node) &&
                                ordered(y->node, commands[w].node) &&
                                conflict(z, &commands[w], byte);
                }
                if (!found)
                    return printf("the conflict of commands %u and %u is not reported\n", i, k),
                           false;
            }
            if (reported[i][k] && !races_here)
                return printf("commands %u and %u are reported and do not conflict\n", i, k), false;
            races += races_here;
        }
    return true;
}

static bool trace(uint64_t seed)
{
    state = seed * 0x9e3779b97f4a7c15u + 1;
    ncommands = 0;
    host = 0;
    nnodes = 1;
    memset(before, 0, sizeof before);
    memset(reported, 0, sizeof reported);
    for (unsigned i = 0; i < QUEUES; i++) {
        memset(&queues[i], 0, sizeof queues[i]);
        api_order_queue_init(&queues[i].order, i % 2);
    }
    static char bytes[BUFFERS][BYTES];
    for (unsigned i = 0; i < BUFFERS; i++)
        buffers[i] = (struct _cl_mem){
            .data = (uint8_t *)bytes[i], .size = BYTES, .flags = i ? 0 : CL_MEM_USE_HOST_PTR};
    const unsigned eager = draw(4), hasty = 2 + draw(30);
    while (ncommands < MAX_COMMANDS - 1 && nnodes < MAX_NODES - 3 * MAX_COMMANDS) {
        const unsigned what = draw(40);
        if (what == 0)
            command_new()->is_user = true, api_order_is_user_event(commands[ncommands - 1].set);
        else if (what == 1) queue_release(draw(QUEUES));
        else if (what == 2) buffer_release(draw(BUFFERS));
        else if (what == 3) finish(&queues[draw(QUEUES)]);
        else if (what < 6 && ncommands) {
            struct command *c = &commands[draw(ncommands)];
            if (c->is_user && !c->is_done) set_user_event(c);
        } else if (what < 6 + hasty / 8 && ncommands) {
            const unsigned i = draw(ncommands);
            if (commands[i].is_done && !commands[i].is_user) observe(i);
        } else enqueue(draw(QUEUES));
        if (ncommands) run_some(eager);
    }
    for (unsigned i = 0; i < ncommands; i++)
        if (commands[i].is_user && !commands[i].is_done) set_user_event(&commands[i]);
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = ncommands; i--;) more |= !commands[i].is_done;
        if (more) run_some(64);
    }
    api_access_close();
    const bool good = check();
    for (unsigned i = 0; i < QUEUES; i++) api_order_queue_deinit(&queues[i].order);
    for (unsigned i = 0; i < BUFFERS; i++) api_access_log_close(buffers[i].access_log);
    for (unsigned i = 0; i < ncommands; i++) api_access_set_put(commands[i].set);
    return good;
}

int main(int argc, char **argv)
{
    const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 2000,
                   from = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    for (unsigned i = from; i < from + n; i++)
        if (!trace(i)) return printf("trace %u\n", i), 1;
    printf("%u traces, %u conflicting pairs\n", n, races);
    return races < n;
}
