/* What is returned by what appends a record to a text. */
#ifndef W7_FORMATS_WRITTEN_H
#define W7_FORMATS_WRITTEN_H

#include "_util/table.h"

/* W7_DECLINED: the record is not of the kind that is written here, and is written as a document. */
enum { W7_WRITTEN = 0, W7_DECLINED = 1, W7_WRITE_NO_MEMORY = -1 };

#endif
