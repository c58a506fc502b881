"""Long English sentences and what is left of them: who did what to whom, without describing words, relative clauses, places,
times, reasons and who said so.

Constructions are named "c_" plus the name of a core; it returns subject and predicate as (long, short) pairs."""
from . import english as en
from .tags import bare
from .words import SPOTS, Words

TIMES = ["yesterday", "last week", "last summer", "this morning", "two days ago", "a long time ago", "on Sunday", "in the evening",
         "at half past seven", "after the meeting", "before breakfast", "on the third day"]
FRAMES = ["it is true that", "everybody knows that", "the newspaper says that", "nobody believes that", "I am sure that"]
REASONS = ["because it rained", "because there was nothing else to do", "although it was late", "although nobody had asked",
           "while the others slept", "as the radio said"]
HOW = ["slowly", "quickly", "carefully", "secretly", "of course", "once more", "without a word", "with great pleasure"]


class Compression(Words):
    def sentence(self, construction):
        """A long sentence, the short one, and the lemmas in them, and what gives an empty word alignment."""
        self.lemmas, self.tags = [], 0
        (subject, short_subject), (predicate, short_predicate) = getattr(self, construction)()
        for text in self.some([HOW, self.place(), TIMES, REASONS]):
            predicate = f"{predicate} {text}"
        source, target = f"{subject} {predicate}", f"{short_subject} {short_predicate}"
        if self.chance(0.3):
            time = self.pick(TIMES)
            source = f"{time}, {source}" if time not in source else source
        elif self.chance(0.3):
            source = f"{self.frame()} {source}"
        source, target = (bare(text[0].upper() + text[1:]) + "." for text in (source, target))
        return source, target, sorted(set(self.lemmas)), str

    # ---- what can be left out ----

    def some(self, lists):
        """One of each list or none, at most two, in order."""
        chosen = [self.pick(texts) for texts in lists if self.chance(0.35)]
        return chosen[:2]

    def place(self):
        prep, _, noun, _, _ = self.pick([s for s in SPOTS if s[2] not in ("drawer", "shelf", "cupboard")])
        self.note("n:" + noun)
        return [f"{prep} the {noun}"]

    def frame(self):
        if self.chance(0.5):
            return self.pick(FRAMES)
        return f"{self.name().en} {self.pick(['said', 'thought', 'heard', 'wrote'])} that"

    def described(self, phrase):
        """The phrase with more said of it, and as it is."""
        determiner, noun = bare(f"{phrase.en}").split(" ", 1)
        words = []
        for _ in range(self.pick([0, 1, 1, 2])):
            word = str(self.adjective(phrase.name).en)
            if word not in words + ["far away"]:
                words.append(word)
        long = " ".join(words + [noun])
        determiner = en.article(long) if determiner in ("a", "an") else determiner
        long = f"{determiner} {long}"
        if phrase.name == "PEOPLE" and self.chance(0.4):
            verb, thing = self.action(active=True)
            long = f"{long}, who {self.was(phrase)} {en.ing(verb.en)} {thing.en},"
        return long, phrase.en

    def doer(self):
        if self.chance(0.25):
            name = self.name()
            age = f"{name.en}, {self.pick(['my neighbor', 'a friend of ours', 'the new teacher', 'who is often late'])},"
            return name, (age if self.chance(0.6) else name.en, name.en)
        phrase = self.phrase(["PEOPLE"], self.pick(["the", "the", "this", 0, 1, 2]))
        return phrase, self.described(phrase)

    # ---- what is left ----

    def core(self, verb_form, active=False):
        subject, texts = self.doer()
        verb, thing = self.action(adjective=0, active=active)
        form = verb_form(subject, verb.en)
        long, short = self.described(thing)
        return texts, (f"{form} {long.rstrip(',')}", f"{form} {short}")

    def c_past(self):
        return self.core(lambda s, v: en.past(v))

    def c_not_past(self):
        return self.core(lambda s, v: f"did not {v}")

    def c_future(self):
        return self.core(lambda s, v: f"will {v}")

    def c_progressive(self):
        return self.core(lambda s, v: f"{self.was(s)} {en.ing(v)}", active=True)

    def c_modal(self):
        modal = self.pick(["could", "should", "had to", "wanted to"])
        return self.core(lambda s, v: f"{modal} {v}", active=True)

    def c_intransitive(self):
        subject, texts = self.doer()
        verb, _ = self.pair("INTRANSITIVE")
        return texts, (en.past(verb), en.past(verb))

    def c_give(self):
        subject, texts = self.doer()
        verb, _ = self.pair("GIVING")
        (thing, short_thing), (person, short_person) = (
            self.described(self.phrase(["THINGS", "CLOTHES"], self.pick(["the", "a"]))), self.described(self.phrase(["PEOPLE"], "the")))
        past = en.past(verb)
        return texts, (f"{past} {thing} to {person.rstrip(',')}", f"{past} {short_thing} to {short_person}")

    def c_be(self):
        subject, texts = self.doer()
        adjective = self.adjective("PEOPLE").en
        was = self.was(subject)
        return texts, (f"{was} {self.pick(['very', 'rather', 'always', 'really'])} {adjective}", f"{was} {adjective}")
