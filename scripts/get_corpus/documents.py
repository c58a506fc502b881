"""Books and pages whose translations are kept as message catalogs (.po) in their sources: manual pages, handbooks."""
import re

from . import markup
from .archives import files, text_of
from .catalogs import po_messages, translations


def is_of(path, language):
    """Is a catalog's path, such as po/fr/man1/ls.1.po, fr-FR/intro.po or po/fr.po, one of that language? One without a
    country takes all countries."""
    names = re.split(r"[/\\]", path.removesuffix(".po").replace("-", "_"))
    return any(re.fullmatch(rf"{re.escape(language)}(?:_[A-Z]{{2,}})?", name) for name in names)


def entities_of(folder):
    """{name: text} that the .ent files define."""
    found = {}
    for path, data in files(folder, lambda path: path.endswith(".ent") and "/l10n/" not in path[len(folder):]):
        for name, _, value in re.findall(r"<!ENTITY\s+([\w.-]+)\s+([\"'])(.*?)\2\s*>", text_of(path, data), re.DOTALL):
            found.setdefault(name, value)
    return found


def is_listing(message):
    """Is it a table or a program, whose lines belong together?"""
    return "no-wrap" in message.flags and any("\n" in text.strip() for text in message.sources)


def catalog_pairs(folder, language, plain):
    """Yields (catalog, English, translation), both as PLAIN makes them; what it makes None is left out."""
    for path, data in files(folder, lambda path: path.endswith(".po") and is_of(path[len(folder):], language)):
        document = "/".join(path[len(folder):].split("/")[-3:])  # whatever archive or folder it lies in
        for message in po_messages(path, data):
            if not is_listing(message):
                for pair in translations(message):
                    source, target = map(plain, pair)
                    yield document, source, target


def manual_pairs(folder, language):
    return catalog_pairs(folder, language, markup.plain_roff)


def book_pairs(folder, language):
    entities = entities_of(folder)
    return catalog_pairs(folder, language, lambda text: markup.plain_xml(text, entities))
