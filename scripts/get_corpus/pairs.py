"""Pairs of sentences: what of them is kept, how they are split into train, valid and test, and how they are written."""
import collections
import contextlib
import hashlib
import os
import re
import tempfile
import unicodedata

from .errors import CorpusError

EVALUATION_PERMILLE = 25  # of the pairs, for valid and for test
EVALUATION_MOST = 1500
PART_MOST = 100  # pairs of a document that stay together
LONGEST = 2000  # characters
INVISIBLE = re.compile("[\u00ad\u2060\ufeff]")  # soft hyphen, word joiner, byte-order mark
SPLITS = ("train", "valid", "test")


def clean(text):
    """Composed characters, blanks for white space, none at the ends."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", INVISIBLE.sub("", text))).strip()


def is_garbled(text):
    return any(c == "\ufffd" or unicodedata.category(c) in ("Cc", "Co", "Cs") for c in text)


def fault_of(source, target):
    """Why a pair is left out, or None."""
    if not source or not target:
        return "empty"
    if source == target:
        return "not translated"
    if is_garbled(source) or is_garbled(target):
        return "with control characters"
    if not all(any(c.isalpha() for c in side) for side in (source, target)):
        return "without a letter"
    if max(len(source), len(target)) > LONGEST:
        return f"of more than {LONGEST} characters"
    return None


def distinct(pairs):
    """The pairs, each source and each target once: of several translations the most frequent, then the first."""
    counts = collections.Counter((source, target) for _, source, target in pairs)
    sources, targets, chosen = set(), set(), set()
    for source, target in sorted(counts, key=lambda pair: -counts[pair]):
        if source not in sources and target not in targets:
            sources.add(source)
            targets.add(target)
            chosen.add((source, target))
    for document, source, target in pairs:
        if (source, target) in chosen:
            chosen.remove((source, target))
            yield document, source, target


def parts_of(pairs, length):
    """{(document, number): pairs}: documents, those that are longer than LENGTH in parts."""
    parts, lengths = collections.defaultdict(list), collections.Counter()
    for document, source, target in pairs:
        parts[document, lengths[document] // length].append((source, target))
        lengths[document] += 1
    return parts


def split(pairs):
    """{split: pairs}: parts of documents go to valid and test as their hashes will have it, until those are full. Pairs
    stay in their order."""
    most = min(EVALUATION_MOST, len(pairs) * EVALUATION_PERMILLE // 1000)
    is_short = most < PART_MOST and len({document for document, _, _ in pairs}) == 1
    parts = parts_of(pairs, max(most // 4, 1) if is_short else PART_MOST)
    chosen, lengths = {}, collections.Counter()
    for part in sorted(parts, key=lambda part: hashlib.sha256(repr(part).encode()).digest()):
        chosen[part] = next((name for name in ("valid", "test") if lengths[name] + len(parts[part]) <= most), "train")
        lengths[chosen[part]] += len(parts[part])
    return {name: [pair for part in parts if chosen[part] == name for pair in parts[part]] for name in SPLITS}


def letters(text):
    """What two sentences have in common that differ in case, punctuation and numbers only."""
    return "".join(c for c in text.casefold() if unicodedata.category(c)[0] in "LM")


def without_likes(splits):
    """SPLITS, where valid and test have no sentence that is, letter by letter, one of the splits before, on either side."""
    seen, kept = (set(), set()), {}
    for name in SPLITS:
        keys = [tuple(map(letters, pair)) for pair in splits[name]]
        kept[name] = [pair for pair, key in zip(splits[name], keys)
                      if name == "train" or key[0] not in seen[0] and key[1] not in seen[1]]
        for side in (0, 1):
            seen[side].update(key[side] for key in keys)
    return kept


def sound(pairs, left_out):
    """The cleaned pairs that have no fault; LEFT_OUT counts the others. A side None is one that has no plain text."""
    for document, source, target in pairs:
        fault = "with markup"
        if source is not None and target is not None:
            source, target = clean(source), clean(target)
            fault = fault_of(source, target)
        if fault:
            left_out[fault] += 1
        else:
            yield document, source, target


def prepare(pairs, left_out):
    """{split: pairs} of (document, source, target); LEFT_OUT counts the others by the reason."""
    kept = list(sound(pairs, left_out))
    once = list(distinct(kept))
    splits = without_likes(split(once))
    left_out["duplicate"] = len(kept) - len(once)
    left_out["in valid or test like others"] = len(once) - sum(map(len, splits.values()))
    return splits


@contextlib.contextmanager
def all_or_nothing(out):
    """A folder for files that come into OUT when all of them are whole."""
    beside = os.path.dirname(out)
    os.makedirs(beside, exist_ok=True)
    # What is there may be another file system.
    with tempfile.TemporaryDirectory(prefix=".get-corpus-", dir=out if os.path.isdir(out) else beside) as folder:
        yield folder
        os.makedirs(out, exist_ok=True)
        for name in sorted(os.listdir(folder)):
            os.replace(os.path.join(folder, name), os.path.join(out, name))


def check_languages(languages):
    """They name the files."""
    if languages[0] == languages[1]:
        raise CorpusError(f"both sides would be *.{languages[0]}: give the languages other names")


def write(splits, languages, out):
    check_languages(languages)
    with all_or_nothing(out) as folder:
        for name, pairs in splits.items():
            for side, language in enumerate(languages):
                with open(os.path.join(folder, f"{name}.{language}"), "w", encoding="utf-8", newline="\n") as f:
                    f.writelines(pair[side] + "\n" for pair in pairs)


def summary(splits):
    """What there is, for the user."""
    words = [sum(len(pair[side].split()) for pairs in splits.values() for pair in pairs) for side in (0, 1)]
    return ", ".join(f"{name} {len(pairs)}" for name, pairs in splits.items()) + f" pairs, {words[0]} and {words[1]} words"


def losses(left_out):
    """What is missing, for the user."""
    return "left out: " + (", ".join(f"{count} {why}" for why, count in sorted((+left_out).items())) or "none")
