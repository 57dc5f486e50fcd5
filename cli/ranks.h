// SPDX-License-Identifier: MIT
#ifndef CLI_RANKS_H
#define CLI_RANKS_H
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The processes that mpirun or srun started together. MPI is in a plug-in, which is loaded only if
 * there are several, so that cldbg needs no MPI. One thread calls these functions.
 */
enum ranks_message { RANKS_RESULT, RANKS_FINISHED, RANKS_RELEASE, RANKS_MESSAGES };
struct ranks {
    int rank, size;
    int on_node; // ranks on this machine
    /** Gives rank 0's text to all; the others pass NULL. The caller frees it. Collective. */
    char *(*share)(const char *text);
    /** Begins to take the next number of a counter that starts at 0, by a one-sided operation. */
    void (*ask)(void);
    /** The number that was asked for. False: it has not come yet. */
    bool (*answer)(uint64_t *number);
    /** Its value, for rank 0. */
    uint64_t (*taken)(void);
    /** Shows rank 0 that this rank is alive, and rank 0 the others. */
    void (*beat)(void);
    /** How often a rank did so. */
    uint64_t (*beats)(int rank);
    /** Begins to send; the data is copied. There may be several at once. */
    void (*send)(int to, enum ranks_message what, const void *data, size_t n);
    /** Have all messages been sent? */
    bool (*is_sent)(void);
    /** A message of n bytes, if one has come; the caller frees the data, which ends with a NUL. */
    bool (*receive)(int *from, enum ranks_message *what, char **data, size_t *n);
    /** Ends MPI. Collective. */
    void (*end)(void);
    /** Ends all ranks with this exit status, for runs in which `end` would wait for a lost rank. */
    void (*end_all)(int status);
};

/** The rank by the environment of a launcher that can start MPI; otherwise 0. */
int ranks_number(void);
/** *out is NULL if this process is the only one. */
struct err *ranks_open(const struct ranks **out);

/** The function of the plug-in; NULL: MPI does not start. */
const struct ranks *cldbg_ranks(void);
#endif
