/* A log.jsonl: cut back for a resumed training, and read for reports. */
#include "fileio.h"
#include "fuzz.h"
#include "history.h"
#include "runlog.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char dir[] = "/dev/shm/nmt-fuzz-XXXXXX";
    struct runlog log;
    struct history history;
    struct model_files files;
    struct err err;
    MUST(mkdtemp(dir));
    char *path = path_join(dir, RUNLOG_FILE);
    MUST(!file_replace(path, (const char *)data, bytes, &err));
    MUST(!model_files_open(&files, dir, &err));
    if (!history_load(&history, &files, &err))
        history_release(&history);
    if (!runlog_open(&log, path, 7, &err)) {
        MUST(!runlog_write(&log, runlog_event("stop"), &err));
        MUST(!runlog_close(&log, &err));
        MUST(!history_load(&history, &files, &err));
        MUST(history.stop_reason == NULL);
        history_release(&history);
    }
    model_files_close(&files);
    unlink(path);
    rmdir(dir);
    free(path);
    return 0;
}
