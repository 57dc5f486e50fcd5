// SPDX-License-Identifier: MIT
#ifndef CLI_HOST_H
#define CLI_HOST_H
#include "cli/cmd.h"
#include "cli/scalar.h"
#include "devices/capture.h"
#include "devices/dev.h"

#include <CL/cl_icd.h>

/**
 * One kernel run without a host program: this is the host program, over the driver's dispatch
 * table, in our own process.
 */
struct cmd_param {           // a parameter as the kernel declares it
    const char *name, *type; // "out", "float*"; of a pipe its packets'
    cl_kernel_arg_address_qualifier space;
    bool is_pipe;
};

enum cmd_arg_kind {
    CMD_ARG_VALUE,
    CMD_ARG_BUFFER,
    CMD_ARG_NULL,
    CMD_ARG_LOCAL,
    CMD_ARG_IMAGE,
    CMD_ARG_SAMPLER,
    CMD_ARG_PIPE,
    CMD_ARG_SAME, // the buffer of another argument
    CMD_ARG_SET,  // was set already; mem is there where it is a buffer
};
struct cmd_image {
    unsigned ndims;
    uint64_t size[3]; // as given: of an array the last are the layers
    bool norm;
};
struct cmd_sampler {
    bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
};
struct cmd_dump { // printed afterwards, as that
    struct cmd_type type;
    enum cmd_value_style style;
    struct cmd_dump *next;
};
struct cmd_arg {
    enum cmd_arg_kind kind;
    void *data; // VALUE, BUFFER, PIPE: `size` bytes; NULL: a buffer that was never written, an
                // empty pipe
    size_t size;
    bool read_only, write_only;
    struct cmd_type type; // of its elements, pixels or packets
    size_t packet;        // PIPE: bytes of one; `size` is all that it has room for
    unsigned same;        // SAME: the argument's number, less than its own
    struct cmd_image image;
    struct cmd_sampler sampler;
    struct cmd_dump *dumps; // in their order
    cl_mem mem;
};

struct cmd_range {
    unsigned dims;
    size_t offset[3], global[3], local[3];
    bool has_local;
};

struct cmd_kernel {
    const struct _cl_icd_dispatch *cl;
    void (*set_last_words)(int (*fn)(void)); // api/interrupt.h
    struct rep_totals *totals;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, device_queue;
    cl_program program;
    cl_kernel kernel;
    const char *name;
    struct cmd_param *params;
    unsigned nparams;
    VEC(cl_mem) made;   // memory objects to release
    VEC(void *) shared; // allocations of shared virtual memory to free
    struct arena arena; // of params, and for what the readers of arguments make
    struct str notice;  // the last message of the driver to the context's callback
};

/**
 * run.c: what a signal, or who debugs, leaves to be said before the process ends; the exit status.
 */
int cmd_last_words(void);
/** Loads the driver, builds `path`, makes kernel `name` (NULL: the only one). A build log goes to
 * stderr. */
struct err *cmd_kernel_open(struct cmd_kernel *k, const struct dev_option_set *s, const char *path,
                            const char *name, const char *build_options);
/**
 * The same for the program of a capture: its binary or, when that is of another cldbg, its source.
 */
struct err *cmd_kernel_open_capture(struct cmd_kernel *k, const struct dev_option_set *s,
                                    const struct dev_capture *c);
/** Does argument i fit its parameter; the words say what would. Those before it fit theirs. */
struct err *cmd_kernel_check_arg(const struct cmd_kernel *k, unsigned i,
                                 const struct cmd_arg *args);
/** Is a value floating point where the parameter is? A struct is taken as it is. */
struct err *cmd_kernel_check_class(const struct cmd_kernel *k, unsigned i, const struct cmd_arg *a);
/** "0: global float *a, 1: int n" */
void cmd_kernel_signature(const struct cmd_kernel *k, struct str *out);
/** One more dump of the argument, as its own type. */
struct cmd_dump *cmd_dump_add(struct arena *arena, struct cmd_arg *a);
/** Sets the arguments, runs it, waits, and prints the requested dumps. */
struct err *cmd_kernel_run(struct cmd_kernel *k, struct cmd_arg *args, const struct cmd_range *r);
void cmd_kernel_close(struct cmd_kernel *k);

// run.c
/** --global, --local and --offset. */
struct err *cmd_read_range(const struct dev_option_set *s, struct cmd_range *r);
/** Findings name the file by its path; the driver looks for it where we found it. */
struct err *cmd_add_source_dir(struct dev_option_set *s, const char *path);

/** `cldbg run`'s two ways to say what to run: an argument's SPEC … */
struct err *cmd_spec_parse(struct arena *a, const char *spec, uint64_t seed, struct cmd_arg *out);
/** … and a simulation file: its head, then (when the types are known) its arguments. */
struct cmd_sim {
    const char *path;
    char *program, *kernel; // in the arena
    struct cmd_range range;
    char *text, *at; // at: where reading goes on
    unsigned line;
};
struct err *cmd_sim_open(struct cmd_sim *sim, struct arena *a, const char *path);
struct err *cmd_sim_args(struct cmd_sim *sim, const struct cmd_kernel *k, struct arena *a,
                         struct cmd_arg *args);

/** Makes and sets the arguments of a capture; objects are released by cmd_kernel_close. */
struct err *cmd_capture_args(struct cmd_kernel *k, const struct dev_capture *c,
                             struct cmd_arg *args);

// image_arg.c: images and samplers. `type` is the parameter's.
struct err *cmd_image_sizes(const char **p, struct cmd_image *m,
                            uint64_t *count); // at "[8,4]"; moves past it
bool cmd_is_image(const char *type);
struct err *cmd_image_check(const char *type, const struct cmd_arg *a);
cl_int cmd_image_make(struct cmd_kernel *k, const char *type, struct cmd_arg *a);
cl_int cmd_image_read(struct cmd_kernel *k, const struct cmd_arg *a, void *to);
struct err *cmd_sampler_spec(const char *words, struct cmd_arg *out); // "linear,edge"
cl_int cmd_sampler_set(struct cmd_kernel *k, unsigned i, const struct cmd_sampler *s);

// pipe_arg.c: a pipe is empty, or full.
struct err *cmd_pipe_spec(struct cmd_arg *a, uint64_t count); // of packets; `data` is there, or not
cl_int cmd_pipe_make(struct cmd_kernel *k, struct cmd_arg *a);
/** Takes the packets out that are in it, into `to` of a->size bytes; *n: bytes. */
cl_int cmd_pipe_read(struct cmd_kernel *k, const struct cmd_arg *a, void *to, size_t *n);
/**
 * Of a capture: the pipe whose memory that is, with what was written of it to be put there by
 * cmd_pipe_bytes.
 */
cl_mem cmd_pipe_captured(struct cmd_kernel *k, const struct dev_capture_memory *m, cl_int *code);
/** Of a pipe that is there: its packets, of that type. */
void cmd_pipe_known(struct cmd_kernel *k, const char *type, struct cmd_arg *a);
cl_int cmd_pipe_bytes(struct cmd_kernel *k, cl_mem pipe, size_t at, const void *bytes, size_t n);

/** What a call's failure means, with the driver's own words where it gave any. */
struct err *cmd_call_failed(struct cmd_kernel *k, const char *what, cl_int code);

/** A whole file, NUL-ended; size may be NULL. */
struct err *cmd_read_file(struct arena *a, const char *path, char **data, size_t *size);
#endif
