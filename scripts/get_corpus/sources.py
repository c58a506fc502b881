"""The corpora that come with translations of English into many languages: of each what it is, how its files are fetched
into a folder, and how pairs are read there."""
import collections

from . import debian, download

# about: for the user; fetch(folder, language): to a folder, which it returns; pairs(folder, language): yields (document,
# English, translation)
Source = collections.namedtuple("Source", "about fetch pairs")


SOURCES = {
    "debian": Source("descriptions of Debian's packages; DIR holds Translation-en and Translation-LANG",
                     download.descriptions, debian.pairs),
}
