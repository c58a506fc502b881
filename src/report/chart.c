/* Draws curves as SVG with axes, ticks and legend. What to draw is up to the caller. */
#include "chart.h"

#include "err.h"
#include "html.h"
#include "utf8_check.h"

#include <math.h>
#include <stdio.h>

/* In pixels; small enough that labels stay legible on a phone. */
#define WIDTH 400
#define HEIGHT 210
#define LEFT 54
#define RIGHT 28
#define TOP 24
#define BOTTOM 42
#define MOST_TICKS 5
#define LEAST_TICKS 3 /* on a logarithmic scale */
#define MOST_POWERS 6
#define LARGEST 1e300 /* largest value shown; a scale may extend further */
#define MAX_TICKS 64
#define FEW_POINTS 12 /* so few points are marked */
#define MOST_NAME 24  /* characters of a series' name in tooltips */

/* ---- scales ---- */

struct scale {
    double low, high; /* values */
    double from, to;  /* pixels */
    bool logarithmic;
};

static double place(const struct scale *scale, double value)
{
    const double part = scale->logarithmic
                            ? (log(value) - log(scale->low)) / (log(scale->high) - log(scale->low))
                            : (value - scale->low) / (scale->high - scale->low);
    return scale->from + part * (scale->to - scale->from);
}

static bool shown(const struct chart *chart, const struct chart_series *s, size_t i)
{
    return fabs(s->x[i]) <= LARGEST && fabs(s->y[i]) <= LARGEST && (!chart->logarithmic || s->y[i] > 0);
}

static void stretch(struct scale *scale, double value)
{
    scale->low = fmin(scale->low, value);
    scale->high = fmax(scale->high, value);
}

/* A step of 1, 2 or 5 times a power of ten that divides `width` into at most MOST_TICKS parts. */
static double tick_step(double width)
{
    const double power = pow(10, floor(log10(width / MOST_TICKS))), part = width / MOST_TICKS / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Rounds the ends outwards to ticks; widens a scale of a single value. */
static void round_ends(struct scale *scale)
{
    if (scale->low > scale->high)
        scale->low = scale->logarithmic, scale->high = 10;
    if (scale->logarithmic) {
        scale->low *= 0.95;
        scale->high *= 1.05;
        return;
    }
    if (scale->low == scale->high)
        scale->high += fmax(fabs(scale->high), 1);
    const double step = tick_step(scale->high - scale->low);
    scale->low = floor(scale->low / step + 1e-9) * step;
    scale->high = ceil(scale->high / step - 1e-9) * step;
}

/* Ticks of a logarithmic scale at 1, 2 and 5 times powers of ten; over more than three powers, at powers
 * alone, over many, at some. Returns how many. */
static int powers_of_ten(double ticks[MAX_TICKS], const struct scale *scale)
{
    static const int digits[] = {1, 2, 5};
    const int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high)),
              stride = (last - first + MOST_POWERS - 1) / MOST_POWERS;
    const int digit_count = log10(scale->high) - log10(scale->low) > 3 ? 1 : 3;
    int count = 0;
    for (int power = first; power <= last; power += stride)
        for (int d = 0; d < digit_count; d++) {
            const double tick = digits[d] * pow(10, power);
            if (tick >= scale->low && tick <= scale->high)
                ticks[count++] = tick;
        }
    return count;
}

/* Returns the number of ticks. A logarithmic scale with too few is narrow enough for evenly spaced ones. */
static int take_ticks(double ticks[MAX_TICKS], const struct scale *scale)
{
    if (scale->logarithmic) {
        const int count = powers_of_ten(ticks, scale);
        if (count >= LEAST_TICKS)
            return count;
    }
    const double width = scale->high - scale->low, step = tick_step(width);
    const double first = ceil(scale->low / step - 1e-9), end = scale->high + 1e-6 * width;
    int count = 0; /* counted as int: between huge, close numbers, adding a step may change nothing */
    for (; count < MAX_TICKS && (first + count) * step <= end; count++)
        ticks[count] = (first + count) * step;
    return count;
}

/* ---- axes ---- */

/* Appends a value in readable form: "12,000", "0.05", "3e-07". */
static void add_number(struct strbuf *out, double value)
{
    if (fabs(value) >= 10000 && fabs(value) < 1e15) {
        char digits[32];
        const int length = snprintf(digits, sizeof digits, "%.0f", value);
        for (int i = 0; i < length; i++) {
            strbuf_addch(out, digits[i]);
            if (digits[i] != '-' && i + 1 < length && (length - i - 1) % 3 == 0)
                strbuf_addch(out, ',');
        }
    } else {
        strbuf_addf(out, "%.4g", fabs(value) < 1e-12 ? 0 : value);
    }
}

static void add_x_name(struct strbuf *out, const struct chart *chart, double value)
{
    if (chart->ticks)
        html_text(out, chart->ticks[(int)value]);
    else
        add_number(out, value);
}

static void add_x_tick(struct strbuf *out, const struct chart *chart, const struct scale *x, double value)
{
    strbuf_addf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", place(x, value),
                HEIGHT - BOTTOM + 16);
    add_x_name(out, chart, value);
    strbuf_adds(out, "</text>\n");
}

static void add_axes(struct strbuf *out, const struct chart *chart, const struct scale *x,
                     const struct scale *y)
{
    double ticks[MAX_TICKS];
    const int of_y = take_ticks(ticks, y);
    for (int i = 0; i < of_y; i++) {
        strbuf_addf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, place(y, ticks[i]), WIDTH - RIGHT);
        strbuf_addf(out, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6,
                    place(y, ticks[i]) + 4);
        add_number(out, ticks[i]);
        strbuf_adds(out, "</text>\n");
    }
    const int of_x = chart->ticks ? chart->tick_count : take_ticks(ticks, x);
    for (int i = 0; i < of_x; i++)
        add_x_tick(out, chart, x, chart->ticks ? i : ticks[i]);
    strbuf_addf(out, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", WIDTH - RIGHT,
                HEIGHT - 8);
    html_text(out, chart->x_name);
    strbuf_adds(out, "</text>\n");
}

/* ---- lines ---- */

/* Appends the start of the name. */
static void add_short_name(struct strbuf *out, const char *name)
{
    size_t bytes = 0;
    for (int count = 0; name[bytes]; bytes++) {
        count += !utf8_continues(name[bytes]);
        if (count > MOST_NAME)
            break;
    }
    html_bytes(out, name, bytes);
    strbuf_adds(out, name[bytes] ? "…, " : ", ");
}

static void add_line(struct strbuf *out, const struct chart *chart, int number, const struct scale *x,
                     const struct scale *y)
{
    const struct chart_series *s = &chart->series[number];
    const char *between = "";
    strbuf_addf(out, "<polyline class=\"line color%d\" points=\"", number);
    for (size_t i = 0; i < s->count; i++)
        if (shown(chart, s, i)) {
            strbuf_addf(out, "%s%.1f,%.1f", between, place(x, s->x[i]), place(y, s->y[i]));
            between = " ";
        }
    strbuf_adds(out, "\"/>\n");
}

/* Adds the invisible area that shows a point's value: the full height if there is one line, else around
 * the point. */
static void add_hover_area(struct strbuf *out, const struct chart *chart, double at, double width,
                           double height)
{
    if (chart->series_count == 1)
        strbuf_addf(out, "<rect class=\"ground\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    at - width / 2, TOP, width, HEIGHT - TOP - BOTTOM);
    else
        strbuf_addf(out, "<circle class=\"ground\" cx=\"%.1f\" cy=\"%.1f\" r=\"9\"/>", at, height);
}

static void add_points(struct strbuf *out, const struct chart *chart, int number, const struct scale *x,
                       const struct scale *y)
{
    const struct chart_series *s = &chart->series[number];
    const double width = fmax((WIDTH - LEFT - RIGHT) / fmax((double)s->count, 1), 2);
    for (size_t i = 0; i < s->count; i++) {
        if (!shown(chart, s, i))
            continue;
        const double across = place(x, s->x[i]), up = place(y, s->y[i]);
        strbuf_adds(out, s->count <= FEW_POINTS ? "<g class=\"point few\">" : "<g class=\"point\">");
        add_hover_area(out, chart, across, width, up);
        strbuf_addf(out, "<circle class=\"dot color%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>", number, across,
                    up);
        strbuf_addf(out, "<text class=\"value\" x=\"%d\" y=\"13\" text-anchor=\"end\">", WIDTH - RIGHT);
        if (s->name)
            add_short_name(out, s->name);
        if (!chart->ticks) {
            html_text(out, chart->x_name);
            strbuf_addch(out, ' ');
        }
        add_x_name(out, chart, s->x[i]);
        strbuf_adds(out, ": ");
        html_text(out, chart->y_name);
        strbuf_addch(out, ' ');
        add_number(out, s->y[i]);
        strbuf_adds(out, "</text></g>\n");
    }
}

static void add_legend(struct strbuf *out, const struct chart *chart)
{
    strbuf_adds(out, "<ul>\n");
    for (int i = 0; i < chart->series_count; i++) {
        strbuf_addf(out,
                    "<li dir=\"auto\"><svg class=\"key\" width=\"24\" height=\"10\" aria-hidden=\"true\">"
                    "<path class=\"line color%d\" d=\"M0 5h24\"/></svg>",
                    i);
        html_text(out, chart->series[i].name);
        strbuf_adds(out, "</li>\n");
    }
    strbuf_adds(out, "</ul>\n");
}

/* Extends the scales to a series' values. */
static void fit(struct scale *x, struct scale *y, const struct chart *chart)
{
    for (int k = 0; k < chart->series_count; k++)
        for (size_t i = 0; i < chart->series[k].count; i++)
            if (shown(chart, &chart->series[k], i)) {
                stretch(x, chart->series[k].x[i]);
                stretch(y, chart->series[k].y[i]);
            }
    if (chart->ticks)
        x->low = -0.5, x->high = chart->tick_count - 0.5;
    else
        stretch(x, 0);
    if (x->low >= x->high)
        round_ends(x);
    round_ends(y);
}

static void add_title(struct strbuf *out, const struct chart *chart)
{
    html_text(out, chart->title);
    strbuf_adds(out, chart->logarithmic ? ", logarithmic scale" : "");
}

void chart_html(struct strbuf *out, const struct chart *chart)
{
    ASSERT(chart->series_count <= CHART_COLORS);
    struct scale x = {INFINITY, -INFINITY, LEFT, WIDTH - RIGHT, false},
                 y = {INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP, chart->logarithmic};
    fit(&x, &y, chart);
    strbuf_adds(out, "<figure class=\"chart\">\n<figcaption>");
    add_title(out, chart);
    strbuf_addf(out, "</figcaption>\n<svg role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"", WIDTH, HEIGHT);
    add_title(out, chart);
    strbuf_adds(out, "\">\n");
    add_axes(out, chart, &x, &y);
    for (int k = 0; k < chart->series_count; k++)
        add_line(out, chart, k, &x, &y);
    for (int k = 0; k < chart->series_count; k++)
        add_points(out, chart, k, &x, &y);
    strbuf_adds(out, "</svg>\n");
    if (chart->series_count > 1)
        add_legend(out, chart);
    strbuf_adds(out, "</figure>\n");
}

size_t chart_thin(double *thin_x, double *thin_y, size_t most, const double *x, const double *y, size_t count)
{
    const size_t parts = count < most ? count : most;
    for (size_t p = 0; p < parts; p++) {
        const size_t begin = p * count / parts, end = (p + 1) * count / parts;
        double sum = 0, finite = 0;
        for (size_t i = begin; i < end; i++)
            if (isfinite(y[i])) {
                sum += y[i];
                finite++;
            }
        thin_x[p] = x[end - 1];
        thin_y[p] = finite > 0 ? sum / finite : (double)NAN;
    }
    return parts;
}
