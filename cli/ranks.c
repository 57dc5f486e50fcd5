// SPDX-License-Identifier: MIT
// Whether mpirun or srun started this process with others, and the plug-in for that.
#include "cli/ranks.h"
#include "cli/cmd.h"

#include "base/launcher.h"

#include <dlfcn.h>

int ranks_number(void)
{
    struct launcher l;
    return launcher_find(&l) && l.has_pmi ? l.rank : 0;
}

struct err *ranks_open(const struct ranks **out)
{
    struct cmd_home home = {0};
    const struct ranks *(*open)(void) = NULL;
    *out = NULL;
    struct launcher l;
    if (!launcher_find(&l) || !l.has_pmi || l.size < 2) return NULL;
    const int size = l.size;
    struct err *const e = cmd_home_find(&home);
    if (e) return e;
    // Global: the parts of Open MPI that it loads itself look for its symbols.
    void *const lib = dlopen(home.ranks, RTLD_NOW | RTLD_GLOBAL);
    cmd_home_free(&home);
    if (lib) *(void **)&open = dlsym(lib, "cldbg_ranks");
    if (!open)
        return err_new("cldbg was started as one of %d MPI processes, but its part for MPI cannot "
                       "be loaded: %s",
                       size, dlerror());
    *out = open();
    if (!*out) return err_new("MPI cannot be started");
    if ((*out)->size != size)
        return err_new("the launcher started %d processes, but MPI knows %d: it is of another MPI "
                       "than the one that cldbg was built with",
                       size, (*out)->size);
    return NULL;
}
