"""The tables of whole processes: beside busy ones, and from raw text to a tuned model."""
import contextlib
import json
import os
import subprocess
import sys

from measure import NMT, ROOT, median, run, run_measured


@contextlib.contextmanager
def busy_processes(count):
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def rate_of_config(bench, name, updates):
    """Target tokens per second of a training as its user starts it, the first quarter left out."""
    folder = os.path.join(bench.folder, "timed")
    settings = {"model_dir": folder, "training.max_updates": updates, "training.validate_every": 1000000,
                "training.tune": "false"}
    run([NMT, "train", "--quiet", "--restart", "--config", os.path.join(ROOT, "configs", name),
         *(word for key, value in settings.items() for word in ("--set", f"{key}={value}"))])
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as f:
        events = [json.loads(line) for line in f]
    timed = [e for e in events if e["event"] == "update"][updates // 4:]
    return sum(e["target_tokens"] for e in timed[1:]) / (timed[-1]["seconds"] - timed[0]["seconds"])


def rate_of_translate(bench, times):
    """Lines per second of the test set, several times over."""
    path = os.path.join(bench.folder, "long.en")
    with open(bench.file(bench.test, "en"), "rb") as f, open(path, "wb") as out:
        lines = f.readlines() * times
        out.writelines(lines)
    _, seconds, _ = run([NMT, "translate", "--quiet", "--model", bench.model, "--max-length-ratio", "1", "--input", path])
    return len(lines) / seconds


def busy(bench):
    """Whole processes with a thread per core, alone and beside one and two processes that never sleep."""
    bench.prepare()
    cases = {"train_en_fr": lambda: rate_of_config(bench, "en-fr.json", 240),
             "translate": lambda: rate_of_translate(bench, 4)}
    if bench.multi30k:
        cases["train_multi30k"] = lambda: rate_of_config(bench, "multi30k-tok-en-fr.json", 16)
    rates = {name: {others: [] for others in range(3)} for name in cases}
    for _ in range(bench.rounds):
        for name, rate in cases.items():
            for others, values in rates[name].items():
                with busy_processes(others):
                    values.append(rate())
    rows = {}
    for name, values in rates.items():
        quiet = median(values[0])
        row = rows[name] = {"tokens_or_lines_per_second": quiet}
        for others in (1, 2):
            row[f"beside_{others}"] = median(values[others])
            row[f"beside_{others}_over_quiet"] = row[f"beside_{others}"] / quiet
            row[f"beside_{others}_over_fair"] = row[f"beside_{others}_over_quiet"] * (bench.cores + others) / bench.cores
    return rows


def whole(bench):
    """From raw text to a tuned model, once: the shipped config for Multi30k, or for the shipped corpus."""
    name = "multi30k-en-fr" if bench.multi30k else "en-fr"
    folder = os.path.join(bench.folder, "whole")
    _, seconds, usage = run_measured([NMT, "train", "--quiet", "--restart", "--config", os.path.join(ROOT, "configs", name + ".json"),
                                      "--set", f"model_dir={folder}"])
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as f:
        updates = [e for e in map(json.loads, f) if e["event"] == "update"]
    scores, _, _ = run([NMT, "eval", "--quiet", "--json", "--model", folder])
    return {name: {"wall_minutes": seconds / 60, "cpu_minutes": (usage.ru_utime + usage.ru_stime) / 60,
                   "peak_mib": usage.ru_maxrss / 1024, "updates": updates[-1]["update"],
                   "bleu": json.loads(scores)["bleu"]["score"]}}


TABLES = (busy, whole)
