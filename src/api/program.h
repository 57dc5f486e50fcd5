// SPDX-License-Identifier: MIT
#ifndef API_PROGRAM_H
#define API_PROGRAM_H
#include "api/object.h"
#include "devices/dev.h"

struct api_constant;
/** The program in the form of captures, made by the first one. */
struct hash_wide;
struct api_captured_program {
    struct str binary;
    struct hash_wide *hashes; // dev_capture_hashes
};
void api_captured_program_deinit(struct api_captured_program *c);

struct _cl_program {
    struct api_object obj;
    cl_context ctx;
    struct api_devices devices;
    char *source; // all strings in one; NULL: not from source
    size_t source_len;
    pthread_mutex_t building; // serializes builds; taken before `lock`
    pthread_mutex_t lock;     // guards the results of a build, and whether kernels may be created;
                              // held only briefly
    _Atomic cl_int status;    // CL_BUILD_NONE, _IN_PROGRESS, _SUCCESS, _ERROR
    _Atomic unsigned kernels; // kernel objects that live
    cl_program_binary_type type; // of the built or given program
    bool arg_info;  // clGetKernelArgInfo is available: built with -cl-kernel-arg-info, or a binary
    bool is_linked; // created by clLinkProgram, so it cannot be built
    struct bc_module *module; // CL_PROGRAM_BINARY_TYPE_EXECUTABLE
    void *loaded;             // the device's form of the module, after a build
    struct dev_blob native;   // of the module: for a device of machine code
    struct dev_blob object;   // bitcode of a compiled object, a library, a foreign binary; for an
                              // executable, its input
    bool object_fits;         // the bitcode is known to be what the module was made of
    struct dev_blob il;       // the SPIR-V that it was made from
    VEC(struct api_constant) constants; // of il; guarded by lock
    struct api_access_log *access_log;  // of its variables: see access_set.h
    char *options, *log;
    struct api_captured_program captured;
    struct api_checked_form *checked_form; // of a program that is debugged; otherwise NULL
};
/** For the listed devices, or (NULL) all of the context. Returns NULL if there is no memory. */
cl_program api_program_new(cl_context ctx, cl_uint ndevices, const cl_device_id *devices);
void api_program_put(cl_program p);

/**
 * The specialization constants that are set, in the form of struct dev_build; p->lock must be held.
 */
void api_il_of_build(const struct _cl_program *p, struct str *out);

/**
 * Our binary form: a header, the module or the object. True: it has both, and they are known to
 * belong together.
 */
bool api_binary_write(cl_program p, struct str *out);
/** Such a binary is given to the app, or to a capture: api_binary_read will know it. */
void api_binary_remember(const struct str *binary);
/**
 * Initializes a new program from a binary; false if it is invalid. *why: a message, which the
 * caller frees.
 */
bool api_binary_read(cl_program p, const void *data, size_t size, char **why);

struct api_arg {
    bool is_set;
    cl_mem mem;          // buffer, image, or the allocation that svm points into; referenced
    const void *svm;     // of clSetKernelArgSVMPointer
    cl_sampler sampler;  // referenced
    uint64_t local_size; // local memory
    void *value;         // value: bytes of the declared size; sampler: its number
    const void *site;    // where it was set
};
struct _cl_kernel {
    struct api_object obj;
    cl_program program;
    const struct bc_kernel *k;
    const struct bc_arg *decl; // k->nargs
    struct api_arg *args;
};
void api_kernel_put(cl_kernel k);
/** Bytes of local memory with the arguments set so far; saturates. */
uint64_t api_kernel_local_size(const struct _cl_kernel *k);
unsigned api_kernel_sub_group(cl_kernel k); // work-items of its sub-groups
/** A kernel with the same arguments, owned by the caller as by the app; NULL: no memory. */
cl_kernel api_kernel_clone(cl_kernel from);
/** clSetKernelArg. */
cl_int api_kernel_set_arg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                          const void *arg_value);
/** clSetKernelExecInfo. */
cl_int api_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                            const void *value);
/** clSetKernelArgSVMPointer and clSetKernelArgMemPointerINTEL. */
cl_int api_kernel_set_pointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value);
/** The options with which a source is built: those of the app and of cldbg. The caller frees them.
 */
char *api_whole_options(const char *options);
#endif
