/* nmt: neural machine translation for programs in C and C++. The page of this library, with examples in C,
 * C++ and Python, how to link, and figures, is src/api/README.md.
 *
 *     // models/en-fr: a folder that nmt train has made, as nmt train --config /usr/share/nmt/en-fr.json does
 *     char error[NMT_ERROR_BYTES];
 *     const char *line = "Where is the station?";
 *     struct nmt_model *model = nmt_open("models/en-fr", error, sizeof error);
 *     struct nmt_translator *t = model ? nmt_translator_new(model, error, sizeof error) : NULL;
 *     struct nmt_result *result = t ? nmt_translate(t, &line, 1) : NULL;
 *     puts(result ? nmt_text(result, 0) : t ? nmt_error(t) : error);
 *     nmt_result_free(result);
 *     nmt_translator_free(t);
 *     nmt_close(model);
 *
 * THREADS. A model never changes: any number of threads may use it at the same time, each with its own
 * translator, which holds options and scratch memory and copies nothing from the model. Translators and
 * results may be handed from thread to thread, but each may be used by only one thread at a time. Calling a
 * translator during another call to it, whether from another thread or from one of its callbacks, fails. With
 * the option "threads", one translator runs its batches in several threads of its own. A thread that calls
 * the library needs a stack of 256 KiB. pthread_cancel takes effect only after the call.
 *
 * After fork(), the child has its own copies of models, translators and results; a translator's threads are
 * started anew. No call may be running in another thread during fork().
 *
 * ERRORS. A function that fails returns NULL or -1. Functions that open a model or make a translator write
 * the reason into `error`, cut to `error_bytes`; those that are given a translator leave it there (nmt_error,
 * nmt_error_code); nmt_model_get, which is not, returns -2 if memory runs out. The text is one line without a
 * full stop, such as "cannot open 'models/en-fr/config.json': No such file or directory". A failed call
 * changes nothing, and the translator remains usable. NULL for a required argument is an error, never a
 * crash. Functions that free accept NULL.
 *
 * THE PROCESS is left alone: nothing is printed; it is never ended, not even when nmt's own allocations run
 * out of memory; no signal handler is installed, and nmt's threads block all signals (a program that
 * traps floating-point exceptions, as those of Free Pascal do, must mask them around calls); its locale is
 * neither used nor changed, and numbers always have a decimal point; nothing is kept between models. Files
 * are read only in nmt_open, for the options "dictionary" and "glossary", and with "threads" 0, in the first
 * call after a change of options: /proc/self/cgroup and the limits of its groups.
 *
 * OPENBLAS multiplies matrices where nmt has no kernels of its own for that: on all processors but x86-64
 * with AVX2. The program may use it, too, so nmt does not set the number of its threads. As nmt's products
 * are small, one is enough: openblas_set_num_threads(1), or OPENBLAS_NUM_THREADS=1 in the environment. On all
 * processors, OpenBLAS starts a thread for each processor but one when it is loaded with the library; only
 * OPENBLAS_NUM_THREADS=1 (or OMP_NUM_THREADS=1) in the environment at that time prevents this.
 * OpenBLAS takes a buffer of 128 MiB of address space for each thread that multiplies. If the system grants
 * none, it tries forever or ends the process. Under a limit (ulimit -v), a call first checks that there is
 * room, and fails if there is not. But it cannot know what other threads are about to take: the limit must
 * leave room for one buffer for each thread that translates at the same time.
 *
 * TEXT is UTF-8, terminated by NUL. Invalid bytes become U+FFFD, and source_repaired says so. A line has one
 * sentence or more: if most lines that the model was trained on are one, each is translated by itself
 * (decoding.split), but tokens, alignment and scores are those of the line. Line ends within it count as
 * blanks. An empty or blank line has an empty translation; if the model protects strings (text.protect), one
 * without letters outside of such strings is its own translation, without tokens, but for digits that the
 * target language does not have. A line longer than 64 MiB is an error, and so are more than 8,388,608 lines
 * at once. Returned texts contain no line ends.
 *
 * ABI. Functions and constants stay as they are; later versions may add some, and may add fields at the ends
 * of structs. So use structs only through the returned pointers: do not copy them or make arrays of them.
 * Each function has been available since version 0.2 unless noted. */
#ifndef NMT_H
#define NMT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nmt_model;
struct nmt_translator;
struct nmt_result;

/* Enough for the longest error text and its NUL. */
#define NMT_ERROR_BYTES 1024

/* The version of the library, such as "0.3.0". */
const char *nmt_version(void);

/* ---- models ---- */

/* Opens a model: a directory that nmt train has written, or a file of nmt pack. The weights are then
 * in memory, and the files may be deleted. NULL on failure, with the reason in `error`, which may be NULL. */
struct nmt_model *nmt_open(const char *path, char *error, size_t error_bytes);

/* Opens 1 to 16 models that translate together, as one model: at each step, their probabilities are
 * averaged. All must have been trained with the same vocabularies. Options default to the first model's. */
struct nmt_model *nmt_open_ensemble(const char *const *paths, size_t count, char *error, size_t error_bytes);

/* Writes the value of a key of the (first) model's config, such as "model.attention.score" or
 * "data.max_length", as snprintf does: at most `value_bytes` bytes with the NUL, or none if `value` is NULL.
 * Returns the length of the whole value, 0 if it is not set; -1 if there is no such key or no model; or -2 if
 * memory runs out. Keys: nmt train --help-config. */
int nmt_model_get(const struct nmt_model *model, const char *key, char *value, size_t value_bytes);

/* Releases a model. Its translators remain usable: it is freed with the last of them. No call that is given
 * the model, such as nmt_translator_new, may be running in another thread. */
void nmt_close(struct nmt_model *model);

/* ---- translators ---- */

/* Makes a translator with the defaults of the model's config. NULL on failure, as nmt_open. */
struct nmt_translator *nmt_translator_new(struct nmt_model *model, char *error, size_t error_bytes);

/* Frees a translator, but not its results. Called from one of its own callbacks, it does nothing. */
void nmt_translator_free(struct nmt_translator *translator);

/* Sets an option for later calls. Values are texts as in a config: "5", "0.6", "true". Returns 0;
 * or -1 if there is no such option or the value is not allowed: the error names the option, the value and,
 * for an unknown name, the nearest one. Options are the keys of the config's section `decoding`, and the
 * long options of nmt translate:
 *
 *   decoding.KEY           from 1 to 1000 for decoding.beam, and so on: nmt train --help-config; all but
 *                          decoding.precision, which nmt pack gives to a model; without effect:
 *                          decoding.shortlist, which is read when a model is opened, and
 *                          decoding.backward_weight and decoding.right_to_left_weight, since no other
 *                          model judges the translations of a translator
 *   beam                   another name for decoding.beam; likewise length-penalty, coverage-penalty,
 *                          max-length-ratio and split
 *   n-best            1    number of translations per line, at most the beam
 *   alignment     false    return links and attention
 *   unk-replace   false    replace each unknown word by the source word with the most attention
 *   dictionary       ""    a file of lines with a source word, a tab and its translation: for words that
 *                          training never saw, where text.protect has unseen, else for those of unk-replace
 *   glossary         ""    a file of lines with a source term, a tab and the translation that it must have,
 *                          each of at most 1,000 bytes; excludes decoding.sample
 *   tokens        false    lines, prefixes and targets are tokens as nmt_tokenize makes them, separated by
 *                          blanks (U+0020): any other white space is part of a token
 *   threads           1    threads of this translator, including the caller's; 0: one per processor
 *   batch            32    most sentences translated together; more are hardly faster, and need more memory
 *   max-tokens      500    longer sentences, and those longer than any that the model was trained on, are
 *                          translated in parts; with decoding.split=off, n-best, tokens or prefixes, only
 *                          lines longer than this: such a line has one translation, and its prefix is that
 *                          of the first part */
int nmt_set(struct nmt_translator *translator, const char *option, const char *value);

/* Writes the value of an option as nmt_model_get does; -1 on failure, with the reason in nmt_error_code. */
int nmt_get(struct nmt_translator *translator, const char *option, char *value, size_t value_bytes);

/* Why the last call failed. */
enum nmt_error_code {
    NMT_NO_ERROR = 0,      /* it did not */
    NMT_WRONG_USE = 1,     /* NULL, an unknown option, a value out of range, a translator in use */
    NMT_WRONG_INPUT = 2,   /* a file that cannot be read, a line that is too long, a model that overflows */
    NMT_OUT_OF_MEMORY = 3, /* or no room under a limit on memory */
    NMT_CANCELLED = 4,     /* by the function of nmt_on_cancel */
    NMT_INTERNAL_ERROR = 5 /* a bug in nmt: please report it */
};
enum nmt_error_code nmt_error_code(const struct nmt_translator *translator);

/* The reason as text, "" after a success. It is valid until the next call to the translator. */
const char *nmt_error(const struct nmt_translator *translator);

/* ---- callbacks ----
 *
 * Each is called only during calls to this translator, possibly from its own threads, but never from two at
 * once. NULL removes it. A callback may use other translators. It must not leave by longjmp or an exception,
 * and must not rely on signals: its thread may block them. `context` is passed through unchanged. During a
 * call to the translator, these functions do nothing. */

/* Reports after each batch how many of the call's `lines` are done, at the end all; a call without lines
 * reports nothing. */
void nmt_on_progress(struct nmt_translator *translator,
                     void (*progress)(void *context, size_t done, size_t lines), void *context);

/* Asked by calls that translate or score, while they read their lines, every 64 of them, and before each step
 * of the search, some thousand times a second: if it returns other than 0, the call fails with NMT_CANCELLED.
 * While one line is read, which takes seconds for one of some MiB, it is not asked. */
void nmt_on_cancel(struct nmt_translator *translator, int (*cancelled)(void *context), void *context);

/* Receives warnings, such as "line 3: not valid UTF-8; U+FFFD put in": of that, of lines translated in parts,
 * of terms of the glossary that the model cannot write, and of lines whose best translation lacks some. Lines
 * are counted from 1; nmt_tokenize and nmt_detokenize, which have one, name none. */
void nmt_on_log(struct nmt_translator *translator, void (*log)(void *context, const char *message),
                void *context);

/* ---- translation ----
 *
 * Each takes `count` lines, which may be 0, and returns a result with as many, in the same order; or NULL if
 * one of them could not be translated: the error names it. A line's translation does not depend on the other
 * lines. The caller frees the result. */

/* Translates lines. With decoding.sample, translations are drawn at random instead of searched: `beam` of
 * them, of which the n-best most probable are returned. */
struct nmt_result *nmt_translate(struct nmt_translator *translator, const char *const *lines, size_t count);

/* The same with forced beginnings, prefixes [count]: each translation begins with the whole words of its
 * prefix and continues freely. NULL or "" forces nothing. */
struct nmt_result *nmt_translate_prefixed(struct nmt_translator *translator, const char *const *lines,
                                          const char *const *prefixes, size_t count);

/* Scores given translations, as nmt score does: the result has each target as the only translation of its
 * source, with its probabilities. Here these are spread over all words; a search excludes the unknown word
 * and the begin mark, so it gives the same translation a slightly higher log-probability; and texts are read
 * as they are written, while a search reads a line in capitals in its usual case, so that its translation
 * has far less here. An int8 model is multiplied in eight bits, by nmt score in float32. A line or a target
 * of more than 4,000 tokens is an error. */
struct nmt_result *nmt_score(struct nmt_translator *translator, const char *const *sources,
                             const char *const *targets, size_t count);

/* ---- results ---- */

/* A link between two words, counted from 0. */
struct nmt_link {
    size_t source, target;
};

/* One translation of a line. Everything it points to belongs to the result. Words are those of the model's
 * tokenizer: punctuation marks are words of their own. */
struct nmt_translation {
    const char *text;
    double score;           /* what the translations of a line are ranked by: higher is better; for nmt_score
                             * and empty lines as well */
    double log_probability; /* the natural logarithm of its probability, end mark included */

    /* Tokens: the model's subwords, without begin and end marks. */
    size_t token_count, source_token_count;
    const char *const *tokens;            /* [token_count] */
    const char *const *source_tokens;     /* [source_token_count] */
    const float *token_log_probabilities; /* [token_count + 1]: of each, given those before it; the last is
                                           * the end mark's, 0 where target_cut */

    /* Words: subwords joined. What comes from a dictionary is one token and one word, with its blanks. */
    size_t word_count, source_word_count;
    const char *const *words;        /* [word_count] */
    const char *const *source_words; /* [source_word_count] */
    const float *word_confidences;   /* [word_count], from 0 to 1: the probability of each word given those
                                      * before it, the product of its subwords' */

    /* With the option "alignment", else 0 and NULL: */
    size_t link_count;
    const struct nmt_link *links; /* [link_count]: from each target word to the source word with most of its
                                   * attention; in the order of target words */
    const float *attention;       /* [token_count + 1][source_token_count + 1]: row by row, how much each
                                   * token, and finally the end mark, attends to each source token and the
                                   * source's end mark; a row sums to 1, or 0 for the end mark where
                                   * target_cut; NULL for a line that is empty, has no letters, or is so
                                   * long that this would take 256 MiB */

    int source_repaired; /* the line, or the prefix or target given with it, was not valid UTF-8: U+FFFD
                          * replaces what was wrong */
    int source_cut;      /* 0: nothing is cut since version 0.3 */
    int target_cut;      /* the limit on its length ended the translation, or that no word was allowed */

    /* Since version 0.3: */
    int source_divided; /* a sentence is longer than the model has seen, or than max-tokens, and was
                         * translated in parts */
    size_t
        parts; /* in how many parts the line was translated or copied: its sentences, and those parts; 0 for a
                         * blank line */
};

/* Frees a result. */
void nmt_result_free(struct nmt_result *result);

/* Number of lines; 0 for NULL. */
size_t nmt_result_lines(const struct nmt_result *result);

/* Number of translations of a line: 1 to n-best; 0 if there is no such line. */
size_t nmt_result_count(const struct nmt_result *result, size_t line);

/* A translation of a line; rank 0 is the best. NULL if there is none. */
const struct nmt_translation *nmt_result_translation(const struct nmt_result *result, size_t line,
                                                     size_t rank);

/* The text of the best one; NULL if there is no such line. */
const char *nmt_text(const struct nmt_result *result, size_t line);

/* ---- text ---- */

enum nmt_side { NMT_SOURCE = 0, NMT_TARGET = 1 };

/* The tokens of a line of that side's language, separated by blanks, as nmt tokenize prints them; of the
 * source, behind decoding.tag, if that is set. NULL on failure. The caller frees it with nmt_free. */
char *nmt_tokenize(struct nmt_translator *translator, enum nmt_side side, const char *line);

/* The reverse: the text of tokens, up to normal form and repeated blanks. */
char *nmt_detokenize(struct nmt_translator *translator, enum nmt_side side, const char *tokens);

/* Frees a text returned by these two. */
void nmt_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
