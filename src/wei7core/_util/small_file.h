/* Reading small files, a whole one in a few system calls. */
#ifndef W7_UTIL_SMALL_FILE_H
#define W7_UTIL_SMALL_FILE_H

#include <stdint.h>

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { W7_CAN_READ_SMALL_FILES = 1, W7_CURRENT_FOLDER = AT_FDCWD };

/* Reads a regular file of a folder, of fewer than `room` bytes: one more shows that it does not grow. Returns its size,
 * -1 for any other file, and for one that cannot be read or changes. */
static inline int64_t w7_read_small_file(int folder, const char *name, uint8_t *out, int64_t room)
{
    struct stat status;
    int64_t size = -1;
    /* Opening a pipe would wait for its writer. */
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < room)
        size = read(file, out, (size_t)status.st_size + 1) == (ssize_t)status.st_size ? (int64_t)status.st_size : -1;
    close(file);
    return size;
}

#else

enum { W7_CAN_READ_SMALL_FILES = 0, W7_CURRENT_FOLDER = 0 };

static inline int64_t w7_read_small_file(int folder, const char *name, uint8_t *out, int64_t room)
{
    (void)folder, (void)name, (void)out, (void)room;
    return -1;
}

#endif

#endif
