"""Corpora that come as files of pairs: tab-separated, two files of one line count in a zip archive (Moses), TMX."""
import os
import re
import xml.etree.ElementTree as ElementTree

from .archives import files, is_archive, text_of, uncompressed
from .errors import CorpusError

INLINE_CODES = {"bpt", "ept", "it", "ph", "ut"}  # of TMX: they hold another format's markup, not text
XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def lines_of(text):
    return text.removesuffix("\n").split("\n")


def tsv_pairs(path, data):
    """Yields the first two columns; what else a line has is ignored."""
    for number, line in enumerate(lines_of(text_of(path, data)), 1):
        columns = line.split("\t")
        if len(columns) < 2 and line.strip():
            raise CorpusError(f"cannot read '{path}': no tab in line {number}")
        if line.strip():
            yield columns[0], columns[1]


def segment_text(segment):
    inside = "".join(("" if child.tag in INLINE_CODES else segment_text(child)) + (child.tail or "") for child in segment)
    return (segment.text or "") + inside


def is_language(tag, language):
    """Is en-US English? A language without a country takes all countries."""
    tag, language = tag.lower().replace("_", "-"), language.lower().replace("_", "-")
    return tag == language or tag.startswith(language + "-")


def tmx_pairs(path, data, languages):
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as problem:
        raise CorpusError(f"cannot read '{path}': {problem}") from problem
    if root.tag != "tmx":
        raise CorpusError(f"cannot read '{path}': not TMX, but '{root.tag}'")
    for unit in root.iter("tu"):
        sides = []
        for language in languages:
            segments = [variant.find("seg") for variant in unit.iter("tuv")
                        if is_language(variant.get(XML_LANGUAGE) or variant.get("lang") or "", language)]
            sides.append(segment_text(segments[0]) if segments and segments[0] is not None else "")
        yield tuple(sides)


def moses_pairs(found, languages):
    """Of {path: bytes}: each NAME.SOURCE with its NAME.TARGET."""
    source_ending, target_ending = ("." + language for language in languages)
    for path in [path for path in found if path.endswith(source_ending)]:
        other = path.removesuffix(source_ending) + target_ending
        if other not in found:
            continue
        sides = [lines_of(text_of(side, found[side])) for side in (path, other)]
        if len(sides[0]) != len(sides[1]):
            raise CorpusError(f"cannot read '{path}': it has {len(sides[0])} lines, but '{os.path.basename(other)}' has "
                              f"{len(sides[1])}")
        yield from zip(*sides)


NOTES = re.compile(r"(?:^|/)(?:readme|license|copying|_about)[^/]*$", re.IGNORECASE)


def found_pairs(found, languages):
    """Yields (source, target) of {path: bytes}: tables only where there are no Moses files, which often come with notes."""
    yield from moses_pairs(found, languages)
    is_moses = any(path.endswith(f".{language}") for path in found for language in languages)
    for path, data in found.items():
        if path.endswith(".tmx"):
            yield from tmx_pairs(path, data, languages)
        elif not is_moses:
            yield from tsv_pairs(path, data)


def pairs(path, languages):
    """Yields (document, source, target) of a table, of a TMX file, or of an archive or folder that holds such or Moses files;
    all are one document."""
    is_table = not os.path.isdir(path) and not is_archive(path)
    endings = "|".join(re.escape(language) for language in languages)
    wanted = re.compile(rf"\.(?:tmx|tsv|txt|{endings})$").search
    found = {uncompressed(name): data
             for name, data in files(path, lambda name: is_table or wanted(name) and not NOTES.search(name))}
    if not found:
        named = " and ".join(f"'.{language}'" for language in languages)
        raise CorpusError(f"'{path}' holds no table (.tsv, .txt), no TMX, and no files that end in {named}")
    yield from (("", source, target) for source, target in found_pairs(found, languages))
