// SPDX-License-Identifier: MIT
#include "devices/both_variables.h"

#include "devices/dev.h"

static bool is_number(const char *type)
{
    static const char *const names[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                        "uint", "long", "ulong", "float", "double", "half"};
    const size_t n = strcspn(type, "0123456789[");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == n && !strncmp(names[k], type, n)) return strchr(type, '*') == NULL;
    return false;
}

bool both_variables_find(struct both_variables *v, const struct bc_module *m, void *checked,
                         void *native)
{
    for (uint32_t i = 0; i < m->nobjects; i++) {
        const struct bc_object *o = &m->objects[i];
        if (o->kind != BC_OBJ_PROGRAM) continue;
        char *there = o->size && is_number(bc_str(m, o->type)) ? dev_native.variable(native, i)
                                                               : NULL;
        if (!there) {
            v->has_others = true;
            continue;
        }
        vec_push(&v->numbers, ((struct both_variable){o, dev_interp.variable(checked, i), there,
                                                      mem_try_alloc(o->size, 64)}));
        if (!vec_last(&v->numbers).after) return false;
    }
    return true;
}

void both_variables_deinit(struct both_variables *v)
{
    for (size_t k = 0; k < v->numbers.len; k++) free(v->numbers.data[k].after);
    vec_free(&v->numbers);
}

void both_variables_give(struct both_variables *v, const struct dev_snapshot *before)
{
    for (size_t k = 0; k < v->numbers.len; k++) {
        struct both_variable *x = &v->numbers.data[k];
        memcpy(x->native, dev_snapshot_of(before, x->checked), x->object->size);
    }
}

void both_variables_repeat(struct both_variables *v, const struct dev_snapshot *before)
{
    for (size_t k = 0; k < v->numbers.len; k++) {
        struct both_variable *x = &v->numbers.data[k];
        memcpy(x->after, x->checked, x->object->size);
        memcpy(x->checked, dev_snapshot_of(before, x->checked), x->object->size);
    }
}

void both_variables_restore(struct both_variables *v)
{
    for (size_t k = 0; k < v->numbers.len; k++) {
        struct both_variable *x = &v->numbers.data[k];
        memcpy(x->checked, x->after, x->object->size);
    }
}
