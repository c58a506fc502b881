"""The commands of a page, as scripts, and what is wrong with those that are not run.

  blocks.py NMT PROJECT PAGE DIR

PAGE is a path in PROJECT, the root of the source. A fenced block is of one of these kinds:

  sh      commands, written to DIR/NN.sh; with `<!-- not run: REASON -->` before the block they are only looked at
  json    a config, written to the file named last before the block; or a part of one, which begins with a quote
  text    output, equations, drawings
  c, python, cmake   programs and parts of them (the test build_installed runs those of src/api/README.md)

Of commands that are not run, and of those in the text (`nmt …`, `scripts/…`, `tests/…`), the options must be known and
the files and config keys exist; so must files that the text names. What is wrong is printed, with status 1.
"""
import glob
import json
import os
import re
import shlex
import subprocess
import sys

FOLDERS = ("configs/", "data/en-fr", "include/", "scripts/", "src/", "tests/")
ENDS = {";", "&", "&&", "|", "||", "(", ")", "\n"}
REDIRECTIONS = {"<", ">", ">>", "<<<"}


class Page:
    def __init__(self, nmt, project, page):
        self.nmt, self.project, self.page, self.faults = os.path.abspath(nmt), project, page, []
        self.helps, self.keys = {}, None

    def fault(self, line, what):
        self.faults.append(f"{self.page}:{line}: {what}")

    def output(self, *command):
        if command not in self.helps:
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.project, check=False)
            self.helps[command] = done.stdout if done.returncode == 0 else ""
        return self.helps[command]

    # ---- files ----

    def exists(self, path):
        """A path as a page writes it: from the root or from the page's own folder, maybe with a pattern or FILE in it."""
        path = re.sub(r"[A-Z]{2,}\b|…|<[^>]*>", "*", path.rstrip("/"))
        return any(glob.glob(os.path.join(self.project, folder, path)) for folder in ("", os.path.dirname(self.page)))

    def check_file(self, line, word):
        if word.startswith(FOLDERS) and not self.exists(word):
            self.fault(line, f"there is no '{word}'")

    # ---- commands ----

    def check_options(self, line, name, help_text, words):
        known = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", help_text))
        for word in words:
            option = word.split("=")[0]
            if re.fullmatch(r"--?[A-Za-z][\w-]*", option) and option not in known:
                self.fault(line, f"'{name}' has no option '{option}'")

    def check_settings(self, line, words):
        if self.keys is None:
            self.keys = set(re.findall(r"^  (\S+)", self.output(self.nmt, "train", "--help-config"), re.M))
        for option, setting in zip(words, words[1:]):
            key = setting.split("=")[0]
            if option in ("--set", "-S") and not key.isupper() and key not in self.keys \
                    and not re.fullmatch(r"decoding\.[A-Z]+", key):
                self.fault(line, f"there is no config key '{key}'")

    def check_command(self, line, words):
        """A command, maybe with a launcher such as mpirun before nmt; ~/nmt is the project."""
        words = [re.sub("^~/nmt/", "", word) for word in words]
        for word in words:
            self.check_file(line, word)
        programs = [i for i, word in enumerate(words) if word in ("nmt", "build/nmt")]
        if programs:
            command, *rest = words[programs[0] + 1:] or ["--help"]
            text = self.output(self.nmt, *([command] if command.startswith("-") else [command, "--help"]))
            if not text:
                self.fault(line, f"nmt has no command '{command}'")
            self.check_options(line, f"nmt {command}", text, rest)
            self.check_settings(line, rest)
        elif words and words[0].startswith(("scripts/", "tests/")) and self.exists(words[0]):
            path = os.path.join(self.project, words[0])
            if not os.path.isfile(path):
                return
            if not os.access(path, os.X_OK):
                if len(words) > 1:
                    self.fault(line, f"'{words[0]}' is no program")
                return
            self.check_options(line, words[0], self.output(os.path.join(".", words[0]), "--help"), words[1:])
            self.check_settings(line, words[1:])
        elif words and words[0] == "cmake":
            with open(os.path.join(self.project, "CMakeLists.txt"), encoding="utf-8") as f:
                known = f.read()
            for option in re.findall(r"-D(NMT_\w+)", " ".join(words)):
                if option not in known:
                    self.fault(line, f"CMakeLists.txt has no option '{option}'")

    def check_commands(self, line, text):
        """Shell text, cut into simple commands."""
        tokens = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars="();<>|&\n")
        tokens.whitespace, tokens.whitespace_split, tokens.commenters = " \t", True, "#"
        words = []
        for token in [*tokens, "\n"]:
            if token in ENDS or token.strip("\n") in {"", *ENDS}:
                words = [w for w in words if w not in REDIRECTIONS]
                while words and re.match(r"[A-Z_]+=", words[0]):  # of its environment
                    words.pop(0)
                self.check_command(line, words)
                words = []
            else:
                words.append(token)

    def check_text(self, line, text):
        """What a line outside of the blocks names."""
        for code in re.findall(r"`([^`]+)`", text):
            code = code.replace("\\|", "/")
            if re.match(r"(build/)?nmt [a-z]", code) or re.match(r"(scripts|tests)/", code):
                try:
                    self.check_commands(line, re.sub(r"[…\[\]]", "", code).replace("<", " "))
                except ValueError as error:
                    self.fault(line, f"`{code}`: {error}")
            else:
                self.check_file(line, code.split(" ")[0])

    # ---- the page ----

    def blocks(self):
        """(line, kind, reason not to run it, file named last, text) of each fenced block; looks at the text between them."""
        with open(os.path.join(self.project, self.page), encoding="utf-8") as f:
            lines = f.read().split("\n")
        kind, reason, named, begin, paragraph = None, None, None, 0, []
        for number, text in enumerate(lines, 1):
            if kind is None and (not text or text.startswith(("```", "|"))):
                self.check_text(number - len(paragraph), " ".join(paragraph))
                paragraph = []
            if kind is None and text.startswith("```"):
                kind, begin = text[3:], number
            elif kind is not None and text == "```":
                yield begin, kind, reason, named, "\n".join(lines[begin:number - 1]) + "\n"
                kind = reason = None
            elif kind is None:
                said = re.match(r"<!-- not run: (.+) -->$", text)
                reason = said.group(1) if said else reason if not text else None
                named = (re.findall(r"`([\w/-]+\.json)`", text) or [named])[-1]
                if text.startswith("|"):
                    self.check_text(number, text)
                elif text:
                    paragraph.append(text)
        self.check_text(len(lines) - len(paragraph), " ".join(paragraph))
        if kind is not None:
            self.fault(begin, "a block without an end")

    def scripts(self):
        """The text of each script to run."""
        for line, kind, reason, named, text in self.blocks():
            if kind == "sh" and reason is None:
                yield text
            elif kind == "sh":
                if subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=False).returncode:
                    self.fault(line, "no shell commands")
                else:
                    self.check_commands(line, text)
            elif kind == "json":
                try:
                    json.loads(text if text.startswith("{") else "{" + text + "}")
                except ValueError as error:
                    self.fault(line, str(error))
                if text.startswith("{") and named:
                    yield f"cat >{named} <<'END'\n{text}END\n"
            elif kind not in ("text", "c", "python", "cmake"):
                self.fault(line, f"a block of a kind that is not known: '{kind}'")


def main():
    nmt, project, name, folder = sys.argv[1:]
    page = Page(nmt, project, name)
    for number, text in enumerate(page.scripts(), 1):
        with open(os.path.join(folder, f"{number:02}.sh"), "w", encoding="utf-8") as f:
            f.write(text)
    print("\n".join(page.faults), end="\n" * bool(page.faults))
    return bool(page.faults)


if __name__ == "__main__":
    sys.exit(main())
