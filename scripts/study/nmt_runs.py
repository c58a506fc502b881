"""Runs of nmt that studies make: text in, lines or scores out."""
import json
import os
import subprocess


def lines_of(path):
    with open(path, encoding="utf-8", newline="\n") as f:
        lines = f.read().split("\n")
    return lines if lines[-1] else lines[:-1]


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

    def bleu(self, hypotheses, references, *options):
        paths = [write_lines(self.folder, *pair) for pair in (("hypothesis", hypotheses), ("reference", references))]
        scores = self.run("eval", "--json", "--hypothesis", paths[0], "--reference", paths[1], *options)
        return json.loads(scores[0])["bleu"]["score"]
