/* A file of weights: its header, all its tensors, and loading it into a small network. */
#include "fuzz.h"
#include "seq2seq.h"
#include "weights.h"

static void load_weights(const struct safetensors *file)
{
    struct err err;
    struct config config;
    struct seq2seq model;
    struct weights weights;
    config_init(&config);
    config.model.embedding = config.model.encoder.units = config.model.decoder.units =
        config.model.attention.units = 2;
    seq2seq_init(&model, &config, 5, 5);
    if (!weights_open(&weights, file, &model.layout, &err))
        weights_close(&weights);
    config_release(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct safetensors file;
    struct err err;
    const char *path = fuzz_path(data, bytes);
    if (!safetensors_open(&file, path, &err)) {
        unsigned sum = 0;
        for (size_t i = 0; i < file.count; i++)
            for (size_t b = 0; b < file.tensors[i].bytes; b++)
                sum += ((const uint8_t *)file.tensors[i].data)[b];
        MUST(sum < 256u * bytes + 1);
        safetensors_metadata(&file, "update");
        load_weights(&file);
        safetensors_close(&file);
    }
    return 0;
}
