// SPDX-License-Identifier: MIT
// Whether mpirun or srun started this process with others, and the plug-in for that.
#include "cli/ranks.h"
#include "cli/cmd.h"

#include <dlfcn.h>
#include <stdlib.h>

/** The variables of Open MPI, of MPICH and others with PMI, and of Slurm with PMIx. */
static const struct {
    const char *rank, *size;
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {"PMI_RANK", "PMI_SIZE"},
                 {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

static int number(bool of_size)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *const rank = getenv(launchers[i].rank), *const size = getenv(launchers[i].size);
        if (rank && size) return atoi(of_size ? size : rank);
    }
    return of_size;
}

int ranks_number(void) { return number(false); }

struct err *ranks_open(const struct ranks **out)
{
    struct cmd_home home = {0};
    const struct ranks *(*open)(void) = NULL;
    *out = NULL;
    const int size = number(true);
    if (size < 2) return NULL;
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
