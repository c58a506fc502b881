/* nmt: translation for C programs: open a model, translate lines, close it.
 *
 *     char error[256];
 *     struct nmt *nmt = nmt_open("models/en-fr", error, sizeof error);
 *     char *text = nmt_translate(nmt, "Where is the station?");
 *     puts(text);
 *     free(text);
 *     nmt_close(nmt);
 *
 * A model may be used by one thread at a time; different models by different threads. Nothing here prints
 * or exits; where there is no memory, functions fail, and the model stays usable. The program's locale is
 * neither used nor changed. Link with -lnmt. */
#ifndef NMT_H
#define NMT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nmt;

/* Opens a model directory as written by nmt train. NULL on failure, with the reason in `error`. */
struct nmt *nmt_open(const char *model_dir, char *error, size_t error_bytes);
/* Sets the beam size, 1 to 1000; 1 is greedy search. The default is the model's config. Returns 0, or -1
 * if out of range. */
int nmt_set_beam(struct nmt *nmt, int beam);
/* Translates one line of raw UTF-8 text (invalid bytes become U+FFFD). The caller frees the result. NULL
 * for no line, a line of more than 64 MiB, or one for which the model's numbers are not finite. */
char *nmt_translate(struct nmt *nmt, const char *line);
/* Why nmt_translate returned NULL; valid until its next call. Empty after a success. */
const char *nmt_error(const struct nmt *nmt);
/* `nmt` may be NULL. */
void nmt_close(struct nmt *nmt);

#ifdef __cplusplus
}
#endif

#endif
