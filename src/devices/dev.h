// SPDX-License-Identifier: MIT
#ifndef DEVICES_DEV_H
#define DEVICES_DEV_H
#include "base/err.h"
#include "bytecode/bytecode.h"
#include "bytecode/question.h"
#include "interp/vm.h"
#include "native/abi.h"
#include "report/finding.h"

/**
 * The device interface for src/api: the helper process builds programs (devices/helper.c), and the
 * vtable of the device runs launches. It does not use cl_ types.
 */

/** Settings from the command line (CLDBG_OPTIONS), read once per process. */
/**
 * A device takes seconds for this many instructions of a work-group; useful kernels have an effect
 * earlier.
 */
#define DEV_LIVELOCK_LIMIT 2000000000ull

/** interpreted; as machine code where it is proved; that where it pays; both, compared */
enum dev_engine { DEV_ENGINE_INTERPRET, DEV_ENGINE_COMPILED, DEV_ENGINE_AUTO, DEV_ENGINE_CHECK };

struct dev_settings {
    unsigned checks;                                          // enum vm_check
    unsigned compute_units;                                   // worker threads; default: cores
    uint64_t local_mem_size, global_mem_size, max_alloc_size; // bytes
    unsigned max_wg_size;                                     // default 1024
    unsigned sub_group;           // work-items of a sub-group, a power of two up to 32
    unsigned gang;                // 0: the engine chooses
    uint64_t schedules, schedule; // how many orders each launch runs in, 0 or 1: the usual one; the
                                  // number of the only one, or 0
    enum dev_engine engine;       // what runs checked launches
    bool native, both;            // run machine code; run both ways and compare
    unsigned native_passes;       // enum nat_pass
    bool remarks;                 // of those
    uint64_t instruction_limit, livelock_limit; // 0: none
    const char **source_dirs;                   // NULL-ended
    const char *default_cl_std;                 // for programs without -cl-std, or NULL
    const char *more_build_options;             // for all programs, or NULL
    const char *device_type;                 // "gpu,cpu" (default): a list of gpu, cpu, accelerator
    const char *device_name, *device_vendor; // as the app sees them; default: "cldbg"
    bool verbose;
    bool names_writers; // see vm_launch
    bool statistics, coverage, profile, advise, trace, verify;
    unsigned proof_seconds;   // how long --verify waits when the app has ended
    const char *device_model; // of the profile; NULL: the default
    const char *capture_dir;  // where launches are captured; NULL: nowhere
    bool capture_on_finding;  // only launches with findings
    bool check_api;           // failing calls, and objects that are never released, are findings
};
const struct dev_settings *dev_settings(void);
/** The given options that affect a launch, as text for a capture. */
void dev_options_of_launch(struct str *out);
/**
 * Do --only-kernel and --launches select this launch (counted from 1) of the kernel for checking?
 */
bool dev_wants_launch(const char *kernel, uint64_t number);
FILE *dev_report_out(void); // the output of the text report
struct rep_session *dev_report(
    void); // the process's session; created on first use, flushed at exit

/** A request for a build. All data is borrowed. */
enum dev_build_kind {
    DEV_BUILD,   // sources → executable
    DEV_COMPILE, // source + headers → object
    DEV_LINK,    // objects → executable (or library)
};
struct dev_header {
    const char *name, *text;
};
struct dev_blob {
    const void *data;
    size_t size;
};
struct dev_build {
    enum dev_build_kind kind;
    const char *source; // BUILD, COMPILE: all strings in one
    size_t source_len;
    // Where the app created the program ("created at main.c:30 (run)", or NULL): asked only if
    // several files have its text
    const char *(*created_at)(const void *site);
    bool (*has_source)(const void *site, const char *path); // is the file in the debug information
                                                            // of what created the program?
    const void *site;
    const char *options;              // options from the app
    bool for_debugger;                // variables in memory, with their tables
    const struct dev_header *headers; // COMPILE
    unsigned nheaders;
    const struct dev_blob *objects; // LINK: `object` of the compiled ones; BUILD and COMPILE from
                                    // bitcode or SPIR-V: one, with source NULL
    unsigned nobjects;
};
struct dev_built {
    int status;               // 0 ok; else enum dev_build_error
    char *log;                // messages of the compiler; never NULL
    struct bc_module *module; // verified; BUILD and LINK to an executable
    struct dev_blob native;   // with --native and --both: work-group functions
    struct dev_blob object;   // COMPILE, LINK to a library: bitcode, for a later LINK
    bool is_library;
};
enum dev_build_error {
    DEV_BUILD_OK,
    DEV_BUILD_FAILED,
    DEV_BUILD_BAD_OPTIONS,
    DEV_BUILD_NO_COMPILER,
    DEV_BUILD_BAD_BINARY
};
/**
 * The files that programs of this process may include: any (for an app, which has the user's
 * rights), those below the folders of -I and --source-dir (`cldbg run FILE`), or only those below
 * --source-dir (a capture). To be set before the first program.
 */
enum dev_reach { DEV_REACH_ALL, DEV_REACH_FOLDERS, DEV_REACH_NONE };
void dev_set_reach(enum dev_reach reach);
/**
 * Removes the paths of inaccessible files from a module that comes from a program binary.
 */
void dev_limit_files(struct bc_module *m);
/**
 * Runs cldbg-cc (or takes its answer from the cache). Errors are reported only by status and log.
 */
void dev_compile(const struct dev_build *b, struct dev_built *out);
/**
 * Asks cldbg-cc (or the cache) the question about the program of the build. Fails if it does not
 * compile or gives no answer; texts of the answer live in `a`.
 */
struct err *dev_prove(const struct dev_build *b, const struct proof_question *q, struct arena *a,
                      struct proof_answer *out);
/**
 * Has cldbg-cc make a kernel of a program (bitcode as dev_built.object) machine code that computes
 * what the interpreter would: native/strict.c. The error says why it cannot be.
 */
struct err *dev_make_code(const struct nat_request *r, struct nat_code_info *info,
                          struct str *remarks, struct str *object);
/** Where cldbg-cc is looked for; borrowed until the next call in this thread. */
const char *dev_compiler_path(void);
void dev_built_free(struct dev_built *b); // frees the results (set module to NULL to keep it)

struct dev_device;
struct dev_device_ops {
    const char *name;
    /**
     * Borrows m. code, borrowed for the call only: as struct dev_built has it, `native` for
     * dev_native and dev_both; otherwise `object` if it is known to be what m was made of, or
     * nothing.
     */
    void *(*program_load)(const struct bc_module *m, struct dev_blob code, struct err **e);
    void (*program_unload)(void *program);
    struct err *(*launch)(void *program,
                          const struct vm_launch *l); // l->program is set by the device
    /**
     * The address of a program-scope variable (an index in the module's objects), between launches;
     * NULL: not known.
     */
    char *(*variable)(void *program, uint32_t object);
    /** What the interpreter runs of the program; NULL: the device has no interpreter. */
    struct vm_program *(*interpreted)(void *program);
};
extern const struct dev_device_ops dev_interp, dev_compiled, dev_native, dev_both;
/** The one that the settings ask for. */
const struct dev_device_ops *dev_chosen(void);
/** For `cldbg fuzz`: the member `coverage` of the report's document; the caller releases it. */
struct json_t *dev_coverage(void);
/** The member `profile` of the document; the caller releases it. */
struct json_t *dev_profile(void);
/** Raised when a block or a direction of a branch runs for the first time in this process. */
uint64_t dev_fresh_coverage(void);
/**
 * For a signal handler: prints a message about a launch that runs as machine code, or is being
 * compiled to it, because only the end of the process can stop it. False: there is none.
 */
bool dev_report_stuck(void);

#endif
