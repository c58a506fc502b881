#!/usr/bin/env python3
"""A Transformer in PyTorch (pip install torch) beside nmt: the same subwords, the same minutes, the same cores.

  scripts/bench/peer_transformer.py --minutes M --train SOURCE TARGET --valid SOURCE TARGET --valid-text FILE
      --test SOURCE TARGET --test-text FILE --output FILE [--width 128 --feed-forward 256 --dropout 0.1 ...]

Encoder and decoder of Vaswani et al. 2017 (arXiv:1706.03762) with the normalisation before each part, one
table of embeddings for both languages and the output, label smoothing, Adam with warm-up and the inverse
square root, then a cooldown. Files of pairs are what `nmt tokenize` prints; the texts are raw references,
whose characters perplexity is divided by, as in nmt eval. Of the moving average of the weights at each
validation, and the mean of the last ones at the end, the weights with the best validation perplexity
translate the test set by beam search, as tokens for `nmt detokenize`. Prints one JSON object for each
validation and one at the end. The minutes count from the first update to the last one, as those of nmt
train; reading comes before, and the last validation may be later.
"""
import argparse
import collections
import ctypes
import json
import math
import random
import sys
import time
from typing import Any, Iterator, NamedTuple

PAD, BEGIN, END, UNKNOWN = range(4)
SPECIALS = 4
CHUNK = 256  # rows of logits at a time


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, required=True)
    for split in ("train", "valid", "test"):
        parser.add_argument(f"--{split}", nargs=2, metavar=("SOURCE", "TARGET"), required=True)
    for split in ("valid", "test"):
        parser.add_argument(f"--{split}-text", metavar="FILE", required=True)
    parser.add_argument("--output", metavar="FILE", required=True, help="the translation of the test set, as tokens")
    for name, kind, value, about in OPTIONS:
        parser.add_argument(f"--{name}", type=kind, default=value, help=f"{about} (default: %(default)s)")
    options = parser.parse_args()
    if options.minutes <= 0:
        parser.error("--minutes must be above 0")
    if options.width % (2 * options.heads):
        parser.error("--width must be a multiple of twice --heads")
    return options


OPTIONS = (
    ("layers", int, 4, "of the encoder, and of the decoder"),
    ("width", int, 128, "of embeddings and layers"),
    ("feed-forward", int, 256, "width within a layer"),
    ("heads", int, 4, "of each attention"),
    ("dropout", float, 0.1, "of embeddings and of what each part adds"),
    ("smoothing", float, 0.1, "of labels"),
    ("batch-tokens", int, 2048, "most tokens of a side in a batch"),
    ("rate", float, 0, "highest learning rate; 0: 0.32 over --width"),
    ("warmup", int, 1000, "updates in which the learning rate rises"),
    ("cooldown", float, 0.25, "last part of the minutes, in which it falls to 0"),
    ("clip", float, 1.0, "most of the gradient's norm"),
    ("updates", int, 0, "end after so many, and schedule by them; 0: the minutes alone"),
    ("average", float, 0.999, "decay of the moving average of the weights"),
    ("checkpoints", int, 8, "of which the mean is tried at the end"),
    ("validations", int, 40, "so many at most, at even times, with a twentieth of the minutes"),
    ("max-length", int, 200, "pairs with more tokens are left out in training"),
    ("beam", int, 5, "hypotheses"),
    ("length-penalty", float, 1.2, "scores are divided by the length to the power of it"),
    ("threads", int, 2, "of PyTorch"),
    ("seed", int, 1, ""),
)

options = arguments()  # first, so that --help works without PyTorch
try:
    import torch
    import torch.nn.functional as F
    from torch import Tensor, nn
except ImportError:
    sys.exit("peer_transformer: needs PyTorch (pip install torch)")

if tuple(map(int, torch.__version__.split(".")[:2])) < (2, 4):
    sys.exit(f"peer_transformer: needs PyTorch 2.4 or later; here is {torch.__version__}")

Pairs = list[tuple[list[int], list[int]]]
Weights = list[Tensor]


class Batch(NamedTuple):
    source: Tensor  # [B,S] ids, the end mark last, then PAD
    target: Tensor  # [B,T] the same; what is to be predicted
    shifted: Tensor  # [B,T] begin mark, then target without its last


# ---- data ----

def read(path: str) -> list[list[str]]:
    with open(path, encoding="utf-8", newline="\n") as f:
        return [[word for word in line.split(" ") if word] for line in f.read().removesuffix("\n").split("\n")]


def read_pairs(paths: list[str], ids: dict[str, int]) -> Pairs:
    sides = [[[ids.get(word, UNKNOWN) for word in line] for line in read(path)] for path in paths]
    if len(sides[0]) != len(sides[1]):
        sys.exit(f"peer_transformer: '{paths[0]}' has {len(sides[0])} lines, '{paths[1]}' {len(sides[1])}")
    return list(zip(*sides))


def vocabulary(paths: list[str]) -> dict[str, int]:
    words = {word for path in paths for line in read(path) for word in line}
    return {word: SPECIALS + number for number, word in enumerate(sorted(words))}


def padded(sentences: list[list[int]]) -> Tensor:
    longest = max(map(len, sentences))
    return torch.tensor([sentence + [PAD] * (longest - len(sentence)) for sentence in sentences])


def batch_of(pairs: Pairs) -> Batch:
    return Batch(padded([source + [END] for source, _ in pairs]), padded([target + [END] for _, target in pairs]),
                 padded([[BEGIN] + target for _, target in pairs]))


def cut(pairs: Pairs, most: int) -> Iterator[Pairs]:
    """Sorted pairs in batches of at most MOST tokens a side, padding counted."""
    begin, longest = 0, 0
    for number, (source, target) in enumerate(pairs):
        longest = max(longest, len(source) + 1, len(target) + 1)
        if (number + 1 - begin) * longest > most and number > begin:
            yield pairs[begin:number]
            begin, longest = number, max(len(source), len(target)) + 1
    if begin < len(pairs):
        yield pairs[begin:]


def lengths(pair: tuple[list[int], list[int]]) -> tuple[int, int]:
    return len(pair[1]), len(pair[0])


def epochs(pairs: Pairs, most: int, seed: int) -> Iterator[Batch]:
    """Batches for ever: of pairs of nearly the same lengths, others in each epoch."""
    chance = random.Random(seed)
    while True:
        chance.shuffle(pairs)
        batches = list(cut(sorted(pairs, key=lengths), most))
        chance.shuffle(batches)
        yield from map(batch_of, batches)


# ---- the network ----

def positions(count: int, width: int) -> Tensor:
    """Sines, then cosines, of geometric wave lengths (section 3.5)."""
    angles = torch.arange(count)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    return torch.cat([angles.sin(), angles.cos()], 1)


def linear(inputs: int, outputs: int) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def dropout(x: Tensor, part: float, training: bool) -> Tensor:
    """As F.dropout, whose generator draws an element at a time: here a byte of a number decides, so PART is in
    256ths."""
    least = round(part * 256)
    if not training or not least:
        return x
    numbers = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-2 ** 63, None)
    kept = numbers.view(torch.uint8)[:x.numel()].view(x.shape) >= least
    return x * kept.to(x.dtype).mul_(256 / (256 - least))


class Attention(nn.Module):
    """Keys and values [B,heads,S,width/heads] come from the caller in cross attention, which has them once for all
    steps."""

    def __init__(self, width: int, heads: int, own_keys: bool) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.inward: Any = nn.ModuleList(linear(width, width) for _ in range(3 if own_keys else 1))
        self.outward = linear(width, width)

    def split(self, rows: Tensor) -> Tensor:
        return rows.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def project(self, x: Tensor) -> list[Tensor]:
        """Queries, and keys and values if they are its own: one product."""
        x = self.norm(x)
        if len(self.inward) == 1:
            return [self.split(self.inward[0](x))]
        weight = torch.cat([part.weight for part in self.inward])
        bias = torch.cat([part.bias for part in self.inward])
        return [self.split(part) for part in F.linear(x, weight, bias).chunk(3, -1)]

    def read(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
        found = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, is_causal=causal)
        return self.outward(found.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, o: argparse.Namespace, decodes: bool) -> None:
        super().__init__()
        self.dropout = o.dropout
        self.own: Any = Attention(o.width, o.heads, True)
        self.cross: Any = Attention(o.width, o.heads, False) if decodes else None
        self.norm = nn.LayerNorm(o.width)
        self.wide, self.narrow = linear(o.width, o.feed_forward), linear(o.feed_forward, o.width)

    def drop(self, x: Tensor) -> Tensor:
        return dropout(x, self.dropout, self.training)

    def feed(self, x: Tensor) -> Tensor:
        return x + self.drop(self.narrow(F.relu(self.wide(self.norm(x)), inplace=True)))


class OutputLoss(torch.autograd.Function):
    """Cross-entropy of softmax(rows table^T + bias) with smoothed labels, summed; gradients at once, in chunks of
    rows whose logits stay in the cache."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, table: Tensor, bias: Tensor, targets: Tensor, smoothing: float) -> Tensor:
        d_rows, d_table, d_bias = torch.empty_like(rows), torch.zeros_like(table), torch.zeros_like(bias)
        uniform, total = smoothing / len(bias), torch.zeros(())
        for begin in range(0, len(rows), CHUNK):
            some = slice(begin, begin + CHUNK)
            d_logits = F.log_softmax(torch.addmm(bias, rows[some], table.t()), 1)
            places = targets[some, None]
            total -= (1 - smoothing) * d_logits.gather(1, places).sum() + uniform * d_logits.sum()
            d_logits.exp_().sub_(uniform).scatter_add_(1, places, torch.full_like(places, smoothing - 1, dtype=rows.dtype))
            torch.mm(d_logits, table, out=d_rows[some])
            d_table.addmm_(d_logits.t(), rows[some])
            d_bias += d_logits.sum(0)
        ctx.save_for_backward(d_rows, d_table, d_bias)
        return total

    @staticmethod
    def backward(ctx: Any, d_total: Tensor) -> tuple[Tensor | None, ...]:
        return (*(d_total * gradient for gradient in ctx.saved_tensors), None, None)


class Transformer(nn.Module):
    def __init__(self, o: argparse.Namespace, words: int) -> None:
        super().__init__()
        self.o = o
        self.table = nn.Embedding(words, o.width)
        nn.init.normal_(self.table.weight, std=o.width ** -0.5)
        self.bias = nn.Parameter(torch.zeros(words))
        self.encoder: Any = nn.ModuleList(Layer(o, False) for _ in range(o.layers))
        self.decoder: Any = nn.ModuleList(Layer(o, True) for _ in range(o.layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(o.width), nn.LayerNorm(o.width)
        self.memory: Any = linear(o.width, 2 * o.width * o.layers)  # keys and values of all cross attentions
        self.places = positions(1024, o.width)

    def embed(self, ids: Tensor, first: int = 0) -> Tensor:
        last = first + ids.size(1)
        if last > len(self.places):
            self.places = positions(2 * last, self.o.width)
        x = self.table(ids) * self.o.width ** 0.5 + self.places[first:last]
        return dropout(x, self.o.dropout, self.training)

    def encode(self, source: Tensor) -> tuple[list[Tensor], Tensor | None]:
        """Keys and values of all cross attentions, and which places are real (None: all)."""
        real = source != PAD
        mask = None if real.all() else real[:, None, None, :]
        x = self.embed(source)
        for layer in self.encoder:
            x = x + layer.drop(layer.own.read(*layer.own.project(x), mask, False))
            x = layer.feed(x)
        parts = self.memory(self.encoder_norm(x)).chunk(2 * self.o.layers, -1)
        return [self.decoder[0].cross.split(part) for part in parts], mask

    def decode(self, shifted: Tensor, memory: list[Tensor], mask: Tensor | None) -> Tensor:
        x = self.embed(shifted)
        for number, layer in enumerate(self.decoder):
            x = x + layer.drop(layer.own.read(*layer.own.project(x), None, True))
            x = x + layer.drop(layer.cross.read(*layer.cross.project(x), *memory[2 * number:2 * number + 2], mask, False))
            x = layer.feed(x)
        return self.decoder_norm(x)

    def logits(self, rows: Tensor) -> Tensor:
        return F.linear(rows, self.table.weight, self.bias)

    def loss(self, batch: Batch, smoothing: float) -> Tensor:
        """Summed over real target tokens."""
        rows = self.decode(batch.shifted, *self.encode(batch.source))
        real = batch.target != PAD
        rows, targets = rows[real], batch.target[real]
        if torch.is_grad_enabled():
            return OutputLoss.apply(rows, self.table.weight, self.bias, targets, smoothing)
        return F.cross_entropy(self.logits(rows), targets, reduction="sum", label_smoothing=smoothing)

    def step(self, ids: Tensor, caches: list[list[Tensor]], memory: list[Tensor], mask: Tensor | None, beam: int) -> Tensor:
        """Log-probabilities [B*beam,V] of what may follow the last IDS [B*beam]; CACHES grow. The
        hypotheses of a sentence are rows of queries for one set of keys of its source."""
        x = self.embed(ids[:, None], caches[0][0].size(2) if caches[0] else 0)
        for number, layer in enumerate(self.decoder):
            queries, *new = layer.own.project(x)
            caches[number] = [torch.cat(two, 2) for two in zip(caches[number], new)] if caches[number] else new
            x = x + layer.own.read(queries, *caches[number], None, False)
            rows = x.view(-1, beam, self.o.width)
            known = memory[2 * number:2 * number + 2]
            x = (rows + layer.cross.read(*layer.cross.project(rows), *known, mask, False)).view_as(x)
            x = layer.feed(x)
        found = F.log_softmax(self.logits(self.decoder_norm(x[:, 0])), -1)
        found[:, [PAD, BEGIN, UNKNOWN]] = -math.inf
        return found


# ---- training ----

@torch.no_grad()
def negative_log_likelihood(model: Transformer, batches: list[Batch]) -> float:
    model.eval()
    total = sum(model.loss(batch, 0).item() for batch in batches)
    model.train()
    return total


class Average:
    """The moving average of the weights; the first ones count less."""

    def __init__(self, model: Transformer, decay: float) -> None:
        self.decay, self.updates = decay, 0
        self.live: Weights = list(model.parameters())
        self.weights: Weights = [p.detach().clone() for p in self.live]

    @torch.no_grad()
    def add(self) -> None:
        self.updates += 1
        decay = min(self.decay, self.updates / (self.updates + 9))
        torch._foreach_lerp_(self.weights, self.live, 1 - decay)


@torch.no_grad()
def put(model: Transformer, weights: Weights) -> Weights:
    """Exchanges the weights; returns those that were there."""
    before = [p.detach().clone() for p in model.parameters()]
    torch._foreach_copy_(list(model.parameters()), weights)
    return before


class Best:
    """The weights with the best validation perplexity so far."""

    def __init__(self, model: Transformer, batches: list[Batch], characters: int) -> None:
        self.model, self.batches, self.characters = model, batches, characters
        self.perplexity, self.weights = math.inf, []  # type: float, Weights

    def offer(self, weights: Weights) -> float:
        before = put(self.model, weights)
        perplexity = math.exp(negative_log_likelihood(self.model, self.batches) / self.characters)
        if perplexity < self.perplexity:
            self.perplexity, self.weights = perplexity, [w.clone() for w in weights]
        put(self.model, before)
        return perplexity


class Schedule:
    """The learning rate: it rises in --warmup updates, or in a tenth of the minutes if that is less, falls with
    the inverse square root of updates, and in the last part of the minutes to 0, too."""

    def __init__(self, o: argparse.Namespace) -> None:
        self.o, self.peak, self.warm = o, o.rate or 0.32 / o.width, 0

    def rate(self, update: int, passed: float) -> float:
        rise = max(update / self.o.warmup, 10 * passed)
        if not self.warm and rise >= 1:
            self.warm = update
        cooling = min(1.0, (1 - passed) / self.o.cooldown) if self.o.cooldown else 1.0
        return self.peak * (math.sqrt(self.warm / update) if self.warm else rise) * max(cooling, 0.0)


class Clock:
    """How much of the training is done; it begins with the object."""

    def __init__(self, o: argparse.Namespace) -> None:
        self.o, self.begun = o, time.monotonic()

    def minutes(self) -> float:
        return (time.monotonic() - self.begun) / 60

    def part(self, update: int) -> float:
        return max(self.minutes() / self.o.minutes, update / self.o.updates if self.o.updates else 0)


def train(model: Transformer, pairs: Pairs, best: Best, o: argparse.Namespace) -> dict[str, Any]:
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
    average, schedule, clock = Average(model, o.average), Schedule(o), Clock(o)
    last: collections.deque[Weights] = collections.deque(maxlen=o.checkpoints)
    update = tokens = 0
    next_validation = 1 / o.validations
    for batch in epochs(pairs, o.batch_tokens, o.seed):
        passed = clock.part(update)
        if passed >= 1:
            break
        update += 1
        for group in optimizer.param_groups:
            group["lr"] = schedule.rate(update, passed)
        count = int((batch.target != PAD).sum())
        loss = model.loss(batch, o.smoothing) / count
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), o.clip)
        if not torch.isfinite(norm):
            sys.exit(f"peer_transformer: the gradient of update {update} is not finite")
        optimizer.step()
        average.add()
        tokens += count
        if passed >= next_validation:
            last.append([p.detach().clone() for p in model.parameters()])
            perplexity = best.offer(average.weights)
            print(json.dumps({"update": update, "minutes": round(clock.minutes(), 2), "loss": round(loss.item(), 3),
                              "target_tokens": tokens, "valid_perplexity_per_character": round(perplexity, 4)}), flush=True)
            cost = clock.part(update) - passed
            next_validation = passed + max(1 / o.validations, 20 * cost)
    minutes = clock.minutes()
    best.offer(average.weights)
    if last:
        best.offer([torch.stack(same).mean(0) for same in zip(*last)])
    return {"updates": update, "minutes": round(minutes, 2), "target_tokens": tokens,
            "epochs": round(tokens / sum(len(target) + 1 for _, target in pairs), 1)}


# ---- translation ----

def search(model: Transformer, sources: list[list[int]], o: argparse.Namespace) -> list[list[int]]:
    """The best hypothesis of each sentence. A sentence is done with as many ended hypotheses as the beam has."""
    beam, count = o.beam, len(sources)
    memory, mask = model.encode(padded([source + [END] for source in sources]))
    caches: list[list[Tensor]] = [[] for _ in model.decoder]
    scores = torch.full((count, beam), -math.inf)
    scores[:, 0] = 0
    ids, history = torch.full((count * beam,), BEGIN), torch.empty(count * beam, 0, dtype=torch.long)
    ended: list[list[tuple[float, list[int]]]] = [[] for _ in sources]
    first = torch.arange(count)[:, None] * beam
    for length in range(1, 2 * max(map(len, sources)) + 20):
        totals = (model.step(ids, caches, memory, mask, beam) + scores.view(-1, 1)).view(count, -1)
        found, places = totals.topk(2 * beam)
        words, rows = places % len(model.bias), places // len(model.bias) + first
        for s, r in (words[:, :beam] == END).logical_and(found[:, :beam].isfinite()).nonzero().tolist():
            if len(ended[s]) < beam:
                ended[s].append((found[s, r].item() / length ** o.length_penalty, history[rows[s, r]].tolist()))
        if all(len(hypotheses) >= beam for hypotheses in ended):
            break
        scores, order = found.masked_fill(words == END, -math.inf).topk(beam)
        ids, chosen = words.gather(1, order).view(-1), rows.gather(1, order).view(-1)
        history = torch.cat([history[chosen], ids[:, None]], 1)
        caches = [[part[chosen] for part in cache] for cache in caches]
    return [max(hypotheses)[1] if hypotheses else history[s * beam].tolist() for s, hypotheses in enumerate(ended)]


@torch.no_grad()
def translate(model: Transformer, sources: list[list[int]], o: argparse.Namespace) -> list[list[int]]:
    model.eval()
    order = sorted(range(len(sources)), key=lambda number: len(sources[number]))
    found: list[list[int]] = [[] for _ in sources]
    for begin in range(0, len(order), 64):
        some = order[begin:begin + 64]
        for number, words in zip(some, search(model, [sources[number] for number in some], o)):
            found[number] = words if sources[number] else []
    return found


def characters(path: str) -> int:
    with open(path, encoding="utf-8", newline="\n") as f:
        text = f.read()
    return len(text) + (not text.endswith("\n"))


def keep_memory() -> None:
    """Has glibc reuse large blocks instead of asking the system for new pages in each update."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        for name in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            mallopt(name, 1 << 30)


def main() -> None:
    o = options
    keep_memory()
    torch.set_num_threads(o.threads)
    torch.manual_seed(o.seed)
    torch.set_flush_denormal(True)
    ids = vocabulary(o.train)
    model = Transformer(o, SPECIALS + len(ids))
    pairs = [pair for pair in read_pairs(o.train, ids) if all(0 < len(side) <= o.max_length for side in pair)]
    if not pairs:
        sys.exit(f"peer_transformer: '{o.train[0]}' and '{o.train[1]}' have no pair of at most {o.max_length} tokens")
    test = read_pairs(o.test, ids)
    valid_batches, test_batches = ([batch_of(some) for some in cut(sorted(found, key=lengths), o.batch_tokens)]
                                   for found in (read_pairs(o.valid, ids), test))
    best = Best(model, valid_batches, characters(o.valid_text))
    result = train(model, pairs, best, o)
    put(model, best.weights)
    words = ["", "", "", "<unk>"] + list(ids)
    begun = time.monotonic()
    translations = translate(model, [source for source, _ in test], o)
    seconds = time.monotonic() - begun
    with open(o.output, "w", encoding="utf-8", newline="\n") as f:
        f.writelines(" ".join(words[word] for word in line) + "\n" for line in translations)
    nll = negative_log_likelihood(model, test_batches)
    result.update(parameters=sum(p.numel() for p in model.parameters()), vocabulary=len(words), torch=torch.__version__,
                  valid_perplexity_per_character=best.perplexity, translation_seconds=round(seconds, 1),
                  test_perplexity_per_character=math.exp(nll / characters(o.test_text)))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
