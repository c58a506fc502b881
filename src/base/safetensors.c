/* Reads and writes safetensors files. Which tensors a model has is known to model_file.c and checkpoint.c. */
#include "safetensors.h"

#include "checksum.h"
#include "json.h"
#include "mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MAX_BYTES ((uint64_t)100 << 20)
#define DATA_ALIGNMENT 64

static const struct {
    const char *name;
    size_t bytes;
} types[] = {[TENSOR_F32] = {"F32", 4},
             [TENSOR_F64] = {"F64", 8},
             [TENSOR_I32] = {"I32", 4},
             [TENSOR_I64] = {"I64", 8}};

#define TYPE_COUNT (sizeof types / sizeof types[0])

#define CHECKSUM_KEY "checksum"

/* ---- checksum ---- */

static void checksum_of(char *digits, const struct tensor *tensors, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = checksum_add(sum, tensors[i].data, tensors[i].bytes);
    checksum_print(digits, sum);
}

/* Files of other programs have none. */
static int check_checksum(const struct safetensors *file, struct err *err)
{
    const char *expected = safetensors_metadata(file, CHECKSUM_KEY);
    char digits[CHECKSUM_DIGITS + 1];
    if (!expected)
        return 0;
    checksum_of(digits, file->tensors, file->count);
    return strcmp(digits, expected)
               ? err_set(err, "cannot read '%s': damaged, its checksum does not fit", file->path)
               : 0;
}

/* ---- reading ---- */

/* Reads a whole number in [0, 2^53]. */
static int whole(const struct json *value, int64_t *number)
{
    if (!value || json_kind(value) != JSON_NUMBER)
        return -1;
    const double d = json_number(value);
    if (!(d >= 0 && d <= 0x1p53) || d != floor(d))
        return -1;
    *number = (int64_t)d;
    return 0;
}

static int read_type(struct tensor *tensor, const struct json *entry)
{
    const struct json *type = json_member(entry, "dtype");
    if (!type || json_kind(type) != JSON_STRING)
        return -1;
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (!strcmp(types[i].name, json_string(type))) {
            tensor->type = (enum tensor_type)i;
            return 0;
        }
    return -1;
}

/* Reads the shape; sets `bytes` to the size that it implies. */
static int read_shape(struct tensor *tensor, const struct json *entry)
{
    const struct json *shape = json_member(entry, "shape");
    if (!shape || json_kind(shape) != JSON_ARRAY)
        return -1;
    tensor->bytes = types[tensor->type].bytes;
    for (const struct json *dim = json_first(shape); dim; dim = json_next(dim)) {
        if (tensor->dims == TENSOR_MAX_DIMS || whole(dim, &tensor->shape[tensor->dims]))
            return -1;
        if (__builtin_mul_overflow(tensor->bytes, (size_t)tensor->shape[tensor->dims++], &tensor->bytes))
            return -1;
    }
    return 0;
}

/* `expected` is where the tensor must begin: the format allows no holes and no overlaps. */
static int read_entry(struct safetensors *file, const struct json *entry, size_t data_bytes, struct err *err)
{
    struct tensor *tensor = &file->tensors[file->count];
    memset(tensor, 0, sizeof *tensor);
    const char *name = json_key(entry);
    if (json_kind(entry) != JSON_OBJECT)
        return err_set(err, "cannot read '%s': tensor '%s' is not an object", file->path, name);
    if (read_type(tensor, entry))
        return err_set(err, "cannot read '%s': tensor '%s' has an unknown dtype", file->path, name);
    if (read_shape(tensor, entry))
        return err_set(err, "cannot read '%s': tensor '%s' has an invalid shape", file->path, name);
    const struct json *offsets = json_member(entry, "data_offsets");
    int64_t begin, end;
    if (!offsets || json_kind(offsets) != JSON_ARRAY || whole(json_first(offsets), &begin) ||
        whole(json_next(json_first(offsets)), &end) || begin > end)
        return err_set(err, "cannot read '%s': tensor '%s' has invalid offsets", file->path, name);
    if ((size_t)end > data_bytes)
        return err_set(err, "cannot read '%s': tensor '%s' lies beyond the end of the file (truncated?)",
                       file->path, name);
    if ((size_t)(end - begin) != tensor->bytes)
        return err_set(err, "cannot read '%s': tensor '%s' has %lld bytes where its shape says %zu",
                       file->path, name, (long long)(end - begin), tensor->bytes);
    tensor->data = file->image.data + (file->image.bytes - data_bytes) + begin;
    tensor->name = xstrdup(name);
    file->count++;
    return 0;
}

static int by_data(const void *a, const void *b)
{
    const struct tensor *s = a, *t = b;
    if (s->data != t->data)
        return (uintptr_t)s->data < (uintptr_t)t->data ? -1 : 1;
    return s->bytes < t->bytes ? -1 : s->bytes > t->bytes;
}

static int check_coverage(struct safetensors *file, const unsigned char *data, struct err *err)
{
    if (file->count)
        qsort(file->tensors, file->count, sizeof *file->tensors, by_data);
    const unsigned char *end = data;
    for (size_t i = 0; i < file->count; i++) {
        if ((const unsigned char *)file->tensors[i].data != end)
            return err_set(err, "cannot read '%s': tensor '%s' overlaps another one or leaves a hole",
                           file->path, file->tensors[i].name);
        end += file->tensors[i].bytes;
    }
    if (end != file->image.data + file->image.bytes)
        return err_set(err, "cannot read '%s': %zu bytes behind the last tensor", file->path,
                       (size_t)(file->image.data + file->image.bytes - end));
    return 0;
}

static int read_header(struct safetensors *file, struct err *err)
{
    uint64_t header_bytes = 0;
    if (file->image.bytes >= 8)
        for (int i = 7; i >= 0; i--)
            header_bytes = header_bytes << 8 | file->image.data[i];
    if (file->image.bytes < 8 || header_bytes > file->image.bytes - 8 || header_bytes > HEADER_MAX_BYTES)
        return err_set(err, "cannot read '%s': not a safetensors file, or truncated in its header",
                       file->path);
    file->header = json_parse((const char *)file->image.data + 8, header_bytes, file->path, err);
    if (!file->header)
        return -1;
    if (json_kind(file->header) != JSON_OBJECT)
        return err_set(err, "cannot read '%s': the header is not a JSON object", file->path);
    size_t entries = 0;
    for (const struct json *entry = json_first(file->header); entry; entry = json_next(entry))
        entries++;
    file->tensors = xcalloc(entries, sizeof *file->tensors);
    const size_t data_bytes = file->image.bytes - 8 - header_bytes;
    for (const struct json *entry = json_first(file->header); entry; entry = json_next(entry))
        if (strcmp(json_key(entry), "__metadata__") && read_entry(file, entry, data_bytes, err))
            return -1;
    return check_coverage(file, file->image.data + 8 + header_bytes, err);
}

int safetensors_open(struct safetensors *file, const char *path, struct err *err)
{
    memset(file, 0, sizeof *file);
    file->path = xstrdup(path);
    if (file_image_read(&file->image, path, err) || read_header(file, err) || check_checksum(file, err)) {
        safetensors_close(file);
        return -1;
    }
    return 0;
}

void safetensors_close(struct safetensors *file)
{
    for (size_t i = 0; i < file->count; i++)
        xfree(file->tensors[i].name);
    xfree(file->tensors);
    json_free(file->header);
    file_image_release(&file->image);
    xfree(file->path);
    memset(file, 0, sizeof *file);
}

const struct tensor *safetensors_find(const struct safetensors *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (!strcmp(file->tensors[i].name, name))
            return &file->tensors[i];
    return NULL;
}

static void print_shape(char *text, size_t bytes, int dims, const int64_t *shape)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < dims && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%lld", i ? "x" : "", (long long)shape[i]);
}

const struct tensor *safetensors_expect(const struct safetensors *file, const char *name,
                                        enum tensor_type type, int dims, const int64_t *shape,
                                        struct err *err)
{
    const struct tensor *tensor = safetensors_find(file, name);
    if (!tensor) {
        err_set(err, "cannot read '%s': no tensor '%s'", file->path, name);
        return NULL;
    }
    if (tensor->type != type) {
        err_set(err, "cannot read '%s': tensor '%s' is %s where %s is needed", file->path, name,
                types[tensor->type].name, types[type].name);
        return NULL;
    }
    bool same = tensor->dims == dims;
    for (int i = 0; same && i < dims; i++)
        same = shape[i] < 0 || tensor->shape[i] == shape[i];
    if (!same) {
        char has[96], needs[96];
        print_shape(has, sizeof has, tensor->dims, tensor->shape);
        print_shape(needs, sizeof needs, dims, shape);
        err_set(err, "cannot read '%s': tensor '%s' is %s where the model needs %s", file->path, name, has,
                needs);
        return NULL;
    }
    return tensor;
}

const char *safetensors_metadata(const struct safetensors *file, const char *key)
{
    const struct json *metadata = json_member(file->header, "__metadata__");
    if (!metadata || json_kind(metadata) != JSON_OBJECT)
        return NULL;
    const struct json *value = json_member(metadata, key);
    return value && json_kind(value) == JSON_STRING ? json_string(value) : NULL;
}

/* ---- writing ---- */

static void make_header(struct strbuf *text, const struct tensor *tensors, size_t count,
                        const char *const *metadata, size_t pairs)
{
    struct json *header = json_new_object();
    struct json *meta = json_set_object(header, "__metadata__");
    char checksum[CHECKSUM_DIGITS + 1];
    json_set_string(meta, "format", "pt");
    checksum_of(checksum, tensors, count);
    json_set_string(meta, CHECKSUM_KEY, checksum);
    for (size_t i = 0; i < pairs; i++)
        json_set_string(meta, metadata[2 * i], metadata[2 * i + 1]);
    size_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        const struct tensor *tensor = &tensors[i];
        struct json *entry = json_set_object(header, tensor->name);
        double shape[TENSOR_MAX_DIMS];
        for (int d = 0; d < tensor->dims; d++)
            shape[d] = (double)tensor->shape[d];
        json_set_string(entry, "dtype", types[tensor->type].name);
        json_set_array(entry, "shape", shape, tensor->dims);
        json_set_array(entry, "data_offsets", (double[]){(double)offset, (double)(offset + tensor->bytes)},
                       2);
        offset += tensor->bytes;
    }
    json_print(header, false, text);
    json_free(header);
    /* Blanks after the header align the tensors to a cache line, so that a file in memory can be used in
     * place. */
    while ((8 + text->length) % DATA_ALIGNMENT)
        strbuf_addch(text, ' ');
}

int safetensors_save(const char *path, const struct tensor *tensors, size_t count,
                     const char *const *metadata, size_t pairs, struct err *err)
{
    struct writer writer;
    if (writer_open(&writer, path, err))
        return -1;
    struct strbuf header;
    strbuf_init(&header);
    make_header(&header, tensors, count, metadata, pairs);
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)header.length >> 8 * i);
    int status = writer_write(&writer, length, sizeof length, err);
    if (!status)
        status = writer_write(&writer, header.text, header.length, err);
    for (size_t i = 0; i < count && !status; i++)
        status = writer_write(&writer, tensors[i].data, tensors[i].bytes, err);
    strbuf_release(&header);
    if (status) {
        writer_abort(&writer);
        return -1;
    }
    return writer_commit(&writer, err);
}
