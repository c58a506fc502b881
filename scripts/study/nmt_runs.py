"""Runs of nmt that studies make: text in, lines or scores out."""
import gzip
import json
import os
import subprocess


def lines_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as f:
        lines = f.read().split("\n")
    return lines if lines[-1] else lines[:-1]


def sides_of(corpus):
    """The source and the target lines of a corpus of a config: of two files, or of one with tabs."""
    if "tsv" in corpus:
        return list(zip(*(line.split("\t") for line in lines_of(corpus["tsv"]))))
    return [lines_of(corpus[side]) for side in ("source", "target")]


def training_lines(config):
    """The source lines of data.train, which is one corpus or a list."""
    corpora = config["data"]["train"]
    for corpus in corpora if isinstance(corpora, list) else [corpora]:
        yield from sides_of(corpus)[0]


def write_lines(folder, name, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.writelines(line + "\n" for line in lines)
    return path


class Nmt:
    """A program, and a folder for files that it is to read."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *args, lines=()):
        """The lines that a command prints, given some on standard input."""
        done = subprocess.run([self.program, *args, "--quiet"], input="".join(line + "\n" for line in lines),
                              check=True, capture_output=True, text=True)
        return done.stdout.split("\n")[:-1]

    def scores(self, hypotheses, references, *options):
        """What eval --json says of translations."""
        paths = [write_lines(self.folder, *pair) for pair in (("hypothesis", hypotheses), ("reference", references))]
        return json.loads(self.run("eval", "--json", "--hypothesis", paths[0], "--reference", paths[1], *options)[0])

    def bleu(self, hypotheses, references, *options):
        return self.scores(hypotheses, references, *options)["bleu"]["score"]
