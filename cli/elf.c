// SPDX-License-Identifier: MIT
#include "cli/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct view { // a mapped file; its content is not trusted
    const char *data;
    size_t size;
};

static const void *at(const struct view *v, uint64_t offset, uint64_t size)
{
    return offset <= v->size && size <= v->size - offset ? v->data + offset : NULL;
}

/** The file offset of a virtual address. */
static uint64_t offset_of(const ElfW(Phdr) * ph, unsigned n, uint64_t address)
{
    for (unsigned i = 0; i < n; i++)
        if (ph[i].p_type == PT_LOAD && address - ph[i].p_vaddr < ph[i].p_filesz)
            return address - ph[i].p_vaddr + ph[i].p_offset;
    return UINT64_MAX;
}

static void read_dynamic(const struct view *v, const ElfW(Phdr) * ph, unsigned n,
                         const ElfW(Phdr) * dynamic, struct cmd_elf *e)
{
    size_t count = dynamic->p_filesz / sizeof(ElfW(Dyn));
    const ElfW(Dyn) *d = at(v, dynamic->p_offset, count * sizeof *d);
    uint64_t strings = UINT64_MAX;
    for (size_t i = 0; d && i < count && d[i].d_tag != DT_NULL; i++)
        if (d[i].d_tag == DT_STRTAB) strings = offset_of(ph, n, d[i].d_un.d_ptr);
    for (size_t i = 0; d && i < count && d[i].d_tag != DT_NULL; i++) {
        if (d[i].d_tag != DT_NEEDED || strings > v->size || d[i].d_un.d_val > v->size - strings)
            continue;
        const char *name = v->data + strings + d[i].d_un.d_val;
        size_t left = v->size - (size_t)(name - v->data);
        if (left > 9 && !memcmp(name, "libOpenCL", 9)) {
            e->needs_opencl = true;
            snprintf(e->opencl, sizeof e->opencl, "%.*s", (int)(left < 120 ? left : 120), name);
        }
    }
}

static void read_elf(const struct view *v, struct cmd_elf *e)
{
    static const ElfW(Half) machine =
#if defined(__x86_64__)
        EM_X86_64;
#elif defined(__aarch64__)
        EM_AARCH64;
#else
        EM_NONE;
#endif
    const ElfW(Ehdr) *h = at(v, 0, sizeof *h);
    e->is_elf = true;
    e->other_machine = !h ||
                       h->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
                       (machine != EM_NONE && h->e_machine != machine);
    if (e->other_machine) return;
    const ElfW(Phdr) *ph = at(v, h->e_phoff, (uint64_t)h->e_phnum * sizeof *ph);
    e->is_static = true;
    for (unsigned i = 0; ph && i < h->e_phnum; i++) {
        if (ph[i].p_type == PT_INTERP) e->is_static = false;
        if (ph[i].p_type == PT_DYNAMIC) read_dynamic(v, ph, h->e_phnum, &ph[i], e);
    }
}

static void read_script(const struct view *v, struct cmd_elf *e)
{
    size_t n = 2, len = 0;
    while (n < v->size && (v->data[n] == ' ' || v->data[n] == '\t')) n++;
    for (; n < v->size && len < sizeof e->interpreter - 1 && v->data[n] != '\n'; n++)
        e->interpreter[len++] = v->data[n];
    e->is_script = true;
}

bool cmd_elf_read(const char *path, struct cmd_elf *e)
{
    *e = (struct cmd_elf){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return false;
    void *p = fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size
                  ? MAP_FAILED
                  : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED) return false;
    struct view v = {p, (size_t)st.st_size};
    if (v.size > 4 && !memcmp(v.data, ELFMAG, 4)) read_elf(&v, e);
    else if (v.size > 2 && !memcmp(v.data, "#!", 2)) read_script(&v, e);
    munmap(p, v.size);
    return true;
}
