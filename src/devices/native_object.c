// SPDX-License-Identifier: MIT
// A loader of ELF64 relocatable objects for x86-64 (System V ABI, AMD64 supplement: 4.4
// relocations).
//
// The loaded sections are in one mapping, in three parts with different protection, so that 32-bit
// offsets suffice between them. External symbols are accessed by a table of addresses, and called
// by stubs that jump through the table:
//
//     code (r-x), stubs | constants (r--), table of addresses | variables (rw-)
//
// The data is untrusted: every offset is checked before it is used.
#include "devices/native_object.h"

#include "base/mem.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef SHT_X86_64_UNWIND // musl does not have it
#define SHT_X86_64_UNWIND 0x70000001
#endif

enum part { CODE, CONSTANTS, VARIABLES, PARTS };
enum { STUB = 8, MOST_ALIGN = 4096 };
static const size_t MOST_BYTES = (size_t)1 << 30; // within the range of 32-bit offsets

struct dev_object {
    char *data; // the object
    size_t size;
    const Elf64_Shdr *sections;
    unsigned nsections;
    const Elf64_Sym *symbols;
    size_t nsymbols;
    const char *names; // of symbols
    size_t names_size;
    char **at; // by section: where it is, or NULL
    char *map, *stubs;
    void **table; // by symbol
    size_t mapped, begin[PARTS + 1];
};

bool dev_object_can(void)
{
#ifdef __x86_64__
    return true;
#else
    return false;
#endif
}

static struct err *damaged(const char *what) { return err_new("an object with %s", what); }

static bool inside(const struct dev_object *o, uint64_t offset, uint64_t size)
{
    return offset <= o->size && size <= o->size - offset;
}

static struct err *read_sections(struct dev_object *o)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)o->data;
    if (o->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) ||
        h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
        h->e_type != ET_REL || h->e_machine != EM_X86_64 || h->e_shentsize != sizeof(Elf64_Shdr))
        return damaged("another head");
    if (h->e_shoff % 8 || !inside(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return damaged("sections beyond its end");
    o->sections = (const Elf64_Shdr *)(o->data + h->e_shoff);
    o->nsections = h->e_shnum;
    for (unsigned i = 0; i < o->nsections; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_NOBITS && !inside(o, s->sh_offset, s->sh_size))
            return damaged("a section beyond its end");
    }
    for (unsigned i = 0; i < o->nsections; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_SYMTAB) continue;
        if (o->symbols || s->sh_entsize != sizeof(Elf64_Sym) || s->sh_offset % 8 ||
            s->sh_link >= o->nsections)
            return damaged("strange symbols");
        o->symbols = (const Elf64_Sym *)(o->data + s->sh_offset);
        o->nsymbols = s->sh_size / sizeof(Elf64_Sym);
        const Elf64_Shdr *names = &o->sections[s->sh_link];
        if (names->sh_type != SHT_STRTAB || !names->sh_size ||
            o->data[names->sh_offset + names->sh_size - 1])
            return damaged("symbols without names");
        o->names = o->data + names->sh_offset;
        o->names_size = names->sh_size;
    }
    for (size_t i = 0; i < o->nsymbols; i++)
        if (o->symbols[i].st_name >= o->names_size) return damaged("a symbol without a name");
    return NULL;
}

// Is the section loaded? Unwind tables are not needed. Empty sections count, because an empty
// constant may be there.
static bool is_loaded(const Elf64_Shdr *s)
{
    return s->sh_flags & SHF_ALLOC && s->sh_type != SHT_X86_64_UNWIND;
}

static enum part part_of(const Elf64_Shdr *s)
{
    return s->sh_flags & SHF_EXECINSTR ? CODE : s->sh_flags & SHF_WRITE ? VARIABLES : CONSTANTS;
}

static size_t up(size_t n, size_t align) { return (n + align - 1) / align * align; }

static struct err *place_sections(struct dev_object *o)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t *offset = mem_alloc((o->nsections + 1) * sizeof *offset), total = 0;
    size_t stubs = 0, table = 0;
    struct err *e = NULL;
    for (unsigned part = 0; part < PARTS && !e; part++) {
        o->begin[part] = total = up(total, page);
        for (unsigned i = 0; i < o->nsections && !e; i++) {
            const Elf64_Shdr *s = &o->sections[i];
            if (!is_loaded(s) || part_of(s) != part) continue;
            const uint64_t align = s->sh_addralign ? s->sh_addralign : 1;
            if (align > MOST_ALIGN || (align & (align - 1)) || s->sh_size > MOST_BYTES ||
                total > MOST_BYTES) {
                e = damaged("a section that is too large");
                break;
            }
            offset[i] = total = up(total, align);
            total += s->sh_size;
        }
        if (part == CODE) {
            stubs = up(total, 16);
            total = stubs + o->nsymbols * STUB;
        } else if (part == CONSTANTS) {
            table = up(total, sizeof(void *));
            total = table + o->nsymbols * sizeof(void *);
        }
    }
    o->begin[PARTS] = o->mapped = up(total, page);
    if (!e && o->mapped > MOST_BYTES) e = damaged("sections that are too large");
    if (!e) {
        o->map = mmap(NULL, o->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (o->map == MAP_FAILED) {
            o->map = NULL;
            e = err_new("no memory for code");
        }
    }
    for (unsigned i = 0; i < o->nsections && !e; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (!is_loaded(s)) continue;
        o->at[i] = o->map + offset[i];
        if (s->sh_type != SHT_NOBITS) memcpy(o->at[i], o->data + s->sh_offset, s->sh_size);
    }
    if (!e) {
        o->stubs = o->map + stubs;
        o->table = (void **)(o->map + table);
    }
    free(offset);
    return e;
}

static void *defined_at(const struct dev_object *o, const Elf64_Sym *s)
{
    if (s->st_shndx == SHN_ABS) return (void *)(uintptr_t)s->st_value;
    if (s->st_shndx >= o->nsections || !o->at[s->st_shndx] ||
        s->st_value > o->sections[s->st_shndx].sh_size)
        return NULL;
    return o->at[s->st_shndx] + s->st_value;
}

static void find_symbols(struct dev_object *o, dev_object_find *find, void *context)
{
    for (size_t i = 1; i < o->nsymbols; i++) {
        const Elf64_Sym *s = &o->symbols[i];
        o->table[i] = s->st_shndx != SHN_UNDEF ? defined_at(o, s)
                      : o->names[s->st_name]   ? find(context, o->names + s->st_name)
                                               : NULL;
        char *stub = o->stubs + i * STUB; // jmp *(table + i)
        const int32_t far = (int32_t)((char *)&o->table[i] - (stub + 6));
        memcpy(stub, "\xff\x25", 2);
        memcpy(stub + 2, &far, 4);
    }
}

static struct err *relocate(const struct dev_object *o, const Elf64_Rela *r, unsigned target)
{
    const size_t sym = ELF64_R_SYM(r->r_info);
    const unsigned type = ELF64_R_TYPE(r->r_info),
                   bytes = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    const uint64_t size = o->sections[target].sh_size;
    if (type == R_X86_64_NONE) return NULL;
    if (sym >= o->nsymbols || r->r_offset > size || bytes > size - r->r_offset)
        return damaged("a relocation beyond its section");
    char *at = o->at[target] + r->r_offset;
    if (!o->table[sym])
        return err_new("machine code needs '%s', which does not exist",
                       o->names + o->symbols[sym].st_name);
    uint64_t value = (uint64_t)(uintptr_t)o->table[sym];
    const bool outside = o->symbols[sym].st_shndx == SHN_UNDEF;
    switch (type) {
    case R_X86_64_64: value += (uint64_t)r->r_addend; break;
    case R_X86_64_PLT32:
        if (outside) value = (uint64_t)(uintptr_t)(o->stubs + sym * STUB);
        // fall through
    case R_X86_64_PC32:
    case R_X86_64_PC64: value += (uint64_t)r->r_addend - (uint64_t)(uintptr_t)at; break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        value = (uint64_t)(uintptr_t)&o->table[sym] + (uint64_t)r->r_addend -
                (uint64_t)(uintptr_t)at;
        break;
    default: return err_new("an object with a relocation of type %u", type);
    }
    if (bytes == 4 && (int64_t)value != (int32_t)value)
        return damaged("a relocation that does not reach");
    memcpy(at, &value, bytes);
    return NULL;
}

static struct err *relocate_all(const struct dev_object *o)
{
    struct err *e = NULL;
    for (unsigned i = 0; i < o->nsections && !e; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type == SHT_REL) return damaged("relocations of another kind");
        if (s->sh_type != SHT_RELA || s->sh_info >= o->nsections || !o->at[s->sh_info]) continue;
        if (s->sh_entsize != sizeof(Elf64_Rela) || s->sh_offset % 8)
            return damaged("strange relocations");
        const Elf64_Rela *r = (const Elf64_Rela *)(o->data + s->sh_offset);
        for (uint64_t k = 0; k < s->sh_size / sizeof *r && !e; k++)
            e = relocate(o, &r[k], s->sh_info);
    }
    return e;
}

static struct err *protect(const struct dev_object *o)
{
    static const int rights[] = {[CODE] = PROT_READ | PROT_EXEC,
                                 [CONSTANTS] = PROT_READ,
                                 [VARIABLES] = PROT_READ | PROT_WRITE};
    for (unsigned part = 0; part < PARTS; part++) {
        const size_t n = o->begin[part + 1] - o->begin[part];
        if (n && mprotect(o->map + o->begin[part], n, rights[part]))
            return err_new("memory of this process cannot be made executable");
    }
    return NULL;
}

struct err *dev_object_load(const void *data, size_t size, dev_object_find *find, void *context,
                            struct dev_object **out)
{
    struct dev_object *o = mem_alloc(sizeof *o);
    o->data = mem_dup(data, size);
    o->size = size;
    struct err *e = read_sections(o);
    o->at = mem_alloc((o->nsections + 1) * sizeof *o->at);
    if (!e) e = place_sections(o);
    if (!e) find_symbols(o, find, context);
    if (!e) e = relocate_all(o);
    if (!e) e = protect(o);
    *out = e ? NULL : o;
    if (e) dev_object_free(o);
    return e;
}

void dev_object_free(struct dev_object *o)
{
    if (!o) return;
    if (o->map) munmap(o->map, o->mapped);
    free(o->at);
    free(o->data);
    free(o);
}

void *dev_object_symbol(const struct dev_object *o, const char *name)
{
    for (size_t i = 1; i < o->nsymbols; i++) {
        const Elf64_Sym *s = &o->symbols[i];
        if (ELF64_ST_BIND(s->st_info) != STB_LOCAL && s->st_shndx != SHN_UNDEF &&
            !strcmp(o->names + s->st_name, name))
            return defined_at(o, s);
    }
    return NULL;
}
