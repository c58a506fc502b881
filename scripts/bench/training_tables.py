"""The tables of training: rates, memory, and how cost grows."""
import json
import os

from measure import ROOT, SIZES, SIZE_OPTIONS, median, options, processor_flags

PEER_OPTIONS = ("emb", "enc", "dec", "att", "vocab")
DEFAULT_UPDATES = 6  # in a round of the default network, whose batches are larger
MEMORY_BATCHES = (16, 64, 160)
MEMORY_TOKENS = 30  # of a sentence
SHARDS = (2, 4, 8, 16, 32, 64)


def training_row(bench, settings, threads, peer=(), rounded=None):
    """nmt, the machine, the peer, if it has arguments, and nmt with the config `rounded`, if there is one, take turns; medians
    over the rounds."""
    files = bench.prepare()
    pair = files["train", "en"], files["train", "fr"]
    ours, sgemm, theirs, bf16s = [], [], [], []
    for _ in range(bench.rounds):
        sgemm.append(bench.sgemm(threads))
        ours.append(bench.bench("train", source=pair[0], target=pair[1], threads=threads, rounds=1, **settings))
        if rounded:
            bf16s.append(bench.bench("train", source=pair[0], target=pair[1], threads=threads, rounds=1,
                                     **{**settings, "config": rounded}))
        if bench.python and peer:
            theirs.append(bench.peer(["train-speed", *pair, *peer], threads))
    rates = [r["target_tokens_per_second"][0] for r in ours]
    gflops = median([r["gflops"][0] for r in ours])
    row = {"target_tokens_per_second": median(rates), "lowest": min(rates), "highest": max(rates), "gflops": gflops,
           "sgemm_gflops": median(sgemm), "fraction_of_sgemm": gflops / median(sgemm),
           "counted_over_useful": ours[0]["counted_over_useful_flops"], "peak_mib": max(r["peak_mib"] for r in ours),
           "parameters": ours[0]["parameters"], "target_tokens_per_update": ours[0]["target_tokens_per_update"]}
    for part in ours[0]["share_of_time"]:
        row[f"time_{part}"] = median([r["share_of_time"][part] for r in ours])
    row["allocations_per_update"] = max(r["allocations_per_update"] for r in ours)
    if bf16s:
        faster = [r["target_tokens_per_second"][0] for r in bf16s]
        row.update(bfloat16_target_tokens_per_second=median(faster), bfloat16_peak_mib=max(r["peak_mib"] for r in bf16s),
                   bfloat16_over_float32=median([f / r for f, r in zip(faster, rates)]),
                   bfloat16_time_gemm=median([r["share_of_time"]["gemm"] for r in bf16s]))
    if theirs:
        row["pytorch_target_tokens_per_second"] = median([r["tgt_tok_per_s"] for r in theirs])
        row["pytorch_peak_mib"] = max(r["peak_rss_mib"] for r in theirs)
        row["memory_ratio_to_pytorch"] = row["peak_mib"] / row["pytorch_peak_mib"]
        row["ratio_to_pytorch"] = row["target_tokens_per_second"] / row["pytorch_target_tokens_per_second"]
    return row


def train_size(bench, size):
    values, updates, peer_updates = SIZES[size]
    settings = dict(zip(SIZE_OPTIONS, values), updates=updates)
    peer = ["--updates", str(peer_updates), *options(PEER_OPTIONS, values)]
    return {f"threads_{t}": training_row(bench, settings, t, peer) for t in bench.threads}


def train_base(bench):
    return train_size(bench, "base")


def train_small(bench):
    return train_size(bench, "small")


def train_large(bench):
    return train_size(bench, "large")


def default_configs(bench):
    """A config without any key, and the shipped one for Multi30k."""
    empty = os.path.join(bench.folder, "default.json")
    with open(empty, "w", encoding="utf-8") as f:
        f.write("{}\n")
    return {"default": empty, "multi30k": os.path.join(ROOT, "configs", "multi30k-tok-en-fr.json")}


def rounded_config(bench, path):
    """The same config in bfloat16, or None where the processor cannot."""
    if not has_bf16():
        return None
    with open(path, encoding="utf-8") as f:
        config = json.load(f)
    config.setdefault("training", {})["precision"] = "bfloat16"
    rounded = os.path.join(bench.folder, "bfloat16-" + os.path.basename(path))
    with open(rounded, "w", encoding="utf-8") as f:
        json.dump(config, f)
    return rounded


def train_default(bench):
    """The networks and the batches of the default configs."""
    return {f"{name}_threads_{t}": training_row(bench, {"config": path, "updates": DEFAULT_UPDATES}, t,
                                                rounded=rounded_config(bench, path))
            for name, path in default_configs(bench).items() for t in bench.threads}


def has_bf16():
    return "avx512_bf16" in processor_flags()


def bf16(bench):
    """The products of an update with 64 sentences, by OpenBLAS, as nmt makes them, and in bfloat16."""
    if not has_bf16():
        return {"not measured": {"processor": "no AVX512-BF16"}}
    files = bench.prepare()
    networks = {name: {"config": path} for name, path in default_configs(bench).items()}
    networks.update({size: dict(zip(SIZE_OPTIONS, SIZES[size][0])) for size in ("base", "large")})
    rows = {}
    for name, network in networks.items():
        result = bench.bench("bf16", source=files["train", "en"], target=files["train", "fr"], batch=64, rounds=bench.rounds, **network)
        row = rows[name] = {column: value for column, value in result["all"].items() if column != "share_of_operations"}
        for kind in ("forward", "input_gradients", "weight_gradients"):
            row[f"{kind}_bf16_over_sgemm"] = result[kind]["bf16_over_sgemm"]
        row.update({column: value for column, value in result.items() if not isinstance(value, dict)})
    return rows


def memory(bench):
    """Peak memory of training with all threads, where every sentence has MEMORY_TOKENS tokens."""
    source, threads = bench.synthetic(MEMORY_TOKENS, 2 * max(MEMORY_BATCHES)), bench.threads[-1]
    networks = {name: dict(zip(SIZE_OPTIONS, values)) for name, (values, _, _) in SIZES.items()}
    networks["default"] = {"config": default_configs(bench)["default"], "vocabulary": SIZES["base"][0][-1]}
    rows = {}
    for name, settings in networks.items():
        for batch in MEMORY_BATCHES:
            result = bench.bench("train", source=source, threads=threads, batch=batch, updates=1, rounds=1, **settings)
            row = rows[f"{name}_batch_{batch}"] = {"peak_mib": result["peak_mib"], "parameters": result["parameters"]}
            if bench.python and name in SIZES:
                peer = bench.peer(["train-speed", source, source, "--batch", str(batch), "--warmup", "1", "--updates", "1",
                                   *options(PEER_OPTIONS, settings.values())], threads)
                row.update(pytorch_peak_mib=peer["peak_rss_mib"], ratio_to_pytorch=row["peak_mib"] / peer["peak_rss_mib"])
    return rows


def scaling(bench):
    """What to expect of more cores. Two threads against one, at two shards, give the serial part of an update; more shards on
    two threads, what an update costs more where each shard is small."""
    files, config = bench.prepare(), default_configs(bench)["default"]
    rates = {case: [] for case in ((1, 2), *((2, shards) for shards in SHARDS))}
    for _ in range(bench.rounds):
        for (threads, shards), values in rates.items():
            values += bench.bench("train", config=config, source=files["train", "en"], target=files["train", "fr"],
                                  threads=threads, shards=shards, updates=DEFAULT_UPDATES, rounds=1)["target_tokens_per_second"]
    rate = {case: median(values) for case, values in rates.items()}
    serial = max(0, 2 * rate[1, 2] / rate[2, 2] - 1)  # of an update's time on one thread: t_2 = serial + (1 - serial) / 2
    rows = {}
    for shards in SHARDS:
        cost = rate[2, 2] / rate[2, shards]
        rows[f"{shards}_shards"] = {"target_tokens_per_second_on_2_threads": rate[2, shards], "cost_beside_2_shards": cost,
                                    "serial_part": serial, "times_one_thread_by_amdahl": 1 / (serial + (1 - serial) / shards),
                                    "and_by_cost": 1 / (serial + (1 - serial) * cost / shards)}
    return rows


def growth(bench, cases):
    """cases: {row: settings of nmt_bench train}. Cost beside the operations that the formula counts: a row whose
    `cost_beside_paper` is 1 grew from the middle row exactly as on paper."""
    rows = {}
    for name, settings in cases.items():
        result = bench.bench("train", rounds=bench.rounds, threads=1, **settings)
        rows[name] = {"target_tokens_per_second": median(result["target_tokens_per_second"]), "gflops": median(result["gflops"]),
                      "peak_mib": result["peak_mib"]}
    middle = list(rows.values())[len(rows) // 2]["gflops"]
    for row in rows.values():
        row["cost_beside_paper"] = middle / row["gflops"]
    return rows


def grow_length(bench):
    return growth(bench, {f"length_{n}": {"source": bench.synthetic(n, 400), "batch": 16, "updates": max(1, 300 // n),
                                          "vocabulary": 2000} for n in (5, 10, 20, 50, 100, 200)})


def grow_vocabulary(bench):
    return growth(bench, {f"vocabulary_{v}": {"source": bench.synthetic(15, 400), "vocabulary": v,
                                              "updates": 3 if v > 10000 else 6} for v in (1000, 4000, 16000, 64000)})


def grow_batch(bench):
    return growth(bench, {f"batch_{b}": {"source": bench.synthetic(15, 2000), "vocabulary": 5531, "batch": b,
                                         "updates": max(2, 256 // b)} for b in (1, 4, 16, 64, 256)})


TABLES = (train_base, train_small, train_large, train_default, bf16, memory, scaling, grow_length, grow_vocabulary, grow_batch)
