/* usual_forms: how a text writes the characters that it does not write in NFC.
 *
 * Networks see text in NFC. Some languages are hardly ever typed so: Bengali has U+09DC for what NFC takes
 * apart, Burmese puts two of its marks into the other order, and a whole corpus may have its accents apart.
 * Translations get the forms that most of the training text has, as people who read, search and compare them
 * expect. */
#ifndef NMT_USUAL_FORMS_H
#define NMT_USUAL_FORMS_H

#include "model_files.h"
#include "strbuf.h"
#include "strmap.h"

/* Pieces of text (utf8_piece), by the same numbers. */
struct usual_forms {
    struct strmap normal; /* in NFC */
    struct strmap usual;  /* as they are written */
};

void usual_forms_init(struct usual_forms *forms);
void usual_forms_release(struct usual_forms *forms);
/* Learns from lines of valid UTF-8. The forms must be as after usual_forms_init, here and below. */
void usual_forms_learn(struct usual_forms *forms, const char *const *lines, const size_t *bytes,
                       size_t count);
/* Appends text in NFC, written as usual. */
void usual_forms_write(struct strbuf *out, const struct usual_forms *forms, const char *text, size_t bytes);

/* Loads a model's file; on failure the forms are as before. */
int usual_forms_load(struct usual_forms *forms, const struct model_files *files, const char *name,
                     struct err *err);
/* Appends the text of the file: in each line the codes of a piece in NFC, a tab, and those of its usual form,
 * such as "09A1 09BC\t09DC". */
void usual_forms_print(struct strbuf *text, const struct usual_forms *forms);

#endif
