// SPDX-License-Identifier: MIT
// What the launchers of MPI put into the environment of each rank. No MPI is needed for it.
#include "base/launcher.h"

#include "base/io.h"
#include "base/str.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * The first row whose variables are all set counts: mpirun can run inside a job of Slurm. The job
 * of a row without job variables is named by the parent process: the proxy of the machine.
 */
static const struct row {
    const char *rank, *size, *local_rank, *local_size, *job[2];
    bool has_pmi;
} rows[] = {
    // Open MPI
    {"OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     {"PMIX_NAMESPACE"},
     true},
    // Hydra: MPICH, Intel MPI and others
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", {NULL}, true},
    // srun with PMI, with PMIx, and alone. (A batch script has a SLURM_PROCID, but no step.)
    {"PMI_RANK", "PMI_SIZE", "SLURM_LOCALID", NULL, {"SLURM_JOB_ID", "SLURM_STEP_ID"}, true},
    {"PMIX_RANK",
     "SLURM_STEP_NUM_TASKS",
     "SLURM_LOCALID",
     NULL,
     {"SLURM_JOB_ID", "SLURM_STEP_ID"},
     true},
    {"SLURM_PROCID",
     "SLURM_STEP_NUM_TASKS",
     "SLURM_LOCALID",
     NULL,
     {"SLURM_JOB_ID", "SLURM_STEP_ID"},
     false},
    // other launchers with PMI
    {"PMI_RANK", "PMI_SIZE", NULL, NULL, {NULL}, true},
};

static bool is_set(const char *variable) { return !variable || getenv(variable); }

static bool fits(const struct row *r)
{
    return is_set(r->rank) && is_set(r->size) && is_set(r->local_rank) && is_set(r->local_size) &&
           is_set(r->job[0]) && is_set(r->job[1]);
}

static int number(const char *variable, int otherwise)
{
    const char *const text = variable ? getenv(variable) : NULL;
    return text ? atoi(text) : otherwise;
}

/** SLURM_STEP_TASKS_PER_NODE: "2(x3),1" are 2, 2, 2 and 1 tasks. */
static int tasks_of_node(void)
{
    const char *at = getenv("SLURM_STEP_TASKS_PER_NODE");
    int node = number("SLURM_NODEID", 0);
    while (at && *at) {
        char *end;
        const long tasks = strtol(at, &end, 10);
        const long times = str_starts(end, "(x") ? strtol(end + 2, &end, 10) : 1;
        if (node < times) return (int)tasks;
        node -= (int)times;
        end += strcspn(end, ",");
        at = *end ? end + 1 : end;
    }
    return 0;
}

/** Number and start time of the parent. */
static void put_parent(struct str *s)
{
    enum { FIELDS_BEFORE_START = 20 }; // after the name of the program
    struct str path = {0}, stat = {0};
    str_printf(&path, "/proc/%d/stat", (int)getppid());
    const int pid = (int)getppid();
    const char *at = io_read_file(str_text(&path), &stat) ? strrchr(str_text(&stat), ')') : NULL;
    for (int i = 0; at && i < FIELDS_BEFORE_START; i++) at = strchr(at + 1, ' ');
    str_printf(s, "parent %d %.*s", pid, at ? (int)strcspn(at + 1, " ") : 0, at ? at + 1 : "");
    str_deinit(&path);
    str_deinit(&stat);
}

/** FNV-1a of what names the job, and the machine: machines can share the folder. */
static uint64_t job_of(const struct row *r)
{
    struct str s = {0};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    str_printf(&s, "%s %s ", host, r->rank);
    for (int i = 0; i < 2; i++)
        if (r->job[i]) str_printf(&s, "%s ", getenv(r->job[i]));
    if (!r->job[0]) put_parent(&s);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < s.len; i++) hash = (hash ^ (unsigned char)s.data[i]) * 0x100000001b3u;
    str_deinit(&s);
    return hash;
}

bool launcher_find(struct launcher *l)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *const r = &rows[i];
        if (!fits(r)) continue;
        *l = (struct launcher){.rank = number(r->rank, 0),
                               .size = number(r->size, 1),
                               .local_rank = number(r->local_rank, -1),
                               .local_size = number(r->local_size, tasks_of_node()),
                               .has_pmi = r->has_pmi,
                               .is_open_mpi = r == rows,
                               .job = job_of(r)};
        return true;
    }
    return false;
}

int launcher_rank(void)
{
    struct launcher l;
    return launcher_find(&l) ? l.rank : 0;
}

bool launcher_has_open_mpi(void)
{
    int (*initialized)(int *), (*finalized)(int *), is_initialized = 0, is_finalized = 0;
    *(void **)&initialized = dlsym(RTLD_DEFAULT, "MPI_Initialized");
    *(void **)&finalized = dlsym(RTLD_DEFAULT, "MPI_Finalized");
    if (!initialized || !finalized) return false;
    return !initialized(&is_initialized) && is_initialized && !finalized(&is_finalized) &&
           !is_finalized;
}
