// SPDX-License-Identifier: MIT
#ifndef PROOF_KERNEL_H
#define PROOF_KERNEL_H
#include "proof/formula.h"
#include "proof/proof.h"
#include "regions/regions.h"

/**
 * A kernel unfolded for a question: an acyclic graph of copies of its blocks, and formulas for its
 * values in them. Private to src/proof.
 *
 * Loops. A loop whose exits are decided by constants is unrolled: one copy of its blocks for each
 * iteration. Any other loop is cut. If no barrier is in it, it has one copy (PK_ANY), which stands
 * for an arbitrary iteration. A loop with barriers has up to four:
 *
 *   PK_FIRST  iteration 0
 *   PK_SOME   an arbitrary iteration k
 *   PK_NEXT   iteration k + 1
 *   PK_LATER  arbitrary later iterations, if one can pass without a barrier
 *
 * A barrier interval that begins in iteration k ends in SOME, NEXT or LATER, or after the loop; one
 * that begins before the loop ends in FIRST or LATER.
 *
 * Snapshots. At any point, the value of an SSA instruction is the one that the work-item computed
 * last. In the copies that a work-item has passed through, equations between values hold; the
 * header of a cut copy gives its phis arbitrary values, restricted by what holds in all iterations
 * (counters.c).
 */

/** Named metadata: a function may hand out pointers to its variables (inlining.c). */
#define PK_POINTERS_OUTLIVE "cldbg.pointers.outlive"
/** Functions that inlining.c calls; the type follows the first one after a dot. */
#define PK_UNDEFINED_VALUE "cldbg-undefined"
#define PK_DECLARED        "cldbg-declared"

enum { PK_ANY = -1, PK_FIRST = -4, PK_SOME = -3, PK_NEXT = -2, PK_LATER = -1 };

struct pk_edge {
    unsigned from, to;
    unsigned slot; // index of the successor in the terminator
    pf taken;      // the work-item came to `from` and takes the edge
    bool is_cut;   // enters PK_SOME: not part of a barrier interval
};

struct pk_node {
    unsigned block;
    const int *labels; // by loop of the function: the iteration if >= 0 or enum above; 0 outside
    VEC(unsigned) in, out; // edges
    pf reached;
    bool is_extra; // in PK_FIRST, PK_NEXT, or PK_LATER of a loop with barriers: PK_SOME covers it
                   // wherever a work-item is regarded alone
    bool is_repeated; // in PK_ANY or PK_LATER: two work-items may be in different iterations
};

enum pk_symbol_kind {
    PK_LOCAL_ID,    // index: the dimension
    PK_GROUP_ID,    // index: the dimension
    PK_GROUP_START, // index: the dimension; the first global id, if the local size is open
    PK_NUM_GROUPS,  // index: the dimension
    PK_LOCAL_SIZE,  // index: the dimension
    PK_GLOBAL_SIZE, // index: the dimension
    PK_ARGUMENT,    // index: the argument
    PK_ITERATION,   // of the loop whose header is the node
    PK_LOADED,      // a value from memory
    PK_UNDEFINED,   // a value that was not written
    PK_UNKNOWN,     // any other value
};
struct pk_symbol {
    enum pk_symbol_kind kind;
    unsigned index, node;
    LLVMValueRef value;
    bool is_uniform; // equal in all work-items of the group that compute it together
    unsigned space;  // LOADED: the address space, or 0 if it is never written
};

enum pk_base_kind {
    PK_NOWHERE, // the object is not known
    PK_NULL,
    PK_BUFFER, // an argument: global or constant memory
    PK_LOCAL,  // a local variable or argument
    PK_STATIC, // a variable of the program in global memory
    PK_CONST,  // a constant
    PK_PRIVATE,
    PK_IMAGE, // an argument; an offset is the number of a pixel
};
enum { PK_IMAGES = 9 }; // pk_access.space and pk_order.space of images
struct pk_base {
    enum pk_base_kind kind;
    LLVMValueRef value;
    uint64_t size;
    unsigned arg; // BUFFER, IMAGE
};
/** What a pointer may be: `base` + offset if the condition holds. */
struct pk_address {
    unsigned base; // index in bases
    pf offset, condition;
    pf far; // an index is so large that the offset wrapped around: the access is outside
};
struct pk_addresses {
    unsigned n;
    struct pk_address *of;
};

struct pk_access {
    unsigned node;
    LLVMValueRef insn, pointer;
    unsigned space;
    uint64_t size; // bytes
    unsigned align;
    bool write, atomic;
    unsigned scope; // atomic: 1 orders it against others of the group, 2 of the device, 0 neither
    const bool *in_flight; // an async copy that begins in `node`: by node; otherwise NULL
};

/** Where a private array loses its contents, as it is declared again. */
struct pk_declared {
    unsigned node, base;
    size_t at; // accesses before it
};

/** What holds at the header of a loop in each iteration: `phi` RELATION `other`. */
enum pk_relation {
    PK_AT_LEAST, // signed, unless the name says otherwise
    PK_AT_MOST,
    PK_BELOW,
    PK_AT_MOST_UNSIGNED,
    PK_BELOW_UNSIGNED,
    PK_RELATIONS
};
struct pk_invariant {
    unsigned header; // block
    LLVMValueRef phi, other;
    enum pk_relation relation;
};

/** Why a kind of property cannot be proved whatever is asked. */
struct pk_obstacle {
    const char *reason;
    LLVMValueRef insn;
};

struct pk {
    const struct proof_question *q;
    struct proof_answer *out;
    LLVMModuleRef m;
    LLVMValueRef fn;
    struct fe_debug *debug;
    struct arena *arena;
    struct rg_fn f;
    struct pf_space s;
    VEC(struct pk_node) nodes;
    VEC(struct pk_edge) edges;
    VEC(struct pk_symbol) symbols;
    VEC(struct pk_base) bases;
    VEC(struct pk_access) accesses;
    VEC(struct pk_declared) declared;
    bool *is_cut;    // by loop: not unrolled
    bool *is_linear; // by loop: its counters advance by fixed steps
    bool *may_pass;  // by loop with barriers: an iteration can pass without a full barrier
    struct map values, pointers, bases_of, node_of, counters;
    struct map enumerated; // enumerate.c: access → offset by work-item
    struct pk_obstacle obstacle[PROOF_PROPERTIES];
    struct map written;      // equal_values.c: objects that some access writes
    bool knows_writes;       // `written` has them all, but for:
    bool writes_anywhere;    // an object that is not known may be written
    bool relies_on[8];       // by address space: an answer assumed that it has no races
    bool has_barrier;        // or functions that all work-items of a sub-group must reach
    uint32_t sub_group;      // work-items of a sub-group
    bool requires_sub_group; // the kernel determines sub_group
    bool has_sub_group_barrier, has_async_copies;
    bool unrolls; // linear loops with barriers, too
    bool infers;  // invariants of loops
    VEC(struct pk_invariant) invariants;
    struct proof_branches *branches; // NULL, or all that are not proved uniform go there
    struct map restricted;           // of the last condition: see pk_tighten
    struct pk_view *view;            // of the two work-items that a query is about, or NULL
    uint32_t nvalues;                // the last model
    const struct proof_model_value *model;
    double begin, deadline; // pk_now; deadline 0: none
    struct pk_solver *solver;
};

/** The value that a phi takes over an edge to its block, or NULL. */
static inline LLVMValueRef pk_incoming(const struct pk *k, const struct pk_edge *e,
                                       LLVMValueRef phi)
{
    LLVMBasicBlockRef from = k->f.blocks[k->nodes.data[e->from].block].bb;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from) return LLVMGetIncomingValue(phi, i);
    return NULL;
}

// narrow_vectors.c
/** Before promotion: accesses of variables of three components no longer access four. */
void pk_narrow_vectors(LLVMValueRef f);

// unfold.c
/** Builds nodes and edges; false: too large, or irreducible (an obstacle to everything). */
bool pk_unfold(struct pk *k);
void pk_reset(struct pk *k);
int pk_label(const struct pk *k, unsigned node, int loop);

// symbols.c
pf pk_new_symbol(struct pk *k, unsigned width, struct pk_symbol about, uint64_t lo, uint64_t hi);
unsigned pk_bits(LLVMValueRef v); // of an integer; 0 for other types

// values.c
/** The formula of an integer value of at most 64 bits at the end of a node. */
pf pk_value(struct pk *k, unsigned node, LLVMValueRef v);
/** The only argument of a call, if it is an integer; or PF_NONE. */
pf pk_dimension(struct pk *k, unsigned node, LLVMValueRef call);
/** Where a value is needed as a condition of an edge. */
pf pk_edge_condition(struct pk *k, unsigned node, unsigned slot);
/** Of two formulas; PF_CONST: it is none of those that pf_binary takes. */
enum pf_op pk_operation(LLVMOpcode op);

// tables.c
/**
 * The value of a load of an integer `at` an address in a table of constants; `about`: the symbol to
 * use if it is one of several elements. PF_NONE: there is no such table.
 */
pf pk_table_value(struct pk *k, struct pk_addresses at, LLVMValueRef load, struct pk_symbol about);

// components.c
/** Component i of a vector of integers at the end of a node. */
pf pk_component(struct pk *k, unsigned node, LLVMValueRef v, unsigned i);
/** The value of an extractelement, or PF_NONE. */
pf pk_extracted(struct pk *k, unsigned node, LLVMValueRef extract);

// images.c
/** A call that reads or writes a pixel becomes an access; false: it is not understood. */
bool pk_image_access(struct pk *k, unsigned node, LLVMValueRef call);
/** The pixel of the access and its image, or PF_NONE. */
pf pk_pixel(struct pk *k, unsigned node, LLVMValueRef call, unsigned *arg);
/** The condition under which a coordinate is outside of the image; PF_NONE: not known. */
pf pk_outside_image(struct pk *k, unsigned node, LLVMValueRef call);
/** The results of get_image_width, _height …, and of component i of get_image_dim; or PF_NONE. */
pf pk_image_size(struct pk *k, LLVMValueRef call, const char *name);
pf pk_image_dim(struct pk *k, LLVMValueRef call, unsigned i);

// work_item_ids.c
/** The value of a call of a work-item function, `dim`: of its argument; or PF_NONE. */
pf pk_work_item(struct pk *k, LLVMValueRef call, const char *name, pf dim);
pf pk_local_id(struct pk *k, unsigned dim);
pf pk_group_id(struct pk *k, unsigned dim);
pf pk_global_size(struct pk *k, unsigned dim);
uint64_t pk_most_groups(const struct pk *k, unsigned dim);
/** The product of two values; that of a group id and an open local size is a symbol. */
pf pk_product(struct pk *k, pf a, pf b);
/** Work-items of a group in a dimension that every launch has. */
uint64_t pk_least_items(const struct pk *k, unsigned dim);
/** The local size is open: any from the least one on of which the global size is a multiple. */
bool pk_has_any_local(const struct pk *k, unsigned dim);
pf pk_local_size(struct pk *k, unsigned dim); // of the launch
/** The first global id of the group, less the offset. */
pf pk_first_id(struct pk *k, unsigned dim);
pf pk_sub_group_id(struct pk *k);
/** Conditions on ids that always hold: a smaller last group. */
pf pk_ids_hold(struct pk *k);

// loop_phi.c
/** The value of a phi at the header of a cut copy. */
pf pk_loop_phi(struct pk *k, unsigned node, LLVMValueRef phi);
/** How often the loop of a cut header has returned to it, as 64 bits. */
pf pk_iterations(struct pk *k, unsigned node);
/** The value that a phi has when its loop is entered; PF_NONE: several. */
LLVMValueRef pk_loop_start(const struct pk *k, LLVMValueRef phi, unsigned block);
bool pk_is_cut_header(const struct pk *k, unsigned node);
/** What holds at a cut header in all iterations. */
pf pk_loop_holds(struct pk *k, unsigned node);

// invariants.c
/** Of the unfolded kernel: fills k->invariants, which the next pk_unfold uses; false: none. */
bool pk_infer_invariants(struct pk *k);

// addresses.c
struct pk_addresses pk_address(struct pk *k, unsigned node, LLVMValueRef pointer);

// effects.c
/** Fills accesses and obstacles. */
void pk_find_effects(struct pk *k);
void pk_obstruct(struct pk *k, enum proof_property p, const char *reason, LLVMValueRef insn);
void pk_obstruct_memory(struct pk *k, const char *reason, LLVMValueRef insn);
bool pk_is_division(LLVMValueRef insn);

// async_copies.c
/** The effects of a copy, or of a wait, at the node. */
void pk_async_copy(struct pk *k, unsigned node, LLVMValueRef call);
void pk_wait_events(struct pk *k, unsigned node, LLVMValueRef call);
/** Whether variables hold the same events in all work-items of a group. */
bool pk_events_are_uniform(const struct pk *k);

// intervals.c
/**
 * by node: a work-item may come from it to `node`, by the iteration around both that the graph
 * shows, and any of loops that were left. To be freed.
 */
bool *pk_ancestors(const struct pk *k, unsigned node);
/** Is the node in the copy of the loop that this node of its header begins? */
bool pk_is_in_copy(const struct pk *k, unsigned node, unsigned header);
bool pk_is_sub_group_barrier(const struct rg_block *b);
/** Which barriers separate intervals. */
struct pk_order {
    unsigned space; // those that order this address space; 0: all
    bool sub_group; // between work-items of a sub-group: its barriers, too
};
/** Whether the node ends with such a barrier. */
bool pk_ends_interval(const struct pk *k, unsigned node, struct pk_order o);
/**
 * Where intervals begin: the entry and nodes after barriers. Fills a list of nodes; returns how
 * many.
 */
unsigned pk_starts(struct pk *k, struct pk_order o, unsigned **out);
/** by node: part of the interval that begins at `start`; before[]: executed before it. */
void pk_interval(struct pk *k, unsigned start, struct pk_order o, bool *in, bool *before);

// evaluate.c
/** Values of some symbols, and conditions that hold. */
struct pk_evaluation {
    struct pf_space *s;
    struct map given;           // symbol number → value
    struct map assumed;         // condition → value
    struct map values, unknown; // found so far
};
void pk_give(struct pk_evaluation *e, pf symbol, uint64_t value);
void pk_assume(struct pk_evaluation *e, pf condition);
/** The value of a formula if these decide it. */
bool pk_evaluate(struct pk_evaluation *e, pf f, uint64_t *value);
void pk_evaluation_deinit(struct pk_evaluation *e);

// tighten.c
/**
 * A condition that holds for the same values, simplified by its own conjuncts; bounds: symbol
 * number → the least value that it may have, for symbols that were restricted.
 */
pf pk_tighten(struct pf_space *s, pf condition, struct map *bounds);

// equal_values.c
/** After pk_find_effects: which objects are written. */
void pk_find_written(struct pk *k);
/** What holds in addition to a condition: loads of equal addresses have equal values. */
pf pk_equal_values(struct pk *k, pf condition);
/** Whether the symbol was loaded from memory that is never written. */
bool pk_loads_constant(struct pk *k, const struct pk_symbol *symbol);

// pair.c
/** A view of one or two work-items: renames symbols. */
struct pk_view {
    struct pk *k;
    bool same_group;
    const bool *in, *before; // of the interval, or NULL: nothing is shared
    int start;
    struct map memo[2];
};
void pk_view_init(struct pk_view *v, struct pk *k, bool same_group);
void pk_view_deinit(struct pk_view *v);
/** The formula for work-item 0 or 1. */
pf pk_of_item(struct pk_view *v, pf f, unsigned item);
/** The two work-items differ. */
pf pk_distinct(struct pk_view *v);

// smt.c and closed_form.c
enum pk_reply { PK_NEVER, PK_MAYBE, PK_POSSIBLE };
struct pk_solver;
/** Whether the condition holds for some values of the symbols: PK_POSSIBLE has a model. */
enum pk_reply pk_solve(struct pk *k, pf condition);
/** In closed form: whether two byte ranges never overlap for (distinct) work-items. */
bool pk_never_overlap(struct pk_view *v, pf difference, uint64_t size_a, uint64_t size_b,
                      bool distinct);
struct pk_solver *pk_solver_create(const struct pk *k);
void pk_solver_destroy(struct pk_solver *s);

// watchdog.c
struct pk_watchdog;
/** Calls `interrupt` in a thread of its own from the time `until` on, until pk_unwatch. */
struct pk_watchdog *pk_watchdog_create(void (*interrupt)(void *context));
void pk_watchdog_destroy(struct pk_watchdog *w);
void pk_watch(struct pk_watchdog *w, void *context, double until);
bool pk_unwatch(struct pk_watchdog *w); // whether it was called

// contents.c
/** Adds what loads read from buffers to the model; values: symbol number → value. */
void pk_model_contents(struct pk *k, const struct map *values);

// enumerate.c
/** Whether the two never touch the same bytes in two work-items of a group, as far as local ids
 * say. */
bool pk_never_meet(struct pk *k, const struct pk_access *a, const struct pk_address *at,
                   const struct pk_access *b, const struct pk_address *bt);

// decide_*.c
void pk_decide_divergence(struct pk *k);
void pk_decide_races(struct pk *k);
void pk_decide_items(struct pk *k); // bounds, divisions
void pk_decide_initialized(struct pk *k);
/** The terms of an address that are the same in all work-items, or (not of_group) in this one. */
pf pk_common(struct pk *k, pf offset, bool of_group);
void pk_decide_variables(struct pk *k); // undefined_values.c
/** Whether work-items of the group wrote all that is read before they passed the barrier. */
bool pk_others_wrote(struct pk *k, const struct pk_access *read, const struct pk_address *at,
                     unsigned barrier); // writers.c

// verdicts.c
#define PK_HELP_POINTER                                                                            \
    "an index into one argument or variable, in place of a pointer that is kept in memory"
/** Where a verdict points to: an instruction, and the other side of a race or NULL. */
struct pk_sites {
    LLVMValueRef at, other;
};
/** help: what would help; NULL: the usual advice for the property. */
void pk_unknown(struct pk *k, enum proof_property p, struct pk_sites at, const char *help,
                const char *reason, ...) __attribute__((format(printf, 5, 6)));
void pk_candidate(struct pk *k, enum proof_property p, struct pk_sites at, const char *reason);
struct proof_place pk_place_of_kernel(struct pk *k);
const char *pk_name_of(struct pk *k, unsigned base);
double pk_now(void); // seconds of CLOCK_MONOTONIC, which is the clock of all time limits
bool pk_is_late(const struct pk *k);
bool pk_is_wanted(const struct pk *k, enum proof_property p);
#endif
