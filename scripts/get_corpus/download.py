"""Gets what corpora are made of: with apt, from this system's mirrors and with its keys, or from an address. Everything
goes to a folder of the caller's; apt's own state stays as it is."""
import fnmatch
import glob
import http.client
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from . import archives
from .errors import CorpusError

ELSEWHERE = "--from DIR takes files that you have"
WITHOUT_PACKAGES = "Acquire::IndexTargets::deb::Packages::DefaultEnabled=false"


class Apt:
    """apt-get with lists and cache in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("lists/partial", "cache/archives/partial", "state", "got"):
            os.makedirs(os.path.join(folder, name))
        open(os.path.join(folder, "status"), "w", encoding="utf-8").close()
        self.got = os.path.join(folder, "got")
        self.lists = os.path.join(folder, "lists")
        self.options = []
        self.set(f"Dir::State={folder}/state", f"Dir::State::lists={self.lists}", f"Dir::State::status={folder}/status",
                 f"Dir::Cache={folder}/cache", "APT::Sandbox::User=root", "Acquire::GzipIndexes=false",
                 "Acquire::Languages=none", "quiet=2", "Acquire::Retries=2")

    def set(self, *options):
        for option in options:
            self.options += ["-o", option]

    def run(self, program, *arguments):
        """The program's output; an error where it fails."""
        command = [program] + self.options + list(arguments)
        try:
            done = subprocess.run(command, cwd=self.got, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  check=False)
        except FileNotFoundError as problem:
            raise CorpusError(f"there is no {program} here; {ELSEWHERE}") from problem
        if done.returncode:
            said = re.search(r"^(?:E|Error): (.*)", done.stderr.decode(errors="replace"), re.MULTILINE)
            raise CorpusError(f"{program} {arguments[0]}: {said[1] if said else f'status {done.returncode}'}; {ELSEWHERE}")
        return done.stdout.decode(errors="replace")

    def update(self):
        self.run("apt-get", "update")

    def add_sources(self):
        """Adds the source packages of this system's mirrors: copies of the lists of mirrors, with deb-src beside each deb."""
        paths = self.run("apt-config", "shell", "list", "Dir::Etc::sourcelist/f", "parts", "Dir::Etc::sourceparts/d")
        paths = dict(re.findall(r"(\w+)='(.*)'", paths))
        found = glob.glob(glob.escape(paths.get("list", ""))) + glob.glob(glob.escape(paths.get("parts", "")) + "*")
        copies = os.path.join(self.folder, "sources.list.d")
        os.mkdir(copies)
        for path in found:
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                text = re.sub(r"^deb(\s.*)$", r"\g<0>\ndeb-src\1", text, flags=re.MULTILINE)
                text = re.sub(r"^(Types:\s*)deb\s*$", r"\1deb deb-src", text, flags=re.MULTILINE)
                with open(os.path.join(copies, os.path.basename(path)), "w", encoding="utf-8") as f:
                    f.write(text)
        self.set("Dir::Etc::sourcelist=/dev/null", f"Dir::Etc::sourceparts={copies}", WITHOUT_PACKAGES)


def descriptions(folder, language):
    """The lists of English descriptions and of their translations."""
    apt = Apt(folder)
    apt.set(WITHOUT_PACKAGES, f"Acquire::Languages=en,{language}")
    apt.update()
    return apt.lists


def packages(folder, stem, names):
    """Of the packages NAMES those that there are; an error where the first is not one of them. STEM begins the names of
    packages of all languages."""
    apt = Apt(folder)
    apt.update()
    known = set(apt.run("apt-cache", "pkgnames", stem.split("-")[0]).split())
    if names[0] not in known:
        languages = sorted(name.removeprefix(stem) for name in known if name.startswith(stem))
        raise CorpusError(f"there is no package '{names[0]}'; " + (f"there are: {' '.join(languages)}" if languages
                          else f"is the mirror within reach? {ELSEWHERE}"))
    for name in names:
        if name in known:
            apt.run("apt-get", "download", name)
    return apt.got


def natural(name):
    """By this, gcc-9-locales comes before gcc-12-locales."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def matching_packages(folder, patterns):
    """For each pattern the package that matches, of several the one with the highest number in its name. What the system
    lacks is counted."""
    apt = Apt(folder)
    apt.update()
    known = apt.run("apt-cache", "pkgnames").split()
    found = [sorted(fnmatch.filter(known, pattern), key=natural)[-1:] for pattern in patterns]
    names = sum(found, [])
    if not names:
        raise CorpusError(f"there is none of {len(patterns)} packages; is the mirror within reach? {ELSEWHERE}")
    sizes = re.findall(r"^'\S+' \S+ (\d+) ", apt.run("apt-get", "--print-uris", "download", *names), re.MULTILINE)
    print(f"get-corpus: fetching {len(names)} packages, {sum(map(int, sizes)) / 1e6:.1f} MB; {found.count([])} are not of this "
          "system", file=sys.stderr)
    apt.run("apt-get", "download", *names)
    return apt.got


def source_packages(folder, names):
    apt = Apt(folder)
    apt.add_sources()
    apt.update()
    for name in names:
        apt.run("apt-get", "source", "--download-only", name)
    return apt.got


def address(folder, url):
    """A file of that name, as a whole; with the ending that its content has, if an address such as /get?id=5 has none."""
    path = os.path.join(folder, os.path.basename(urllib.parse.urlparse(url).path) or "download")
    try:
        socket.setdefaulttimeout(float(os.environ.get("NMT_DOWNLOAD_SECONDS") or 60))  # without a byte
        urllib.request.urlretrieve(url, path)
    except (OSError, ValueError, urllib.error.ContentTooShortError, http.client.HTTPException) as problem:
        raise CorpusError(f"cannot fetch '{url}': {getattr(problem, 'reason', None) or problem}") from problem
    named = path + archives.lacking_ending(path)
    os.rename(path, named)
    return named
