/* The most memory that Python's allocators held at once, as tracemalloc counts it in four times the time of the program:
 * it looks for the source line of each block. For processes with PYTHONMALLOC=malloc, in which the C library knows the
 * size of every block. */
#include <Python.h>
#include <stdatomic.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define size_of malloc_size
#else
#include <malloc.h>
#define size_of malloc_usable_size
#endif

static PyMemAllocatorEx below[3];
static atomic_llong held, most;

static void *taken(void *block)
{
    if (block) {
        long long size = (long long)size_of(block), now = atomic_fetch_add(&held, size) + size;
        if (now > atomic_load(&most))
            atomic_store(&most, now);
    }
    return block;
}

static void *allocate(void *context, size_t size)
{
    PyMemAllocatorEx *from = context;
    return taken(from->malloc(from->ctx, size));
}

static void *allocate_zeroed(void *context, size_t count, size_t size)
{
    PyMemAllocatorEx *from = context;
    return taken(from->calloc(from->ctx, count, size));
}

static void release(void *context, void *block)
{
    PyMemAllocatorEx *from = context;
    if (block)
        atomic_fetch_sub(&held, (long long)size_of(block));
    from->free(from->ctx, block);
}

static void *reallocate(void *context, void *block, size_t size)
{
    PyMemAllocatorEx *from = context;
    long long before = block ? (long long)size_of(block) : 0;
    void *moved = from->realloc(from->ctx, block, size);
    if (moved)
        atomic_fetch_sub(&held, before);
    return taken(moved);
}

/* start(): from now on, what is held above what is held now. */
static PyObject *start(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    atomic_store(&held, 0);
    atomic_store(&most, 0);
    Py_RETURN_NONE;
}

/* peak(): the most bytes since start(). */
static PyObject *peak(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    return PyLong_FromLongLong(atomic_load(&most));
}

static PyMethodDef functions[] = {
    {"start", start, METH_NOARGS, NULL},
    {"peak", peak, METH_NOARGS, NULL},
    {0},
};
static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT, .m_name = "counted_memory", .m_methods = functions};

PyMODINIT_FUNC PyInit_counted_memory(void)
{
    for (int domain = 0; domain < 3; domain++) {
        PyMem_GetAllocator((PyMemAllocatorDomain)domain, &below[domain]);
        PyMemAllocatorEx counting = {&below[domain], allocate, allocate_zeroed, reallocate, release};
        PyMem_SetAllocator((PyMemAllocatorDomain)domain, &counting);
    }
    return PyModule_Create(&definition);
}
