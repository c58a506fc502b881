"""Odd input for a translator: each class of it makes lines from the sentences of a test set, by rules and a random generator.

How the answers to the lines are judged is in criteria.py."""
import collections

Text = collections.namedtuple("Text", "source target")  # the sentences of a test set, in both languages

# line: what the translator gets; plain: the sentences that the line is made of; kept: strings that the answer must hold, too
Case = collections.namedtuple("Case", "line plain kept", defaults=[(), ()])

# make(rng, text): a Case; criteria: names of criteria; lines: in a run of 100 lines for each class; bar: the least percentage of lines
# that must meet all criteria
Class = collections.namedtuple("Class", "name make criteria lines bar")

STOPS = ".,;:!?"
EMOJI = ["😀", "👍", "🎉", "❤️", "👩‍💻", "🇫🇷", "👍🏽", "🚀", "⚠️", "✅"]
BRACKETS = ["()", "[]", "{}", "<>", "( )", "[ ]", "« »", "“”"]
MARKUP = ["<br>", "&amp;", "&nbsp;", "%s", "%d", "%1$s", "{name}", "{{count}}", "${HOME}", "`ls -l`", "\\n", "<img src=\"a.png\"/>"]
WORDS = ["Москва", "данные", "Αθήνα", "γλώσσα", "שלום", "مرحبا", "नमस्ते", "भाषा", "北京", "软件", "ひらがな", "カタカナ", "한국어", "ภาษา",
         "Հայերեն", "ქართული", "አማርኛ", "தமிழ்"]
CHARACTERS = "aZéßñжλא你かก7½€%#@&*+-=/\\|~^_.,;:!?'\"()[]{}<>«»“”…—→★😀"
BLANKS = [" ", "\t", "\u00a0", "\u3000", "\u2003", "\r", "\x0b", "\x0c", "\u2028", "\x85"]
OTHER_LANGUAGES = [
    "Das Programm liest eine Datei und schreibt das Ergebnis auf den Bildschirm.", "Heute Abend kochen wir Suppe mit Bohnen.",
    "El gato duerme debajo de la mesa de la cocina.", "Este programa muestra las fotos de una carpeta.",
    "Il treno per Milano parte alle sette di mattina.", "De kinderen spelen met een rode bal in de tuin.",
    "Katten ligger och sover på den varma stenen.", "Koira juoksee metsän läpi kotiin.",
    "Kedi masanın altında uyuyor ve kimseyi dinlemiyor.", "Program otwiera plik i pokazuje jego treść.",
    "Программа открывает файл и показывает его содержимое.", "Завтра мы поедем к бабушке в деревню.",
    "Το πρόγραμμα ανοίγει ένα αρχείο.", "התוכנית פותחת קובץ ומציגה אותו.", "يفتح البرنامج الملف ويعرض محتواه.",
    "यह प्रोग्राम फ़ाइल खोलता है और उसे दिखाता है।", "这个程序打开一个文件并显示它的内容。", "このプログラムはファイルを開いて表示します。",
    "이 프로그램은 파일을 열어 보여 준다.", "โปรแกรมนี้เปิดไฟล์และแสดงเนื้อหา"]
NEXT_KEY = {a: b for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm") for a, b in zip(row, row[1:] + row[-2])}


def changed(change):
    """A class whose lines are a sentence each, changed."""
    def make(rng, text):
        sentence = rng.choice(text.source)
        return Case(change(rng, sentence), [sentence])
    return make


def with_inserted(strings):
    """A class whose lines are a sentence each with one to three of the strings between its words."""
    def make(rng, text):
        sentence = rng.choice(text.source)
        words, kept = sentence.split(), rng.sample(strings, rng.randint(1, 3))
        for string in kept:
            words.insert(rng.randint(0, len(words)), string)
        return Case(" ".join(words), [sentence], kept)
    return make


def title_case(_, sentence):
    return " ".join(word[:1].upper() + word[1:] for word in sentence.split())


def without_stops(_, sentence):
    return "".join(c for c in sentence if c not in STOPS)


def with_doubled_stops(rng, sentence):
    sentence = sentence.rstrip(STOPS) + rng.choice(".!?")
    return "".join(c * rng.randint(2, 4) if c in STOPS else c for c in sentence)


def with_typo(rng, word):
    at = rng.randrange(len(word) - 1)
    before, here, after, rest = word[:at], word[at], word[at + 1], word[at + 2:]
    return before + rng.choice([after + here + rest, after + rest, here + here + after + rest,
                                NEXT_KEY.get(here, here) + after + rest])


def with_typos(rng, sentence):
    """A typo in every eighth word, at least one: two letters swapped, one dropped, doubled, or another key."""
    words = sentence.split()
    long = [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    for i in rng.sample(long, min(len(long), max(1, len(words) // 8))):
        words[i] = with_typo(rng, words[i])
    return " ".join(words)


def word(rng, text):
    words = [word.strip(STOPS) for word in rng.choice(text.source).split()]
    return Case(rng.choice([word for word in words if word.isalpha()] or ["word"]))


def repetition(rng, text):
    """One to three words three to twelve times."""
    words, length = rng.choice(text.source).split(), rng.randint(1, 3)
    at = rng.randrange(max(1, len(words) - length))
    return Case(" ".join(words[at:at + length] * rng.randint(3, 12)))


def number(rng):
    return rng.choice([str(rng.randrange(10 ** rng.randint(1, 9))), f"{rng.randrange(10 ** 7):,}", f"{rng.uniform(0, 1000):.2f}",
                       f"{rng.randint(1990, 2030)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
                       f"{rng.randrange(24)}:{rng.randrange(60):02}", f"{rng.randrange(101)}%"])


def numbers(rng, _):
    return Case(" ".join(number(rng) for _ in range(rng.randint(1, 8))))


def character(rng, _):
    return Case(rng.choice(CHARACTERS))


def blanks(rng, _):
    return Case("".join(rng.choices(BLANKS, k=rng.randrange(20))))


def other_language(rng, _):
    return Case(" ".join(rng.sample(OTHER_LANGUAGES, rng.randint(1, 2))))


def paragraph(words):
    """A class whose lines are as many of the test set's sentences in a row, each with a stop, as hold so many words."""
    def make(rng, text):
        at, sentences = rng.randrange(len(text.source)), []
        while sum(len(s.split()) for s in sentences) < words:
            sentence = text.source[at % len(text.source)]
            sentences.append(sentence if sentence[-1] in ".!?:;" else sentence + ".")
            at += 1
        return Case(" ".join(sentences), sentences)
    return make


CLASSES = [
    Class("plain", changed(lambda rng, s: s), "answered length runs language numbers", 100, 96),
    Class("word", word, "answered length runs", 100, 92),
    Class("character", character, "answered length runs", 100, 96),
    Class("repetition", repetition, "answered length runs", 100, 88),
    Class("caps", changed(lambda rng, s: s.upper()), "answered length runs language numbers close", 100, 93),
    Class("title", changed(title_case), "answered length runs language numbers close", 100, 86),
    Class("lower", changed(lambda rng, s: s.lower()), "answered length runs language numbers close", 100, 88),
    Class("no-stops", changed(without_stops), "answered length runs language close", 100, 94),
    Class("double-stops", changed(with_doubled_stops), "answered length runs language close", 100, 92),
    Class("typos", changed(with_typos), "answered length runs language numbers close", 100, 91),
    Class("emoji", with_inserted(EMOJI), "answered length runs language numbers kept close", 100, 91),
    Class("brackets", with_inserted(BRACKETS), "answered length runs language numbers kept close", 100, 90),
    Class("markup", with_inserted(MARKUP), "answered length runs language kept close", 100, 90),
    Class("scripts", with_inserted(WORDS), "answered length runs language numbers kept close", 100, 88),
    Class("numbers", numbers, "answered length runs numbers", 100, 95),
    Class("other-language", other_language, "answered length runs", 100, 95),
    Class("target-language", lambda rng, text: Case(rng.choice(text.target)), "answered length runs language numbers", 100, 94),
    Class("paragraph", paragraph(50), "answered length runs language numbers close", 50, 94),
    Class("500-words", paragraph(500), "answered length runs language numbers close", 10, 80),
    Class("blanks", blanks, "answered", 100, 100),
]
