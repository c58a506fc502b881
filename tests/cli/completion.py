"""Types command lines into a shell that completes them, and compares what comes out.

  completion.py SHELL SCRIPT < CASES

SHELL is bash or zsh, SCRIPT what `nmt completion` prints for it. A case is a line `TYPED => COMPLETED`: TYPED is typed, and
then a tab. In bash `TYPED =* COMPLETED` inserts all completions instead of the beginning that they share. A _ stands for a
blank at the end. What is wrong is printed, with status 1.
"""
import os
import pty
import re
import select
import sys
import time

SECONDS = 60  # of a slow and busy machine
BEGIN = {
    "bash": r"""
bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; bind 'set completion-query-items 0'
show() {{ printf 'LINE<%s>\n' "$READLINE_LINE"; READLINE_LINE=; }}
bind -x '"\C-t": show'
. {script}
echo RE''ADY
""",
    "zsh": r"""
unsetopt beep; setopt no_list_ambiguous; zstyle ':completion:*' menu no; zstyle ':completion:*' list-prompt ''; LISTMAX=9999
autoload -Uz compinit; compinit -u -D
show() {{ zle -I; print -r -- "LINE<$BUFFER>"; BUFFER= }}
zle -N show; bindkey '^T' show; bindkey '^I' complete-word
. {script}
echo RE''ADY
""",
}


class Shell:
    def __init__(self, name, script):
        command = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}[name]
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", PS1="> ", COLUMNS="1000", LINES="1000")
            os.execvp(command[0], command)
        self.text = ""
        for line in BEGIN[name].format(script=script).strip().split("\n"):
            os.write(self.terminal, line.encode() + b"\n")
        self.wait(r"READY")

    def wait(self, pattern):
        """What the pattern finds in the output from now on."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            found = re.search(pattern, self.text, re.S)
            if found:
                self.text = self.text[found.end():]
                return found
            if select.select([self.terminal], [], [], 1)[0]:
                self.text += os.read(self.terminal, 65536).decode(errors="replace").replace("\r", "")
        sys.exit(f"no answer: {self.text!r}")

    def complete(self, typed, key):
        os.write(self.terminal, typed.encode() + key + b"\x14")
        return self.wait(r"LINE<(.*?)>\n").group(1)


def main():
    shell = Shell(*sys.argv[1:])
    wrong = 0
    for case in sys.stdin.read().splitlines():
        typed, kind, completed = re.fullmatch(r"(.*) =([>*]) (.*)", case).groups()
        typed, completed = (re.sub("_$", " ", text) for text in (typed, completed))
        got = shell.complete(typed, b"\x1b*" if kind == "*" else b"\t")
        if got != completed:
            wrong += 1
            print(f"{sys.argv[1]}: {typed!r} becomes {got!r}, not {completed!r}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
