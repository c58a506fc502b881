"""Corpora that come as files of pairs: tab-separated, two files of one line count in a zip archive (Moses), TMX."""
import os
import re
import xml.etree.ElementTree as ElementTree

from .archives import files, is_archive, text_of, uncompressed
from .errors import CorpusError

# Of TMX: they hold another format's markup, not text; but those without an end may be a line break or a variable.
INLINE_CODES = {"bpt", "ept", "it", "ph", "ut"}
LINE_BREAK = re.compile(r"<\s*br\b|\\n|\n", re.IGNORECASE)
VARIABLE = re.compile(r"%(?:\(\w+\))?[-+#\d$.*]*[A-Za-z@]{1,3}|%\d+|%\w+%|[%#$]?\{+[\w.:,# -]*\}+|\$\w+\$?")
XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def lines_of(text):
    return text.removesuffix("\n").split("\n")


def is_quoted(field):
    return len(field) > 1 and field[0] == field[-1] == '"'


def is_of_sheet(lines):
    """Has a spreadsheet quoted fields? Then some have quotes inside, and all such are doubled."""
    doubled = False
    for line in lines:
        for inner in (field[1:-1] for field in line.split("\t") if is_quoted(field)):
            if '"' in inner.replace('""', ""):
                return False
            doubled |= '""' in inner
    return doubled


def tsv_pairs(path, data, left_out):
    """Yields the first two columns; LEFT_OUT counts what else lines have. The quotes of a spreadsheet go."""
    lines = lines_of(text_of(path, data))
    is_sheet = is_of_sheet(lines)
    for number, line in enumerate(lines, 1):
        columns = line.split("\t")
        if len(columns) < 2 and line.strip():
            raise CorpusError(f"cannot read '{path}': no tab in line {number}")
        if line.strip():
            left_out["in further columns"] += len(columns) - 2
            yield tuple(field[1:-1].replace('""', '"') if is_sheet and is_quoted(field) else field
                        for field in columns[:2])


def code_text(code):
    """What a code stands for in the text: a blank for a line break, a variable, or nothing."""
    text = "".join(code.itertext())
    if code.tag not in ("it", "ph"):
        return ""
    if code.get("type") in ("lb", "linebreak") or LINE_BREAK.search(text):
        return " "
    return text if VARIABLE.fullmatch(text.strip()) else ""


def segment_text(segment):
    inside = "".join((code_text(child) if child.tag in INLINE_CODES else segment_text(child)) + (child.tail or "")
                     for child in segment)
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


def language_of(path):
    """A Moses file's language: pt_BR of NAME.pt_BR and of NAME.pt-BR."""
    return os.path.splitext(path)[1][1:].replace("-", "_")


def moses_pairs(found, languages):
    """Of {path: bytes}: each NAME.SOURCE with its NAME.TARGET."""
    named = {(os.path.splitext(path)[0], language_of(path)): path for path in found}
    for (name, language), path in named.items():
        other = named.get((name, languages[1]))
        if language != languages[0] or not other:
            continue
        sides = [lines_of(text_of(side, found[side])) for side in (path, other)]
        if len(sides[0]) != len(sides[1]):
            raise CorpusError(f"cannot read '{path}': it has {len(sides[0])} lines, but '{os.path.basename(other)}' has "
                              f"{len(sides[1])}")
        yield from zip(*sides)


NOTES = re.compile(r"(?:^|/)(?:readme|license|copying|_about)[^/]*$", re.IGNORECASE)


def found_pairs(found, languages, left_out):
    """Yields (source, target) of {path: bytes}: tables only where there are no Moses files, which often come with notes."""
    yield from moses_pairs(found, languages)
    is_moses = any(language_of(path) in languages for path in found)
    for path, data in found.items():
        if path.lower().endswith(".tmx"):
            yield from tmx_pairs(path, data, languages)
        elif not is_moses:
            yield from tsv_pairs(path, data, left_out)


def pairs(path, languages, left_out):
    """Yields (document, source, target) of a table, of a TMX file, or of an archive or folder that holds such or Moses files;
    all are one document. LEFT_OUT counts what a table has beside the pairs."""
    is_table = not os.path.isdir(path) and not is_archive(path)
    def is_wanted(name):
        ending = language_of(name)
        return (ending in languages or ending.lower() in ("tmx", "tsv", "txt")) and not NOTES.search(name)

    found = {uncompressed(name): data for name, data in files(path, lambda name: is_table or is_wanted(name))}
    if not found:
        named = " and ".join(f"'.{language}'" for language in languages)
        raise CorpusError(f"'{path}' holds no table (.tsv, .txt), no TMX, and no files that end in {named}")
    yield from (("", source, target) for source, target in found_pairs(found, languages, left_out))
