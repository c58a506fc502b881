"""Debian's package descriptions: apt's Translation lists, as apt keeps them (…_main_i18n_Translation-pt%5fBR) or as a
mirror has them (Translation-pt_BR.bz2). English and translated descriptions of a package join on Description-md5. Their
titles pair up, and their paragraphs where both sides have the same number."""
import html
import os
import re
import unicodedata
import urllib.parse

from .archives import files, text_of
from .errors import CorpusError

LANGUAGE = r"[A-Za-z]+(?:_[A-Za-z]+)?(?:@[A-Za-z]+)?"
UNSPACED = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")  # beside the wide ones, Hangul excepted


def name_of(path):
    return urllib.parse.unquote(os.path.basename(path))


def list_language(path):
    """Of which language a list is, or None."""
    match = re.fullmatch(rf"(?:.*_)?Translation-({LANGUAGE})(?:\.\w+)?", name_of(path))
    return match[1] if match else None


def languages(folder):
    """All that the lists and the indexes of their mirrors name, but English."""
    found = {list_language(name) for _, _, names in os.walk(folder) for name in names}
    for path, data in files(folder, lambda path: re.search(r"(?:^|_)(?:In)?Release$", name_of(path))):
        found.update(re.findall(rf"i18n/Translation-({LANGUAGE})(?:\.\w+)?\s", text_of(path, data)))
    return sorted(found - {"en", None})


def descriptions(text, language):
    """Yields (md5, package, title, paragraphs)."""
    for entry in re.split(r"\n\n+", text):
        md5, package, title, lines = None, "", None, []
        for line in entry.split("\n"):
            name, _, value = line.partition(": ")
            if line.startswith(" "):
                lines.append(line)
            elif name == "Description-md5":
                md5 = value
            elif name == "Package":
                package = value
            elif name == f"Description-{language}":
                title = value
        if md5 and title:
            yield md5, package, title, paragraphs(lines)


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


def load(folder, language):
    """{md5: (package, title, paragraphs)}"""
    found = {}
    for path, data in files(folder, lambda path: list_language(path) == language):
        for md5, *description in descriptions(text_of(path, data), language):
            found.setdefault(md5, description)
    return found


def pairs(folder, language):
    """Yields (how the package's name begins, English, translation): packages of one program have much in common."""
    english = load(folder, "en")
    if not english:
        raise CorpusError("there are no English descriptions (Translation-en): is the mirror within reach?")
    known = languages(folder)
    if language not in known:
        raise CorpusError(f"there are no translations into '{language}'; there are: {' '.join(known)}")
    translated = load(folder, language)
    if not translated:
        raise CorpusError(f"there is no file of translations into '{language}': it is empty or could not be fetched")
    for md5 in sorted(english.keys() & translated.keys(), key=lambda md5: (english[md5][0], md5)):
        (package, title, parts), (_, other_title, other_parts) = english[md5], translated[md5]
        sides = [(title, other_title)] + (list(zip(parts, other_parts)) if len(parts) == len(other_parts) else [])
        for source, target in sides:
            yield package.partition("-")[0], html.unescape(source), html.unescape(target)
