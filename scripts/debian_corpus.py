#!/usr/bin/env python3
"""Makes a parallel corpus out of apt's Translation lists: debian_corpus.py LISTS LANG OUT (see scripts/get-corpus).

English and translated descriptions of a package join on Description-md5. Their titles pair up, and their paragraphs
where both sides have the same number. Duplicates go; the split is by a hash of the source sentence, so that train,
valid and test never share one."""
import collections
import glob
import hashlib
import html
import os
import re
import sys

EVALUATION_PERMILLE = 25  # of the distinct sources, for valid and for test
EVALUATION_MOST = 1500


def descriptions(path, language):
    """Yields (md5, title, paragraphs)."""
    md5, title, lines = None, None, []
    with open(path, encoding="utf-8", errors="strict") as f:
        for line in list(f) + ["\n"]:
            line = line.rstrip("\n")
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


def paragraphs(lines):
    """A line " ." parts paragraphs; lines that begin with two blanks are lists and tables, a paragraph each."""
    found, last_was_text = [], False
    for line in lines:
        text = line.strip()
        if text == ".":
            last_was_text = False
        elif line.startswith("  "):
            if re.match(r"[-*+o] ", text) or not found or not last_was_text:
                found.append(text)
            else:
                found[-1] += " " + text
            last_was_text = True
        elif last_was_text:
            found[-1] += " " + text
        else:
            found.append(text)
            last_was_text = True
    return found


def clean(text):
    """Without entities, soft hyphens and repeated blanks."""
    return re.sub(r"\s+", " ", html.unescape(text).replace("\u00ad", "")).strip()


def load(folder, language):
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, f"*_Translation-{language}"))):
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


def main():
    folder, language, out = sys.argv[1:]
    english, translated = load(folder, "en"), load(folder, language)
    seen, splits, left_out = set(), {"train": [], "valid": [], "test": []}, collections.Counter()
    for source, target in pairs_of(english, translated):
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
    os.makedirs(out, exist_ok=True)
    for name, pairs in splits.items():
        for side, ending in enumerate(("en", language)):
            with open(os.path.join(out, f"{name}.{ending}"), "w", encoding="utf-8", newline="\n") as f:
                f.writelines(pair[side] + "\n" for pair in pairs)
    print(f"{out}: " + ", ".join(f"{name} {len(pairs)}" for name, pairs in splits.items()) + " pairs; left out: "
          + ", ".join(f"{count} {why}" for why, count in left_out.items()))


main()
