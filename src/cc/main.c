// SPDX-License-Identifier: MIT
// cldbg-cc: the compiler of cldbg in a process of its own, since broken bitcode can kill LLVM, and
// an app that brings its own LLVM must not meet ours.
//
//   cldbg-cc                                  a request on stdin, the answer on stdout
//                                             (bytecode/wire.h)
//   cldbg-cc --wait                          as a fork server (base/fork_server.h): the same for
//   each run
//                                            that is asked for
//   cldbg-cc --dump=WHAT FILE.cl [OPTIONS]    for people, also of LLVM bitcode and SPIR-V: llvm,
//                                             native, bytecode, debug (the
//                                            bytecode for a debugger), regions or dot, the last two
//                                            of
//                                            one kernel with a name or glob after a colon; lint
//                                            takes after the options the command that asks for it,
//                                            and reports, FORMAT:PATH each
#include "cc/pipeline.h"

#include "base/io.h"
#include "base/fork_server.h"
#include "builtins/builtins.h"
#include "bytecode/bytecode.h"
#include "frontend/clang.h"
#include "frontend/front_end.h"
#include "report/document.h"
#include "report/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int answer_fd = -1;

// LLVM says why it gives up: that is the answer.
static void on_fatal(const char *reason)
{
    struct str log = {0}, out = {0};
    str_printf(&log, "LLVM gave up on this program: %s\n", reason);
    wire_put_answer(&out, &(struct wire_answer){.status = WIRE_FAILED, .log = log.data});
    if (answer_fd >= 0) io_write_all(answer_fd, out.data, out.len);
    else fputs(log.data, stderr);
    _exit(answer_fd >= 0 ? 0 : 1);
}

static int serve(void)
{
    struct str in = {0}, out = {0};
    struct arena arena = {0};
    struct cc_output o = {0};
    struct wire_request r;
    struct wire_answer a = {0};
    // what LLVM or a library prints by mistake must not get into the answer
    answer_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC,
                      0); // (the compiler and what it starts must not hold it open)
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (!io_read_all(STDIN_FILENO, &in)) return 2;
    struct err *e = wire_get_request(in.data, in.len, &arena, &r);
    if (e) {
        fprintf(stderr, "cldbg-cc: %s\n", err_message(e));
        err_free(e);
        return 2;
    }
    if (r.kind == WIRE_CODE) cc_machine_code(&r, &arena, &o, &a);
    else cc_pipeline(&r, &arena, &o, &a);
    wire_put_answer(&out, &a);
    return io_write_all(answer_fd, out.data, out.len) ? 0 : 2;
}

static int serve_one(int argc, char **argv, char **envp) { return serve(); }

// The process must not be a child of the app, whose wait() would find it.
static int wait_for_work(void)
{
    pid_t pid = fork();
    if (pid) return pid < 0;
    fork_server_settle();
    fe_clang_wait();
    fork_server_serve(serve_one);
    return 0;
}

/** All that a dump makes. */
struct dumped {
    struct str text, show;
    struct arena arena;
    struct cc_output o;
};

/**
 * `more`: the command that asks, --overwrite, and the reports that it wants. If there is no text
 * report among them, the text goes to stderr.
 */
static struct err *lint(struct dumped *d, const struct wire_request *r, char **more, int nmore,
                        unsigned *found)
{
    struct rep_report *list = arena_array(&d->arena, struct rep_report, (size_t)nmore + 1);
    struct rep_options o = {.out = stderr, .command = nmore ? more[0] : NULL, .reports = list};
    char *path = NULL, *text = NULL;
    size_t len = 0;
    for (int i = 1; i < nmore; i++) {
        if (!strcmp(more[i], "--overwrite")) {
            o.overwrite = true;
            continue;
        }
        const size_t n = strcspn(more[i], ":");
        const struct rep_report report = {arena_printf(&d->arena, "%.*s", (int)n, more[i]),
                                          more[i] + n + (more[i][n] != 0)};
        if (strcmp(report.format, "text")) {
            list[o.nreports++] = report;
            continue;
        }
        path = rep_path_for(report.path, getpid());
        o.out = open_memstream(&text, &len);
        if (!o.out) return err_new("%s cannot be written: %m", report.path);
    }
    struct err *e = cc_lint(r, &d->o.log, &o, found);
    if (path) fclose(o.out);
    if (path && !e) e = rep_replace_file(path, text, len, o.overwrite);
    free(path);
    free(text);
    return e;
}

static int dump_into(struct dumped *d, const char *what, const char *path, const char *options,
                     char **more, int nmore)
{
    FILE *f = fopen(path, "r");
    if (!f || !io_read_all(fileno(f), &d->text)) {
        fprintf(stderr, "cldbg-cc: %s: %s\n", path, strerror(errno));
        return 2;
    }
    fclose(f);
    bool debug = !strcmp(what, "debug");
    bool dot = !strncmp(what, "dot", 3), regions = dot || !strncmp(what, "regions", 7),
         llvm = !strcmp(what, "llvm"), native = !strcmp(what, "native");
    struct wire_answer a;
    struct wire_segment whole = {0, path, path, 1, 0};
    struct wire_request r = {.kind = llvm ? WIRE_COMPILE : WIRE_BUILD,
                             .reach = WIRE_REACH_FOLDERS,
                             .source = {str_text(&d->text), d->text.len},
                             .options = options,
                             .for_debugger = debug,
                             .segments = &whole,
                             .nsegments = 1,
                             .native = native};
    const struct wire_blob object = {str_text(&d->text), d->text.len};
    if (!io_is_text(object.data, object.size)) {
        r.source = (struct wire_blob){0};
        r.objects = &object;
        r.nobjects = 1;
        r.nsegments = 0;
    }
    if (!strcmp(what, "lint")) {
        unsigned found = 0;
        struct err *e = lint(d, &r, more, nmore, &found);
        rep_write_safe(stderr, str_text(&d->o.log));
        if (e) fprintf(stderr, "cldbg: %s: %s\n", path, err_message(e));
        const bool failed = e;
        err_free(e);
        return failed ? 2 : found != 0;
    }
    if (regions) {
        const char *colon = strchr(what, ':');
        struct err *e =
            cc_regions(&r, dot ? CC_DOT : CC_TEXT, colon ? colon + 1 : NULL, &d->o.log, &d->show);
        rep_write_safe(stderr, str_text(&d->o.log));
        rep_write_safe(stdout, str_text(&d->show));
        if (e) fprintf(stderr, "cldbg: %s: %s\n", path, err_message(e));
        const bool failed = e;
        err_free(e);
        return failed;
    }
    cc_pipeline(&r, &d->arena, &d->o, &a);
    rep_write_safe(stderr, a.log);
    if (a.status != WIRE_OK) return 1;
    if (llvm || native) {
        struct wire_blob b = llvm ? a.object : a.native;
        fwrite(b.data, 1, b.size, stdout);
    } else {
        struct bc_module *m;
        struct err *e = bc_decode(a.module.data, a.module.size, bi_lane_types, &m);
        if (e) {
            fprintf(stderr, "cldbg-cc: %s\n", err_message(e));
            err_free(e);
            return 1;
        }
        bc_disassemble(m, &d->show);
        rep_write_safe(stdout, str_text(&d->show));
        bc_module_destroy(m);
    }
    return 0;
}

static int dump(const char *what, const char *path, const char *options, char **more, int nmore)
{
    struct dumped d = {0};
    const int status = dump_into(&d, what, path, options, more, nmore);
    struct str *all[] = {&d.text, &d.show, &d.o.log, &d.o.module, &d.o.object, &d.o.native};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) str_deinit(all[i]);
    arena_deinit(&d.arena);
    if (!rep_output_is_lost()) return status;
    fprintf(stderr, "cldbg: the output could not be written\n");
    return status ? status : 1;
}

int main(int argc, char **argv)
{
    // no core file when LLVM crashes on broken input
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    LLVMInstallFatalErrorHandler(on_fatal);
    if (argc == 1) return serve();
    if (argc == 2 && !strcmp(argv[1], "--wait")) return wait_for_work();
    if (argc >= 3 && !strncmp(argv[1], "--dump=", 7)) {
        const char *what = argv[1] + 7;
        size_t n = strcspn(what, ":");
        bool known = !strcmp(what, "llvm") || !strcmp(what, "native") ||
                     !strcmp(what, "bytecode") || !strcmp(what, "debug") || !strcmp(what, "lint") ||
                     (n == 7 && !strncmp(what, "regions", 7)) ||
                     (n == 3 && !strncmp(what, "dot", 3));
        if (known)
            return dump(what, argv[2], argc > 3 ? argv[3] : "", argv + 4, argc > 4 ? argc - 4 : 0);
    }
    fprintf(stderr,
            "usage: cldbg-cc [--dump=llvm|native|bytecode|debug|lint|regions[:KERNEL]|dot[:KERNEL] "
            "FILE.cl [OPTIONS]]\n");
    return 2;
}
