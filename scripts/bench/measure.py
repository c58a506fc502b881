"""What the tables of scripts/bench/run share: programs, networks, text, and one measurement of each kind."""
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
BUILD = os.path.join(ROOT, "build-bench")
NMT = os.path.join(BUILD, "nmt")
BENCH = os.path.join(BUILD, "scripts", "bench", "nmt_bench")
PEER = os.path.join(ROOT, "scripts", "bench", "peer-pytorch")
CTRANSLATE2 = os.path.join(ROOT, "scripts", "bench", "peer-ctranslate2")
OPENBLAS_OPENMP = "/usr/lib/x86_64-linux-gnu/openblas-openmp"

# E, H, D, A, V and how many updates make a round of nmt and of PyTorch, which takes longer to reach its rate.
SIZES = {
    "base": ((256, 256, 512, 512, 5531), 12, 40),
    "small": ((128, 256, 256, 256, 10000), 16, 60),
    "large": ((620, 1000, 1000, 1000, 30000), 3, 6),
}
SIZE_OPTIONS = ("embedding", "encoder", "decoder", "attention", "vocabulary")
MERGES = 8000


def fail(text):
    sys.exit(f"scripts/bench/run: {text}")


def run_measured(command, env=None, stdin=None, stdout=subprocess.PIPE):
    """Standard output, seconds and resource usage of a command."""
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdin=stdin or subprocess.DEVNULL, stdout=stdout, stderr=errors,
                                   env={**os.environ, **(env or {})})
        text = process.stdout.read().decode() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begin
        if process.returncode:
            errors.seek(0)
            fail(f"failed: {' '.join(command)}\n{errors.read().decode()}")
        return text, seconds, usage


def run(command, **streams):
    """Standard output, seconds and peak memory (MiB) of a command."""
    text, seconds, usage = run_measured(command, **streams)
    return text, seconds, usage.ru_maxrss / 1024


def first_translation(nmt, model, line):
    """Seconds until the first line is out."""
    begin = time.perf_counter()
    process = subprocess.Popen([nmt, "translate", "--quiet", "--model", model], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(line)
    process.stdin.flush()
    process.stdout.readline()
    seconds = time.perf_counter() - begin
    process.communicate()
    return seconds


def options(names, values):
    return [word for name, value in zip(names, values) for word in (f"--{name}", str(value))]


def median(values):
    return statistics.median(values)


def has_module(python, name):
    return shutil.which(python) and subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0


def processor_flags():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return {flag for line in f if line.startswith("flags") for flag in line.split(":", 1)[1].split()}


class Bench:
    def __init__(self, args, folder):
        self.rounds, self.folder = args.rounds, folder
        self.cores = os.cpu_count()
        self.threads = [1] if self.cores == 1 else [1, min(args.threads or self.cores, self.cores)]
        tok = os.path.join(ROOT, "data", "multi30k", "tok")
        self.multi30k = os.path.exists(os.path.join(tok, "train.en"))
        self.corpus = "Multi30k tok en-fr" if self.multi30k else "data/en-fr"
        self.text = tok if self.multi30k else os.path.join(ROOT, "data", "en-fr")
        self.test = "test2016" if self.multi30k else "test"
        self.python = self.find_torch() if args.peers else None
        if args.ctranslate2 and not has_module(args.ctranslate2, "ctranslate2"):
            fail(f"'{args.ctranslate2}' is no Python with CTranslate2: pip install ctranslate2 numpy")
        self.peers, self.beside, self.ctranslate2 = args.peers, args.beside, args.ctranslate2
        self.has_avx2 = "avx2" in processor_flags()
        self.prepared = None

    def find_torch(self):
        for python in (sys.executable, "/usr/bin/python3"):
            if has_module(python, "torch"):
                return python
        fail("--peers needs PyTorch: apt-get install python3-torch python3-numpy libopenblas0-openmp")

    def file(self, name, language):
        return os.path.join(self.text, f"{name}.{language}")

    # ---- text and a model of the base sizes, made once ----

    def prepare(self):
        """A model directory (one update of training) and the corpus in subwords, as the peers read it."""
        if self.prepared:
            return self.prepared
        e, h, d, a, _ = SIZES["base"][0]
        config = {"model_dir": os.path.join(self.folder, "model"),
                  "data": {"train": {"source": self.file("train", "en"), "target": self.file("train", "fr")}},
                  "text": {"tokenizer": "whitespace", "normalize": "none", "merges": MERGES},
                  "model": {"embedding": e, "tie": "target", "encoder": {"units": h}, "decoder": {"units": d},
                            "attention": {"units": a, "feed": "input"}, "layer_norm": False},  # as the peer's
                  "training": {"max_updates": 1, "max_epochs": 0, "average": 0}}
        self.config = os.path.join(self.folder, "base.json")
        with open(self.config, "w") as f:
            json.dump(config, f)
        run([NMT, "train", "--quiet", "--restart", "--config", self.config])
        self.model = config["model_dir"]
        self.prepared = {}
        for name, language in (("train", "en"), ("train", "fr"), (self.test, "en")):
            self.prepared[name, language] = self.subwords(self.file(name, language), "target" if language == "fr" else "source")
        return self.prepared

    def subwords(self, path, side="source"):
        """A file of the text's subwords; the model must be prepared."""
        subwords = os.path.join(self.folder, os.path.basename(path) + ".bpe")
        with open(subwords, "w") as f:
            run([NMT, "tokenize", "--quiet", "--model", self.model, "--side", side, "--input", path], stdout=f)
        return subwords

    def synthetic(self, length, lines, words=1000):
        """A file of random sentences, all of one length."""
        path = os.path.join(self.folder, f"synthetic.{length}.{words}")
        rng = random.Random(1)
        with open(path, "w") as f:
            for _ in range(lines):
                f.write(" ".join(f"w{rng.randrange(words)}" for _ in range(length - 1)) + "\n")
        return path

    # ---- one measurement each ----

    def bench(self, command, *flags, **settings):
        text, _, _ = run([BENCH, command, *flags, *options(settings.keys(), settings.values())])
        return json.loads(text)

    def sgemm(self, threads, shape="1024x1024x1024:nt"):
        return median(self.bench("gemm", threads=threads, shapes=shape, rounds=1)[shape])

    def peer(self, arguments, threads):
        env = {"LD_LIBRARY_PATH": OPENBLAS_OPENMP, "OMP_NUM_THREADS": str(threads)}
        text, _, _ = run([self.python, PEER, *arguments, "--threads", str(threads)], env=env)
        return json.loads(text)
