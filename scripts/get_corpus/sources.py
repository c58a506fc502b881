"""The corpora that come with translations of English into many languages: of each what it is, how its files are fetched
into a folder, and how pairs are read there."""
import collections

from . import debian, documents, download, libreoffice, programs

# about: for the user; fetch(folder, language): to a folder, which it returns; pairs(folder, language): yields (document,
# English, translation)
Source = collections.namedtuple("Source", "about fetch pairs")


def fetch_libreoffice(folder, language):
    ending = language.lower().replace("_", "-")
    names = [f"libreoffice-l10n-{ending}", f"libreoffice-help-{ending}", "libreoffice-help-en-us"]
    return download.packages(folder, "libreoffice-l10n-", names)


def fetch_sources(*names):
    return lambda folder, _: download.source_packages(folder, names)


def fetch_programs(folder, _):
    return download.matching_packages(folder, programs.PACKAGES)


SOURCES = {
    "debian": Source("descriptions of Debian's packages; DIR holds Translation-en and Translation-LANG",
                     download.descriptions, debian.pairs),
    "programs": Source(f"messages of {len(programs.PACKAGES)} programs and games; DIR holds their packages, or .mo files in "
                       "folders LANG/LC_MESSAGES", fetch_programs, programs.pairs),
    "libreoffice": Source("help and interface of LibreOffice; DIR holds the packages libreoffice-help-en-us, "
                          "libreoffice-help-LANG and libreoffice-l10n-LANG", fetch_libreoffice, libreoffice.pairs),
    "manpages": Source("manual pages; DIR holds the sources of manpages-l10n, or .po files",
                       fetch_sources("manpages-l10n"), documents.manual_pairs),
    "docs": Source("handbooks of Debian and GNOME; DIR holds the sources of debian-handbook, installation-guide, "
                   "debian-reference and gnome-user-docs, or .po files",
                   fetch_sources("debian-handbook", "installation-guide", "debian-reference", "gnome-user-docs"),
                   documents.book_pairs),
}
