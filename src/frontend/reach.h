// SPDX-License-Identifier: MIT
#ifndef FRONTEND_REACH_H
#define FRONTEND_REACH_H
#include "frontend/front_end.h"
#include "frontend/options.h"

/**
 * Takes over what the request allows. FE_REACH_NONE takes the -I options out of `o`, with a note in
 * the log. Zeroed storage is FE_REACH_ALL.
 */
void fe_reach_init(struct fe_reach *f, const struct fe_request *r, struct fe_options *o,
                   struct str *log);
/** One more folder, of cldbg's own. */
void fe_reach_add(struct fe_reach *f, const char *folder);
/**
 * May the program's reports and its compiler read the file? Only regular files below the folders,
 * after links are resolved, and the request's.
 */
bool fe_reach_has(const struct fe_reach *f, const char *path);
/**
 * A file in memory for clang's -ivfsoverlay, through which it sees only these folders.
 * The caller closes it.
 */
struct err *fe_reach_overlay(struct fe_reach *f, const char *clang, int *fd);
void fe_reach_deinit(struct fe_reach *f);
#endif
