"""LibreOffice: its help, pages of which one language has the same paragraphs as the other under the same ids, and the
texts of its interface, message catalogs by English texts."""
import collections
import html.parser
import re

from .archives import files, text_of
from .catalogs import mo_messages, translations
from .errors import CorpusError

PARAGRAPH = re.compile(r"(?:par|hd)_")  # how an id begins
BLOCKS = ("p", "h", "h1", "h2", "h3", "h4", "h5", "h6")
GTK_CONTEXT = re.compile(r"stock$|.*\|")  # of interface files, whose mark of a shortcut key is _ instead of ~


class HelpPage(html.parser.HTMLParser):
    """{(id, which one of that id): text} of a page's paragraphs. Of text that differs by system or program, hidden spans
    of which a script would show one, it takes the default."""

    def __init__(self):
        super().__init__()
        self.paragraphs, self.counts = {}, collections.Counter()
        self.key, self.spans = None, []  # of the paragraph that is open; is each open span's text wanted?

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in BLOCKS:
            self.key, self.spans, name = None, [], attrs.get("id") or ""
            if PARAGRAPH.match(name):
                self.key = name, self.counts[name]
                self.counts[name] += 1
                self.paragraphs[self.key] = ""
        elif tag == "span":
            self.spans.append(attrs.get("hidden") != "true" or (attrs.get("id") or "").startswith("default"))
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.key, self.spans = None, []
        elif tag == "span" and self.spans:
            self.spans.pop()

    def handle_data(self, data):
        if self.key and all(self.spans):
            self.paragraphs[self.key] += data


def help_pages(folder, language):
    """{page: {key: paragraph}}"""
    pages = {}
    for path, data in files(folder, re.compile(rf"/help/{re.escape(language)}/text/.*\.html$").search):
        page = HelpPage()
        page.feed(text_of(path, data))
        page.close()
        pages[path.rsplit(f"/help/{language}/text/", 1)[1]] = page.paragraphs
    return pages


def help_pairs(english, translated):
    for page, paragraphs in english.items():
        for key, source in paragraphs.items():
            yield page, source, translated.get(page, {}).get(key, "")


def without_shortcut(text, marks):
    """Without the mark of the shortcut key, and the whole key where it stands by itself: ファイル(~F)."""
    text = re.sub(rf"\s?\([{marks}]\w\)", "", text)
    return re.sub(rf"[{marks}](?=\w)", "", text, count=1)


def interface_pairs(folder, language):
    wanted = re.compile(rf"/resource/{re.escape(language)}/LC_MESSAGES/.*\.mo$").search
    for path, data in files(folder, wanted):
        catalog = path.rsplit("/", 1)[1]
        for message in mo_messages(path, data):
            context = message.context or ""
            marks = "~_" if GTK_CONTEXT.match(context) else "~"
            for pair in translations(message):
                yield f"{catalog} {context.partition('|')[0]}" if "|" in context else catalog, *(
                    without_shortcut(text, marks) for text in pair)


def pairs(folder, language):
    """Yields (page or dialog, English, translation)."""
    translated = help_pages(folder, language.replace("_", "-"))
    if translated:
        english = help_pages(folder, "en-US")
        if not english:
            raise CorpusError("there is no English help (libreoffice-help-en-us)")
        yield from help_pairs(english, translated)
    yield from interface_pairs(folder, language)
