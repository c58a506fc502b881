"""What an answer to odd input must be: each criterion is a function (judge, case, answer, plain answer) -> bool.

The judge knows what the training text is like: how much longer the target is than its source, and the characters of each
language."""
import collections
import math
import re

SHORTEST, LONGEST = 0.5, 2.0  # of the length that the training text leads to expect …
SLACK = 20                    # … give or take so many characters
MOST_UNITS = 16               # words, or letters, of a repeated n-gram
LEAST_LETTERS = 25            # of an answer whose language can be told
CLOSE = 0.5                   # F-score of character n-grams …
MOST_CHARACTERS = 6           # … of one to six


def letters(text):
    """In lower case, with one blank for whatever is between words."""
    return " ".join(re.findall(r"[^\W\d_]+", text.lower()))


class Language:
    """Trigrams of characters of a training text, with add-one smoothing."""

    def __init__(self, lines):
        self.trigrams, self.bigrams = collections.Counter(), collections.Counter()
        for line in lines:
            text = f"  {letters(line)} "
            self.trigrams.update(map("".join, zip(text, text[1:], text[2:])))
        for trigram, count in self.trigrams.items():
            self.bigrams[trigram[:2]] += count
        self.characters = len({trigram[2] for trigram in self.trigrams}) + 1

    def log_probability(self, text):
        text = f"  {letters(text)} "
        return sum(math.log((self.trigrams[a + b + c] + 1) / (self.bigrams[a + b] + self.characters))
                   for a, b, c in zip(text, text[1:], text[2:]))


class Judge:
    def __init__(self, source, target):
        """source, target: lines of the training text."""
        self.source, self.target = Language(source), Language(target)
        self.ratio = sum(map(len, target)) / sum(map(len, source))


def longest_run(units, least):
    """How often in a row an n-gram of the units occurs at most, for n from `least`."""
    longest = 1
    for n in range(least, MOST_UNITS + 1):
        same = 0
        for a, b in zip(units, units[n:]):
            same = same + 1 if a == b else 0
            longest = max(longest, 1 + same // n)
    return longest


def longest_runs(text, unit):
    """Of words and other units, and of two or more letters within a word."""
    words = [match[0] for match in re.finditer(unit, text.lower())]
    return longest_run(words, 1), max((longest_run(word, 2) for word in words), default=1)


def ngrams(text):
    text = re.sub(r"\W", "", text.lower())
    return collections.Counter(text[i:i + n] for n in range(1, MOST_CHARACTERS + 1) for i in range(len(text) - n + 1))


def similarity(a, b):
    """F-score of the n-grams of letters and digits."""
    a, b = ngrams(a), ngrams(b)
    return 2 * sum((a & b).values()) / (sum(a.values()) + sum(b.values()) or 1)


def digits(text):
    """The runs of digits, over the marks and blanks that part thousands."""
    return collections.Counter(re.findall(r"\d+", re.sub(r"(?<=\d)[.,\s](?=\d{3}(?!\d))", "", text)))


def answered(judge, case, answer, plain):
    return bool(answer.strip()) == bool(case.line.strip())


def length(judge, case, answer, plain):
    expected = judge.ratio * len(case.line)
    return SHORTEST * expected - SLACK <= len(answer) <= LONGEST * expected + SLACK


def runs(judge, case, answer, plain):
    """In an answer, the same mark several times is one unit ("..."); to "!!!" it may be "! ! !"."""
    of_answer, of_line = longest_runs(answer, r"\w+|([^\w\s])\1*"), longest_runs(case.line, r"\w+|[^\w\s]")
    return all(a <= max(2, b) for a, b in zip(of_answer, of_line))


def language(judge, case, answer, plain):
    return len(letters(answer)) < LEAST_LETTERS or judge.target.log_probability(answer) > judge.source.log_probability(answer)


def numbers(judge, case, answer, plain):
    return not digits(case.line) - digits(answer)


def kept(judge, case, answer, plain):
    bare = answer.replace(" ", "")
    return all(bare.count(string.replace(" ", "")) >= case.line.count(string) for string in case.kept)


def close(judge, case, answer, plain):
    return similarity(answer, plain) >= CLOSE


CRITERIA = {f.__name__: f for f in (answered, length, runs, language, numbers, kept, close)}
