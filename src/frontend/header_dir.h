// SPDX-License-Identifier: MIT
#ifndef FRONTEND_HEADER_DIR_H
#define FRONTEND_HEADER_DIR_H
#include "base/err.h"
#include "base/temp_folder.h"
#include "frontend/front_end.h"

/**
 * The embedded headers of clCompileProgram as files in a private folder, for the time of one
 * compilation.
 */
struct fe_header_dir {
    struct temp_folder folder; // none when there are no headers
    char *include;             // "-I<path>", or NULL
    char *rename; // "-ffile-prefix-map=<path>/=": debug information and __FILE__ have the headers'
                  // own names; or NULL
};
/**
 * Names may have folders ("util/sum.h") but not lead out of the folder; an error leaves no files.
 */
struct err *fe_header_dir_create(struct fe_header_dir *d, const struct fe_header *headers,
                                 unsigned n);
void fe_header_dir_destroy(struct fe_header_dir *d);
/** Appends text with the folder's name taken out: the reader knows `util/sum.h`. */
void fe_header_dir_put_log(const struct fe_header_dir *d, const struct str *text, struct str *log);
#endif
