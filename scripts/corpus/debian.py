#!/usr/bin/env python3
"""Makes a parallel corpus out of apt's Translation lists: debian.py LISTS LANG OUT (see scripts/get-corpus).

LISTS holds the files as apt keeps them (…_main_i18n_Translation-pt%5fBR) or as a mirror has them (Translation-pt_BR.bz2),
compressed or not. English and translated descriptions of a package join on Description-md5. Their titles pair up, and
their paragraphs where both sides have the same number. Duplicates go; the split is by a hash of the source sentence, so
that train, valid and test never share one."""
import bz2
import collections
import gzip
import hashlib
import html
import io
import lzma
import os
import re
import subprocess
import sys
import unicodedata
import urllib.parse

EVALUATION_PERMILLE = 25  # of the distinct sources, for valid and for test
EVALUATION_MOST = 1500
LANGUAGE = r"[A-Za-z]+(?:_[A-Za-z]+)?(?:@[A-Za-z]+)?"
UNSPACED = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")  # beside the wide ones, Hangul excepted
APT_HELPER = "/usr/lib/apt/apt-helper"  # reads what Python cannot


class CorpusError(Exception):
    """What cannot be done, for the user."""


# ---- files ----

def open_with_apt(path):
    done = subprocess.run([APT_HELPER, "cat-file", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise OSError(done.stderr.decode(errors="replace").strip())
    return io.BytesIO(done.stdout)


OPENERS = {"": lambda path: open(path, "rb"), ".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open,
           ".lz4": open_with_apt, ".zst": open_with_apt}


def translation_lists(folder):
    """{language: [path, …]} of the lists in a folder."""
    found = collections.defaultdict(list)
    for name in sorted(os.listdir(folder)):
        match = re.fullmatch(rf"(?:.*_)?Translation-({LANGUAGE})(\.\w+)?", urllib.parse.unquote(name))
        if match and (match[2] or "") in OPENERS:
            found[match[1]].append(os.path.join(folder, name))
    return found


def languages(folder):
    """All that the lists and the indexes of their mirrors name, but English."""
    found = set(translation_lists(folder))
    for name in os.listdir(folder):
        if re.search(r"(?:^|_)(?:In)?Release$", name):
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                found.update(re.findall(rf"i18n/Translation-({LANGUAGE})(?:\.\w+)?\s", f.read()))
    return sorted(found - {"en"})


def lines_of(path):
    """Its lines, and an empty one at the end."""
    opener = OPENERS.get(os.path.splitext(path)[1], OPENERS[""])
    try:
        with opener(path) as f:
            for line in io.TextIOWrapper(f, encoding="utf-8", newline="\n"):
                yield line.rstrip("\n")
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as problem:
        raise CorpusError(f"cannot read '{path}': {problem}") from problem
    yield ""


# ---- descriptions ----

def descriptions(path, language):
    """Yields (md5, title, paragraphs)."""
    md5, title, lines = None, None, []
    for line in lines_of(path):
        if not line:
            if md5 and title:
                yield md5, title, paragraphs(lines)
            md5, title, lines = None, None, []
        elif line.startswith("Description-md5: "):
            md5 = line.split(": ", 1)[1]
        elif line.startswith(f"Description-{language}: "):
            title = line.split(": ", 1)[1]
        elif line.startswith(" "):
            lines.append(line)


def meet_without_blank(left, right):
    """Was there no blank where a line was broken between these two characters? As browsers decide it (CSS Text 4, segment
    breaks): none between two of a script without blanks, and none beside its punctuation; Korean has blanks."""
    names = [unicodedata.name(c, "") for c in (left, right)]
    if any(name.startswith("HANGUL") for name in names):
        return False
    wide = [unicodedata.east_asian_width(c) in "FWH" for c in (left, right)]
    if any(w and unicodedata.category(c).startswith("P") for w, c in zip(wide, (left, right))):
        return True
    return all(w or name.startswith(UNSPACED) for w, name in zip(wide, names))


def join(text, more):
    """Two lines of a paragraph."""
    return text + more if text and more and meet_without_blank(text[-1], more[0]) else text + " " + more


def paragraphs(lines):
    """A line " ." parts paragraphs; lines that begin with two blanks are lists and tables, a paragraph each."""
    found, last_was_text = [], False
    for line in lines:
        text = line.strip()
        if text == ".":
            last_was_text = False
        elif last_was_text and not (line.startswith("  ") and re.match(r"[-*+o] ", text)):
            found[-1] = join(found[-1], text)
        else:
            found.append(text)
            last_was_text = True
    return found


def clean(text):
    """Without entities, soft hyphens and repeated blanks."""
    return re.sub(r"\s+", " ", html.unescape(text).replace("\u00ad", "")).strip()


# ---- pairs ----

def load(paths, language):
    found = {}
    for path in paths:
        for md5, title, parts in descriptions(path, language):
            found.setdefault(md5, (title, parts))
    return found


def pairs_of(english, translated):
    for md5 in sorted(translated):
        if md5 not in english:
            continue
        (title, parts), (other_title, other_parts) = english[md5], translated[md5]
        yield title, other_title
        if len(parts) == len(other_parts):
            yield from zip(parts, other_parts)


def split_pairs(pairs):
    """{split: pairs}, and how many were left out for which reason."""
    seen, splits, left_out = set(), {"train": [], "valid": [], "test": []}, collections.Counter()
    for source, target in pairs:
        source, target = clean(source), clean(target)
        if not source or not target:
            left_out["empty"] += 1
        elif source == target:
            left_out["not translated"] += 1
        elif (source, target) in seen:
            left_out["duplicate"] += 1
        else:
            seen.add((source, target))
            place = int.from_bytes(hashlib.sha256(source.encode()).digest()[:4], "big") % 1000
            name = "valid" if place < EVALUATION_PERMILLE else "test" if place < 2 * EVALUATION_PERMILLE else "train"
            splits[name].append((source, target))
    for name in ("valid", "test"):
        splits[name] = splits[name][:EVALUATION_MOST]
    return splits, left_out


def make(folder, language, out):
    lists = translation_lists(folder)
    if not lists["en"]:
        raise CorpusError("there are no English descriptions (Translation-en): is the mirror within reach?")
    known = languages(folder)
    if language not in known:
        raise CorpusError(f"there are no translations into '{language}'; there are: {' '.join(known)}")
    if not lists[language]:
        raise CorpusError(f"there is no file of translations into '{language}': it is empty or could not be fetched")
    splits, left_out = split_pairs(pairs_of(load(lists["en"], "en"), load(lists[language], language)))
    if not splits["train"]:
        raise CorpusError(f"of the descriptions in '{language}' none has its English one")
    os.makedirs(out, exist_ok=True)
    for name, pairs in splits.items():
        for side, ending in enumerate(("en", language)):
            with open(os.path.join(out, f"{name}.{ending}"), "w", encoding="utf-8", newline="\n") as f:
                f.writelines(pair[side] + "\n" for pair in pairs)
    print(f"{out}: " + ", ".join(f"{name} {len(pairs)}" for name, pairs in splits.items()) + " pairs; left out: "
          + (", ".join(f"{count} {why}" for why, count in left_out.items()) or "none"))


try:
    make(*sys.argv[1:])
except (CorpusError, OSError) as error:
    sys.exit(f"get-corpus: {error}")
