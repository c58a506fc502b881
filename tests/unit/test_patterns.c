/* Patterns: what is recognised in text of several scripts, what is not, and that long lines take no long
 * time. */
#include "check.h"

#include "patterns.h"
#include "strbuf.h"

/* The strings of a kind in a text, each in brackets. */
static void expect(enum pattern_kind kind, const char *text, const char *found)
{
    struct strbuf out;
    struct pattern_string string;
    size_t at = 0;
    strbuf_init(&out);
    while (patterns_next(&string, text, strlen(text), &at, &(struct patterns){.kinds = PATTERN_SET(kind)}))
        strbuf_addf(&out, "[%.*s]", (int)(string.span.end - string.span.begin), text + string.span.begin);
    if (strcmp(out.text, found))
        fail_msg("'%s': %s, not %s", text, out.text, found);
    strbuf_release(&out);
}

static void expect_none(enum pattern_kind kind, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(kind, texts[i], "");
}

#define NONE(kind, ...)                                                                                      \
    expect_none(kind, (const char *const[]){__VA_ARGS__},                                                    \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void urls(void **state)
{
    (void)state;
    expect(PATTERN_URL, "See https://a.org/x?y=1&z=[2]#t.", "[https://a.org/x?y=1&z=[2]#t]");
    expect(PATTERN_URL, "(http://x.y)", "[http://x.y]");
    expect(PATTERN_URL, "(see http://x.y/a_(b), or www.debian.org!)", "[http://x.y/a_(b)][www.debian.org]");
    expect(PATTERN_URL, "\"ftp://h:21/\" mailto:me@x.org", "[ftp://h:21/][mailto:me@x.org]");
    expect(PATTERN_URL, "debian.org, example.com/path?q.", "[debian.org][example.com/path?q]");
    expect(PATTERN_URL, "访问http://x.cn/a获取", "[http://x.cn/a]");
    expect(PATTERN_URL, "링크 http://x.kr/a에서", "[http://x.kr/a]");
    expect(PATTERN_URL, "https://ru.wikipedia.org/wiki/Москва, да", "[https://ru.wikipedia.org/wiki/Москва]");
    expect(PATTERN_URL, "see https://ja.wikipedia.org/wiki/日本_(国) or (http://th.x.org/wiki/ไทย?q=น้ำ#ที่), a",
           "[https://ja.wikipedia.org/wiki/日本_(国)][http://th.x.org/wiki/ไทย?q=น้ำ#ที่]");
    expect(PATTERN_URL,
           "https://x.org/日本 https://x.org/a请看 看https://x.org/a/请看 http://x.org/日/a/本。看",
           "[https://x.org/][https://x.org/a][https://x.org/a/][http://x.org/]");
    expect(PATTERN_URL, "见 x.org/wiki/日本。 http://x.org/a/日b本", "[x.org/wiki/][http://x.org/a/]");
    expect(PATTERN_URL, "<http://x.y/>", "[http://x.y/]");
    expect(PATTERN_URL, "https://www.google.com'dan indir, https://yle.fi:ssä, www.debian.org'a",
           "[https://www.google.com][https://yle.fi][www.debian.org]");
    expect(PATTERN_URL,
           "http://host:port/path ssh://git@h.com:user/a.git http://[fe80::a1]/ mailto:o'b@x.org",
           "[http://host:port/path][ssh://git@h.com:user/a.git][http://[fe80::a1]/][mailto:o'b@x.org]");
    expect(PATTERN_URL, "http://u:p@h.org:80/a http://x.org/Valentine's_Day debian.org에서 mailto:a@b.de",
           "[http://u:p@h.org:80/a][http://x.org/Valentine's_Day][debian.org][mailto:a@b.de]");
    expect(PATTERN_URL,
           "page.https://a.org _https://b.org/c_ x=https://d.org https://index.hu-n my-a.com-server",
           "[https://a.org][https://b.org/c][https://d.org][https://index.hu][my-a.com]");
    expect(PATTERN_URL, "https://build-server:80/x https://a.my-b/c Example.COM WWW.A.ORG http://b.xn--p1-ai",
           "[https://build-server:80/x][https://a.my-b/c][Example.COM][WWW.A.ORG][http://b.xn--p1-ai]");
    expect(PATTERN_URL, "[a@https://x.org/y]page[/a] [url=http://x.org/[1]]text[/url]",
           "[https://x.org/y][http://x.org/[1]]");
    expect(PATTERN_URL, "Bei bücher.de, кафе.com/меню und http://а.рф-да; 링크debian.org に例.debian.org",
           "[bücher.de][кафе.com/меню][http://а.рф][debian.org]");
    expect(PATTERN_URL, "🌐️www.example.ru ❤️x.de наwww.example.ru",
           "[www.example.ru][x.de][www.example.ru]");
    expect(PATTERN_URL, "https://a.org/{id}/page, http://{{host}}:80/a?${x[0]}#{} (https://b.org/{a b})",
           "[https://a.org/{id}/page][http://{{host}}:80/a?${x[0]}#{}][https://b.org/]");
    NONE(PATTERN_URL, "конец.Да", "été.Info", "Look at it.Info follows", "x.www.b", "http://", "://x",
         "The end.Then", "e.g. this", "3.14", "www.", "me@debian.org", "a.b.c", "Ähttp:", "-debian", ".com",
         "Foo.community");
}

static void emails(void **state)
{
    (void)state;
    expect(PATTERN_EMAIL, "Write to first.last+tag@mail.example.org.", "[first.last+tag@mail.example.org]");
    expect(PATTERN_EMAIL, "<a@b.de>,c_d@e-f.co.uk;", "[a@b.de][c_d@e-f.co.uk]");
    expect(PATTERN_EMAIL, "пишите me@x.ru сюда", "[me@x.ru]");
    expect(PATTERN_EMAIL, "me@x.com- a@my-x.fi-osoite b@x.hu-ról", "[me@x.com][a@my-x.fi][b@x.hu]");
    expect(PATTERN_EMAIL, "An käthe@bücher.example, ка\u0301тя@my-почта.рф-ру राम@डाक.भारत и info@é.fr.",
           "[käthe@bücher.example][ка\u0301тя@my-почта.рф][राम@डाक.भारत][info@é.fr]");
    expect(PATTERN_EMAIL, "ivan@mail.ru.Потом я. ivan@www.почта.рф", "[ivan@mail.ru][ivan@www.почта.рф]");
    expect(PATTERN_EMAIL, "לme@x.co.il me@x.ruда me@x.kr로 写给me@x.cn。",
           "[me@x.co.il][me@x.ru][me@x.kr][me@x.cn]");
    NONE(PATTERN_EMAIL, "é@b", "서울@강남.한국", "a@b", "@b.de", "a @ b.de", "a@@b.de", "a@.de", "@",
         "x@-a.de");
}

static void paths(void **state)
{
    (void)state;
    expect(PATTERN_PATH, "in /etc/apt/sources.list, or ~/.bashrc.", "[/etc/apt/sources.list][~/.bashrc]");
    expect(PATTERN_PATH, "(./configure && ../bin/x)", "[./configure][../bin/x]");
    expect(PATTERN_PATH, "open C:\\Users\\Me\\a.txt now", "[C:\\Users\\Me\\a.txt]");
    expect(PATTERN_PATH, "打开C:\\Users\\test文件夹，然后 “C:\\Temp” «\u00a0C:\\T\xc2\xa0» C:\\用户\\a.txt",
           "[C:\\Users\\test][C:\\Temp][C:\\T][C:\\用户\\a.txt]");
    expect(PATTERN_PATH, "C:\\2024年\\报告.txt C:\\ผู้ใช้\\a", "[C:\\2024年\\报告.txt][C:\\ผู้ใช้\\a]");
    expect(PATTERN_PATH, "/etc/fstab을 src/main.c에서", "[/etc/fstab][src/main.c]");
    expect(PATTERN_PATH, "/srv/Größe/a.txt ~/Téléchargements/b.pdf /дом/файл",
           "[/srv/Größe/a.txt][~/Téléchargements/b.pdf][/дом/файл]");
    expect(PATTERN_PATH, "edit src/main.c; файл /usr/share здесь", "[src/main.c][/usr/share]");
    NONE(PATTERN_PATH, "결과/no/maybe", "and/or", "km/h", "1/2", "/etc", "a / b / c", "</b>", "http://x.y/z",
         "12/05/2024", "//x/y", "w/o", "C:", "either/or.");
}

/* A text without blanks goes on behind an address; in another one, names of such scripts are part of it. */
static void unspaced_names_of_urls(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"详见 https://example.com/docs/了解更多。", "[https://example.com/docs/]"},
        {"详见 (https://example.com/docs/了解更多)", "[https://example.com/docs/]"},
        {"2024年3月1日: https://example.com/docs/了解更多", "[https://example.com/docs/]"},
        {"詳細は https://example.com/docs/を参照してください。", "[https://example.com/docs/]"},
        {"https://www.debian.org/doc/をご覧ください。", "[https://www.debian.org/doc/]"},
        {"https://example.com/docs/了解API，再见", "[https://example.com/docs/]"},
        {"https://example.com/docs/了解更多 请看", "[https://example.com/docs/]"},
        {"API v2: https://example.com/docs/了解更多。", "[https://example.com/docs/]"},
        {"见 https://example.com/a/上的文档", "[https://example.com/a/]"},
        {"请访问 https://example.com/?id=了解更多", "[https://example.com/?id=]"},
        {"ดู https://example.com/docs/สำหรับข้อมูล", "[https://example.com/docs/]"},
        {"https://example.com/docs/สำหรับข้อมูล", "[https://example.com/docs/]"},
        {"https://zh.x.org/wiki/日本", "[https://zh.x.org/wiki/日本]"},
        {"see https://ja.wikipedia.org/wiki/日本 here", "[https://ja.wikipedia.org/wiki/日本]"},
        {"https://x.org/wiki/日本?a=東京23区, see", "[https://x.org/wiki/日本?a=東京23区]"},
        {"“http://x.org/a/日b本” 见", "[http://x.org/a/]"},
        {"a “http://x.org/a/日b本” or http://x.org/a/日本을", "[http://x.org/a/日b本][http://x.org/a/日本]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(PATTERN_URL, cases[i][0], cases[i][1]);
}

static void mentions(void **state)
{
    (void)state;
    expect(PATTERN_MENTION, "@user_1: #Hello #größe #日本 #12!", "[@user_1][#Hello][#größe][#日本][#12]");
    expect(PATTERN_MENTION, "@tanakaさんが #5を @李四。", "[@tanaka][#5][@李四]");
    expect(PATTERN_MENTION, "#日本#東京#大阪", "[#日本][#東京][#大阪]");
    expect(PATTERN_MENTION, "#话题# 很好 (#世界杯#) #话题#。#1# #日本#東京 @日本#",
           "[#话题#][#世界杯#][#话题#][#1][#日本][#東京][@日本]");
    expect(PATTERN_MENTION, "#one C# #two F# #three #NBA# @ana #x y #z it#",
           "[#one][#two][#three][#NBA][@ana][#x]");
    NONE(PATTERN_MENTION, "#Come back to me#", "#Come back!# Yes", "#Reviens, mon été# la");
    NONE(PATTERN_MENTION, "# Title", "## 标题 ##", "# 标题 #", "话题#", "서울@강남구", "a@b.de", "C#", "# x",
         "@", "##", "&#39;", "x.org/#top", "##a");
}

static void markup(void **state)
{
    (void)state;
    expect(PATTERN_MARKUP, "a <b>c</b><br/><br /> <a href=\"x\">",
           "[<b>][</b>][<br/>][<br />][<a href=\"x\">]");
    expect(PATTERN_MARKUP, "<!-- a <b> --> <ns:tag-1 x='1'/>", "[<!-- a <b> -->][<ns:tag-1 x='1'/>]");
    expect(PATTERN_MARKUP,
           "<0>the <1/>car</0> <2 /> <00:00:19.000> <v Anna>Hi</v> <v.loud É> <c.red> <lang en>",
           "[<0>][<1/>][</0>][<2 />][<00:00:19.000>][<v Anna>][</v>][<v.loud É>][<c.red>][<lang en>]");
    NONE(PATTERN_MARKUP, "a <3 b and c > d", "a <3 b/> c", "<0>a</1", "a <v and c> d", "<1.2>", "<12>");
    NONE(PATTERN_MARKUP, "a < b > c", "a <b and c> d", "<>", "</>", "<1>", "<b", "<me@x.org>", "<!-- a", "->",
         "<b <c");
}

static void entities(void **state)
{
    (void)state;
    expect(PATTERN_ENTITY, "Q&amp;A &lt;&#39;&#x27; &eacute;", "[&amp;][&lt;][&#39;][&#x27;][&eacute;]");
    NONE(PATTERN_ENTITY, "a & b;", "&;", "&#;", "&amp", "AT&T", "&a;");
}

static void variables(void **state)
{
    (void)state;
    expect(PATTERN_VARIABLE,
           "{% if user %}He{% endif %} {{#if user}}He{{/if}} {{cite |url=x |title=A B}} {{}}",
           "[{% if user %}][{% endif %}][{{#if user}}][{{/if}}][{{cite |url=x |title=A B}}][{{}}]");
    NONE(PATTERN_VARIABLE, "{{ open\n }}", "{{ open", "{% open }}");
    expect(PATTERN_VARIABLE, "%s of %d: %1$s, %-5.2f, %ld%%", "[%s][%d][%1$s][%-5.2f][%ld][%%]");
    expect(PATTERN_VARIABLE, "Column 5 %-10s", "[%-10s]");
    expect(PATTERN_VARIABLE, "%.1fMB %dKB %(size).1f %dx%d %dh %02dm %1$ss %*dpx %sths %sth",
           "[%.1f][%d][%(size).1f][%d][%d][%d][%02d][%1$s][%*d][%s]");
    expect(PATTERN_VARIABLE, "%%d 100%% of %%%s %Y-%m-%d %H:%M %S년", "[%%][%%][%s][%Y][%m][%d][%H][%M][%S]");
    NONE(PATTERN_VARIABLE, "50 %discount", "50 %de", "%50den", "%20si", "a %-ban", "%5M", "%Month", "100%%%",
         "%1.5den", "%D0%B0", "%Mİd");
    expect(PATTERN_VARIABLE, "%(name)s %{x} %1 %PRODUCTNAME.", "[%(name)s][%{x}][%1][%PRODUCTNAME]");
    expect(PATTERN_VARIABLE, "{name} {0} {} {{x}} {a.b:5}", "[{name}][{0}][{}][{{x}}][{a.b:5}]");
    expect(PATTERN_VARIABLE, "${x} $HOME $(ARG1) $[x] #{y}", "[${x}][$HOME][$(ARG1)][$[x]][#{y}]");
    expect(PATTERN_VARIABLE, "{ x } { $user } { -term } {a[0]} {f(x)} ${x[0]} ${f(x)} {a,number,#.#}",
           "[{ x }][{ $user }][{ -term }][{a[0]}][{f(x)}][${x[0]}][${f(x)}][{a,number,#.#}]");
    expect(PATTERN_VARIABLE, "{0, date, short} {n, number} {t, date, dd MMM}",
           "[{0, date, short}][{n, number}][{t, date, dd MMM}]");
    expect(PATTERN_VARIABLE, "{n, select, male {his} other {{n} of {x}}} {x} {n, plural, one{a} other{#}}",
           "[{n}][{x}][{x}]");
    expect(PATTERN_VARIABLE,
           "{\\pos(190,230)}a {\\an8\\clip(m 1 2)} {\\fad(200,300)\\be1} {\\fnTimes New\\b1} {\\i0}",
           "[{\\pos(190,230)}][{\\an8\\clip(m 1 2)}][{\\fad(200,300)\\be1}][{\\fnTimes New\\b1}][{\\i0}]");
    NONE(PATTERN_VARIABLE, "{\\em a text}", "{\\em (a text)}", "{ a, b }", "{a, b}", "{0, dated}", "{ 日 }",
         "{ a");
    expect(PATTERN_VARIABLE, "Файл %s не найден, %1을(를) %PRODUCTNAME의", "[%s][%1][%PRODUCTNAME]");
    expect(PATTERN_VARIABLE, "f() or ( ), [], [ ], <>: a\\n\\t. “” « »",
           "[()][( )][[]][[ ]][<>][\\n][\\t][“”][« »]");
    expect(PATTERN_VARIABLE, "Gone.\\nThe end:\\nÉté\\n\\nX\\n", "[\\n][\\n][\\n][\\n][\\n]");
    NONE(PATTERN_VARIABLE, "C:\\nT", "z:\\tÉ", "%20a", "a\\name");
    NONE(PATTERN_VARIABLE, "10 %-a", "5\u00a0%-e", "100% sure", "50%d", "5 % of", "{ hr : muslim }", "$5",
         "{", "%", "a{b c}", "% d", "$", "%discount", "100%.", "%50 arttı", "%100 pamuk", "%7,5", "%7.5",
         "{日本}", "(  )", "(a)", "[", "C:\\new", "\\");
}

/* What is behind an escape begins a word; backslashes of paths are none. */
static void escapes(void **state)
{
    (void)state;
    expect(PATTERN_VARIABLE, "saved.\\nplease sure\\nyou Name:\\t25\\nSize:\\t30\\r\\n\\nmore",
           "[\\n][\\n][\\t][\\n][\\t][\\r][\\n][\\n]");
    expect(PATTERN_VARIABLE, "Yes,\\Nplease.\\NNow a\\hb \\n\\nusage", "[\\N][\\N][\\h][\\n][\\n]");
    expect(PATTERN_VARIABLE, "OK \\Nyes... Wait...\\nand {n}\\nplease 50%\\nof", "[\\N][\\n][{n}][\\n][\\n]");
    expect(PATTERN_VARIABLE, "Error: \\nthe C:\\Data is full\\nplease {n}\\nitems", "[\\n][\\n][{n}][\\n]");
    expect(PATTERN_VARIABLE, "(sighs)\\NWhat?", "[\\N]");
    expect(PATTERN_VARIABLE, "{\\an8}Hello.\\NYou", "[{\\an8}][\\N]");
    expect(PATTERN_VARIABLE, "see Figure~\\ref{a} and (\\nameref{b})", "[{a}][{b}]");
    NONE(PATTERN_VARIABLE, "Run .\\tests\\run.ps1", "see ..\\new.txt.", "(.\\run.bat)", "the \\hline",
         "$\\theta$ and {\\rm x}", "in C:\\Program Files\\nmt", "~\\notes.txt",
         "C:\\Program Files (x86)\\nodejs\\node.exe", "is 100 %*effektiv*", "%*items", "~\\notes",
         "the \\nu, \\not x", "$\\nu x$", "$\\ne y$");
    expect(PATTERN_VARIABLE, "$\\nthing{5}$", "[{5}]");
    NONE(PATTERN_VARIABLE, "\\frac12\\times 3");
    expect(PATTERN_VARIABLE, "5$\\nplease, {\\nreturn 1;} datoteku \\nu mapi", "[\\n][\\n][\\n]");
    expect(PATTERN_VARIABLE, "^{T}\\nabla \\frac{1}{2}\\times", "[{T}][{1}][{2}]");
    expect(PATTERN_VARIABLE, "in {path}\\nerror.log: \\tdefault C:\\Data and Retry\\nor",
           "[{path}][\\n][\\t][\\n]");
    NONE(PATTERN_VARIABLE, "Note: \\textbf{it is}");
    expect(PATTERN_VARIABLE, "%TEMP%\\tools", "[%TEMP]");
    expect(PATTERN_VARIABLE, "100%\\nof", "[\\n]");
    expect(PATTERN_VARIABLE, "C:\\Data \\nsize:", "[\\n]");
    expect(PATTERN_VARIABLE, "%APPDATA%\\nmt\\models {app}\\readme.txt", "[%APPDATA][{app}]");
    expect(PATTERN_VARIABLE, "\\textbf{x}", "[{x}]");
    NONE(PATTERN_VARIABLE, "in C:\\new\\table", "on \\\\server\\new\\table", "src\\new",
         "in \"src\\new.txt\".", "C:\\Program Files\\nmt\\x", "NT\\Nina", "a.\\D\\n2", "\\d\\tx");
    expect(PATTERN_PATH, "Name:\\t/home/ana/a.txt saved.\\nC:\\new\\table",
           "[/home/ana/a.txt][C:\\new\\table]");
    expect(PATTERN_URL, "Name:\\thttps://a.org/x\\nwww.b.org", "[https://a.org/x][www.b.org]");
    expect(PATTERN_EMAIL, "Name:\\tana@example.org\\n", "[ana@example.org]");
    expect(PATTERN_DATE, "Name:\\t2024-05-12", "[2024-05-12]");
    expect(PATTERN_MENTION, "Name:\\t@ana", "[@ana]");
    expect(PATTERN_IDENTIFIER, "Name:\\tfoo_bar", "[foo_bar]");
}

static void code(void **state)
{
    (void)state;
    expect(PATTERN_CODE, "`ls`를, 이`dir`", "[`ls`][`dir`]");
    expect(PATTERN_CODE, "run `ls -l` (or `dir`), 用`x`了", "[`ls -l`][`dir`][`x`]");
    NONE(PATTERN_CODE, "ג`ון וצ`רלי באו", "ג`ורג`", "it`s not what you don`t", "``quoted''", "` x `", "`",
         "a `b", "``");
}

static void emoji(void **state)
{
    (void)state;
    expect(PATTERN_EMOJI, "a🙂b 👍🏽! 👨‍👩‍👧‍👦 🏳️‍🌈.",
           "[🙂][👍🏽][👨‍👩‍👧‍👦][🏳️‍🌈]");
    expect(PATTERN_EMOJI, "🇩🇪🇫🇷 ❤️ ☕ 1️⃣ ©️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
           "[🇩🇪🇫🇷][❤️][☕][1️⃣][©️][🏴󠁧󠁢󠁥󠁮󠁧󠁿]");
    expect(PATTERN_EMOJI, "😀😃 😄", "[😀😃][😄]");
    NONE(PATTERN_EMOJI, "1 # *", "©", "→ € ½", "日本語", "\xe2\x80\x8d", ":-)", "\xef\xb8\x8f");
}

static void quantities(void **state)
{
    (void)state;
    expect(PATTERN_QUANTITY, "5 kg, 35GHz; 20\xc2\xa0°C (100 km/h).",
           "[5 kg][35GHz][20\xc2\xa0°C][100 km/h]");
    expect(PATTERN_QUANTITY, "5 kmです 重さ5kg。 12 µm", "[5 km][5kg][12 µm]");
    expect(PATTERN_QUANTITY, "20\u2009kg, 2010 500 kg", "[20\u2009kg][500 kg]");
    expect(PATTERN_QUANTITY, "5GB까지, 3 A", "[5GB][3 A]");
    expect(PATTERN_QUANTITY, "25  kg, 5\u00a0 °C, 5   kg", "[25  kg][5\u00a0 °C]");
    expect(PATTERN_QUANTITY, "3 A-, 5 l' 5 km-es 12 V-24", "[3 A][5 l][5 km][12 V]");
    expect(PATTERN_QUANTITY, "5 MB/s 3 kg/4 kg 10 m/ 5 W/m²", "[5 MB/s][3 kg][4 kg][10 m][5 W/m²]");
    NONE(PATTERN_QUANTITY, "120 km/t", "60 km/giờ", "5 mg/dl", "120 km/小时");
    NONE(PATTERN_QUANTITY, "2020 l'Italia", "2019 l’entreprise", "1990 m-am", "3 V-os");
    NONE(PATTERN_QUANTITY, "10’000 km", "5 000 kg", "10\u202f000 km", "2 men", "3.5 kg", "1,5 l", "16 bit",
         "80s", "5 gold", "x5 kg", "1 a", "kg", "5", "5-kg", "2.0.5.kg", "5 in");
}

static void dates(void **state)
{
    (void)state;
    expect(PATTERN_DATE, "2024-05-12, 9:05:30", "[2024-05-12][9:05:30]");
    expect(PATTERN_DATE, "at 12:30 or 2024-05-12T12:30:05Z.", "[12:30][2024-05-12T12:30:05Z]");
    expect(PATTERN_DATE, "まで2024-05-12です", "[2024-05-12]");
    expect(PATTERN_DATE, "12:30에", "[12:30]");
    NONE(PATTERN_DATE, "1-2", "12/05/2024", "1.5.24", "1990-95", "3:2", "12:345", "1.2", "2024-05-12-1",
         "a12:30", "192.168.0.1", "1/2");
}

static void versions(void **state)
{
    (void)state;
    expect(PATTERN_VERSION, "2.0.4, v1.2 1.2.3-rc1. 192.168.0.1", "[2.0.4][v1.2][1.2.3-rc1][192.168.0.1]");
    expect(PATTERN_VERSION, "eth0 192.168.0.1, ping 4 127.0.0.1", "[192.168.0.1][127.0.0.1]");
    expect(PATTERN_VERSION, "2.0.4는 v1.2입니다", "[2.0.4][v1.2]");
    NONE(PATTERN_VERSION, "1.5", "1..2", "v", "v2", "1.2.", "nv1.2", "1,2,3", "3.14");
}

static void numbers(void **state)
{
    (void)state;
    expect(PATTERN_NUMBER, "in 1990, order 12345678. (404) №555", "[1990][12345678][404][555]");
    expect(PATTERN_NUMBER, "в 1990 году 第100回", "[1990][100]");
    expect(PATTERN_NUMBER, "in 2010 500 of 1234 567", "[2010][500][1234][567]");
    expect(PATTERN_NUMBER, "1500원 2024ல் በ2016 ב2024", "[1500][2024][2016][2024]");
    expect(PATTERN_NUMBER, "call +34 93 123 45 67, 0912 345 678 or 011 123 456.",
           "[+34 93 123 45 67][0912 345 678][011 123 456]");
    expect(PATTERN_NUMBER, "06 12 34 56 78, 030\u00a012345678 +33 6 12 34 56 78; +32 2 123 45 67",
           "[06 12 34 56 78][030\u00a012345678][+33 6 12 34 56 78][+32 2 123 45 67]");
    expect(PATTERN_NUMBER, "020 7946 0123 020 7946 0124 +1 555 123 4567x",
           "[020 7946 0123][020][7946][0124]");
    expect(PATTERN_NUMBER, "+49 30 1234567 2024 Leute, 0171 2345678 500 +49 171 234567 89",
           "[+49 30 1234567][2024][0171 2345678][500][+49 171 234567 89]");
    expect(PATTERN_NUMBER, "+4989636 48018, +91 987654 3210, +49 1761234 5678",
           "[+4989636 48018][+91 987654 3210][+49 1761234 5678]");
    expect(PATTERN_NUMBER, "555-123-4567, +7-843-292-45-67 or 292-45-67; 978-3-16-148410-0",
           "[555-123-4567][+7-843-292-45-67][292-45-67][978-3-16-148410-0]");
    expect(PATTERN_NUMBER, "03-1234567; 010-12341234; 01-234567 or 13-1234567", "[03-1234567][010-12341234]");
    NONE(PATTERN_NUMBER, "12-34", "1-2-3", "a555-123-4567", "555-123-4567x", "12-10-1990", "5-12-2023");
    expect(PATTERN_NUMBER, "born 05 12 1990, 1 02 03 04 05 06", "[1990]");
    NONE(PATTERN_NUMBER, "+1 250 000 000 €", "+1 000 000", "+10 000", "0 10 20 30 40", "a+34 93 12 34 56",
         "C++11 14 17 20 23", "05 12", "02 03 04 05 6", "01 02 03 04", "05 000 000");
    NONE(PATTERN_NUMBER, "100’000", "1٬000", "10’000 Franken");
    expect(PATTERN_NUMBER, "250  000", "[250][000]");
    NONE(PATTERN_NUMBER, "1990kg", "150h", "1 250 000 people", "10 000 euros", "10\u00a0000 €",
         "250\u202f000");
    NONE(PATTERN_NUMBER, "2 men", "12", "1,234", "1990s", "B1234", "1234.5", "0.125", "1990-1995", "100x");
}

static void identifiers(void **state)
{
    (void)state;
    expect(PATTERN_IDENTIFIER, "shar.es, foo_bar (ISO-8859-1) B2B OpenGL.",
           "[shar.es][foo_bar][ISO-8859-1][B2B][OpenGL]");
    expect(PATTERN_IDENTIFIER, "LibreOffice-Hilfe RFC-822 UTF-8", "[LibreOffice][RFC-822][UTF-8]");
    expect(PATTERN_IDENTIFIER, "Node.js i386 libfoo2 4K 3D x_y 用LibreOffice和",
           "[Node.js][i386][libfoo2][4K][3D][x_y][LibreOffice]");
    NONE(PATTERN_IDENTIFIER, "2nd 1990s", "e.g. U.S.A. a.m", "so-called 64-bit", "USA GUIs", "end.Then",
         "1.5", "word", "Éa1", "-", "x", "16bit", "A-B", "it's", "...", "1.a");
}

/* The longest string counts, and kinds that are not asked for are text. */
static void kinds_together(void **state)
{
    (void)state;
    const char text[] = "1.2.3 http://x.y/1.2.3";
    struct pattern_string string;
    size_t at = 0;
    const struct patterns patterns = {.kinds = PATTERN_SET(PATTERN_URL) | PATTERN_SET(PATTERN_VERSION)};
    assert_true(patterns_next(&string, text, strlen(text), &at, &patterns));
    assert_true(string.span.begin == 0 && string.span.end == 5);
    assert_true(patterns_next(&string, text, strlen(text), &at, &patterns));
    assert_true(string.span.begin == 6 && at == strlen(text));
    assert_false(patterns_next(&string, text, strlen(text), &at, &patterns));
    at = 0;
    assert_false(patterns_next(&string, text, strlen(text), &at, &(struct patterns){.kinds = 0}));
    assert_int_equal(at, strlen(text));
}

/* A quarter of a megabyte of what almost begins a string at every place, and an end that spoils a version. */
static void time_is_linear(void **state)
{
    (void)state;
    static const char *const troubles[] = {"a",      "1",    "a.",   "<a",  "<!--",     "`",    "{",    "%(",
                                           "1.1.",   "$(",   "/a",   "a-",  "&a",       "www.", "🙂", "a@",
                                           "#",      "<a ",  "x://", "1:",  "http://(", "é",    "a.b@", "5 ",
                                           "1.1.1+", "é.",   "я@",   "መጣ።", "{\\",      "<0>",  "}{",   "{a,",
                                           "a:\\n",  "#a b", "ሰ፡",   "1-",  "é。"};
    for (size_t i = 0; i < sizeof troubles / sizeof troubles[0]; i++) {
        struct strbuf text;
        struct pattern_string string;
        size_t at = 0;
        strbuf_init(&text);
        while (text.length < 250000)
            strbuf_adds(&text, troubles[i]);
        strbuf_adds(&text, "1,5");
        while (patterns_next(&string, text.text, text.length, &at, &(struct patterns){.kinds = ~0u}))
            assert_true(string.span.begin < string.span.end && string.span.end == at && at <= text.length);
        strbuf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls),           cmocka_unit_test(emails),
        cmocka_unit_test(paths),          cmocka_unit_test(unspaced_names_of_urls),
        cmocka_unit_test(mentions),       cmocka_unit_test(markup),
        cmocka_unit_test(entities),       cmocka_unit_test(variables),
        cmocka_unit_test(escapes),        cmocka_unit_test(code),
        cmocka_unit_test(emoji),          cmocka_unit_test(quantities),
        cmocka_unit_test(dates),          cmocka_unit_test(versions),
        cmocka_unit_test(numbers),        cmocka_unit_test(identifiers),
        cmocka_unit_test(kinds_together), cmocka_unit_test(time_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
