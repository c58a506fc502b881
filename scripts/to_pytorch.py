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
# w: tensors by nmt's names; m: the section "model" of the config. A state is (h, memory), memory None but in an LSTM.

PYTORCH_CELLS = {"gru": torch.gru_cell, "rnn_tanh": torch.rnn_tanh_cell, "rnn_relu": torch.rnn_relu_cell}
# What attention was before its config had these keys.
OLDER_MODELS = {"heads": 1, "kind": "soft", "scope": "global", "window": 10, "normalizer": "softmax", "temperature": 1.0,
                "coverage": "none", "input_feeding": False}
GATES = {"gru": 3, "gru_reset_before": 3, "lstm": 4, "rnn_tanh": 1, "rnn_relu": 1}


def products(w, prefix, side, x, gates):
    """The products of x for each gate, with bias, normalised if the cell is; gates: which of them."""
    weight, gain, bias = (w.get(f"{prefix}.{part}_{side}") for part in ("weight", "gain", "bias"))
    units, parts = w[prefix + ".weight_hh"].shape[1], []
    for gate in gates:
        rows = slice(gate * units, (gate + 1) * units)
        if weight is None:
            parts.append(bias[rows].expand(len(x), -1))
        elif gain is None:
            parts.append(F.linear(x, weight[rows], bias[rows]))
        else:
            parts.append(F.layer_norm(F.linear(x, weight[rows]), (units,), gain[rows], bias[rows]))
    return parts


def one_cell(w, prefix, kind, x, state):
    """PyTorch's own cells where there are such; with layer normalisation, and the rest, written out."""
    h, memory = state
    x = h if x is None else x
    if prefix + ".gain_hh" not in w and prefix + ".weight_ih" in w and kind != "gru_reset_before":
        weights = [w[f"{prefix}.{part}"] for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        return torch.lstm_cell(x, state, *weights) if kind == "lstm" else (PYTORCH_CELLS[kind](x, h, *weights), None)
    a = products(w, prefix, "ih", x, range(GATES[kind]))
    q = products(w, prefix, "hh", h, range(2 if kind == "gru_reset_before" else GATES[kind]))
    if kind == "lstm":
        i, f, g, o = (left + right for left, right in zip(a, q))
        memory = torch.sigmoid(f) * memory + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(memory), memory
    if kind in ("rnn_tanh", "rnn_relu"):
        return (torch.tanh if kind == "rnn_tanh" else torch.relu)(a[0] + q[0]), None
    r, z = torch.sigmoid(a[0] + q[0]), torch.sigmoid(a[1] + q[1])
    if kind == "gru_reset_before":
        n = torch.tanh(a[2] + products(w, prefix, "hh", r * h, [2])[0])
    else:
        n = torch.tanh(a[2] + r * q[2])
    return (1 - z) * n + z * h, None


def transitions(w, prefix, kind, state):
    for k in range(2, 10):
        if f"{prefix}.transition{k}.weight_hh" in w:
            state = one_cell(w, f"{prefix}.transition{k}", kind, None, state)
    return state


def empty_state(w, prefix, kind):
    zero = w[prefix + ".weight_hh"].new_zeros(1, w[prefix + ".weight_hh"].shape[1])
    return zero, zero if kind == "lstm" else None


def run(w, prefix, kind, x, backward=False):
    """States [S, units] over one sentence x [S, inputs]."""
    state, states = empty_state(w, prefix, kind), [None] * len(x)
    for t in range(len(x) - 1, -1, -1) if backward else range(len(x)):
        state = transitions(w, prefix, kind, one_cell(w, prefix, kind, x[t:t + 1], state))
        states[t] = state[0]
    return torch.cat(states)


def encoder_layer(w, prefix, kind, x):
    states = [run(w, prefix + ".forward", kind, x)]
    if prefix + ".backward.weight_ih" in w:
        states.append(run(w, prefix + ".backward", kind, x, True))
    return torch.cat(states, 1)


def linear(w, name, x):
    return F.linear(x, w[name + ".weight"], w.get(name + ".bias"))


def summary_of(m, h):
    """Of annotations [S, K], what the first state is made of."""
    units = m["encoder"]["units"]
    states = h[:, :2 * units if m["encoder"]["bidirectional"] else units]
    return {"mean": h.mean(0, keepdim=True), "last": torch.cat([states[-1:, :units], states[:1, units:]], 1),
            "backward_first": states[:1, units:], "zero": None}[m["decoder"]["init"]]


def sparsemax(e):
    """Along the last dimension; Martins and Astudillo 2016, algorithm 1."""
    z = e.sort(-1, descending=True)[0]
    k = torch.arange(1, e.shape[-1] + 1, dtype=e.dtype)
    size = (1 + k * z > z.cumsum(-1)).sum(-1, keepdim=True)
    threshold = (z.cumsum(-1).gather(-1, size - 1) - 1) / size
    return torch.clamp(e - threshold, min=0)


def context_of(w, m, s, h, step, covered):
    """The context [1, K] that state s [1, D] asks for at a step, from annotations h [S, K] of which so much was looked at
    before (covered [S]), and the weights [S] that it looked with (of the last head)."""
    a, positions = m["attention"], torch.arange(len(h), dtype=h.dtype)
    query = linear(w, "attention.query", s) if "attention.query.weight" in w else s
    keys = linear(w, "attention.key", h) if "attention.key.weight" in w else h
    values = linear(w, "attention.value", h) if "attention.value.weight" in w else h
    centre = torch.tensor(float(min(step, len(h) - 1)), dtype=h.dtype)
    if a["scope"] == "local_p":
        score = linear(w, "attention.centre_score", torch.tanh(linear(w, "attention.centre", s)))
        centre = len(h) * torch.sigmoid(score[0, 0])
    seen = (positions - centre).abs() <= (a["window"] if a["scope"] != "global" else len(h))
    contexts = []
    for head in range(a["heads"]):
        q, k, v = (x.chunk(a["heads"], 1)[head] for x in (query, keys, values))
        if a["coverage"] != "none":
            k = k + covered[:, None] * w["attention.coverage.weight"]
        if a["score"] in ("additive", "concat"):
            e = torch.tanh(q + k) @ w["attention.score.weight"].chunk(a["heads"], 1)[head][0]
        else:
            e = (k @ q[0]) / (q.shape[1] ** 0.5 if a["score"] == "scaled_dot" else 1)
        e = e[seen] / a["temperature"]
        alpha = sparsemax(e) if a["normalizer"] == "sparsemax" else torch.softmax(e, 0)
        if a["scope"] == "local_p":
            alpha = alpha * torch.exp(-(positions[seen] - centre) ** 2 / (2 * (a["window"] / 2) ** 2))
        if a["kind"] == "hard":
            alpha = F.one_hot(alpha.argmax(), len(alpha)).to(h.dtype)
        contexts.append(alpha[None] @ v[seen])
    return torch.cat(contexts, 1), h.new_zeros(len(h)).masked_scatter(seen, alpha)


def fertility(w, m, h):
    """How many words each position can become, [S]."""
    return 2 * torch.sigmoid(h @ w["attention.fertility.weight"][0]) if m["attention"]["coverage"] == "fertility" else 1


def logits_of(w, m, source, target):
    """Logits [T, V] of the words behind each of target's but the last."""
    source_table = w.get("embedding.weight", w.get("source_embedding.weight"))
    target_table = w.get("embedding.weight", w.get("target_embedding.weight"))
    kind, feed = m["decoder"]["cell"], m["attention"]["feed"]
    h = encoder_layer(w, "encoder", m["encoder"]["cell"], source_table[source])
    for layer in range(2, 10):
        if f"encoder.layer{layer}.forward.weight_ih" in w:
            h = h + encoder_layer(w, f"encoder.layer{layer}", m["encoder"]["cell"], h)
    if m["encoder"]["lexical"]:
        h = torch.cat([h, source_table[source]], 1)
    summary, state = summary_of(m, h), empty_state(w, "decoder.cell", kind)
    if summary is not None:
        state = torch.tanh(linear(w, "decoder.init", summary)), state[1]
    t, covered, read = h.new_zeros(1, w["readout.state.weight"].shape[0]), h.new_zeros(len(h)), []
    for step, word in enumerate(target[:-1]):
        y = target_table[word:word + 1]
        if feed == "conditional":
            state = one_cell(w, "decoder.first", kind, y, state)
        elif feed == "output":
            x = torch.cat([y, t], 1) if m["attention"]["input_feeding"] else y
            state = transitions(w, "decoder.cell", kind, one_cell(w, "decoder.cell", kind, x, state))
        if m["attention"]["score"] == "none":
            c = summary
        else:
            c, alpha = context_of(w, m, state[0], h, step, covered)
            covered = covered + alpha / fertility(w, m, h)
        if feed != "output":
            x = torch.cat([y, c], 1) if feed == "input" else c
            state = transitions(w, "decoder.cell", kind, one_cell(w, "decoder.cell", kind, x, state))
        t = torch.tanh(linear(w, "readout.state", state[0]) + linear(w, "readout.context", c))
        read.append((state[0], y, c))
    s, y, c = (torch.cat(parts) for parts in zip(*read))
    for layer in range(2, 10):
        if f"decoder.layer{layer}.weight_ih" in w:
            s = s + run(w, f"decoder.layer{layer}", kind, s)
    t = linear(w, "readout.state", s) + linear(w, "readout.context", c)
    if "readout.embedding.weight" in w:
        t = t + linear(w, "readout.embedding", y)
    return F.linear(torch.tanh(t), w.get("output.weight", target_table)[:len(w["output.bias"])], w["output.bias"])


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
        with open(os.path.join(args.model_dir, "config.json"), encoding="utf-8") as f:
            model = json.load(f)["model"]
        model["attention"] = {**OLDER_MODELS, **model["attention"]}
        with torch.no_grad():
            for row in logits_of(weights, model, source, target):
                print(" ".join(f"{x:.6f}" for x in row.tolist()))
    if not args.save and not args.logits:
        for name, tensor in weights.items():
            print(f"{name:32} {'x'.join(map(str, tensor.shape))}")


if __name__ == "__main__":
    sys.exit(main())
