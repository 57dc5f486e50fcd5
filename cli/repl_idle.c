// SPDX-License-Identifier: MIT
// An agent without an app: it answers the debugger's commands while no program runs.
#include "cli/repl.h"

#include "cli/cmd.h"

#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdlib.h>

void repl_be_idle(void)
{
    struct cmd_home home = {0};
    struct err *e = cmd_home_find(&home);
    void *lib = e ? NULL : dlopen(home.driver, RTLD_NOW | RTLD_LOCAL);
    const struct _cl_icd_dispatch *(*dispatch)(void) = NULL;
    if (lib) *(void **)&dispatch = dlsym(lib, "cldbg_dispatch");
    cl_uint n;
    if (dispatch) dispatch()->clGetPlatformIDs(0, NULL, &n); // as an app's first call: comes back when the client is gone
    err_free(e);
    cmd_home_free(&home);
}
