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

from to_pytorch import logits_of

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
# tie, label smoothing, conditional GRU, layers and transitions of both sides with layer normalisation
CASES = {"untied": ("none", 0.0, False, False), "tied_target": ("target", 0.1, False, False),
         "tied_all": ("all", 0.1, False, False), "conditional": ("target", 0.1, True, False),
         "deep": ("all", 0.1, True, True)}


def deep_shapes(shapes):
    """Two layers with two transitions a step, everywhere, all normalised."""
    for prefix, inputs, units in (("encoder.layer2.forward", 2 * H, H), ("encoder.layer2.backward", 2 * H, H),
                                  ("decoder.layer2", D, D)):
        shapes.update({prefix + ".weight_ih": (3 * units, inputs), prefix + ".weight_hh": (3 * units, units),
                       prefix + ".bias_ih": (3 * units,), prefix + ".bias_hh": (3 * units,)})
    cells = [n[:-len(".weight_hh")] for n in shapes if n.endswith(".weight_hh")]
    for prefix in cells:
        units = shapes[prefix + ".weight_hh"][1]
        shapes[prefix + ".gain_ih"] = shapes[prefix + ".gain_hh"] = (3 * units,)
        if prefix != "decoder.first":
            shapes.update({prefix + ".transition2.weight_hh": (3 * units, units),
                           prefix + ".transition2.bias_ih": (3 * units,), prefix + ".transition2.bias_hh": (3 * units,),
                           prefix + ".transition2.gain_hh": (3 * units,)})


def make_parameters(tie, conditional, deep):
    """Random values under nmt's names, in no particular order."""
    shapes = {
        "encoder.forward.weight_ih": (3 * H, E), "encoder.forward.weight_hh": (3 * H, H),
        "encoder.forward.bias_ih": (3 * H,), "encoder.forward.bias_hh": (3 * H,),
        "encoder.backward.weight_ih": (3 * H, E), "encoder.backward.weight_hh": (3 * H, H),
        "encoder.backward.bias_ih": (3 * H,), "encoder.backward.bias_hh": (3 * H,),
        "decoder.init.weight": (D, 2 * H), "decoder.init.bias": (D,),
        "attention.query.weight": (A, D), "attention.key.weight": (A, 2 * H), "attention.key.bias": (A,),
        "attention.score.weight": (1, A),
        "decoder.cell.weight_ih": (3 * D, E + 2 * H), "decoder.cell.weight_hh": (3 * D, D),
        "decoder.cell.bias_ih": (3 * D,), "decoder.cell.bias_hh": (3 * D,),
        "readout.state.weight": (E, D), "readout.state.bias": (E,), "readout.embedding.weight": (E, E),
        "readout.context.weight": (E, 2 * H), "output.bias": (V,),
    }
    if conditional:
        shapes.update({"decoder.first.weight_ih": (3 * D, E), "decoder.first.weight_hh": (3 * D, D),
                       "decoder.first.bias_ih": (3 * D,), "decoder.first.bias_hh": (3 * D,),
                       "decoder.cell.weight_ih": (3 * D, 2 * H)})
    if deep:
        deep_shapes(shapes)
    if tie == "all":
        shapes["embedding.weight"] = (V, E)
    else:
        shapes["source_embedding.weight"] = (V, E)
        shapes["target_embedding.weight"] = (V, E)
    if tie == "none":
        shapes["output.weight"] = (V, E)
    generator = torch.Generator().manual_seed(20)
    values = {n: 0.4 * torch.randn(s, generator=generator, dtype=torch.float32) for n, s in sorted(shapes.items())}
    return {n: v.double().requires_grad_() for n, v in values.items()}


def loss_of(p, smoothing):
    logits = torch.cat([logits_of(p, s, t) for s, t in zip(SOURCE, TARGET)])
    right = torch.tensor([w for t in TARGET for w in t[1:]])
    return F.cross_entropy(logits, right, label_smoothing=smoothing), logits


def losses_of(p, smoothing, make_optimizer):
    """Of each of UPDATES updates, beginning with p; p stays."""
    p = {name: value.detach().clone().requires_grad_() for name, value in p.items()}
    optimizer, losses = make_optimizer(p.values()), []
    for _ in range(UPDATES):
        optimizer.zero_grad()
        loss, _ = loss_of(p, smoothing)
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
    for case, (tie, smoothing, conditional, deep) in CASES.items():
        p = make_parameters(tie, conditional, deep)
        tensors = {n: v.clone() for n, v in p.items()}
        loss, logits = loss_of(p, smoothing)
        loss.backward()
        tensors["golden.logits"] = logits
        tensors["golden.loss"] = loss.reshape(1)
        for name, value in p.items():
            tensors["golden.gradient." + name] = value.grad.clone()
        for name, make in OPTIMIZERS.items():
            tensors["golden.losses." + name] = losses_of(p, smoothing, make)
            print(case, name, [round(float(x), 4) for x in tensors["golden.losses." + name]])
        save(os.path.join(folder, case + ".safetensors"), tensors)


main()
