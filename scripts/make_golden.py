#!/usr/bin/env python3
"""Makes tests/golden/*.safetensors: the model of the README in PyTorch, small, with its numbers.

Each file holds one case: parameters (named as nmt names them), token ids, and what PyTorch says of them: logits, loss,
the gradient of every parameter, and the losses of ten updates with clipping and each optimizer. Computed in double,
stored in float. Needs PyTorch; run it only when the model changes:  python3 scripts/make_golden.py
"""
import json
import os
import struct

import torch
import torch.nn.functional as F

from to_pytorch import GATES, logits_of

B, E, H, D, A, V = 3, 7, 11, 9, 13, 17
BEGIN, END = 1, 2
SOURCE = [[5, 9, 3, 16, END], [4, END], [7, 7, 12, END]]
TARGET = [[BEGIN, 6, 15, END], [BEGIN, 3, 8, 11, 10, END], [BEGIN, END]]
LEARNING_RATE, CLIP, UPDATES = 0.01, 1.0, 10
OPTIMIZERS = {
    "adam": lambda p: torch.optim.Adam(p, lr=LEARNING_RATE),
    "adamw": lambda p: torch.optim.AdamW(p, lr=LEARNING_RATE, weight_decay=0.5),
    "sgd": lambda p: torch.optim.SGD(p, lr=LEARNING_RATE, momentum=0.9),
    "adadelta": lambda p: torch.optim.Adadelta(p, lr=1, rho=0.95, eps=1e-6),
}
DEFAULTS = {"encoder.units": H, "encoder.layers": 1, "encoder.transitions": 1, "encoder.cell": "gru",
            "encoder.bidirectional": True, "encoder.lexical": False,
            "decoder.units": D, "decoder.layers": 1, "decoder.transitions": 1, "decoder.cell": "gru",
            "decoder.init": "mean", "attention.score": "additive", "attention.units": A, "attention.heads": 1,
            "attention.scope": "global", "attention.window": 10, "attention.normalizer": "softmax",
            "attention.temperature": 1.0, "attention.kind": "soft", "attention.coverage": "none", "attention.feed": "input", "attention.input_feeding": False,
            "tie": "target", "layer_norm": False}
# What differs from these, as in tests/golden/test_golden.c; label smoothing is 0.1 except in the first.
CASES = {
    "untied": {"tie": "none"},
    "tied_target": {},
    "tied_all": {"tie": "all"},
    "conditional": {"attention.feed": "conditional"},
    "deep": {"tie": "all", "attention.feed": "conditional", "layer_norm": True, "encoder.layers": 2, "decoder.layers": 2,
             "encoder.transitions": 2, "decoder.transitions": 2},
    "lstm": {"encoder.cell": "lstm", "decoder.cell": "lstm", "decoder.init": "last", "attention.score": "general",
             "attention.feed": "output", "attention.input_feeding": True},
    "lstm_normalized": {"encoder.cell": "rnn_relu", "decoder.cell": "lstm", "layer_norm": True, "attention.heads": 2,
                        "attention.units": 12, "attention.score": "scaled_dot", "attention.feed": "output",
                        "attention.temperature": 0.7, "decoder.transitions": 2},
    "tanh_dot": {"encoder.cell": "rnn_tanh", "decoder.cell": "rnn_tanh", "decoder.units": 2 * H,
                 "attention.score": "dot", "decoder.init": "backward_first"},
    "sparsemax": {"decoder.cell": "gru_reset_before", "attention.normalizer": "sparsemax", "attention.score": "concat",
                  "attention.feed": "replace", "decoder.init": "zero"},
    "local": {"attention.scope": "local_p", "attention.window": 2, "attention.feed": "conditional",
              "encoder.cell": "gru_reset_before"},
    "local_m": {"attention.scope": "local_m", "attention.window": 1},
    "coverage": {"attention.coverage": "sum", "attention.feed": "conditional"},
    "fertility": {"attention.coverage": "fertility", "attention.score": "concat"},
    "lexical": {"encoder.lexical": True, "encoder.layers": 2, "tie": "all", "attention.feed": "conditional"},
    "no_attention": {"attention.score": "none", "decoder.init": "last"},
}


def nested(settings):
    """{"a.b": x} as {"a": {"b": x}}, the section "model" of a config."""
    model = {}
    for key, value in settings.items():
        *path, last = key.split(".")
        section = model
        for part in path:
            section = section.setdefault(part, {})
        section[last] = value
    return model


def cell_shapes(shapes, m, prefix, kind, inputs, units, transitions=1):
    width = GATES[kind] * units
    for k in range(1, transitions + 1):
        name = prefix if k == 1 else f"{prefix}.transition{k}"
        shapes.update({name + ".weight_hh": (width, units), name + ".bias_ih": (width,), name + ".bias_hh": (width,)})
        if k == 1:
            shapes[name + ".weight_ih"] = (width, inputs)
        if m["layer_norm"]:
            shapes[name + ".gain_hh"] = (width,)
        if m["layer_norm"] and k == 1:
            shapes[name + ".gain_ih"] = (width,)


def attention_shapes(shapes, m, units, annotation):
    a = m["attention"]
    projects = a["score"] in ("additive", "concat", "scaled_dot")
    width = a["units"] if projects else units
    if projects:
        shapes["attention.query.weight"] = (width, units)
    if projects or a["score"] == "general":
        shapes["attention.key.weight"] = (width, annotation)
    if a["score"] == "additive":
        shapes["attention.key.bias"] = (width,)
    if a["score"] in ("additive", "concat"):
        shapes["attention.score.weight"] = (1, width)
    if a["heads"] > 1:
        shapes["attention.value.weight"] = (annotation, annotation)
    if a["coverage"] != "none":
        shapes["attention.coverage.weight"] = (1, width)
    if a["coverage"] == "fertility":
        shapes["attention.fertility.weight"] = (1, annotation)
    if a["scope"] == "local_p":
        shapes.update({"attention.centre.weight": (a["units"], units), "attention.centre_score.weight": (1, a["units"])})


def shapes_of(m):
    """Of all parameters, by nmt's names."""
    encoder, decoder, feed = m["encoder"], m["decoder"], m["attention"]["feed"]
    units, states, shapes = decoder["units"], 2 * encoder["units"], {}
    annotation = states + (E if encoder["lexical"] else 0)
    for layer in range(1, encoder["layers"] + 1):
        for direction in ("forward", "backward"):
            cell_shapes(shapes, m, "encoder." + (f"layer{layer}." if layer > 1 else "") + direction, encoder["cell"],
                        states if layer > 1 else E, encoder["units"], encoder["transitions"])
    summary = {"mean": annotation, "last": states, "backward_first": encoder["units"], "zero": 0}[decoder["init"]]
    if summary:
        shapes.update({"decoder.init.weight": (units, summary), "decoder.init.bias": (units,)})
    if m["attention"]["score"] != "none":
        attention_shapes(shapes, m, units, annotation)
    inputs = {"input": E + annotation, "replace": annotation, "conditional": annotation,
              "output": 2 * E if m["attention"]["input_feeding"] else E}[feed]
    cell_shapes(shapes, m, "decoder.cell", decoder["cell"], inputs, units, decoder["transitions"])
    if feed == "conditional":
        cell_shapes(shapes, m, "decoder.first", decoder["cell"], E, units)
    for layer in range(2, decoder["layers"] + 1):
        cell_shapes(shapes, m, f"decoder.layer{layer}", decoder["cell"], units, units, decoder["transitions"])
    shapes.update({"readout.state.weight": (E, units), "readout.state.bias": (E,),
                   "readout.context.weight": (E, annotation), "output.bias": (V,)})
    if feed != "output":
        shapes["readout.embedding.weight"] = (E, E)
    if m["tie"] == "all":
        shapes["embedding.weight"] = (V, E)
    else:
        shapes.update({"source_embedding.weight": (V, E), "target_embedding.weight": (V, E)})
    if m["tie"] == "none":
        shapes["output.weight"] = (V, E)
    return shapes


def make_parameters(m):
    """Random values under nmt's names, in no particular order."""
    generator = torch.Generator().manual_seed(20)
    values = {n: 0.4 * torch.randn(s, generator=generator, dtype=torch.float32)
              for n, s in sorted(shapes_of(m).items())}
    return {n: v.double().requires_grad_() for n, v in values.items()}


def loss_of(p, m, smoothing):
    logits = torch.cat([logits_of(p, m, s, t) for s, t in zip(SOURCE, TARGET)])
    right = torch.tensor([w for t in TARGET for w in t[1:]])
    return F.cross_entropy(logits, right, label_smoothing=smoothing), logits


def losses_of(p, m, smoothing, make_optimizer):
    """Of each of UPDATES updates, beginning with p; p stays."""
    p = {name: value.detach().clone().requires_grad_() for name, value in p.items()}
    optimizer, losses = make_optimizer(p.values()), []
    for _ in range(UPDATES):
        optimizer.zero_grad()
        loss, _ = loss_of(p, m, smoothing)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(p.values(), CLIP)
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)


def save(path, tensors):
    header, blobs, offset = {}, [], 0
    for name, tensor in tensors.items():
        blob = tensor.detach().to(torch.float32).contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def main():
    folder = os.path.join(os.path.dirname(__file__), "..", "tests", "golden")
    for case, settings in CASES.items():
        m, smoothing = nested({**DEFAULTS, **settings}), 0.0 if case == "untied" else 0.1
        p = make_parameters(m)
        tensors = {n: v.clone() for n, v in p.items()}
        loss, logits = loss_of(p, m, smoothing)
        loss.backward()
        tensors["golden.logits"] = logits
        tensors["golden.loss"] = loss.reshape(1)
        for name, value in p.items():
            tensors["golden.gradient." + name] = value.grad.clone()
        for name, make in OPTIMIZERS.items():
            tensors["golden.losses." + name] = losses_of(p, m, smoothing, make)
            print(case, name, [round(float(x), 4) for x in tensors["golden.losses." + name]])
        save(os.path.join(folder, case + ".safetensors"), tensors)


main()
