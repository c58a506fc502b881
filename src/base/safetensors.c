/* Reads and writes safetensors files. Which tensors a model has is known to model_file.c and checkpoint.c. */
#include "safetensors.h"

#include "checksum.h"
#include "json.h"
#include "mem.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_MAX_BYTES ((uint64_t)100000000) /* as in the format's own library */
#define DATA_ALIGNMENT 64

static const struct {
    const char *name;
    size_t bytes;
} types[] = {[TENSOR_F32] = {"F32", 4}, [TENSOR_F16] = {"F16", 2}, [TENSOR_I8] = {"I8", 1},
             [TENSOR_F64] = {"F64", 8}, [TENSOR_I32] = {"I32", 4}, [TENSOR_I64] = {"I64", 8}};

#define TYPE_COUNT (sizeof types / sizeof types[0])

#define CHECKSUM_KEY "checksum"               /* of the tensors */
#define HEADER_CHECKSUM_KEY "header_checksum" /* of all other bytes of the header */
#define NO_CHECKSUM "0000000000000000"

/* ---- checksums ---- */

static void checksum_of(char *digits, const struct tensor *tensors, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = checksum_add(sum, tensors[i].data, tensors[i].bytes);
    checksum_print(digits, sum);
}

/* The digits of the header's checksum within its text, or NULL. In a string, the quotes would be escaped. */
static char *header_digits(char *header)
{
    static const char before[] = "\"" HEADER_CHECKSUM_KEY "\":\"";
    char *found = strstr(header, before);
    return found && strlen(found) >= sizeof before - 1 + CHECKSUM_DIGITS ? found + sizeof before - 1 : NULL;
}

/* The checksum of all of a header but the digits of the checksum itself. */
static void checksum_of_header(char *sum_digits, const struct strbuf *header, const char *digits)
{
    const char *rest = digits + CHECKSUM_DIGITS;
    const uint64_t sum = checksum_add(0, header->text, (size_t)(digits - header->text));
    checksum_print(sum_digits, checksum_add(sum, rest, (size_t)(header->text + header->length - rest)));
}

static int check_header(const struct safetensors *file, const struct strbuf *header, struct err *err)
{
    char sum[CHECKSUM_DIGITS + 1] = "";
    const char *digits = header_digits(header->text);
    if (!safetensors_is_sealed(file))
        return 0;
    if (digits)
        checksum_of_header(sum, header, digits);
    return digits && !strncmp(sum, digits, CHECKSUM_DIGITS)
               ? 0
               : err_set(err, "cannot read '%s': damaged, the checksum of its header does not fit",
                         file->path);
}

bool safetensors_is_sealed(const struct safetensors *file)
{
    return safetensors_metadata(file, HEADER_CHECKSUM_KEY) != NULL;
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

/* The format allows no holes and no overlaps. */
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

static int parse_header(struct safetensors *file, size_t bytes, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    strbuf_add(&text, (const char *)file->image.data + 8, bytes);
    file->header = json_parse(text.text, text.length, file->path, err);
    int status = file->header ? 0 : -1;
    if (!status && json_kind(file->header) != JSON_OBJECT)
        status = err_set(err, "cannot read '%s': the header is not a JSON object", file->path);
    if (!status)
        status = check_header(file, &text, err);
    strbuf_release(&text);
    return status;
}

static uint64_t read_length(const unsigned char *bytes)
{
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--)
        length = length << 8 | bytes[i];
    return length;
}

bool safetensors_looks_like(const char *path)
{
    struct err ignored;
    struct stat info;
    unsigned char begin[9];
    const int fd = file_open_regular(path, O_RDONLY, &ignored);
    if (fd < 0)
        return false;
    const bool is = read(fd, begin, sizeof begin) == sizeof begin && begin[8] == '{' && !fstat(fd, &info) &&
                    read_length(begin) < (uint64_t)info.st_size;
    close(fd);
    return is;
}

static int read_header(struct safetensors *file, struct err *err)
{
    const uint64_t header_bytes = file->image.bytes < 8 ? 0 : read_length(file->image.data);
    if (file->image.bytes < 8 || header_bytes > file->image.bytes - 8 || header_bytes > HEADER_MAX_BYTES)
        return err_set(err, "cannot read '%s': not a safetensors file, or truncated in its header",
                       file->path);
    if (parse_header(file, header_bytes, err))
        return -1;
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

/* A size below 0 is any size. */
static void print_shape(char *text, size_t bytes, int dims, const int64_t *shape)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < dims && used < bytes; i++)
        used += shape[i] < 0 ? (size_t)snprintf(text + used, bytes - used, "%sN", i ? "x" : "")
                             : (size_t)snprintf(text + used, bytes - used, "%s%lld", i ? "x" : "",
                                                (long long)shape[i]);
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

size_t safetensors_data_bytes(const struct safetensors *file)
{
    size_t bytes = 0;
    for (size_t i = 0; i < file->count; i++)
        bytes += file->tensors[i].bytes;
    return bytes;
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

static void add_metadata(struct json *header, const struct safetensors_content *content, const char *checksum)
{
    struct json *metadata = json_set_object(header, "__metadata__");
    json_set_string(metadata, "format", "pt");
    json_set_string(metadata, CHECKSUM_KEY, checksum);
    if (content->sealed)
        json_set_string(metadata, HEADER_CHECKSUM_KEY, NO_CHECKSUM);
    for (size_t i = 0; i < content->pairs; i++)
        json_set_string(metadata, content->metadata[2 * i], content->metadata[2 * i + 1]);
}

static void add_entries(struct json *header, const struct safetensors_content *content)
{
    size_t offset = 0;
    for (size_t i = 0; i < content->count; i++) {
        const struct tensor *tensor = &content->tensors[i];
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
}

static void print_header(struct strbuf *text, const struct safetensors_content *content, const char *checksum)
{
    struct json *header = json_new_object();
    add_metadata(header, content, checksum);
    add_entries(header, content);
    json_print(header, false, text);
    json_free(header);
    /* Blanks after the header align the tensors to a cache line, so that a file in memory can be used in
     * place. */
    while ((8 + text->length) % DATA_ALIGNMENT)
        strbuf_addch(text, ' ');
    if (content->sealed) {
        char sum[CHECKSUM_DIGITS + 1], *digits = header_digits(text->text);
        checksum_of_header(sum, text, digits);
        memcpy(digits, sum, CHECKSUM_DIGITS);
    }
}

static int write_header(struct writer *writer, const struct strbuf *header, struct err *err)
{
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)header->length >> 8 * i);
    if (header->length > HEADER_MAX_BYTES)
        return err_set(err, "cannot write '%s': its header would have %zu bytes, more than the format allows",
                       writer->path, header->length);
    return writer_write(writer, length, sizeof length, err) ||
                   writer_write(writer, header->text, header->length, err)
               ? -1
               : 0;
}

int safetensors_write(struct writer *writer, const struct safetensors_content *content, struct err *err)
{
    char checksum[CHECKSUM_DIGITS + 1];
    struct strbuf header;
    strbuf_init(&header);
    checksum_of(checksum, content->tensors, content->count);
    print_header(&header, content, checksum);
    int status = write_header(writer, &header, err);
    for (size_t i = 0; i < content->count && !status; i++)
        status = writer_write(writer, content->tensors[i].data, content->tensors[i].bytes, err);
    strbuf_release(&header);
    return status;
}

size_t safetensors_bytes(const struct safetensors_content *content)
{
    struct strbuf header;
    strbuf_init(&header);
    print_header(&header, content, NO_CHECKSUM);
    size_t bytes = 8 + header.length;
    for (size_t i = 0; i < content->count; i++)
        bytes += content->tensors[i].bytes;
    strbuf_release(&header);
    return bytes;
}

int safetensors_save(const char *path, const struct safetensors_content *content, struct err *err)
{
    struct writer writer;
    if (writer_open(&writer, path, err))
        return -1;
    return writer_end(&writer, safetensors_write(&writer, content, err), err);
}
