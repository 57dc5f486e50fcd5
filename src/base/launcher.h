// SPDX-License-Identifier: MIT
#ifndef BASE_LAUNCHER_H
#define BASE_LAUNCHER_H
#include <stdbool.h>
#include <stdint.h>

/** The job of mpirun, mpiexec or srun that this process is a rank of, by its environment. */
struct launcher {
    int rank, size;
    int local_rank, local_size; // among the ranks of this machine; -1, 0: not known
    bool has_pmi;               // MPI can start: srun alone does not offer that
    bool is_open_mpi;
    uint64_t job; // differs between jobs; the same for all ranks of a machine
};
/** False: no launcher started this process. */
bool launcher_find(struct launcher *l);
/** The rank; 0 without a launcher. */
int launcher_rank(void);
/** Has this process called MPI_Init but not MPI_Finalize? Without MPI: false. */
bool launcher_has_open_mpi(void);
#endif
