"""English word forms."""
from . import lexicon
from .tags import NUMBERS, Tagged, keeps_tag

_IRREGULAR = {}
for _entry in lexicon.ENGLISH_IRREGULAR.split(";"):
    _base, _past, _participle = _entry.split()
    _IRREGULAR[_base] = (_past, _participle)
_DOUBLED = {"cut", "run", "swim", "get", "win", "stop", "begin", "forget", "drop"}


def _first(verb, change):
    """Inflects the first word of "look for"."""
    head, _, tail = verb.partition(" ")
    return change(head) + (" " + tail if tail else "")


@keeps_tag
def plural(noun):
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


@keeps_tag
def third(verb):
    if verb == "have":
        return "has"
    if verb in ("go", "do"):
        return verb + "es"
    return _first(verb, lambda v: "goes" if v == "go" else plural(v))


def _ed(verb):
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + (verb[-1] if verb in _DOUBLED else "") + "ed"


@keeps_tag
def past(verb):
    return _first(verb, lambda v: _IRREGULAR[v][0] if v in _IRREGULAR else _ed(v))


@keeps_tag
def participle(verb):
    return _first(verb, lambda v: _IRREGULAR[v][1] if v in _IRREGULAR else _ed(v))


@keeps_tag
def ing(verb):
    def change(v):
        if v.endswith("e") and not v.endswith("ee"):
            return v[:-1] + "ing"
        return v + (v[-1] if v in _DOUBLED else "") + "ing"
    return _first(verb, change)


def article(word):
    sounds_like_vowel = word[0].lower() in "aeiou" and not word.startswith(("uni", "use", "eu"))
    return "an" if sounds_like_vowel or word.startswith(("hour", "honest")) else "a"


def numeral(n):
    return Tagged(_numeral(n), NUMBERS + n)


def _numeral(n):
    small = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
             "seventeen eighteen nineteen").split()
    if n < 20:
        return small[n]
    tens, ones = divmod(n, 10)
    word = "twenty thirty forty fifty sixty seventy eighty ninety".split()[tens - 2]
    return word + ("-" + small[ones] if ones else "")
