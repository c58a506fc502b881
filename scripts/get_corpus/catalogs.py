"""Translations of messages as GNU gettext keeps them: catalogs as text (.po) and compiled (.mo). Entries that are fuzzy,
obsolete or not translated are left out."""
import collections
import gettext
import re
import struct

from .archives import text_of
from .errors import CorpusError

# context: None where there is none; sources: msgid and, of a plural, msgid_plural; targets: one, or of a plural, those of
# forms_of the header, or without it as many as there are; flags and kinds: of the comments "#, no-wrap" and "#. type: Plain text".
Message = collections.namedtuple("Message", "context sources targets flags kind")

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", '"': '"', "'": "'"}
KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s*(\".*)")
STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"\s*")
PLURAL_FORMS = re.compile(r"^Plural-Forms:.*\bplural\s*=([^;\n]+)", re.MULTILINE | re.IGNORECASE)
MO_MAGIC = 0x950412DE


def translations(message):
    """The pairs of a message: singular with the first form, plural with the last; a language of one form has the plural's."""
    if len(message.sources) == 1:
        return [(message.sources[0], message.targets[0])]
    if len(message.targets) == 1:
        return [(message.sources[1], message.targets[0])]
    return [(message.sources[0], message.targets[0]), (message.sources[1], message.targets[-1])]


def forms_of(header):
    """The numbers of the plural forms for 1 and for 5, or None. Most numbers in texts are like 5."""
    found = PLURAL_FORMS.search(header)
    try:
        form = gettext.c2py(found[1].strip()) if found else None
        return (form(1), form(5)) if form else None
    except (ValueError, ArithmeticError):
        return None


def targets_of(targets, forms):
    """Of plural forms, those that `forms` name."""
    is_plural = forms and len(targets) > 1 and all(0 <= form < len(targets) for form in forms)
    return [targets[form] for form in forms] if is_plural else targets


# ---- .po ----

def unquoted(text, place):
    match = STRING.fullmatch(text)
    if not match:
        raise CorpusError(f"cannot read {place}: a string does not end where the line does")

    def character(escape):
        if escape[1] not in ESCAPES:
            raise CorpusError(f"cannot read {place}: unknown escape '{escape[0]}'")
        return ESCAPES[escape[1]]
    return re.sub(r"\\(.)", character, match[1])


def po_message(fields, comments, forms):
    """The message of an entry's fields, or None."""
    targets = [text for keyword, text in fields.items() if keyword.startswith("msgstr")]
    flags = [flag.strip() for line in comments if line.startswith("#,") for flag in line[2:].split(",")]
    kind = next((line[8:].strip() for line in comments if line.startswith("#. type:")), None)
    if "fuzzy" in flags or not fields["msgid"] or not all(targets):
        return None
    sources = [fields[keyword] for keyword in ("msgid", "msgid_plural") if keyword in fields]
    return Message(fields.get("msgctxt"), sources, targets_of(targets, forms), flags, kind)


def po_entries(path, text):
    """Yields the fields ({keyword: text}) and comments of each entry."""
    fields, comments, keyword = {}, [], None
    for number, line in enumerate(text.split("\n"), 1):
        line, place = line.strip(), f"'{path}', line {number}"
        begins = KEYWORD.fullmatch(line)
        is_comment = not line or line.startswith("#")
        if "msgstr" in fields or "msgstr[0]" in fields:
            if is_comment or begins and not begins[1].startswith("msgstr"):
                yield fields, comments
                fields, comments, keyword = {}, [], None
        if is_comment:
            comments.append(line)
        elif begins:
            keyword = begins[1]
            if keyword in fields or keyword.startswith("msgstr") and "msgid" not in fields:
                raise CorpusError(f"cannot read {place}: '{keyword}' is out of place")
            fields[keyword] = unquoted(begins[2], place)
        elif line.startswith('"') and keyword:
            fields[keyword] += unquoted(line, place)
        else:
            raise CorpusError(f"cannot read {place}: neither a comment nor a part of a message")
    if fields:
        if not any(name.startswith("msgstr") for name in fields):
            raise CorpusError(f"cannot read '{path}': it ends within a message")
        yield fields, comments


def po_messages(path, data):
    charset = re.search(rb"\"Content-Type:[^\n\"]*charset=([\w.:-]+)", data)
    text = text_of(path, data, charset[1].decode().lower() if charset else "utf-8")
    forms = None
    for fields, comments in po_entries(path, text):
        if not fields["msgid"] and forms is None:
            forms = forms_of(fields.get("msgstr", ""))
        message = po_message(fields, comments, forms)
        if message:
            yield message


# ---- .mo ----

def mo_strings(path, data):
    """Yields (original, translation), bytes both."""
    for order in "<", ">":
        if len(data) >= 20 and struct.unpack_from(order + "I", data)[0] == MO_MAGIC:
            break
    else:
        raise CorpusError(f"cannot read '{path}': not a compiled message catalog")
    _, count, originals, targets = struct.unpack_from(order + "4I", data, 4)
    for number in range(count):
        found = []
        for table in originals, targets:
            try:
                length, start = struct.unpack_from(order + "2I", data, table + 8 * number)
            except struct.error as problem:
                raise CorpusError(f"cannot read '{path}': message {number + 1} of {count} is missing") from problem
            if start + length > len(data):
                raise CorpusError(f"cannot read '{path}': message {number + 1} of {count} is cut off")
            found.append(data[start:start + length])
        yield found


def mo_charset(path, header):
    charset = re.search(rb"charset=([\w.:-]+)", header)
    charset = charset[1].decode(errors="replace") if charset else "utf-8"
    try:
        b"a".decode(charset)
    except LookupError as problem:
        raise CorpusError(f"cannot read '{path}': unknown encoding '{charset}'") from problem
    return charset


def mo_messages(path, data):
    """The messages; U+FFFD stands for what is not of the catalog's encoding."""
    strings = list(mo_strings(path, data))
    header = next((target for original, target in strings if not original), b"")
    charset = mo_charset(path, header)
    forms = forms_of(header.decode(charset, "replace"))
    for original, target in strings:
        context, _, original = original.decode(charset, "replace").rpartition("\4")
        targets = target.decode(charset, "replace").split("\0")
        if original and all(targets):
            yield Message(context or None, original.split("\0"), targets_of(targets, forms), [], None)
