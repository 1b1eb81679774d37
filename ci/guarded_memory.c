/* Small objects of Python under AddressSanitizer, in less time than the sanitizer's malloc takes for them.
 *
 * ci/sanitize preloads this after the sanitizer. It is set as Python's allocator (PyMem_SetAllocator), and does for
 * each allocation of at most MOST bytes what the sanitizer does: poisoned bytes before and after it, redzones of the
 * same sizes, its bytes filled; once freed it is poisoned, and used again only when KEPT bytes more have been freed. It
 * has no lists for each thread, statistics, or notes of who allocated, which are half of the time of a test that makes
 * millions of objects. Larger allocations are the sanitizer's. Python holds its lock where it calls these.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Calls of memset and memcpy would be checked by the sanitizer, which knows no shadow of the shadow. */
#pragma GCC optimize("O3", "no-tree-loop-distribute-patterns")

/* As in Python.h: one library for all versions of Python. */
typedef struct {
    void *context;
    void *(*malloc)(void *, size_t);
    void *(*calloc)(void *, size_t, size_t);
    void *(*realloc)(void *, void *, size_t);
    void (*free)(void *, void *);
} Allocator;
enum { DOMAIN_MEM = 1, DOMAIN_OBJ = 2 };

__attribute__((weak)) void PyMem_SetAllocator(int domain, Allocator *allocator);
__attribute__((weak)) void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
__attribute__((weak)) void __asan_report_store1(uintptr_t address);
int guarded_memory_holds(const void *object);

#define MOST ((size_t)512)
#define KEPT ((uint32_t)16 << 20)
#define UNIT ((size_t)16)
#define REGION ((size_t)1 << 36) /* of addresses: pages are taken when they are written */
#define BLOCK ((size_t)1 << 16)
#define LARGE_PAGE ((size_t)1 << 21)

/* Of the shadow of a unit, as the sanitizer writes it and its reports name it. */
enum { REDZONE = 0xfafa, FREED = 0xfdfd, USABLE = 0 };
enum { FILLER = 0xbe };
enum { IS_USED = 0x5a17, IS_FREED = 0xf4ee };

/* The last unit of the redzone before an object. */
typedef struct Header {
    struct Header *next; /* that was freed after this one, of the same class */
    uint32_t freed_at;   /* the units freed before */
    uint16_t size;
    uint16_t state;
} Header;
_Static_assert(sizeof(Header) == UNIT, "the redzone before an object ends with its header");

/* The objects of as many units. */
typedef struct {
    Header *oldest, *newest; /* of those freed */
    char *fresh, *end;       /* the rest of a block */
} Class;

static char *region, *region_end, *used_end;
static uintptr_t shadow_offset;
static uint32_t freed_units;
static Class classes[MOST / UNIT + 1];

static inline uint16_t *shadow_of(const void *start)
{
    return (uint16_t *)(((uintptr_t)start >> 3) + shadow_offset);
}

static inline void fill_shadow(const void *start, uint16_t value, size_t units)
{
    uint16_t *shadow = shadow_of(start);
    for (size_t i = 0; i < units; i++)
        shadow[i] = value;
}

static inline void fill_object(void *object, uint8_t value, size_t units)
{
    uint64_t *words = object, word = value * UINT64_C(0x0101010101010101);
    for (size_t i = 0; i < 2 * units; i++)
        words[i] = word;
}

/* Of the last unit of an object, of whose bytes so many are its own. */
static inline uint16_t shadow_of_last_unit(size_t bytes)
{
    uint16_t first = bytes < 8 ? bytes : 0;
    uint16_t second = bytes <= 8 ? REDZONE & 0xff : bytes < 16 ? bytes - 8 : 0;
    return (uint16_t)(first | second << 8);
}

static inline size_t redzone_units(size_t units)
{
    return units <= 3 ? 1 : units <= 6 ? 2 : units <= 28 ? 4 : 8;
}

static inline size_t units_of(size_t size)
{
    return (size + UNIT - 1) / UNIT;
}

/* What is used next was freed long ago, and is in no cache. */
static inline void fetch(const Header *header)
{
    __builtin_prefetch(header, 1);
    __builtin_prefetch(header + 64 / UNIT, 1);
    __builtin_prefetch(shadow_of(header), 1);
}

static Header *fresh_header(size_t units)
{
    Class *class = &classes[units];
    size_t redzone = redzone_units(units);
    /* With a redzone after the last object of a block, whatever follows. */
    if ((size_t)(class->end - class->fresh) < (2 * redzone + units) * UNIT) {
        if ((size_t)(region_end - used_end) < BLOCK)
            return NULL;
        class->fresh = used_end;
        class->end = used_end += BLOCK;
        fill_shadow(class->fresh, REDZONE, BLOCK / UNIT);
    }
    char *object = class->fresh + redzone * UNIT;
    class->fresh = object + units * UNIT;
    return (Header *)object - 1;
}

static void *allocated(size_t size, uint8_t filler)
{
    size += size == 0;
    size_t units = units_of(size);
    Class *class = &classes[units];
    Header *header = class->oldest;
    if (header && freed_units - header->freed_at >= KEPT / UNIT) {
        class->oldest = header->next;
        fetch(header->next);
    } else if (!(header = fresh_header(units)))
        return NULL;
    header->size = (uint16_t)size;
    header->state = IS_USED;
    void *object = header + 1;
    fill_shadow(object, USABLE, units - 1);
    fill_shadow((char *)object + (units - 1) * UNIT, shadow_of_last_unit(size - (units - 1) * UNIT), 1);
    fill_object(object, filler, units);
    return object;
}

static inline int holds(const void *object)
{
    return (const char *)object >= region && (const char *)object < used_end;
}

/* Of an object that is in use; anything else is reported, and ends the process. */
static Header *header_of(const void *object)
{
    Header *header = (Header *)object - 1;
    if ((uintptr_t)object % UNIT || header->state != IS_USED) {
        fill_shadow((const void *)((uintptr_t)object & ~(UNIT - 1)), FREED, 1);
        __asan_report_store1((uintptr_t)object);
        abort();
    }
    return header;
}

static void *guarded_malloc(void *context, size_t size)
{
    (void)context;
    void *object = size <= MOST ? allocated(size, FILLER) : NULL;
    return object ? object : malloc(size);
}

static void *guarded_calloc(void *context, size_t count, size_t size)
{
    (void)context;
    void *object = size == 0 || count <= MOST / size ? allocated(count * size, 0) : NULL;
    return object ? object : calloc(count, size);
}

static void guarded_free(void *context, void *object)
{
    (void)context;
    if (!holds(object)) {
        free(object);
        return;
    }
    Header *header = header_of(object);
    size_t units = units_of(header->size);
    Class *class = &classes[units];
    fill_shadow(object, FREED, units);
    header->state = IS_FREED;
    header->next = NULL;
    header->freed_at = freed_units;
    freed_units += units + redzone_units(units);
    if (class->oldest)
        class->newest->next = header;
    else
        class->oldest = header;
    class->newest = header;
}

/* Always moves an object, as the sanitizer does: pointers to where it was are errors. */
static void *guarded_realloc(void *context, void *object, size_t size)
{
    if (!object)
        return guarded_malloc(context, size);
    if (!holds(object))
        return realloc(object, size + (size == 0));
    size_t copied = header_of(object)->size;
    char *moved = guarded_malloc(context, size);
    if (!moved)
        return NULL;
    if (copied > size)
        copied = size;
    for (size_t i = 0; i < copied; i++)
        moved[i] = ((char *)object)[i];
    guarded_free(context, object);
    return moved;
}

/* For ci/sanitize, which asks whether Python allocates here. */
int guarded_memory_holds(const void *object)
{
    return holds(object);
}

__attribute__((constructor)) static void begin(void)
{
    size_t scale = 0, offset = 0;
    if (!PyMem_SetAllocator || !__asan_get_shadow_mapping || !__asan_report_store1)
        return; /* another program */
    __asan_get_shadow_mapping(&scale, &offset);
    if (scale != 3)
        return;
    void *mapped =
        mmap(NULL, REGION + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return;
    shadow_offset = offset;
    region = used_end = (char *)(((uintptr_t)mapped + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
    region_end = region + REGION;
    /* Where large pages are to be had: objects are all over the region. */
    madvise(region, REGION, MADV_HUGEPAGE);
    madvise(shadow_of(region), REGION >> scale, MADV_HUGEPAGE);
    Allocator allocator = {NULL, guarded_malloc, guarded_calloc, guarded_realloc, guarded_free};
    PyMem_SetAllocator(DOMAIN_MEM, &allocator);
    PyMem_SetAllocator(DOMAIN_OBJ, &allocator);
}
