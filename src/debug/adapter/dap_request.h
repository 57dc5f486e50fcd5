// SPDX-License-Identifier: MIT
#ifndef DEBUG_DAP_REQUEST_H
#define DEBUG_DAP_REQUEST_H
#include "debug/adapter/dap.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/session/frames.h"

/** Handlers of requests, in the files dap*.c. Each sends an answer or an error. */
typedef void dbg_dap_handler(const json_t *request, const json_t *arguments);

// ---- dap_answer.c
void dbg_dap_answer(const json_t *request, json_t *body); // takes the body
void dbg_dap_refuse(const json_t *request, const char *why);
void dbg_dap_refuse_err(const json_t *request, struct err *e); // and frees it
json_t *dbg_dap_address(uint64_t x);                           // "0x1f"
const char *dbg_dap_string(const json_t *o, const char *key);
json_int_t dbg_dap_integer(const json_t *o, const char *key, json_int_t dflt);
// ---- dap_stack.c
dbg_dap_handler dbg_dap_threads, dbg_dap_stack_trace, dbg_dap_source;
/** A work-item of the stopped group, or NULL. */
struct vm_gang *dbg_dap_gang_of(uint32_t item);
/** The frame of "frameId"; false: there is no such frame. */
bool dbg_dap_frame_of(const json_t *args, uint32_t *item, unsigned *level);
/** A Source of the protocol: by path if the file can be read, otherwise by number. */
json_t *dbg_dap_source_of(const struct bc_module *m, uint32_t file);

// ---- dap_run.c
dbg_dap_handler dbg_dap_continue, dbg_dap_next, dbg_dap_step_in, dbg_dap_step_out,
    dbg_dap_step_back, dbg_dap_reverse_continue, dbg_dap_pause, dbg_dap_goto,
    dbg_dap_step_in_targets, dbg_dap_restart_frame;

// ---- dap_memory.c
dbg_dap_handler dbg_dap_read_memory, dbg_dap_write_memory;
/** The value of the pointer v; false: not a pointer, or it cannot be read. */
bool dbg_dap_pointer(struct vm_gang *g, const struct dbg_value *v, uint64_t *p);
/** The address of a variable, or of its target if it is a pointer. */
void dbg_dap_put_memory_reference(json_t *variable, struct vm_gang *g, const struct dbg_value *v);

// ---- dap_code.c
dbg_dap_handler dbg_dap_disassemble, dbg_dap_modules, dbg_dap_loaded_sources,
    dbg_dap_breakpoint_locations;
void dbg_dap_send_module(const struct dbg_module *x, bool is_new); // built or released
/** The instruction of a reference in the program of the launch; NULL: there is none. */
const struct bc_insn *dbg_dap_instruction(const char *reference, int64_t offset,
                                          const struct bc_fn **fn);
/** The instruction of the frame. */
void dbg_dap_put_instruction_reference(json_t *frame, struct vm_gang *g, const struct dbg_frame *f,
                                       unsigned level);

// ---- dap_variables.c
dbg_dap_handler dbg_dap_scopes, dbg_dap_variables, dbg_dap_set_variable, dbg_dap_set_expression;
/** The format that the request asks for: hexadecimal integers, or the usual one. */
struct dbg_format dbg_dap_format(const json_t *args);
/** A Variable of the protocol; expression: what evaluates to it in its frame, or NULL. */
json_t *dbg_dap_variable(const char *name, const char *expression, uint32_t item,
                         const struct dbg_value *v, const struct dbg_format *f);
/** Where a variable is listed. */
enum dbg_variables { DBG_LOCALS, DBG_ARGS, DBG_GLOBALS };
struct dbg_var;
enum dbg_variables dbg_dap_variables_of(const struct dbg_var *v);
/**
 * name, value and type of a value, and those of its members or elements (`children`) up to a limit.
 * g may be NULL for values that are not in memory.
 */
json_t *dbg_dap_tree(const char *name, struct vm_gang *g, const struct dbg_value *v,
                     const struct dbg_format *f);
/** Evaluates in a frame; in that of "frameId", or in the focus. Does not change the focus. */
struct err *dbg_dap_eval_at(uint32_t item, unsigned level, const char *expression,
                            struct dbg_value *v);
struct err *dbg_dap_eval_in(const json_t *args, const char *expression, struct dbg_value *v);
/**
 * The work-item and frame of a variablesReference, and the value whose children it represents, if
 * any; false: stale.
 */
bool dbg_dap_reference(json_int_t ref, uint32_t *item, unsigned *level,
                       const struct dbg_value **value);
/** The member or element with that name. */
bool dbg_dap_child_named(struct vm_gang *g, const struct dbg_value *of, const char *name,
                         struct dbg_value *out);

// ---- dap_progress.c
dbg_dap_handler dbg_dap_cancel;
void dbg_dap_progress_begins(void); // if the request began a long operation
void dbg_dap_progress_ends(void);   // the kernel is stopped

// ---- dap_view.c
dbg_dap_handler dbg_dap_view, dbg_dap_output;

// ---- dap_evaluate.c
dbg_dap_handler dbg_dap_evaluate;

// ---- dap_breakpoints.c
json_t *dbg_dap_breakpoint(const struct dbg_break *b);   // a Breakpoint of the protocol
void dbg_dap_send_breakpoint(const struct dbg_break *b); // it has changed
dbg_dap_handler dbg_dap_set_breakpoints, dbg_dap_set_function_breakpoints,
    dbg_dap_set_exception_breakpoints, dbg_dap_data_breakpoint_info, dbg_dap_set_data_breakpoints,
    dbg_dap_set_instruction_breakpoints;
#endif
