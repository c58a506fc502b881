#include "gates.h"

#include "gates_kinds.h"

const struct gates gates_kinds[] = {
    {.name = "gru", .count = 3, .early = 3, .forward = gru_forward, .backward = gru_backward},
    {.name = "gru_reset_before",
     .count = 3,
     .early = 2,
     .forward = gru_reset_before_forward,
     .backward = gru_reset_before_backward,
     .reset_forward = gru_reset_forward,
     .reset_backward = gru_reset_backward},
    {.name = "lstm",
     .count = 4,
     .early = 4,
     .bias = INIT_FORGET,
     .has_c = true,
     .forward = lstm_forward,
     .backward = lstm_backward},
    {.name = "rnn_tanh", .count = 1, .early = 1, .forward = rnn_tanh_forward, .backward = rnn_tanh_backward},
    {.name = "rnn_relu", .count = 1, .early = 1, .forward = rnn_relu_forward, .backward = rnn_relu_backward},
};
