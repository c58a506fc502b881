#!/usr/bin/env python3
"""Makes tests/golden/metrics.json and tests/golden/bpe.*: what the programs say that nmt must agree with.

Needs sacrebleu and subword-nmt (pip install sacrebleu subword-nmt); run it only to add cases, with --bpe for the
files of BPE, too:  python3 scripts/make_text_golden.py [--bpe]
"""
import io
import json
import os
import random
import sys

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
from subword_nmt.apply_bpe import BPE, read_vocabulary
from subword_nmt.learn_bpe import learn_bpe

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
GOLDEN = os.path.join(ROOT, "tests", "golden")

PLAIN = ["The cat sat on the mat.", "It's 3.14, isn't it?", "A state-of-the-art $5.00 lamp (new)!", "He said: \"no, thanks\"."]
CLOSE = ["The cat sat on a mat.", "It is 3.14, is it not?", "A state of the art $5 lamp (new).", "He said \"no thanks\"."]
OTHER = ["A cat was sitting on the mat.", "Is it 3.14?", "One new lamp, state-of-the-art, for $5.00!", "He said no, thank you."]
FRENCH = ["L'été dernier, nous avons vu « Les Misérables » à l'Opéra.", "Où est-ce que tu vas ? À Paris…", "Ça coûte 1 234,50 € — c’est cher !"]
FRENCH_CLOSE = ["L'été passé, nous avons vu « Les Misérables » à l'opéra.", "Où vas-tu ? À Paris…", "Ça coûte 1234,50 € – c'est cher !"]


def shuffled(seed, hypothesis, reference):
    """Six sentences with so many words, runs of which stand in both; many moves, more than are tried."""
    generator = random.Random(seed)
    hypotheses, references = [], []
    for few in (3, 8, 20, 50, 100, 1000):
        words = [f"w{generator.randrange(few)}" for _ in range(reference)]
        cut = sorted(generator.randrange(reference) for _ in range(6))
        runs = [words[a:b] for a, b in zip([0, *cut], [*cut, reference])]
        generator.shuffle(runs)
        moved = [word for run in runs for word in run]
        hypotheses.append(" ".join((moved * (hypothesis // reference + 1))[:hypothesis]))
        references.append(" ".join(words))
    return hypotheses, [references]


def moved(sizes, distances):
    """A block of so many words that stands so far from its place in the reference, for all of both."""
    hypotheses, references = [], []
    for size in sizes:
        for distance in distances:
            block, between, rest = ([f"{letter}{i}" for i in range(n)] for letter, n in (("w", size), ("x", distance), ("y", 12)))
            hypotheses.append(" ".join(block + between + rest))
            references.append(" ".join(between + block + rest))
    return hypotheses, [references]


CASES = [
    ("identical", PLAIN, [PLAIN], "13a", False),
    ("close", CLOSE, [PLAIN], "13a", False),
    ("close, no tokenizer", CLOSE, [PLAIN], "none", False),
    ("close, characters", CLOSE, [PLAIN], "char", False),
    ("two references", CLOSE, [PLAIN, OTHER], "13a", False),
    ("three references", OTHER, [PLAIN, CLOSE, PLAIN[::-1]], "13a", False),
    ("lower case", [s.upper() for s in CLOSE], [PLAIN], "13a", True),
    ("case differs", [s.upper() for s in CLOSE], [PLAIN], "13a", False),
    ("empty hypothesis", ["", "", "", ""], [PLAIN], "13a", False),
    ("one empty hypothesis", ["", *CLOSE[1:]], [PLAIN], "13a", False),
    ("one empty reference", CLOSE, [["", *PLAIN[1:]]], "13a", False),
    ("no 4-gram match", ["the the cat", "it 3.14", "lamp new", "thanks no he"], [PLAIN], "13a", False),
    ("no match at all", ["xyzzy", "plugh", "foo bar baz qux", "quux"], [PLAIN], "13a", False),
    ("one sentence", ["The quick brown fox jumps over a lazy dog."], [["The quick brown fox jumped over the lazy dog."]], "13a", False),
    ("one word", ["word"], [["word"]], "13a", False),
    ("three words", ["one two three"], [["one two three"]], "13a", False),
    ("too long", [s + " " + s for s in PLAIN], [PLAIN], "13a", False),
    ("too short", [s[: len(s) // 2] for s in PLAIN], [PLAIN], "13a", False),
    ("French", FRENCH_CLOSE, [FRENCH], "13a", False),
    ("French, lower case", FRENCH_CLOSE, [FRENCH], "13a", True),
    ("French, characters", FRENCH_CLOSE, [FRENCH], "char", False),
    ("French, no tokenizer", FRENCH_CLOSE, [FRENCH], "none", False),
    ("entities", ["a &lt;b&gt; &amp; &quot;c&quot; <skipped> d"], [["a <b> & \"c\" d"]], "13a", False),
    ("dots and commas", ["1,000.5 a.b,c .5 5. ..,, 1-2 a-b 3-"], [["1,000.5 a.b, c .5 5 . . . , , 1 - 2 a-b 3-"]], "13a", False),
    ("odd white space", ["a\u00a0b\u3000c  d\te "], [["a b c d e"]], "13a", False),
    ("Chinese", ["我们今天去公园玩。"], [["今天我们去公园玩了。"]], "char", False),
    ("Greek and Cyrillic", ["Καλημέρα κόσμε, Привет мир"], [["καλημέρα κόσμε. привет, мир!"]], "13a", True),
    ("Turkish capital", ["İSTANBUL'DA YAŞIYORUM ben"], [["İstanbul'da yaşıyorum ben"]], "13a", True),
    ("emoji", ["I 👍🏽 it 👨‍👩‍👧 a lot"], [["I 👍 it 👨‍👩‍👧 a lot !"]], "13a", False),
    ("blocks moved", ["on the mat sat the cat .", "d e f a b c", "b a", "c d e f g a b"],
     [["the cat sat on the mat .", "a b c d e f", "a b", "a b c d e f g"]], "none", False),
    ("blocks of nine to eleven words", *moved((9, 10, 11), (14,)), "none", False),
    ("blocks moved by 49 to 51 words", *moved((3,), (49, 50, 51)), "none", False),
    ("shuffled words", *shuffled(1, 40, 40), "none", False),
    ("shuffled words, longer", *shuffled(2, 90, 60), "none", False),
    ("shuffled words, shorter", *shuffled(3, 25, 70), "none", False),
    ("few words against many", *shuffled(4, 3, 300), "none", False),
    ("many words against few", *shuffled(5, 300, 3), "none", False),
    ("repeated words", ["the the the the the the the"], [["the cat is on the mat"]], "13a", False),
]


def metric_cases():
    cases = []
    for name, hypotheses, references, tokenize, lowercase in CASES:
        bleu, chrf = BLEU(tokenize=tokenize, lowercase=lowercase, force=True), CHRF(lowercase=lowercase)
        ter = TER()
        t = ter.corpus_score(hypotheses, references)
        b = bleu.corpus_score(hypotheses, references)
        c = chrf.corpus_score(hypotheses, references)
        cases.append({"name": name, "tokenize": tokenize, "lowercase": lowercase, "hypotheses": dict(enumerate(hypotheses)),
                      "references": {i: dict(enumerate(r)) for i, r in enumerate(references)},
                      "bleu": b.score, "bleu_text": f"{b.score:.2f} {b._verbose}", "chrf": c.score, "chrf_text": f"{c.score:.2f}",
                      "ter": t.score, "ter_text": f"{t.score:.2f}",
                      "ter_signature": str(ter.get_signature()).rsplit("|", 1)[0],
                      "bleu_signature": str(bleu.get_signature()).rsplit("|", 1)[0],
                      "chrf_signature": str(chrf.get_signature()).rsplit("|", 1)[0]})
    with open(os.path.join(GOLDEN, "metrics.json"), "w", encoding="utf-8") as f:
        json.dump({"sacrebleu": sacrebleu.__version__, "cases": {str(i): c for i, c in enumerate(cases)}}, f, ensure_ascii=False, indent=1)
        f.write("\n")


def compare_case():
    """Two systems that spoil words of a text, one of them more, compared by sacreBLEU's paired bootstrap."""
    with open(os.path.join(ROOT, "data", "en-fr", "test.fr"), encoding="utf-8") as f:
        references = f.read().splitlines()[:60]
    generator, systems = random.Random(7), []
    for rate in (0.12, 0.14):
        systems.append([" ".join("x" if generator.random() < rate else word for word in line.split()) for line in references])
    metrics = {"bleu": BLEU(), "chrf": CHRF(), "ter": TER()}
    _, results = PairedTest([("a", systems[0]), ("b", systems[1])], metrics, [references], test_type="bs")()
    figures = {key: {name: [float(getattr(r, name)) for r in rows] for name in ("score", "mean", "ci")} | {"p_value": rows[1].p_value}
               for key, rows in zip(metrics, (v for k, v in results.items() if k != "System"))}
    with open(os.path.join(GOLDEN, "compare.json"), "w", encoding="utf-8") as f:
        json.dump({"sacrebleu": sacrebleu.__version__, "references": dict(enumerate(references)),
                   "systems": [dict(enumerate(s)) for s in systems], "figures": figures}, f, ensure_ascii=False, indent=1)
        f.write("\n")


def bpe_files():
    with open(os.path.join(ROOT, "data", "en-fr", "test.en"), encoding="utf-8") as f:
        lines = f.read().splitlines()[:150]
    with open(os.path.join(ROOT, "data", "en-fr", "test.fr"), encoding="utf-8") as f:
        lines += f.read().splitlines()[:150]
    # Words that overlap themselves, rare ones, other scripts, the marks that BPE itself uses.
    lines += ["aaaa aaa aaaaaaa banana bananas anananas", "abababab babab ababa", "co@@ operate @@ a@@b </w> w</w>", "  two  blanks  inside ",
              "Ελληνικά ελληνικά ελλην", "naïve coöperate façade", "1000 10000 100 10", "https://example.org/a/b", "日本語 日本 本日"]
    text = "".join(line + "\n" for line in lines)
    codes = io.StringIO()
    learn_bpe(io.StringIO(text), codes, 400)
    vocabulary, segmented = {}, []
    bpe = BPE(io.StringIO(codes.getvalue()))
    for line in lines:
        segmented.append(bpe.process_line(line + "\n"))
        for word in segmented[-1].split():
            vocabulary[word] = vocabulary.get(word, 0) + 1
    listing = "".join(f"{w} {n}\n" for w, n in vocabulary.items())
    limited = BPE(io.StringIO(codes.getvalue()), vocab=read_vocabulary(io.StringIO(listing), 4))
    for name, content in {"text": text, "merges": codes.getvalue(), "segmented": "".join(segmented),
                          "segmented4": "".join(limited.process_line(line + "\n") for line in lines)}.items():
        with open(os.path.join(GOLDEN, "bpe." + name), "w", encoding="utf-8", newline="\n") as f:
            f.write(content)


metric_cases()
compare_case()
if "--bpe" in sys.argv:
    bpe_files()
