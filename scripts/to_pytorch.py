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


class Model(torch.nn.Module):
    """The network of the README on one sentence pair at a time."""

    def __init__(self, weights):
        super().__init__()
        self.w = weights
        width = weights["encoder.forward.weight_hh"].shape[1]
        self.bidirectional = "encoder.backward.weight_hh" in weights
        embedding = self.source_table().shape[1]
        self.encoder = torch.nn.GRU(embedding, width, bidirectional=self.bidirectional)
        for prefix, suffix in (("encoder.forward", ""), ("encoder.backward", "_reverse")):
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                if f"{prefix}.{part}" in weights:
                    getattr(self.encoder, f"{part}_l0{suffix}").data = weights[f"{prefix}.{part}"]
        self.cell = self.gru_cell("decoder.cell")
        self.first = self.gru_cell("decoder.first") if "decoder.first.weight_ih" in weights else None

    def gru_cell(self, name):
        units, inputs = self.w[f"{name}.weight_hh"].shape[1], self.w[f"{name}.weight_ih"].shape[1]
        cell = torch.nn.GRUCell(inputs, units)
        for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(cell, part).data = self.w[f"{name}.{part}"]
        return cell

    def source_table(self):
        return self.w.get("embedding.weight", self.w.get("source_embedding.weight"))

    def target_table(self):
        return self.w.get("embedding.weight", self.w.get("target_embedding.weight"))

    def linear(self, name, x):
        return F.linear(x, self.w[name + ".weight"], self.w.get(name + ".bias"))

    def forward(self, source, target):
        h, _ = self.encoder(self.source_table()[source])
        s = torch.tanh(self.linear("decoder.init", h.mean(0, keepdim=True)))
        keys = self.linear("attention.key", h)
        logits = []
        for word in target[:-1]:
            y = self.target_table()[word:word + 1]
            if self.first:
                s = self.first(y, s)
            e = self.linear("attention.score", torch.tanh(keys + self.linear("attention.query", s)))
            c = torch.softmax(e, 0).t() @ h
            s = self.cell(c if self.first else torch.cat([y, c], 1), s)
            t = torch.tanh(self.linear("readout.state", s) + self.linear("readout.embedding", y) + self.linear("readout.context", c))
            logits.append(F.linear(t, self.w.get("output.weight", self.target_table()), self.w["output.bias"]))
        return torch.cat(logits)


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
            for row in Model(weights)(source, target):
                print(" ".join(f"{x:.6f}" for x in row.tolist()))
    if not args.save and not args.logits:
        for name, tensor in weights.items():
            print(f"{name:32} {'x'.join(map(str, tensor.shape))}")


if __name__ == "__main__":
    sys.exit(main())
