"""The messages of programs: gettext's compiled catalogs (.mo), of packages of this system or of a folder."""
import html
import re

from .archives import files
from .catalogs import mo_messages, translations

# Packages whose catalogs have much text for their size, by patterns: names have versions in them. What a system lacks is
# skipped.
WESNOTH = "did dm dw ei httt l low nr sof sota sotbe thot trow tsg ttb utbs"  # its stories
PACKAGES = [f"wesnoth-1.*-{part}" for part in WESNOTH.split()] + """
freeciv-data minetest-data gbrainy
gcc-*-locales binutils-common libc-l10n git subversion mercurial-common gettext texinfo kdevelop-l10n fontforge-common
coreutils bash util-linux-locales gnupg-l10n e2fsprogs-l10n dpkg aptitude-common network-manager libvirt-l10n dnf-data
postgresql-1[0-9] postgresql-client-1[0-9] phpmyadmin wordpress-l10n weechat-core lynx-common mutt
gimp-data inkscape blender-data krita-l10n darktable digikam-data siril-common libgphoto2-l10n shotwell-common
vlc-l10n audacity-data ardour-data k3b-i18n brasero-common exfalso aegisub-l10n
calligrasheets-data lyx-common kile-l10n gnumeric-common gnucash-common kmymoney-common
grisbi-common tellico-data gramps grass-core rkward-data genius-common kig
evolution-common evolution-data-server-common claws-mail-i18n sylpheed-i18n kf?-messagelib-data kalarm korganizer
kdepim-runtime kdepim-addons kleopatra kgpg pidgin-data konversation-data hexchat-common filezilla-common amule-common
ktorrent-data nautilus-data caja-common krusader kio plasma-nm cinnamon-l10n gnome-control-center-data
gnome-software-common libgtk-3-common libglib2.0-data wx3.*-i18n geany-common bluefish-data anjuta-common
""".split()

CREDITS = re.compile(r"translator[-_]credits|(?:name|email)s? of translators|your (?:name|email)s", re.IGNORECASE)
# In front of the text: of Wesnoth, of old programs, of Freeciv.
CONTEXT = re.compile(r"[\w /,;:.'()-]+\^(?=\S)|[^|\n]+\|(?=\S)|\?[\w-]+:")

# ---- markup ----

BLOCKS = set("blockquote br center dd div dl dt h1 h2 h3 h4 h5 h6 hr item li list nl note ol p para pre table td th title tr "
             "ul".split())
ALONE = {"br", "hr", "img", "li", "nl", "p"}  # need no end tag
TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)((?:\s[^<>]*)?)/?>")
ENTITY = re.compile(r"&(?:\w+|#\d+|#x[0-9A-Fa-f]+);")
NO_TEXT = re.compile(r"<(?:style|script)\b|<\w+>\s*(?:dst|src|text|pos)='")  # Wesnoth's help has texts as attributes


def plain_rich(text):
    """Tags go, those of blocks leave an empty line. What only looks like a tag, as in "git add <path>", has no end and stays.
    None where text would be lost."""
    if NO_TEXT.search(text):
        return None
    ends = {name.lower() for slash, name, _ in TAG.findall(text) if slash}
    begins = {name.lower() for slash, name, _ in TAG.findall(text) if not slash}
    known = ends & begins | ALONE

    def replaced(tag):
        name = tag[2].lower()
        return tag[0] if name not in known else "\n\n" if name in BLOCKS else ""
    text = TAG.sub(replaced, text)
    return None if "</" in text else ENTITY.sub(lambda entity: html.unescape(entity[0]), text)


# ---- keyboard shortcuts ----

LABEL_MOST = 100  # characters of a text with a shortcut


def marks(text, mark):
    """Where MARK may stand for a shortcut: before a letter, at a word's begin or within it."""
    return list(re.finditer(rf"(?:^|(?<=[\s(/„«-])|(?<=[^\W\d_])){mark}(?=[^\W_])", text))


def word_at(text, place):
    return re.search(r"\w*$", text[:place])[0] + re.match(r"\W?\w*", text[place:])[0]


def is_name(mark, words, length):
    """Are these words, of both sides or one, a name such as file_name or AT&T?"""
    if all(word.startswith(mark) for word in words):
        return False
    return len(set(words)) == 1 and (len(words) == 2 or mark == "_") or mark == "_" and length > LABEL_MOST


def without_shortcuts(source, target):
    """Without _ or & before the letter of a shortcut, and the whole letter where it stands by itself: ファイル(_F). A mark
    that a side has more than once is none."""
    source, target = (re.sub(r"\|\S$", "", text) for text in (source, target))  # LyX's
    if source.startswith("/_"):  # a path through menus
        return source.replace("_", ""), target.replace("_", "")
    for mark in "&_":
        target = re.sub(rf"\s?\({mark}\w\)", "", target) if marks(source, mark) else target
        sides = [(text, marks(text, mark)) for text in (source, target)]
        words = [word_at(text, found[0].start()) for text, found in sides if found]
        if max(len(found) for _, found in sides) == 1 and not is_name(mark, words, max(len(source), len(target))):
            source, target = (text[:found[0].start()] + text[found[0].end():] if found else text for text, found in sides)
    return source, target


# ---- pairs ----

def parts(text):
    """Paragraphs; items and options of a list are some, too."""
    text = re.sub(r"\n(?=[ \t]*(?:[-*+•][ \t]|--?\w))", "\n\n", text)
    return [part for part in re.split(r"\n[ \t]*\n", text) if part.strip()]


def plain_pairs(source, target):
    """The pairs of a message: of its paragraphs, where both sides have the same number."""
    context = CONTEXT.match(source)
    if context and (context[0][-1] not in target or context[0][0] == "?"):
        source, target = source[context.end():], target.removeprefix(context[0])
    sides = plain_rich(source), plain_rich(target)
    if None in sides:
        return [(None, None)]
    found = [parts(side) for side in sides]
    pairs = zip(*found) if len(found[0]) == len(found[1]) else [sides]
    return [without_shortcuts(*pair) for pair in pairs]


def catalog_of(language):
    """Paths of a language's catalogs, de and de_DE: below its folder, or with it in their names as WordPress has them."""
    name = rf"{re.escape(language)}(?:_{language.upper()})?" if language.isalpha() else re.escape(language)
    return re.compile(rf"/{name}/LC_MESSAGES/[^/]+\.mo$|/wordpress/.*[/-]{name}\.mo$").search


def pairs(folder, language):
    """Yields (catalog, English, translation)."""
    for path, data in files(folder, catalog_of(language)):
        catalog = re.sub(rf"[-_]?{re.escape(language)}(?:_[A-Z]+)?\.mo$|\.mo$", "", path.rsplit("/", 1)[1])
        for message in mo_messages(path, data):
            if not CREDITS.match(message.sources[0]) and "TRANSLATORS" not in (message.context or ""):
                for translation in translations(message):
                    for pair in plain_pairs(*translation):
                        yield catalog, *pair
