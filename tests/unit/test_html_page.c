/* Pages: their sentences, tags and bytes. Places of tags in translations are in test_tag_places.c. */
#include "check.h"

#include "html_page.h"
#include "mem.h"

/* Reads a page, checks that with its own sentences it is written as it is, and describes it: "A [0:b 2-5]dog|
 * …": for each sentence its text and the places of its tags. */
static char *described(const char *html, unsigned kinds)
{
    struct splitter splitter;
    struct html_page page;
    struct strbuf out;
    struct err err;
    splitter_init(&splitter);
    strbuf_init(&out);
    const struct sentence_rules rules = {&splitter, kinds, NULL};
    assert_int_equal(html_page_init(&page, html, strlen(html), &rules, &err), 0);
    const char **texts = xcalloc(page.count, sizeof *texts);
    const struct span **places = xcalloc(page.count, sizeof *places);
    for (size_t i = 0; i < page.count; i++)
        texts[i] = page.sentences[i].text;
    html_page_write(&out, &page, texts, places, NULL);
    assert_string_equal(out.text, html);
    strbuf_reset(&out);
    for (size_t i = 0; i < page.count; i++) {
        strbuf_addf(&out, "%s%s", i ? " | " : "", texts[i]);
        for (size_t k = 0; k < page.sentences[i].tag_count; k++) {
            const struct inline_tag *tag = &page.sentences[i].tags[k];
            strbuf_addf(&out, " [%s%zu-%zu%s%s in %d]", tag->from_start ? "<" : "", tag->text.begin,
                        tag->text.end, tag->to_end ? ">" : "", tag->kept ? " kept" : "", tag->parent);
        }
    }
    xfree(texts);
    xfree(places);
    html_page_release(&page);
    splitter_release(&splitter);
    return strbuf_detach(&out);
}

static void expect(const char *html, const char *description)
{
    char *found = described(html, 0);
    assert_string_equal(found, description);
    xfree(found);
}

static void blocks_have_sentences(void **state)
{
    (void)state;
    expect("", "");
    expect("<p> 12 &amp; 13 </p>", "");
    expect("<p>२०<b>२४</b>", "");
    char *found = described("<p>२०<b>२४</b><p>12<p><code>x</code> ١<p>!", PATTERN_SET(PATTERN_MARKUP));
    assert_string_equal(found, "२०२४ [6-12 in -1]");
    xfree(found);
    expect("One is here. Two\n are\t there.<P>Three<LI>Four", "One is here. | Two are there. | Three | Four");
    expect("<title>A <b>&amp; c</title>d", "A <b>& c | d");
    expect("a &lt;b&gt; &eacute;&copy &#233;&#x20AC;&#x80; &bogus; & &#; &#0;",
           "a <b> é© é€€ &bogus; & &#; \xef\xbf\xbd");
    expect("<html xmlns='x'><title/><body><p>a<script src='x' />b<style/>", "a | b");
    expect("<title/><p>a</title>b", "<p>a | b");
    expect("3 < 4 <5 </ > <> x", "3 < 4 <5 <> x [9-9 in -1]");
}

static void inline_tags_have_places(void **state)
{
    (void)state;
    expect("<p>A <b>red <i>car</i></b> is <br>here</p>",
           "A red car is here [2-9 in -1] [6-9 in 0] [13-13 in -1]");
    expect("<b>All of it</b>", "All of it");
    expect("<b>Red</b> cars", "Red cars [0-3 in -1]");
    expect("cars <b>Red</b>", "cars Red [5-8 in -1]");
    expect("<b>One is here. Two is</b> there.", "One is here. | Two is there. [<0-6 in -1]");
    expect("One is <b>here. Two</b> is.", "One is here. [7-12> in -1] | Two is. [<0-3 in -1]");
    expect("a <b>b <i>c</b> d</i> e", "a b c d e [<0-7 in -1] [2-5 in 0] [4-4 in 1]");
    expect("a <b>b</u> c<p>d</b> e", "a b c [2-5> in -1] [3-3 in 0] | d e [<0-1 in -1]");
    expect("a <IMG alt='>' src=x>b<!-- <p> -->c <?xml > d", "a bc d [2-2 in -1] [3-3 in -1] [5-5 in -1]");
}

/* What stands apart on the page is not one word, or one sentence. */
static void tags_part_words_and_blocks(void **state)
{
    (void)state;
    expect("<p>One<br><br>Two<br>three<br> <!-- --> <BR/>Four", "One | Two three [4-4 in -1] | Four");
    expect("One</br>two</br></BR>Three", "One two [4-4 in -1] | Three");
    expect("<a>Open</a><a>Close</a><b>it</b>", "Open Closeit [0-4 in -1] [5-10 in -1] [10-12 in -1]");
    expect("<para>Open</para><para>Close</para><i>x</i><i>y</i><x-a>z</x-a>",
           "Open Closexyz [0-4 in -1] [5-10 in -1] [10-11 in -1] [11-12 in -1] [12-13 in -1]");
    expect("File<img src=x>Window<input>name", "File Window name [5-5 in -1] [12-12 in -1]");
    expect("He runs.<span>She sleeps.</span>Who?<b></b>I.", "He runs. | She sleeps. | Who? | I.");
    expect("<b>He <i>runs.</i></b><b>She</b> is.", "He runs. [3-8 in -1] | She is. [0-3 in -1]");
    expect("U.S.<b>A</b> J.<b>R</b> e.g.<b>a</b> x.<wbr>Y is",
           "U.S.A J.R e.g.a x.Y is [4-5 in -1] [8-9 in -1] [14-15 in -1] [18-18 in -1]");
    expect("<img><code>x</code>y", "xy [0-1 kept in -1]");
    expect("can<b>not</b>", "cannot [3-6 in -1]");
    expect("<x-a>One</x-a><x-b>two</x-b>", "One two [0-3 in -1] [4-7 in -1]");
    expect("In <link rel=x><b>Paris</b> by <meta itemprop=x>day",
           "In Paris by day [3-3 in -1] [3-8 in -1] [12-12 in -1]");
    expect("Click <svg><title>Icon</title></svg> to", "Click Icon to [6-10 kept in -1]");
    expect("One<br>&nbsp;<br>two<b><br></b><br>three", "One | two | three");
    expect("One<br><code>x</code><br>two", "One x two [4-4 in -1] [4-5 kept in -1] [6-6 in -1]");
}

/* Footnotes stay behind words. */
static void blanks_stay_on_their_side_of_tags(void **state)
{
    static const char html[] = "A red<a><sup>1</sup></a><img><b></b> dog<img> is";
    static const struct span places[] = {{3, 3}, {3, 3}, {3, 3}, {3, 3}, {9, 9}};
    const struct span *const all[] = {places};
    struct html_page page;
    struct strbuf out;
    struct err err;
    (void)state;
    strbuf_init(&out);
    assert_int_equal(
        html_page_init(&page, html, strlen(html), &(struct sentence_rules){.splitter = NULL}, &err), 0);
    assert_int_equal(page.sentences[0].tag_count, 5);
    html_page_write(&out, &page, &(const char *const){"UN CHIEN est"}, all, NULL);
    assert_string_equal(out.text, "UN<a><sup>1</sup></a><img><b></b> CHIEN<img> est");
    strbuf_release(&out);
    html_page_release(&page);
}

/* Exponents are. */
static void footnotes_are_no_part_of_words(void **state)
{
    (void)state;
    expect("The pilot<sup>1</sup> sees<sup class=x><a href='#2'>[2]</a></sup> it.<sup>*</sup>",
           "The pilot sees it. [9-9 in -1] [14-14 in -1]");
    expect("The pilot<a href=x><sup>&dagger;</sup></a> is", "The pilot is [9-9 in -1] [9-9 in 0]");
    expect(
        "The pilot<sup><a><span>&#91;</span>note 1<span>&#93;</span></a></sup> is here.<sup>[a]</sup> He is.",
        "The pilot is here. [9-9 in -1] | He is.");
    expect("In 1990<sup>[4]</sup> it", "In 1990 it [7-7 in -1]");
    expect("The pilot<sup>[1] </sup>, who is", "The pilot, who is [9-9 in -1]");
    expect("The <code>main </code><sup>1</sup> is", "The main is [4-8 kept in -1] [8-8 in -1]");
    expect("The pilot<sup>1 </sup>sees.<sup>2 </sup>He is.", "The pilot sees. [9-9 in -1] | He is.");
    expect("The pilot sees.<sup><a>2</a></sup>He is.", "The pilot sees. | He is.");
    expect("The pilot<sup>[citation needed]</sup> a pilot<sup>[a</sup>",
           "The pilot[citation needed] a pilot[a [9-26 in -1] [34-36 in -1]");
    expect("The pilot<a>s<sup>2</a></sup>", "The pilots2 [9-11 in -1] [10-10 in 0]");
    expect("The <code>main</code><sup>1</sup> and <span translate=no>Apt</span><sup><a>2</a></sup> run",
           "The main and Apt run [4-8 kept in -1] [8-8 in -1] [13-16 kept in -1] [16-16 in -1]");
    expect("The pilot<sup translate=no>1</sup> sees", "The pilot sees [9-9 in -1]");
    expect("an <code>x</code><sup>2</sup> is", "an x2 is [3-4 kept in -1] [4-5 in -1]");
    char *found = described("The <code>main</code><a><sup>1</sup></a> is <var>x</var><sup>2</sup>",
                            PATTERN_SET(PATTERN_MARKUP));
    assert_string_equal(found,
                        "The <x1/> is <x2/>2 [4-9 kept in -1] [9-9 in -1] [9-9 in 1] [13-18 kept in -1] "
                        "[18-19 in -1]");
    xfree(found);
    expect("x<sup>2</sup> km<sup>2</sup> the<sup>n</sup>",
           "x2 km2 then [1-2 in -1] [5-6 in -1] [10-11 in -1]");
    expect("pilot<sub>1</sub> pilot<sup></sup> pilot<sup>1",
           "pilot1 pilot pilot1 [5-6 in -1] [12-12 in -1] [18-19> in -1]");
}

static void what_is_not_translated_is_kept(void **state)
{
    (void)state;
    expect("<script>if (a<b) '</p>'</script>x<style>y</style>", "x");
    expect("<script><!--\nw('<script></script>'); 'a'\n//--></script>b<SCRIPT>c</SCRIPT >d",
           "bd [1-1 in -1]");
    expect("<script><!--> '<script>' </script>b<script>'<script>'</script>c", "bc [1-1 in -1]");
    expect("<script><!-- <script> </script> <scripts> --> </scripting> </script>b", "b");
    expect("Run <code>make -j <var>N</var></code> now", "Run make -j N now [4-13 kept in -1]");
    expect("<code>make</code> <kbd>now</kbd>", "");
    expect("and<code> make </code>it", "and make it [4-8 kept in -1]");
    expect("Let <math>\n<mi>x</mi>\n</math>, a", "Let x, a [4-5 kept in -1]");
    expect("<pre>a</pre>b<textarea>c <b></textarea>d", "b | d");
    expect("<div translate=no>a<p>b<i translate=YES>c</i>d</div>e", "c | e");
    expect("<ul><li translate='No'>a<li>b</ul><p class=\"x NoTranslate\">c<p>d", "b | d");
    expect("<p>a <span class=notranslate>B C</span> d", "a B C d [2-5 kept in -1]");
    expect("<p>a <code>b <p>c", "a");
    expect("the <ruby>red<rp>(</rp><rt>akai</rt><rp>)</rp></ruby> dress",
           "the red dress [4-7 in -1] [7-7 in 0] [7-7 in 0] [7-7 in 0]");
    expect("a <b translate=no>c<rt>d</rt></b> e", "a c e [2-3 kept in -1]");
    expect("<p>a <img translate=no> b", "a b [2-2 in -1]");
    char *found = described("Run <code>make</code> or <tt>x</tt>.", PATTERN_SET(PATTERN_MARKUP));
    assert_string_equal(found, "Run <x1/> or <x2/>. [4-9 kept in -1] [13-18 kept in -1]");
    xfree(found);
}

static void code_of_servers_is_no_text(void **state)
{
    (void)state;
    expect("Dear <?php echo $user->name; ?> and <?=$a->b?>, hello",
           "Dear and , hello [5-5 in -1] [9-9 in -1]");
    expect("<% if (a > b) { %>One<%% } %><p>five <% three", "One | five <% three");
    expect("<option <?php if ($a->b) echo 'selected'; ?>>One<p <%= a > b %> c>Two", "One | Two");
    expect("One <?php a($b->c); two();", "One");
    expect("a <%> b", "a <%> b");
}

/* Whatever it has of quotes and ">". */
static void code_of_servers_may_be_in_tags(void **state)
{
    struct strbuf html;
    (void)state;
    expect("<a href=\"<?php echo $x > 1 ? \"a\" : \"\" ?>\">One</a> <i title='<%= t 'b>' %>' c>two</i>",
           "One two [0-3 in -1] [4-7 in -1]");
    expect("<a href=<%= a > b %>>One</a> <i data-<?= $a > 1 ?>=x <?= $b->c ?>='>'>two</i>",
           "One two [0-3 in -1] [4-7 in -1]");
    expect("<b<?= $a > 1 ?>>One</b<?= $a > 1 ?>> two", "One two [0-3 in -1]");
    expect("<p <?php if ($a->b) { ?> translate=no>a<p class=\"<%= a > \"\" %> notranslate\">b<p>c", "c");
    expect("<div<?php c(); ?> translate=no>a</div><p<?= d() ?> class=notranslate>b</p><p>c", "c");
    expect("<a <%>One</a> <b title='<?= 2'>two</b> <i <?php>three",
           "One two three [0-3 in -1] [4-7 in -1] [8-13> in -1]");
    expect("a <b title='<% 1 '>' %> <%'>b</b>", "a b [2-3 in -1]");
    strbuf_init(&html);
    strbuf_adds(&html, "<p title='");
    for (int i = 0; i < 300000; i++)
        strbuf_adds(&html, "<%");
    strbuf_adds(&html, "'>a <br x='");
    for (int i = 0; i < 300000; i++)
        strbuf_adds(&html, "<?=");
    strbuf_addf(&html, "'> b%9999s<i title='?>'>c</i> %%>", "");
    expect(html.text, "a b c %> [2-2 in -1] [4-5 in -1]");
    strbuf_release(&html);
}

static void character_data_stays(void **state)
{
    (void)state;
    expect("<p>One <![CDATA[ > <b> Two ]]]> three <![CDATA[]]> four",
           "One three four [4-4 in -1] [10-10 in -1]");
    expect("One <svg><style><![CDATA[ a > b {} ]]></style><text>x</text></svg> two <![CDATA[ x",
           "One x two [4-5 kept in -1]");
    expect("<p>One<![CDATA[x><p>two", "One | two"); /* without an end, a comment to browsers */
}

static void markup_without_an_end_stays(void **state)
{
    static const char *const ends[] = {"<b",  "<a href=\"", "<!-- x",    "<!",    "<?x",
                                       "</b", "<a b='>",    "<script>x", "<svg>x"};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char *html = xasprintf("Some text %s", ends[i]);
        char *found = described(html, 0);
        assert_string_equal(found, "Some text");
        xfree(found);
        xfree(html);
    }
}

static void pages_may_be_of_any_bytes(void **state)
{
    static const char html[] = "<p>caf\xe9 \x93x\x94 a\0b<\0a>\xff<meta charset=iso-8859-1>";
    struct html_page page;
    struct strbuf out;
    struct err err;
    (void)state;
    strbuf_init(&out);
    assert_int_equal(
        html_page_init(&page, html, sizeof html - 1, &(struct sentence_rules){.splitter = NULL}, &err), 0);
    assert_int_equal(page.count, 1);
    assert_string_equal(page.sentences[0].text, "café “x” ab<a>ÿ");
    html_page_write(&out, &page, &(const char *const){"é\xc2\xa0<"}, &(const struct span *const){NULL}, NULL);
    assert_string_equal(out.text, "<p>&#233;&#160;&lt;<meta charset=iso-8859-1>");
    strbuf_release(&out);
    html_page_release(&page);
}

static bool is_read(const char *bytes, size_t size)
{
    struct html_page page;
    struct err err;
    if (html_page_init(&page, bytes, size, &(struct sentence_rules){.splitter = NULL}, &err))
        return false;
    html_page_release(&page);
    return true;
}

static void encodings_are_told_by_their_bytes(void **state)
{
    (void)state;
    expect("\xef\xbb\xbfHe runs.", "He runs.");
    expect("<meta charset=iso-2022-jp><p>caf\xc3\xa9", "caf\xc3\xa9");
    expect("<meta charset=hz-gb-2312><p>tea \x1b", "tea \x1b");
    assert_false(is_read("<meta charset=iso-2022-jp>\x1b$B", 29));
    assert_false(is_read("<meta charset=hz-gb-2312>~{VP~}", 31));
    assert_false(is_read("\n\0<\0p\0>\0", 8));
    assert_false(is_read("\0H\0e", 4));
    assert_true(is_read("H\0e is\0", 7));
}

/* Entities of later versions, beside others that are text. */
static void unknown_entities_are_written_as_they_are(void **state)
{
    static const char *const pages[][2] = {{"<p>Dvo&rcaron;ak", "<p>x&rcaron;&amp;&amp;b"},
                                           {"<p>Dvo&amp;rcaron;ak", "<p>x&amp;rcaron;&amp;&amp;b"}};
    struct html_page page;
    struct strbuf out;
    struct err err;
    (void)state;
    strbuf_init(&out);
    for (int i = 0; i < 2; i++) {
        strbuf_reset(&out);
        assert_int_equal(html_page_init(&page, pages[i][0], strlen(pages[i][0]),
                                        &(struct sentence_rules){.splitter = NULL}, &err),
                         0);
        assert_string_equal(page.sentences[0].text, "Dvo&rcaron;ak");
        html_page_write(&out, &page, &(const char *const){"x&rcaron;&&b"}, &(const struct span *const){NULL},
                        NULL);
        assert_string_equal(out.text, pages[i][1]);
        html_page_release(&page);
    }
    strbuf_release(&out);
}

/* Deeply nested, and of a megabyte: not in time beyond proportion, nor recursively. */
static void depth_has_a_limit_and_size_has_none(void **state)
{
    struct strbuf html;
    struct html_page page;
    struct err err;
    (void)state;
    strbuf_init(&html);
    for (int i = 0; i < 60000; i++)
        strbuf_adds(&html, i % 30 ? "<p>A <b>red</b> car." : "<div><ul><li>x</ul></div>");
    assert_int_equal(
        html_page_init(&page, html.text, html.length, &(struct sentence_rules){.splitter = NULL}, &err), 0);
    assert_true(page.followed == page.size && page.count == 60000);
    html_page_release(&page);
    for (int i = 0; i < 60000; i++)
        strbuf_adds(&html, "<b>a ");
    assert_int_equal(
        html_page_init(&page, html.text, html.length, &(struct sentence_rules){.splitter = NULL}, &err), 0);
    assert_true(page.followed < page.size && page.count == 60000);
    html_page_release(&page);
    strbuf_release(&html);
}

/* Also many attributes take no time beyond proportion; what only libxml2 takes for a tag changes nothing. */
static void attributes_have_a_limit(void **state)
{
    struct strbuf html;
    (void)state;
    strbuf_init(&html);
    strbuf_adds(&html, "<p translate=no a1>a<p a='x y>' ");
    for (int i = 0; i < 100000; i++)
        strbuf_addf(&html, "a%d ", i);
    strbuf_adds(&html, "translate=no>b</p><textarea><p translate=no></textarea>c<_ translate=no> d");
    expect(html.text, "b | c<_ translate=no> d");
    strbuf_release(&html);
}

static bool are_enough(void *context, size_t count)
{
    return count > *(const size_t *)context;
}

/* Within a block, too. */
static void a_limit_ends_a_page_early(void **state)
{
    const struct tokenizer tokenizer = {.kind = TOKENIZE_WHITESPACE};
    struct splitter splitter;
    struct strbuf html;
    struct html_page page;
    struct err err;
    size_t most = 2;
    (void)state;
    splitter_init(&splitter);
    strbuf_init(&html);
    for (int i = 0; i < 1000; i++)
        strbuf_adds(&html, "It is one. ");
    const struct sentence_limit limit = {&splitter, &tokenizer, 10, are_enough, &most};
    const struct sentence_rules rules = {&splitter, 0, &limit};
    assert_int_equal(html_page_init(&page, html.text, html.length, &rules, &err), 0);
    assert_int_equal(page.count, 3);
    html_page_release(&page);
    strbuf_release(&html);
    splitter_release(&splitter);
}

static void tags_are_written_where_they_are_placed(void **state)
{
    static const char html[] = "<p>A <b>red <i id=1>car</i></b><br>&amp; <code>x</code> <!---->.</p>";
    static const struct span places[] = {{3, 7}, {3, 5}, {8, 8}, {10, 12}, {12, 12}};
    const struct span *const all[] = {places};
    const struct sentence_rules rules = {NULL, PATTERN_SET(PATTERN_MARKUP), NULL};
    struct html_page page;
    struct strbuf out;
    struct span target;
    struct err err;
    (void)state;
    strbuf_init(&out);
    assert_int_equal(
        html_page_init(&page, html, strlen(html), &(struct sentence_rules){.splitter = NULL}, &err), 0);
    assert_string_equal(page.sentences[0].text, "A red car & x .");
    html_page_read(&page, &rules);
    assert_int_equal(page.count, 1);
    assert_string_equal(page.sentences[0].text, "A red car & <x1/> .");
    assert_int_equal(page.sentences[0].tag_count, 5);
    html_page_write(&out, &page, &(const char *const){"UN é < & xy."}, all, &target);
    assert_string_equal(out.text, "<p>UN <b><i id=1>é</i> &lt;</b> <br>&amp; <code>x</code><!---->.</p>");
    assert_int_equal(target.begin, 3);
    assert_int_equal(target.end, out.length - 4);
    strbuf_release(&out);
    html_page_release(&page);
}

/* Appends a page of which each sentence is translated as "X", with its tags around all of it. */
static void write_as_x(struct strbuf *out, const char *html)
{
    static const struct span whole[] = {{0, 1}, {0, 1}};
    struct splitter splitter;
    struct html_page page;
    struct err err;
    const char *texts[4] = {"X", "X", "X", "X"};
    const struct span *places[4] = {whole, whole, whole, whole};
    splitter_init(&splitter);
    const struct sentence_rules rules = {&splitter, 0, NULL};
    assert_int_equal(html_page_init(&page, html, strlen(html), &rules, &err), 0);
    assert_true(page.count <= 4);
    html_page_write(out, &page, texts, places, NULL);
    html_page_release(&page);
    splitter_release(&splitter);
}

/* Writes a page of one sentence as `text`, with its tags at those places. */
static void expect_written(const char *html, unsigned kinds, const char *text, const struct span *places,
                           const char *expected)
{
    const struct sentence_rules rules = {NULL, kinds, NULL};
    struct html_page page;
    struct strbuf out;
    struct err err;
    strbuf_init(&out);
    assert_int_equal(html_page_init(&page, html, strlen(html), &rules, &err), 0);
    assert_int_equal(page.count, 1);
    html_page_write(&out, &page, &text, &places, NULL);
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
    html_page_release(&page);
}

static void what_is_kept_may_leave_its_pair(void **state)
{
    (void)state;
    expect_written("<p><b>the <code>x</code></b> and</p>", PATTERN_SET(PATTERN_MARKUP), "<x1/> UN",
                   (const struct span[]){{6, 8}, {8, 8}}, "<p><code>x</code> <b>UN</b></p>");
    expect_written("<p>the <code>x</code> and</p>", PATTERN_SET(PATTERN_MARKUP), "<x1/> <x1/> UN",
                   (const struct span[]){{14, 14}}, "<p><code>x</code> &lt;x1/&gt; UN</p>");
    expect_written("<p>the <code>&lt;br&gt;</code> and</p>", 0, "<br> UN", (const struct span[]){{5, 5}},
                   "<p>&lt;br&gt; <code>&lt;br&gt;</code> UN</p>");
}

static void pictures_have_blanks_on_both_sides(void **state)
{
    (void)state;
    expect_written("<p>Press <img> to <a>get it <i></i></a> now</p>", 0, "A B C D",
                   (const struct span[]){{2, 2}, {4, 5}, {5, 5}}, "<p>A <img> B <a>C <i></i></a> D</p>");
    expect_written("<p><a>red dog <img></a>, go</p>", 0, "D R . G", (const struct span[]){{0, 3}, {3, 3}},
                   "<p><a>D R <img></a> . G</p>");
    expect_written("<p><b>get <a><i></i></a></b> now</p>", 0, "A B",
                   (const struct span[]){{0, 1}, {1, 1}, {1, 1}}, "<p><b>A <a><i></i></a></b> B</p>");
}

static void blanks_at_the_ends_of_sentences_stay(void **state)
{
    static const char *const cases[][2] = {
        {"<p>It <i>is. </i>More is here.</p>", "<p><i>X</i> X</p>"},
        {"<p>Read it.<b> More</b> is here.</p>", "<p>X <b>X</b></p>"},
        {"<p>Read <b>it.\\n</b>Close it.</p>", "<p><b>X</b>\\nX</p>"},
        {"<p>Read it.<b><i> More</i></b> is here.</p>", "<p>X <b><i>X</i></b></p>"},
        {"<p>Go <b><i>it. </i>&nbsp;</b>Now it is.</p>", "<p><b><i>X</i></b> &nbsp;X</p>"},
        {"<p>It <i>is.</i> More <b>is</b>.</p>", "<p><i>X</i> <b>X</b></p>"}};
    struct strbuf out;
    (void)state;
    strbuf_init(&out);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strbuf_reset(&out);
        write_as_x(&out, cases[i][0]);
        assert_string_equal(out.text, cases[i][1]);
    }
    strbuf_release(&out);
}

int main(void)
{
    struct err err;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_sentences),
        cmocka_unit_test(inline_tags_have_places),
        cmocka_unit_test(tags_part_words_and_blocks),
        cmocka_unit_test(blanks_stay_on_their_side_of_tags),
        cmocka_unit_test(footnotes_are_no_part_of_words),
        cmocka_unit_test(what_is_not_translated_is_kept),
        cmocka_unit_test(code_of_servers_is_no_text),
        cmocka_unit_test(code_of_servers_may_be_in_tags),
        cmocka_unit_test(character_data_stays),
        cmocka_unit_test(markup_without_an_end_stays),
        cmocka_unit_test(pages_may_be_of_any_bytes),
        cmocka_unit_test(encodings_are_told_by_their_bytes),
        cmocka_unit_test(attributes_have_a_limit),
        cmocka_unit_test(unknown_entities_are_written_as_they_are),
        cmocka_unit_test(depth_has_a_limit_and_size_has_none),
        cmocka_unit_test(a_limit_ends_a_page_early),
        cmocka_unit_test(tags_are_written_where_they_are_placed),
        cmocka_unit_test(what_is_kept_may_leave_its_pair),
        cmocka_unit_test(pictures_have_blanks_on_both_sides),
        cmocka_unit_test(blanks_at_the_ends_of_sentences_stay),
    };
    return html_check_available(&err) ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
