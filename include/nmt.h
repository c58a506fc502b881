/* nmt: translation for C programs: open a model, translate lines, close it.
 *
 *   char error[256];
 *   struct nmt *nmt = nmt_open("models/en-fr", error, sizeof error);
 *   char *text = nmt_translate(nmt, "Where is the station?");
 *   puts(text);
 *   free(text);
 *   nmt_close(nmt);
 *
 * A model may be used by one thread at a time; different models by different threads. Nothing here prints or
 * exits, but running out of memory ends the program. The program's locale is neither used nor changed. Link
 * with -lnmt. */
#ifndef NMT_H
#define NMT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nmt;

/* Opens a model directory as nmt train leaves it. NULL on failure, with the reason in `error`. */
struct nmt *nmt_open(const char *model_dir, char *error, size_t error_bytes);
/* Hypotheses in beam search, 1 to 1000; 1 is greedy. The model's config says what it is at first. Returns 0,
 * or -1 out of range. */
int nmt_set_beam(struct nmt *nmt, int beam);
/* Translates one line of raw UTF-8 text (other bytes become U+FFFD). The caller frees the result; NULL where
 * there is no line, one of more than 64 MiB, or one for which the model's numbers are not finite. */
char *nmt_translate(struct nmt *nmt, const char *line);
/* Why nmt_translate returned NULL; good until it is called again. Empty after a translation. */
const char *nmt_error(const struct nmt *nmt);
/* NULL is fine. */
void nmt_close(struct nmt *nmt);

#ifdef __cplusplus
}
#endif

#endif
