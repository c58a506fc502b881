"""What belongs together: words that were picked as a pair carry a tag on both sides through inflection and agreement into
the two sentences, from which the true word alignment is read off.

A Tagged text is a str like any other until it is put into a sentence by an f-string: then a mark from Unicode's private
use area stands behind each of its words."""
import functools
import re

FIRST, LAST = 0xE000, 0xF8FF
NO_TAG = chr(LAST)  # ends a piece that has none
NUMBERS = 0xF000  # the number n has the tag NUMBERS + n: the same on both sides
_MARK = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")  # as the tokenizer "unicode" of nmt, for the characters that occur here


class Tagged(str):
    def __new__(cls, text, tag):
        self = super().__new__(cls, text)
        self.tag = tag
        return self

    def __format__(self, spec):
        return " ".join(word + chr(self.tag) for word in self.split(" "))


def tagged_as(text, other):
    """text with the tag of other, if it has one."""
    return Tagged(text, other.tag) if isinstance(other, Tagged) else text


def keeps_tag(inflect):
    """Of a function that gives a form of its first argument."""
    @functools.wraps(inflect)
    def wrapped(word, *args, **kwargs):
        return tagged_as(inflect(word, *args, **kwargs), word)
    return wrapped


def bare(text):
    return _MARK.sub("", text)


def marks(text):
    return "".join(_MARK.findall(text))


def _tokens(text):
    """Each token of nmt with the tags of the piece that it begins in."""
    out = []
    for word in text.split():
        begin = 0
        pieces = []
        for mark in list(_MARK.finditer(word)) + [None]:
            end = mark.start() if mark else len(word)
            if mark and end == begin and pieces:
                pieces[-1][1].add(mark.group())  # a second mark of the same piece
            elif end > begin:
                pieces.append((word[begin:end], {mark.group()} - {NO_TAG} if mark else set()))
            begin = mark.end() if mark else end
        whole, at = "".join(piece for piece, _ in pieces), []
        for piece, tags in pieces:
            at += [tags] * len(piece)
        out += [(token.group(), at[token.start()]) for token in TOKEN.finditer(whole)]
    return out


def links(source, target):
    """Links "i-j" (sure) and "i?j" (possible) of the tokens of two tagged sentences.

    Tokens of one tag are linked surely, if the source has only one of them; of several, the first surely. Numbers and
    punctuation are linked to themselves. Words without a tag, auxiliaries and particles, may belong to any such word."""
    sources, targets = _tokens(source), _tokens(target)
    out, first = [], {}
    for i, (_, tags) in enumerate(sources):
        for tag in tags:
            first.setdefault(tag, i)
    for j, (word, tags) in enumerate(targets):
        for i, (other, others) in enumerate(sources):
            common = tags & others
            if any(first[tag] == i for tag in common) or (not tags and not others and word == other and not word.isalpha()):
                out.append(f"{i}-{j}")
            elif common or (not tags and not others and word.isalpha() and other.isalpha()):
                out.append(f"{i}?{j}")
    return " ".join(out)
