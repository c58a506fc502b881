#include "score.h"

#include "score_kinds.h"

const struct score score_kinds[] = {
    {.name = "none"},
    {.name = "additive",
     .projects_query = true,
     .projects_key = true,
     .key_bias = true,
     .vector = true,
     .hidden = true,
     .forward = score_additive,
     .backward = score_additive_backward},
    {.name = "dot", .forward = score_dot, .backward = score_dot_backward},
    {.name = "scaled_dot",
     .projects_query = true,
     .projects_key = true,
     .forward = score_scaled_dot,
     .backward = score_scaled_dot_backward},
    {.name = "general", .projects_key = true, .forward = score_dot, .backward = score_dot_backward},
    {.name = "concat",
     .projects_query = true,
     .projects_key = true,
     .vector = true,
     .hidden = true,
     .forward = score_additive,
     .backward = score_additive_backward},
};
