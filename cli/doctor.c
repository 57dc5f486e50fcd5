// SPDX-License-Identifier: MIT
// `cldbg doctor [./app [args…]]`: checks the installation of cldbg, and finds which OpenCL the app
// loads. The app is run as `cldbg ./app` runs it, with ld.so listing what it loads.
#include "cli/cmd.h"
#include "cli/elf.h"
#include "cli/loads.h"

#include "base/io.h"
#include "base/proc.h"
#include "base/spirv.h"
#include "config.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { DOCTOR_SERVED = 0, DOCTOR_NOT_SERVED = 1 };

static void row(const char *what, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void row(const char *what, const char *fmt, ...)
{
    struct str s = {0};
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&s, fmt, ap);
    va_end(ap);
    printf("  %-18s %s\n", what, str_text(&s));
    str_deinit(&s);
}

/** The first line of a compiler's words. */
static const char *first_line(struct str *s)
{
    if (!s->len) return "it printed nothing";
    s->data[strcspn(s->data, "\n")] = 0;
    return s->data;
}

/** Does cldbg-cc, and clang with it, compile a kernel. */
static bool check_compiler(const char *helper)
{
    char file[] = "/tmp/cldbg-doctor-XXXXXX.cl";
    int fd = mkstemps(file, 3);
    static const char kernel[] = "kernel void k(global int *o) { o[get_global_id(0)] = 1; }\n";
    bool written = fd >= 0 && io_write_all(fd, kernel, sizeof kernel - 1);
    if (fd >= 0) close(fd);
    struct proc_result r = {0};
    struct proc_limits limits = {.seconds = 60};
    struct err *e = written ? proc_run((const char *const[]){helper, "--dump=bytecode", file, NULL},
                                       "", 0, &limits, &r, NULL)
                            : err_new("a file cannot be written in /tmp: %m");
    bool ok = !e && r.exit_status == 0;
    if (ok) row("kernel compiler", "%s (compiles a kernel)", helper);
    else if (e) row("kernel compiler", "%s: NOT WORKING: %s", helper, err_message(e));
    else row("kernel compiler", "%s: NOT WORKING: %s", helper, first_line(&r.err));
    err_free(e);
    proc_result_deinit(&r);
    if (fd >= 0) unlink(file);
    return ok;
}

static void show_clang(void)
{
    const char *set = getenv("CLDBG_CLANG"), *clang = set && *set ? set : CLDBG_CLANG_PATH;
    struct proc_result r = {0};
    struct proc_limits limits = {.seconds = 20};
    struct err *e =
        proc_run((const char *const[]){clang, "--version", NULL}, "", 0, &limits, &r, NULL);
    row("clang", "%s%s: %s", clang, set && *set ? " (CLDBG_CLANG)" : "",
        e ? err_message(e) : first_line(&r.out));
    err_free(e);
    proc_result_deinit(&r);
}

static void show_spirv(void)
{
    const char *tool = spirv_translator();
    row("SPIR-V", "%s",
        tool ? tool : "llvm-spirv is not installed, so programs in SPIR-V are rejected");
}

static void show_cache(void)
{
    const char *set = getenv("CLDBG_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (set && *set) row("cache", "%s (CLDBG_CACHE)", set);
    else if (xdg && *xdg) row("cache", "%s/cldbg", xdg);
    else if (home && *home) row("cache", "%s/.cache/cldbg", home);
    else row("cache", "none: HOME is not set");
}

/** What serves OpenCL on this machine when cldbg does not. */
static void show_vendors(void)
{
    struct str s = {0};
    DIR *d = opendir("/etc/OpenCL/vendors");
    struct dirent *entry;
    while (d && (entry = readdir(d)))
        if (str_ends(entry->d_name, ".icd"))
            str_printf(&s, "%s%s", s.len ? ", " : "", entry->d_name);
    if (d) closedir(d);
    row("other drivers", "%s", s.len ? str_text(&s) : "none in /etc/OpenCL/vendors");
    str_deinit(&s);
}

/** cldbg's own parts; false when it cannot work. */
static bool check_cldbg(void)
{
    struct cmd_home home = {0};
    printf("cldbg %s\n", PACKAGE_VERSION);
    struct err *e = cmd_home_find(&home);
    if (e) row("NOT COMPLETE", "%s", err_message(e));
    err_free(e);
    bool ok = !e;
    if (ok) {
        row("driver", "%s", home.driver);
        row("libOpenCL for apps", "%s", home.front);
        show_clang();
        show_spirv();
        ok = check_compiler(home.helper);
    }
    show_cache();
    show_vendors();
    const char *options = getenv("CLDBG_OPTIONS");
    if (options) row("CLDBG_OPTIONS", "%s", options);
    cmd_home_free(&home);
    return ok;
}

/** The file that execvp would run; the caller frees it; NULL when there is none. */
static char *find_program(const char *name)
{
    if (strchr(name, '/')) return mem_strdup(name);
    const char *path = getenv("PATH");
    char *copy = mem_strdup(path ? path : "/bin:/usr/bin"), *rest = copy, *folder;
    struct str s = {0};
    while ((folder = strsep(&rest, ":"))) {
        str_clear(&s);
        str_printf(&s, "%s/%s", *folder ? folder : ".", name);
        if (!access(str_text(&s), X_OK)) {
            free(copy);
            return str_take(&s);
        }
    }
    str_deinit(&s);
    free(copy);
    return NULL;
}

/** Why the library of cldbg cannot be loaded into this program, or NULL. */
static const char *obstacle(const char *path, const struct cmd_elf *elf)
{
    struct stat st;
    if (elf->other_machine)
        return "it is built for another processor or word size than cldbg's driver";
    if (elf->is_static) return "it is statically linked: it cannot load a library";
    if (!stat(path, &st) && (st.st_mode & (S_ISUID | S_ISGID)) && geteuid() != 0)
        return "it is set-uid or set-gid: the system ignores LD_PRELOAD and LD_LIBRARY_PATH for it";
    if (getxattr(path, "security.capability", NULL, 0) > 0 && geteuid() != 0)
        return "it has file capabilities: the system ignores LD_PRELOAD and LD_LIBRARY_PATH for it";
    return NULL;
}

static void show_program(const char *path, const struct cmd_elf *elf)
{
    if (elf->is_script) row("program", "%s, a script for %s", path, elf->interpreter);
    else if (!elf->is_elf) row("program", "%s, neither a program file nor a script with #!", path);
    else if (elf->needs_opencl) row("program", "%s, linked with %s", path, elf->opencl);
    else
        row("program", "%s, not linked with OpenCL (it or one of its libraries may load it)", path);
}

static bool is_ours(const char *path)
{
    struct cmd_home home = {0};
    err_free(cmd_home_find(&home)); // was found before
    char *a = realpath(path, NULL), *driver = realpath(home.driver, NULL),
         *front = realpath(home.front, NULL);
    bool ours = a && ((driver && !strcmp(a, driver)) || (front && !strcmp(a, front)));
    free(a);
    free(driver);
    free(front);
    cmd_home_free(&home);
    return ours;
}

/**
 * Not by being linked with it, but by our LD_PRELOAD, the file has OpenCL: ld.so says of both that
 * it is needed.
 */
static bool has_it_in_front(const char *path)
{
    struct cmd_elf elf = {0};
    return !is_ours(path) && cmd_elf_read(path, &elf) && !elf.needs_opencl;
}

/** Returns the path of a driver or loader that is not ours, or NULL. */
static const char *show_loads(const struct cmd_loads *l)
{
    const char *foreign = NULL;
    for (size_t i = 0; i < l->list.len; i++) {
        const struct cmd_load *load = &l->list.data[i];
        bool ours = is_ours(load->path);
        row(i ? "" : "loaded", "%s%s%s%s", load->path, ours ? " (cldbg's)" : "",
            !load->by                   ? ""
            : load->opened              ? ", opened by "
            : has_it_in_front(load->by) ? ", put in front of "
                                        : ", needed by ",
            load->by ? load->by : "");
        if (!ours) foreign = load->path;
    }
    if (!l->list.len) row("loaded", "no OpenCL library");
    return foreign;
}

static int verdict(const struct rep_totals *t, const struct cmd_loads *l, const char *foreign,
                   const char *obstacle_text)
{
    if (t->launches) {
        row("verdict", "it uses cldbg's OpenCL: %llu kernel launch%s",
            (unsigned long long)t->launches, t->launches == 1 ? "" : "es");
        return DOCTOR_SERVED;
    }
    if (t->processes && t->contexts) {
        row("verdict", "it uses cldbg's OpenCL, but this run launched no kernel");
        return DOCTOR_SERVED;
    }
    if (t->processes)
        row("verdict", "it finds cldbg's OpenCL but creates no context%s",
            foreign ? "; it also loads another OpenCL library (above)" : "");
    else if (obstacle_text) row("verdict", "it cannot use cldbg's OpenCL: %s", obstacle_text);
    else if (foreign) row("verdict", "it uses the OpenCL of %s, not cldbg's", foreign);
    else if (l->list.len) row("verdict", "it loads cldbg's library, but this run did not call it");
    else row("verdict", "this run loaded no OpenCL library");
    return DOCTOR_NOT_SERVED;
}

static int examine(char **argv)
{
    printf("\n%s\n", argv[0]);
    char *path = find_program(argv[0]);
    struct cmd_elf elf = {0};
    const char *why_not = NULL;
    if (path && cmd_elf_read(path, &elf)) {
        show_program(path, &elf);
        why_not = obstacle(path, &elf);
    }
    fflush(stdout);

    struct dev_option_set s = {0};
    struct cmd_loads loads;
    struct rep_totals *totals;
    int wait_status;
    struct err *e = cmd_env_options(&s);
    if (!e) e = dev_option_check(&s);
    if (!e) e = cmd_loads_begin(&loads);
    if (e) return cmd_fail(CMD_FAILED, e);
    int status = cmd_app_execute(argv, &s, &totals, &wait_status);
    cmd_reports_end(&s, NULL, true);
    cmd_loads_end(&loads);
    if (!status) {
        if (WIFSIGNALED(wait_status))
            row("this run", "killed by signal %d (%s)", WTERMSIG(wait_status),
                strsignal(WTERMSIG(wait_status)));
        else row("this run", "ended with %d", WEXITSTATUS(wait_status));
        const char *foreign = show_loads(&loads);
        row("calls to cldbg", "processes %llu, contexts %llu, programs %llu, launches %llu",
            (unsigned long long)totals->processes, (unsigned long long)totals->contexts,
            (unsigned long long)totals->programs, (unsigned long long)totals->launches);
        status = verdict(totals, &loads, foreign, why_not);
    }
    cmd_loads_free(&loads);
    dev_option_set_deinit(&s);
    free(path);
    return status;
}

int cmd_doctor(int argc, char **argv)
{
    struct dev_option_set s = {0};
    struct err *e = NULL;
    int i = 0;
    for (; i < argc && argv[i][0] == '-' && !e; i++)
        e = dev_option_parse(&s, argv[i], DEV_FOR_DOCTOR);
    bool help = s.v[DEV_OPT_HELP].given, version = s.v[DEV_OPT_VERSION].given;
    dev_option_set_deinit(&s);
    if (e) return cmd_fail(CMD_FAILED, e);
    if (help) return cmd_help(NULL, DEV_FOR_DOCTOR);
    if (version) return cmd_version();
    if (!check_cldbg()) return CMD_FAILED;
    return i < argc ? examine(argv + i) : CMD_OK;
}
