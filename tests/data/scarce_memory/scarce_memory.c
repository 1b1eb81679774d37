/* Loaded before the C library (LD_PRELOAD): malloc, calloc and realloc fail at a chosen call out of the modules of
   wei7core, and never for anybody else. For glibc on Linux. */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

enum { MOST_MODULES = 200 };

static struct {
    uintptr_t begin, end;
} modules[MOST_MODULES];
static int module_count, is_scarce, fails_once;
static int64_t calls_until_failure, failures;

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (strstr(info->dlpi_name, "/wei7core/") == NULL)
        return 0;
    for (int k = 0; k < info->dlpi_phnum && module_count < MOST_MODULES; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        modules[module_count].begin = info->dlpi_addr + part->p_vaddr;
        modules[module_count++].end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

/* Look for the modules that are loaded, and return their number. */
int scarce_memory_find_modules(void)
{
    module_count = 0;
    dl_iterate_phdr(add_module, NULL);
    return module_count;
}

/* From here on `calls` calls succeed; the next one fails, and those behind it too unless `once`. */
void scarce_memory_begin(int64_t calls, int once)
{
    calls_until_failure = calls;
    fails_once = once;
    failures = 0;
    is_scarce = 1;
}

/* Return how many calls failed. */
int64_t scarce_memory_end(void)
{
    is_scarce = 0;
    return failures;
}

static int fails(const void *caller)
{
    int64_t left;
    if (!is_scarce)
        return 0;
    for (int k = 0; k < module_count; k++) {
        if ((uintptr_t)caller < modules[k].begin || (uintptr_t)caller >= modules[k].end)
            continue;
        left = calls_until_failure--;
        if (fails_once ? left != 0 : left > 0)
            return 0;
        failures++;
        return 1;
    }
    return 0;
}

void *malloc(size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *piece, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(piece, bytes);
}
