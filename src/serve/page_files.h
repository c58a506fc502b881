/* page_files: the files of the page and the description of the interface, as they are built into the program:
 * page.cmake makes the table out of src/serve/page and openapi.json. */
#ifndef NMT_PAGE_FILES_H
#define NMT_PAGE_FILES_H

#include <stddef.h>

struct page_file {
    const char *path; /* "/" is page/index.html, "/page.css" page/page.css, … */
    const char *type;
    const char *etag; /* of the bytes, in quotes */
    const char *bytes;
    size_t count;
    const char *gzip_etag; /* of the same gzipped */
    const char *gzip;
    size_t gzip_count;
};

extern const struct page_file page_files[];
extern const size_t page_file_count;

#endif
