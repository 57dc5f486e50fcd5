// SPDX-License-Identifier: MIT
// llvm-spirv as a child process: a module it cannot read often ends it by an assertion. It goes
// back in its input, so that is a file in memory, not a pipe, which it finds under our process.
#include "frontend/spirv_child.h"

#include "frontend/spirv_lowering.h"

#include "base/io.h"
#include "base/proc.h"
#include "base/spirv.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SECONDS = 60 };

/** The first line of its last output is the reason; the stack of a crash may follow. */
static void put_reason(const struct str *err, struct str *log)
{
    const char *text = str_text(err), *assertion = strstr(text, "Assertion `");
    const size_t n = strcspn(text, "\n");
    if (assertion && assertion < text + n)
        str_put(log, "it uses something that this llvm-spirv does not know");
    else if (n) str_put_n(log, text, n);
    else str_put(log, "no reason was given");
}

enum fe_status fe_spirv(const void *data, size_t size, struct str *bitcode, struct str *log)
{
    const char *tool = spirv_translator();
    if (!tool) {
        str_put(log, "error: the program is SPIR-V, which cldbg translates with llvm-spirv; on "
                     "Debian: apt-get install llvm-spirv-15 "
                     "(or set CLDBG_LLVM_SPIRV to the one to use)\n");
        return FE_NO_COMPILER;
    }
    const int fd = memfd_create("program.spv", MFD_CLOEXEC);
    struct str lowered = {0};
    fe_spirv_lower(data, size, &lowered);
    const bool written = fd >= 0 && io_write_all(fd, lowered.data, lowered.len);
    str_deinit(&lowered);
    if (!written) {
        str_printf(log, "error: cannot hand the SPIR-V module on: %s\n", strerror(errno));
        if (fd >= 0) close(fd);
        return FE_FAILED;
    }
    struct str path = {0};
    str_printf(&path, "/proc/%d/fd/%d", (int)getpid(), fd);
    // Images, samplers etc. as opaque structures is what versions before 16 write; the lowering
    // takes both.
    const char *argv[] = {tool, "-r", "--spirv-target-env=CL2.0", str_text(&path), "-o", "-", NULL};
    const struct proc_limits limits = {
        .seconds = proc_seconds(SECONDS), .max_output = 256 << 20, .memory = 8ull << 30};
    struct proc_result p = {0};
    enum fe_status st = FE_OK;
    struct err *e = proc_run(argv, NULL, 0, &limits, &p, NULL);
    if (e) {
        str_printf(log, "error: %s\n", err_message(e));
        err_free(e);
        st = FE_FAILED;
    } else if (p.exit_status || !p.out.len) {
        str_printf(log, "error: %s could not translate the SPIR-V module: ", tool);
        put_reason(&p.err, log);
        struct str names = {0};
        fe_spirv_new_instructions(data, size, &names);
        if (names.len) str_printf(log, " (the module has %s)", str_text(&names));
        str_deinit(&names);
        str_put(log, "\n");
        st = FE_BAD_BINARY;
    } else {
        str_put_n(bitcode, p.out.data, p.out.len);
    }
    proc_result_deinit(&p);
    str_deinit(&path);
    close(fd);
    return st;
}
