#!/usr/bin/env python3
"""Loads an nmt model into PyTorch: for looking at it, going on with it elsewhere, or checking its numbers.

  scripts/to_pytorch.py MODEL_DIR --save FILE.pt              a state dict under nmt's names
  scripts/to_pytorch.py MODEL_DIR --logits SRC_IDS TGT_IDS    logits of the words after each of TGT_IDS but the last
                                                              (ids separated by commas, marks included), as text
Needs PyTorch. The file itself is safetensors and needs nothing: read_safetensors below is all there is to it."""
import argparse
import json
import os
import struct
import sys

import torch
import torch.nn.functional as F


def read_safetensors(path):
    with open(path, "rb") as f:
        length, = struct.unpack("<Q", f.read(8))
        header, data = json.loads(f.read(length)), f.read()
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32).reshape(entry["shape"])
    return tensors


# ---- the network of the README in PyTorch, one sentence pair at a time: no padding at all ----

def gru_step(w, prefix, x, h):
    """PyTorch's own cell; with layer normalisation (for which it has no cell) written out. Then the transitions behind
    it, which read nothing but the state."""
    if prefix + ".gain_hh" not in w and prefix + ".weight_ih" in w:
        h = torch.gru_cell(x, h, *(w[f"{prefix}.{part}"] for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")))
    else:
        parts = []
        for value, side in ((x, "ih"), (h, "hh")):
            weight, gain, bias = (w.get(f"{prefix}.{part}_{side}") for part in ("weight", "gain", "bias"))
            if weight is None:
                parts.append(bias.expand(len(h), -1).chunk(3, 1))
            elif gain is None:
                parts.append(F.linear(value, weight, bias).chunk(3, 1))
            else:
                parts.append([F.layer_norm(a, a.shape[1:], g, b) for a, g, b in
                              zip(F.linear(value, weight).chunk(3, 1), gain.chunk(3), bias.chunk(3))])
        (ir, iz, i_n), (hr, hz, hn) = parts
        r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
        h = (1 - z) * torch.tanh(i_n + r * hn) + z * h
    for k in range(2, 10):
        if f"{prefix}.transition{k}.weight_hh" in w:
            h = gru_step(w, f"{prefix}.transition{k}", None, h)
    return h


def run(w, prefix, x, backward=False):
    """States [S, units] over one sentence x [S, inputs]."""
    h, states = x.new_zeros(1, w[prefix + ".weight_hh"].shape[1]), [None] * len(x)
    for t in range(len(x) - 1, -1, -1) if backward else range(len(x)):
        states[t] = h = gru_step(w, prefix, x[t:t + 1], h)
    return torch.cat(states)


def encoder_layer(w, prefix, x):
    states = [run(w, prefix + ".forward", x)]
    if prefix + ".backward.weight_ih" in w:
        states.append(run(w, prefix + ".backward", x, True))
    return torch.cat(states, 1)


def logits_of(w, source, target):
    """Logits [T, V] of the words behind each of target's but the last."""
    def linear(name, x):
        return F.linear(x, w[name + ".weight"], w.get(name + ".bias"))

    source_table = w.get("embedding.weight", w.get("source_embedding.weight"))
    target_table = w.get("embedding.weight", w.get("target_embedding.weight"))
    h = encoder_layer(w, "encoder", source_table[source])
    for layer in range(2, 10):
        if f"encoder.layer{layer}.forward.weight_ih" in w:
            h = h + encoder_layer(w, f"encoder.layer{layer}", h)
    s, keys = torch.tanh(linear("decoder.init", h.mean(0, keepdim=True))), linear("attention.key", h)
    conditional = "decoder.first.weight_ih" in w
    read = []
    for word in target[:-1]:
        y = target_table[word:word + 1]
        if conditional:
            s = gru_step(w, "decoder.first", y, s)
        e = linear("attention.score", torch.tanh(keys + linear("attention.query", s)))
        c = torch.softmax(e, 0).t() @ h
        s = gru_step(w, "decoder.cell", c if conditional else torch.cat([y, c], 1), s)
        read.append((s, y, c))
    s, y, c = (torch.cat(parts) for parts in zip(*read))
    for layer in range(2, 10):
        if f"decoder.layer{layer}.weight_ih" in w:
            s = s + run(w, f"decoder.layer{layer}", s)
    t = torch.tanh(linear("readout.state", s) + linear("readout.embedding", y) + linear("readout.context", c))
    return F.linear(t, w.get("output.weight", target_table), w["output.bias"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model_dir")
    parser.add_argument("--save")
    parser.add_argument("--logits", nargs=2, metavar=("SRC_IDS", "TGT_IDS"))
    args = parser.parse_args()
    weights = read_safetensors(os.path.join(args.model_dir, "model.safetensors"))
    if args.save:
        torch.save(weights, args.save)
    if args.logits:
        source, target = ([int(x) for x in ids.split(",")] for ids in args.logits)
        with torch.no_grad():
            for row in logits_of(weights, source, target):
                print(" ".join(f"{x:.6f}" for x in row.tolist()))
    if not args.save and not args.logits:
        for name, tensor in weights.items():
            print(f"{name:32} {'x'.join(map(str, tensor.shape))}")


if __name__ == "__main__":
    sys.exit(main())
