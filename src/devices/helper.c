// SPDX-License-Identifier: MIT
// Builds programs: by the cache, or by cldbg-cc. If that process fails, the app still gets a status
// and a build log.
#include "devices/cache.h"
#include "devices/clean_names.h"
#include "builtins/builtins.h"
#include "devices/dev.h"
#include "devices/source_name.h"

#include "base/env.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/fork_server.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Timeouts: long enough for the largest known kernels; minutes would be a hang.
enum {
    COMPILE_SECONDS = 300,
    ANSWER_SECONDS = 1
}; // the second one is longer, so that cldbg-cc can report a timeout of a program that it runs
#ifdef SANITIZED
#define COMPILE_MEMORY 0 // the sanitizer's shadow alone exceeds any limit
#else
#define COMPILE_MEMORY (8ull << 30)
#endif

const char *dev_compiler_path(void)
{
    static const char *kept;
    const char *set = env_get("CLDBG_CC");
    if (set && *set) return set;
    // beside this library: installed (lib/cldbg → libexec/cldbg), or in the build tree
    static const char *const near[] = {
        "../../libexec/cldbg/cldbg-cc", "../../../libexec/cldbg/cldbg-cc",
        "../../../src/cc/cldbg-cc", "../../src/cc/cldbg-cc", "../src/cc/cldbg-cc"};
    Dl_info info;
    char self[PATH_MAX], path[PATH_MAX];
    if (dladdr((void *)dev_compiler_path, &info) && info.dli_fname) {
        // (the name of a program may be relative to its initial working directory, which may have
        // changed)
        if (*info.dli_fname == '/') snprintf(self, sizeof self, "%s", info.dli_fname);
        else if (!realpath(info.dli_fname, self) && !realpath("/proc/self/exe", self)) *self = 0;
        char *slash = strrchr(self, '/');
        for (size_t i = 0; slash && i < sizeof near / sizeof *near; i++) {
            snprintf(path, sizeof path, "%.*s/%s", (int)(slash - self), self, near[i]);
            if (!access(path, X_OK)) return env_keep(&kept, path);
        }
    }
    return CLDBG_PKGLIBEXECDIR "/cldbg-cc";
}

static enum dev_reach reach;

void dev_set_reach(enum dev_reach r) { reach = r; }

void dev_limit_files(struct bc_module *m)
{
    struct bc_file *files =
        (struct bc_file *)m->files; // the decoder allocated the module in writable memory
    for (uint32_t i = 0; i < m->nfiles && reach != DEV_REACH_ALL; i++) {
        bool below = false;
        for (const char **dir = dev_settings()->source_dirs; files[i].path && *dir && !below; dir++)
            below = io_is_below(bc_str(m, files[i].path), *dir);
        if (!below) files[i].path = 0;
    }
}

static struct wire_request to_wire(const struct dev_build *b, struct arena *a)
{
    static const enum wire_kind kinds[] = {
        [DEV_BUILD] = WIRE_BUILD, [DEV_COMPILE] = WIRE_COMPILE, [DEV_LINK] = WIRE_LINK};
    static const enum wire_reach reaches[] = {[DEV_REACH_ALL] = WIRE_REACH_ALL,
                                              [DEV_REACH_FOLDERS] = WIRE_REACH_FOLDERS,
                                              [DEV_REACH_NONE] = WIRE_REACH_NONE};
    struct wire_request r = {.kind = kinds[b->kind],
                             .reach = reaches[reach],
                             .source = {b->source, b->source ? b->source_len : 0},
                             .options = b->options ? b->options : "",
                             .nheaders = b->nheaders,
                             .nobjects = b->nobjects,
                             .for_debugger = b->for_debugger};
    struct wire_header *h = arena_array(a, struct wire_header, b->nheaders);
    for (unsigned i = 0; i < b->nheaders; i++)
        h[i] = (struct wire_header){b->headers[i].name, b->headers[i].text};
    struct wire_blob *o = arena_array(a, struct wire_blob, b->nobjects);
    for (unsigned i = 0; i < b->nobjects; i++)
        o[i] = (struct wire_blob){b->objects[i].data, b->objects[i].size};
    r.headers = h;
    r.objects = o;
    r.native = b->kind != DEV_COMPILE && (dev_settings()->native || dev_settings()->both);
    if (b->source) dev_source_segments(b, a, &r.segments, &r.nsegments);
    return r;
}

static void refuse(struct dev_built *out, enum dev_build_error status, const char *fmt, ...)
{
    struct str s = {0};
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&s, fmt, ap);
    va_end(ap);
    out->status = status;
    out->log = str_take(&s);
}

static void *copy(struct wire_blob b) { return b.size ? mem_dup(b.data, b.size) : NULL; }

// Reads an answer's message; false if it is invalid.
static bool understand(const struct str *message, struct dev_built *out, struct wire_blob *depends,
                       struct arena *a)
{
    struct wire_answer ans;
    struct err *e = wire_get_answer(message->data, message->len, a, &ans);
    if (e) {
        err_free(e);
        return false;
    }
    static const enum dev_build_error status[] = {[WIRE_OK] = DEV_BUILD_OK,
                                                  [WIRE_FAILED] = DEV_BUILD_FAILED,
                                                  [WIRE_BAD_OPTIONS] = DEV_BUILD_BAD_OPTIONS,
                                                  [WIRE_NO_COMPILER] = DEV_BUILD_NO_COMPILER,
                                                  [WIRE_BAD_BINARY] = DEV_BUILD_BAD_BINARY};
    out->status = status[ans.status];
    out->is_library = ans.is_library;
    *depends = ans.depends;
    out->object = (struct dev_blob){copy(ans.object), ans.object.size};
    out->native = (struct dev_blob){copy(ans.native), ans.native.size};
    if (ans.module.size)
        e = bc_decode(ans.module.data, ans.module.size, bi_lane_types, &out->module);
    if (e) {
        refuse(out, DEV_BUILD_FAILED, "cldbg-cc gave an answer that cannot be used: %s\n",
               err_message(e));
        err_free(e);
    } else {
        if (out->module) dev_clean_names(out->module);
        out->log = mem_strdup(ans.log);
    }
    return true;
}

/**
 * The control socket of a waiting cldbg-cc, from the second compiled program on (most apps have one
 * program, so it would not pay off earlier); -1 for another compiler than that of the second
 * program. The inode shows whether the app has closed our descriptor and reused its number.
 */
static int waiting_compiler(const char *compiler)
{
    static pthread_mutex_t lock =
        PTHREAD_MUTEX_INITIALIZER; // guards the following; taken with no other lock
    static unsigned programs;
    static int control = -1;
    static char *path; // of the waiting compiler
    static ino_t inode;
    struct stat st;
    pthread_mutex_lock(&lock);
    if (++programs == 2) {
        char **env = proc_environment();
        pid_t pid;
        control = fork_server_start((const char *[]){compiler, "--wait", NULL}, env, &pid);
        free(env);
        if (control >= 0) {
            while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {} // (it continues in a child)
            path = mem_strdup(compiler);
            inode = fstat(control, &st) ? 0 : st.st_ino;
        }
    }
    if (control >= 0 && (fstat(control, &st) || !S_ISSOCK(st.st_mode) || st.st_ino != inode))
        control = -1;
    const int now = control >= 0 && !strcmp(path, compiler) ? control : -1;
    pthread_mutex_unlock(&lock);
    return now;
}

void dev_compile(const struct dev_build *b, struct dev_built *out)
{
    *out = (struct dev_built){0};
    struct arena a = {0};
    struct wire_request r = to_wire(b, &a);
    struct str request = {0}, cached = {0};
    wire_put_request(&request, &r);
    const char *compiler = dev_compiler_path();
    struct dev_cache_key key = dev_cache_key(&request, compiler);
    struct wire_blob depends = {0};
    if (dev_cache_get(key, &cached) && understand(&cached, out, &depends, &a)) goto done;

    const char *argv[] = {compiler, NULL};
    const unsigned seconds = proc_seconds(COMPILE_SECONDS);
    const struct proc_limits limits = {.seconds = seconds + ANSWER_SECONDS,
                                       .memory = COMPILE_MEMORY,
                                       .own_group = true,
                                       .fork_server = waiting_compiler(compiler)};
    struct proc_result p = {0};
    bool not_found = false;
    struct err *e = proc_run(argv, request.data, request.len, &limits, &p, &not_found);
    if (e) {
        refuse(out, DEV_BUILD_NO_COMPILER, "cldbg cannot compile: %s\n%s", err_message(e),
               not_found ? "cldbg-cc belongs to cldbg's installation; `cldbg doctor` shows where "
                           "it is looked for.\n"
                         : "");
        err_free(e);
    } else if (p.timed_out) {
        refuse(out, DEV_BUILD_FAILED,
               "the compilation did not end within %u seconds; CLDBG_COMPILE_SECONDS=N allows N\n",
               seconds);
    } else if (!understand(&p.out, out, &depends, &a)) {
        struct str how = {0};
        proc_describe(&p, &limits, &how);
        refuse(out, DEV_BUILD_FAILED, "the compiler process cldbg-cc %s\n%s",
               how.len ? how.data : "gave no answer", str_text(&p.err));
        str_deinit(&how);
    } else if (out->status == DEV_BUILD_OK) {
        dev_cache_put(key, &p.out, depends);
    }
    proc_result_deinit(&p);
done:
    str_deinit(&request);
    str_deinit(&cached);
    arena_deinit(&a);
}

static void put_question(struct str *request, const struct wire_request *r,
                         const struct proof_question *q, uint32_t seconds)
{
    struct str question = {0};
    struct wire_request with = *r;
    struct proof_question limited = *q;
    limited.seconds = seconds;
    proof_put_question(&question, &limited);
    with.question = (struct wire_blob){question.data, question.len};
    wire_put_request(request, &with);
    str_deinit(&question);
}

/** Whether the answer does not depend on the time that the engine was given: see proof_run. */
static bool is_independent_of_time(const struct proof_answer *a, uint32_t seconds)
{
    return proof_all_proved(a) || !seconds || a->milliseconds < seconds * 500ull;
}

struct err *dev_prove(const struct dev_build *b, const struct proof_question *q, struct arena *a,
                      struct proof_answer *out)
{
    enum { MOST_SECONDS = 3600 };
    const struct wire_request r = to_wire(b, a);
    struct str request = {0}, cached = {0};
    struct wire_answer answer = {0};
    const char *compiler = dev_compiler_path();
    put_question(&request, &r, q, 0);
    const struct dev_cache_key key = dev_cache_key(&request, compiler);
    str_deinit(&request);
    struct err *e = NULL;
    if (dev_cache_get(key, &cached) &&
        !(e = wire_get_answer(cached.data, cached.len, a, &answer)) && answer.status == WIRE_OK &&
        !(e = proof_get_answer(answer.proof.data, answer.proof.size, a, out))) {
        str_deinit(&cached);
        return NULL;
    }
    err_free(e);
    e = NULL;
    put_question(&request, &r, q, q->seconds);
    const char *argv[] = {compiler, NULL};
    const unsigned most = q->seconds ? q->seconds : MOST_SECONDS;
    const struct proc_limits limits = {
        .seconds = most + (b->source ? proc_seconds(COMPILE_SECONDS) : most + ANSWER_SECONDS),
        .memory = COMPILE_MEMORY,
        .own_group = true,
        .fork_server = waiting_compiler(compiler)};
    struct proc_result p = {0};
    bool not_found;
    e = proc_run(argv, request.data, request.len, &limits, &p, &not_found);
    if (!e) e = err_wrap(wire_get_answer(p.out.data, p.out.len, a, &answer), "cldbg-cc");
    if (!e && answer.status != WIRE_OK) e = err_new("%s", answer.log);
    if (!e) e = proof_get_answer(answer.proof.data, answer.proof.size, a, out);
    if (!e && is_independent_of_time(out, q->seconds)) dev_cache_put(key, &p.out, answer.depends);
    proc_result_deinit(&p);
    str_deinit(&request);
    str_deinit(&cached);
    return e;
}

struct err *dev_make_code(const struct nat_request *q, struct nat_code_info *info,
                          struct str *remarks, struct str *object)
{
    struct arena a = {0};
    const struct wire_blob program = {q->bitcode, q->size};
    const struct nat_shape *s = q->shape;
    struct wire_request r = {.kind = WIRE_CODE,
                             .reach = WIRE_REACH_NONE,
                             .options = "",
                             .objects = &program,
                             .nobjects = 1,
                             .code = {q->name,
                                      q->symbol,
                                      {s->local[0], s->local[1], s->local[2]},
                                      s->uneven,
                                      s->apart,
                                      s->small,
                                      s->passes,
                                      s->sub_group,
                                      s->marks,
                                      s->checks}};
    memcpy(r.code.id_bits, s->id_bits, sizeof s->id_bits);
    memcpy(r.code.argument_bits, s->argument_bits, sizeof s->argument_bits);
    struct str request = {0};
    wire_put_request(&request, &r);
    const char *compiler = dev_compiler_path();
    const struct proc_limits limits = {.seconds = proc_seconds(COMPILE_SECONDS) + ANSWER_SECONDS,
                                       .memory = COMPILE_MEMORY,
                                       .own_group = true,
                                       .fork_server = waiting_compiler(compiler)};
    struct proc_result p = {0};
    struct wire_answer ans = {0};
    struct err *e =
        proc_run((const char *[]){compiler, NULL}, request.data, request.len, &limits, &p, NULL);
    if (!e) e = wire_get_answer(p.out.data, p.out.len, &a, &ans);
    if (!e && ans.status != WIRE_OK) e = err_new("%s", ans.log);
    if (!e && ans.code_info.size != sizeof *info) e = err_new("an answer of another version");
    if (!e) {
        memcpy(info, ans.code_info.data, sizeof *info);
        str_put(remarks, ans.log);
        str_put_n(object, ans.object.data, ans.object.size);
    }
    proc_result_deinit(&p);
    str_deinit(&request);
    arena_deinit(&a);
    return e;
}

void dev_built_free(struct dev_built *b)
{
    free(b->log);
    bc_module_destroy(b->module);
    free((void *)b->object.data);
    free((void *)b->native.data);
    *b = (struct dev_built){0};
}
