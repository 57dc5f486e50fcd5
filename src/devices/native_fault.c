// SPDX-License-Identifier: MIT
// Signal handlers: they only call write(2) and sigaction(2). The fault is then repeated for the
// previous handlers.
#include "devices/native_fault.h"

#include "devices/dev.h"

#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 16, NAME = 80 };

static _Thread_local const struct vm_launch *running;
static _Thread_local const char *running_name;
static struct sigaction before[NSIG];
static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// Running launches, unordered, and the launch that ended last. The handler reads without the lock:
// a value that changes at that moment may be shown as it was before or after.
struct note {
    _Atomic uint64_t number; // 0: none
    atomic_bool is_built;
    char name[NAME], site[4 * NAME];
};
static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; // guards the following against other writers
static struct note under_way[MANY], last;

// ---- text

static void add(char *to, size_t room, const char *text)
{
    const size_t at = strlen(to);
    for (size_t i = 0; text[i] && at + i + 1 < room; i++) to[at + i] = text[i], to[at + i + 1] = 0;
}

static void add_number(char *to, size_t room, uint64_t n)
{
    char text[24], *p = text + sizeof text - 1;
    *p = 0;
    do *--p = (char)('0' + n % 10);
    while (n /= 10);
    add(to, room, p);
}

enum { TEXT = 1000 };

static void add_launch(char *text, const char *name, uint64_t number, const char *site)
{
    add(text, TEXT, "kernel '");
    add(text, TEXT, name);
    add(text, TEXT, "', launch ");
    add_number(text, TEXT, number);
    if (site && *site) add(text, TEXT, ", "), add(text, TEXT, site);
}

static void add_advice(char *text, uint64_t number)
{
    add(text, TEXT, "cldbg: run it without --native to have its accesses checked; --launches=");
    add_number(text, TEXT, number);
    add(text, TEXT, " checks this launch alone.\n");
}

static void print_note(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return; // no reader
}

// ---- faults

static void print_fault_note(int signal)
{
    char text[TEXT] = "cldbg: machine code of ";
    add_launch(text, running_name, running->number, running->host_site);
    add(text, TEXT,
        signal == SIGSEGV || signal == SIGBUS ? ", accessed memory that does not exist"
                                              : ", did what the processor does not allow");
    add(text, TEXT, ".\n");
    add_advice(text, running->number);
    print_note(text);
}

static void print_later_note(void)
{
    char text[TEXT] = "cldbg: the app fails after launches that ran as machine code, unchecked; "
                      "the last one was of ";
    add_launch(text, last.name, last.number, last.site);
    add(text, TEXT,
        ".\ncldbg: a kernel that wrote outside its memory may be the reason: without --native such "
        "a write is reported where it happens.\n");
    print_note(text);
}

// Of several threads the first one reports; the others wait for it.
static void on_fault(int signal, siginfo_t *info, void *context)
{
    static atomic_bool is_reported;
    (void)context;
    if (!atomic_exchange(&is_reported, true)) {
        if (running && signal != SIGABRT) print_fault_note(signal);
        else if (last.number && before[signal].sa_handler == SIG_DFL) print_later_note();
    } else if (running) {
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    running = NULL;
    sigaction(signal, &before[signal], NULL);
    if (info->si_code <= 0 && signal != SIGABRT)
        raise(signal); // a sent signal does not repeat itself
}

void native_fault_watch(void)
{
    struct sigaction a = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++)
        sigaction(fault_signals[i], &a, &before[fault_signals[i]]);
}

// Once for each thread. Gives the thread an alternate signal stack unless it has one, because the
// handler cannot run on an exhausted stack. Unblocks faults: a blocked fault would end the process
// without a message, and our threads block all signals.
enum { HANDLER_STACK = 64 << 10 }; // the registers of AVX-512 alone are 3 KB

static pthread_key_t stack_key;

static void free_stack(void *stack)
{
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(stack);
}

static void make_key(void) { pthread_key_create(&stack_key, free_stack); }

static void prepare_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    stack_t had, ours = {.ss_size = HANDLER_STACK};
    sigset_t faults;
    pthread_once(&once, make_key);
    if (!sigaltstack(NULL, &had) && had.ss_flags & SS_DISABLE) {
        ours.ss_sp = mem_try_alloc(HANDLER_STACK, 64);
        if (ours.ss_sp && !sigaltstack(&ours, NULL)) pthread_setspecific(stack_key, ours.ss_sp);
        else free(ours.ss_sp);
    }
    sigemptyset(&faults);
    for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++)
        sigaddset(&faults, fault_signals[i]);
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

void native_fault_enter(const struct vm_launch *l, const char *name)
{
    static _Thread_local bool is_prepared;
    if (!is_prepared) prepare_thread();
    is_prepared = true;
    running_name = name;
    running = l;
}

void native_fault_leave(void) { running = NULL; }

// ---- launches

static void copy(char *to, size_t room, const char *from)
{
    const size_t n = from ? strnlen(from, room - 1) : 0;
    memcpy(to, from ? from : "", n);
    to[n] = 0;
}

static void put(struct note *n, const struct vm_launch *l, const char *name)
{
    copy(n->name, sizeof n->name, name);
    copy(n->site, sizeof n->site, l->host_site);
    n->is_built = false;
    n->number = l->number;
}

void native_fault_begin(const struct vm_launch *l, const char *name)
{
    pthread_mutex_lock(&lock);
    for (unsigned k = 0; k < MANY; k++) {
        if (under_way[k].number) continue;
        put(&under_way[k], l, name);
        break;
    }
    pthread_mutex_unlock(&lock);
}

void native_fault_built(const struct vm_launch *l)
{
    for (unsigned k = 0; k < MANY; k++)
        if (under_way[k].number == l->number) under_way[k].is_built = true;
}

void native_fault_end(const struct vm_launch *l)
{
    pthread_mutex_lock(&lock);
    for (unsigned k = 0; k < MANY; k++) {
        if (under_way[k].number != l->number) continue;
        if (under_way[k].is_built) last = under_way[k];
        under_way[k].number = 0;
        break;
    }
    pthread_mutex_unlock(&lock);
}

bool dev_report_stuck(void)
{
    for (unsigned k = 0; k < MANY; k++) {
        if (!under_way[k].number) continue;
        char text[TEXT] = "cldbg: ";
        add(text, TEXT, under_way[k].is_built ? "machine code of " : "the compiler, at ");
        add_launch(text, under_way[k].name, under_way[k].number, under_way[k].site);
        add(text, TEXT, ", goes on and cannot be cut short: the process ends with it.\n");
        if (under_way[k].is_built) add_advice(text, under_way[k].number);
        print_note(text);
        return true;
    }
    return false;
}
