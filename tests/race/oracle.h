// SPDX-License-Identifier: MIT
#ifndef TESTS_RACE_ORACLE_H
#define TESTS_RACE_ORACLE_H
#include "race/race.h"

/**
 * The rules of races as a list of all accesses and a decision for each two of them: slow, and so
 * plain that it can be read against the design. Tests compare the shadow with it.
 */
struct oracle;
struct oracle *oracle_create(void);
void oracle_destroy(struct oracle *o);
void oracle_group_begin(struct oracle *o, uint64_t group);
void oracle_barrier(struct oracle *o, unsigned fences);
/**
 * `root` and `to_root` say where the object lies. The access is that of race_local or race_global.
 */
void oracle_access(struct oracle *o, bool is_local, unsigned root, uint64_t to_root,
                   const struct race_op *op);

/**
 * A side of the group's copy `id`, which is under way until oracle_copy_end or the group's end;
 * `item` stands for it.
 */
void oracle_copy(struct oracle *o, uint32_t id, uint32_t item, bool is_local, unsigned root,
                 uint64_t to_root, const struct race_copy_side *s, bool is_write);
void oracle_copy_end(struct oracle *o, uint32_t id);

/** For a byte: the worst of its pairs. */
enum oracle_class { ORACLE_NONE, ORACLE_WARNING, ORACLE_ERROR };

/** All pairs of accesses that race at the byte. */
struct oracle_byte {
    enum oracle_class least,
        most; // what may be reported: they differ where only the neighbors' values do
};
struct oracle_byte oracle_byte(const struct oracle *o, bool is_local, unsigned root, uint64_t byte);
/** Whether two such accesses race at the byte, and may be reported with this verdict. */
bool oracle_has_pair(const struct oracle *o, bool is_local, unsigned root, uint64_t byte,
                     const struct race_pair *p);
#endif
