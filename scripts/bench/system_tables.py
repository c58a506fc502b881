"""The tables of what is around the network: matrix products, start, subwords and files."""
import os
import shutil
import subprocess
import sys
import time

from measure import MERGES, NMT, SIZES, SIZE_OPTIONS, fail, first_translation, has_module, median, run


def sgemm(bench):
    _, h, d, a, v = SIZES["base"][0]
    e = SIZES["base"][0][0]
    shapes = {"square 1024": "1024x1024x1024:nt", "recurrent, 64 rows": f"64x{3 * d}x{d}:nt",
              "recurrent, 32 rows": f"32x{3 * d}x{d}:nt", "its backward, 32 rows": f"32x{d}x{3 * d}:nn",
              "input, 500 rows": f"500x{3 * d}x{e}:nt", "weight gradient": f"{3 * d}x{d}x500:tn",
              "output, 128 rows": f"128x{v}x{e}:nt", "its input gradient": f"128x{e}x{v}:nn",
              "its weight gradient": f"{v}x{e}x128:tn"}
    rows = {}
    for name, shape in shapes.items():
        rows[name] = {"shape": shape}
        for threads in bench.threads:
            rates = bench.bench("gemm", threads=threads, shapes=shape, rounds=bench.rounds)[shape]
            rows[name][f"openblas_gflops_{threads}_threads"] = median(rates)
            if "rows" in name and not shape.endswith("tn"):
                rates = bench.bench("gemm", "--prepacked", threads=threads, shapes=shape, rounds=bench.rounds)[shape]
                rows[name][f"prepacked_gflops_{threads}_threads"] = median(rates)
    return rows


def start(bench):
    """Whole processes: `nmt --version`, the first line of `nmt translate`, and rate and memory for a test set."""
    bench.prepare()
    with open(bench.file(bench.test, "en"), "rb") as f:
        lines = f.readlines()
    size = os.path.getsize(os.path.join(bench.model, "model.safetensors")) / 2**20
    rows, programs = {}, {"": NMT, **({"beside_": bench.beside} if bench.beside else {})}
    seconds = {(row, name): [] for row in ("version", "first_translation") for name in programs}
    for _ in range(2 + 3 * bench.rounds):
        for name, nmt in programs.items():
            seconds["version", name].append(run([nmt, "--version"])[1])
            seconds["first_translation", name].append(first_translation(nmt, bench.model, lines[0]))
    for (row, name), values in seconds.items():
        rows.setdefault(row, {})[name + "milliseconds"] = 1000 * median(values[2:])
    for threads in bench.threads:
        row = rows[f"test_set_threads_{threads}"] = {"model_file_mib": size}
        for name, nmt in programs.items():
            _, s, peak = run([nmt, "translate", "--quiet", "--model", bench.model, "--threads", str(threads),
                              "--max-length-ratio", "1", "--input", bench.file(bench.test, "en")], stdout=subprocess.DEVNULL)
            row.update({name + "sentences_per_second": len(lines) / s, name + "peak_mib": peak,
                        name + "over_model_mib": peak - size})
    return rows


def add_text_peers(bench, rows):
    both, codes = os.path.join(bench.folder, "both"), os.path.join(bench.folder, "codes")
    with open(both, "wb") as out:
        for language in ("en", "fr"):
            with open(bench.file("train", language), "rb") as f:
                shutil.copyfileobj(f, out)
    if shutil.which("subword-nmt"):
        _, learn, _ = run(["subword-nmt", "learn-bpe", "-s", str(MERGES), "--input", both, "--output", codes])
        _, apply, _ = run(["subword-nmt", "apply-bpe", "-c", codes, "--input", both, "--output", os.devnull])
        rows["learn_whole_process"]["subword_nmt_seconds"] = learn
        rows["learn_whole_process"]["ratio_to_subword_nmt"] = learn / rows["learn_whole_process"]["seconds"]
        rows["apply"]["subword_nmt_seconds"] = apply
        rows["apply"]["ratio_to_subword_nmt"] = apply / rows["apply"]["seconds"]
    if has_module(sys.executable, "sentencepiece"):
        program = ("import sentencepiece as s; s.SentencePieceTrainer.train(input=%r, model_prefix=%r, vocab_size=%d, "
                   "model_type='bpe', minloglevel=2)" % (both, os.path.join(bench.folder, "sp"), MERGES))
        _, seconds, _ = run([sys.executable, "-c", program])
        rows["learn_whole_process"]["sentencepiece_seconds"] = seconds
        rows["learn_whole_process"]["ratio_to_sentencepiece"] = seconds / rows["learn_whole_process"]["seconds"]


def text(bench):
    """Subwords and files: seconds of whole processes, but for the learning itself, which nmt logs."""
    bench.prepare()
    learning, loading, whole, applying = [], [], [], []
    for _ in range(bench.rounds):
        begin = time.perf_counter()
        process = subprocess.Popen([NMT, "train", "--restart", "--config", bench.config], stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if line.startswith("subwords:"):
                learning.append(float(line.split(" in ")[1].split()[0]))
            if line.startswith("training pairs:"):
                loading.append(time.perf_counter() - begin)
        if process.wait():
            fail("nmt train failed")
        whole.append(time.perf_counter() - begin)
        for language, side in (("en", "source"), ("fr", "target")):
            _, s, _ = run([NMT, "tokenize", "--quiet", "--model", bench.model, "--side", side, "--input", bench.file("train", language)],
                          stdout=subprocess.DEVNULL)
            applying.append(s)
    rows = {"learn": {"seconds": median(learning)},
            "learn_whole_process": {"seconds": median(loading)},
            "apply": {"seconds": 2 * median(applying)}}
    if bench.peers:
        add_text_peers(bench, rows)
    files = bench.bench("files", folder=bench.folder, source=bench.prepared["train", "en"], rounds=bench.rounds,
                        **dict(zip(SIZE_OPTIONS, SIZES["base"][0])))
    rows["checkpoint_save"] = {"seconds": median(files["checkpoint_save_seconds"])}
    rows["model_open"] = {"seconds": median(files["model_open_seconds"])}
    return rows


TABLES = (sgemm, start, text)
