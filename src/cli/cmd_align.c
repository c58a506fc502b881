/* nmt align: prints a model's attention over given translations, word by word. */
#include "alignment.h"
#include "choices.h"
#include "commands.h"
#include "file_uses.h"
#include "html.h"
#include "json.h"
#include "model_dir.h"
#include "names.h"
#include "output.h"
#include "pair_options.h"
#include "parseopt.h"
#include "plural.h"
#include "shared_options.h"

#include <string.h>

struct settings {
    const char *model, *html, *svg, *links;
    struct pair_files files;
    int form, threads; /* form: index in `forms`, -1 if not given */
    bool words, json;
};

/* ---- forms of output: one row of FORMS each ---- */

static void print_pharaoh(const struct alignment *alignment, size_t number)
{
    struct links links = {0};
    struct strbuf line;
    (void)number;
    strbuf_init(&line);
    alignment_untagged_links(&links, alignment);
    links_print(&line, &links);
    strbuf_addch(&line, '\n');
    output_add(line.text, line.length);
    strbuf_release(&line);
    links_release(&links);
}

static void print_json(const struct alignment *alignment, size_t number)
{
    static const char *const line[] = {[SOURCE] = "source", [TARGET] = "target"},
                             *const tokens[] = {[SOURCE] = "source_tokens", [TARGET] = "target_tokens"};
    struct json *object = json_new_object();
    struct links links = {0};
    json_set_number(object, "line", (double)number);
    for (int side = 0; side < SIDES; side++)
        json_set_string(object, line[side], alignment->line[side]);
    for (int side = 0; side < SIDES; side++)
        json_set_strings(object, tokens[side], (const char *const *)alignment->tokens[side].text,
                         (int)alignment->tokens[side].count);
    alignment_links(&links, alignment);
    json_set_links(object, "alignment", &links);
    json_set_rows(object, "attention", alignment->weights, (int)alignment->tokens[TARGET].count,
                  (int)alignment->tokens[SOURCE].count);
    output_json(object);
    links_release(&links);
}

static void print_tsv(const struct alignment *alignment, size_t number)
{
    const struct heatmap map = alignment_map(alignment);
    struct strbuf text;
    strbuf_init(&text);
    for (int i = 0; i < map.row_count; i++)
        for (int j = 0; j < map.column_count; j++) {
            strbuf_addf(&text, "%zu\t%d\t%d\t", number, i, j);
            output_field(&text, map.rows[i], strlen(map.rows[i]));
            strbuf_addch(&text, '\t');
            output_field(&text, map.columns[j], strlen(map.columns[j]));
            strbuf_addf(&text, "\t%.6f\n", (double)map.weights[i * map.column_count + j]);
        }
    output_add(text.text, text.length);
    strbuf_release(&text);
}

static void print_map(const struct alignment *alignment, size_t number)
{
    const struct heatmap map = alignment_map(alignment);
    struct strbuf text;
    strbuf_init(&text);
    if (number > 1)
        output_adds("\n");
    heatmap_text(&text, &map);
    output_adds(text.text);
    strbuf_release(&text);
}

static void print_nothing(const struct alignment *alignment, size_t number)
{
    (void)alignment;
    (void)number;
}

static void print_rate(const struct aer *aer, size_t pairs)
{
    output_addf("AER %.4f  precision %.4f  recall %.4f  (%zu pair%s, %ld link%s)\n", aer_rate(aer),
                aer_precision(aer), aer_recall(aer), pairs, plural((double)pairs), aer->found,
                plural((double)aer->found));
}

static void print_rate_json(const struct aer *aer, size_t pairs)
{
    struct json *object = json_new_object();
    json_set_number(object, "aer", aer_rate(aer));
    json_set_number(object, "precision", aer_precision(aer));
    json_set_number(object, "recall", aer_recall(aer));
    json_set_number(object, "pairs", (double)pairs);
    json_set_number(object, "links", (double)aer->found);
    output_json(object);
}

typedef void print_function(const struct alignment *alignment, size_t number);

#define FORMS(ROW)                                                                                           \
    ROW(print_pharaoh, pharaoh)                                                                              \
    ROW(print_json, json)                                                                                    \
    ROW(print_tsv, tsv)                                                                                      \
    ROW(print_map, map)                                                                                      \
    ROW(print_nothing, none)

static print_function *const forms[] = {FORMS(CHOICE_CONSTANT)};

/* ---- the command ---- */

/* State that is kept from pair to pair. */
struct aligning {
    const struct settings *settings;
    print_function *print;
    struct strbuf page, picture;
    struct reference_links reference;
    struct aer aer;
    size_t pairs;
};

static const char *source_name(const struct settings *s)
{
    return file_shown_name(pair_files_path(&s->files, SOURCE));
}

static int draw(struct aligning *a, const struct alignment *alignment, struct err *err)
{
    const struct settings *s = a->settings;
    if (s->html && a->pairs <= ALIGNMENT_MOST_DRAWN)
        alignment_draw(&a->page, alignment, (long)a->pairs);
    return s->svg && a->pairs == 1 && alignment_svg(&a->picture, alignment, err)
               ? err_set(err, "cannot draw line 1 of '%s': %s", source_name(s), err->text)
               : 0;
}

static int take_alignment(void *context, const struct alignment *alignment, size_t number, struct err *err)
{
    struct aligning *a = context;
    a->pairs = number;
    if (draw(a, alignment, err))
        return -1;
    a->print(alignment, number);
    if (output_check(err))
        return -1;
    return a->settings->links ? reference_links_compare(&a->aer, &a->reference, alignment, number, err) : 0;
}

static int write_results(struct aligning *a, struct err *err)
{
    const struct settings *s = a->settings;
    if (s->links &&
        expect_lines(s->links, a->reference.lines.count, pair_files_path(&s->files, TARGET), a->pairs, err))
        return -1;
    if (!a->pairs && (s->links || s->svg))
        return err_set(err, "cannot align '%s': no pairs", source_name(s));
    if (s->links)
        (a->print == print_json ? print_rate_json : print_rate)(&a->aer, a->pairs);
    if (output_flush(err)) /* before the pictures, which may also go to standard output */
        return -1;
    if (s->svg && file_output(s->svg, a->picture.text, a->picture.length, err))
        return -1;
    if (!s->html)
        return 0;
    alignment_warn_undrawn(s->html, (long)a->pairs);
    alignment_pictures_end(&a->page);
    html_end(&a->page);
    return file_output(s->html, a->page.text, a->page.length, err);
}

static int align_files(const struct settings *s, const struct loaded_model *loaded, struct err *err)
{
    struct aligning a = {.settings = s, .print = s->json ? print_json : forms[s->form < 0 ? 0 : s->form]};
    if (s->links && reference_links_load(&a.reference, s->links, err))
        return -1;
    strbuf_init(&a.page);
    strbuf_init(&a.picture);
    html_begin(&a.page, "What the translator looked at");
    alignment_pictures_begin(&a.page, &loaded->pair, s->words);
    const struct alignment_options options = {s->words, s->html || s->svg || a.print == print_map,
                                              s->threads};
    int status = each_alignment(&s->files, loaded, &options, take_alignment, &a, err);
    if (!status)
        status = write_results(&a, err);
    reference_links_release(&a.reference);
    strbuf_release(&a.page);
    strbuf_release(&a.picture);
    return status;
}

static int check_files(const struct settings *s, const struct model_files *model)
{
    struct file_uses uses = {.count = 0};
    file_uses_pair(&uses, &s->files);
    file_uses_input(&uses, s->links, "--links");
    file_uses_model(&uses, model);
    file_uses_standard_output(&uses);
    file_uses_output(&uses, s->html, "--html");
    file_uses_output(&uses, s->svg, "--svg");
    return file_uses_check(&uses);
}

int cmd_align(int argc, char **argv)
{
    struct settings s = {.form = -1};
    const struct option_spec options[] = {
        MODEL_OPTION(&s.model),
        PAIR_OPTIONS(s.files),
        {"words", 'w', OPTION_FLAG, &s.words, NULL, "align whole words instead of subwords", 0, 0},
        {"form", 'f', OPTION_CHOICE, &s.form, &(FORMS(NAMES_BAR))[1],
         "links i-j of source and target token; all weights, as one JSON object per line or as lines of "
         "pair, target and source position, both tokens and weight; a picture in the terminal",
         0, 0},
        JSON_OPTION(&s.json),
        {"html", 0, OPTION_STRING, &s.html, "FILE", "write a page with a picture of each pair", 0, 0},
        {"svg", 0, OPTION_STRING, &s.svg, "FILE", "write a picture of the first pair", 0, 0},
        {"links", 0, OPTION_STRING, &s.links, "FILE",
         "correct links (i-j sure, i?j possible): also print the alignment error rate", 0, 0},
        THREADS_OPTION(&s.threads),
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt align [--model MODEL] --source FILE --target FILE [options]",
        "Shows the attention of the model for given translations: which source words it looks at "
        "as it predicts each target word."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    const char *wrong = pair_files_wrong(&s.files);
    if (!wrong && s.json && s.form >= 0)
        wrong = "--json and --form exclude each other: --json is --form json";
    if (wrong)
        return wrong_use(&help, wrong);
    struct err err;
    struct loaded_model loaded;
    if (loaded_model_choose(&loaded, s.model, &err))
        return fail(&err);
    int status = check_files(&s, &loaded.files);
    if (status == EXIT_DONE && align_files(&s, &loaded, &err))
        status = fail(&err);
    loaded_model_close(&loaded);
    return status;
}
