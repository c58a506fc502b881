"""What sentences are made of: words by class (one eats food and drives cars), noun phrases, subjects, actions.

Every picker notes the lemma that it used."""
from types import SimpleNamespace as NS

from . import english as en
from . import french as fr
from . import lexicon as lx
from .tags import FIRST, Tagged


def _entries(text):
    return [e.strip() for e in text.replace("\n", " ").split(";") if e.strip()]


def _forms(text, pluralize):
    """"child (children)" -> singular and plural."""
    if text.endswith(")"):
        one, many = text[:-1].split(" (")
        return one, many
    return text, pluralize(text)


def _nouns(text):
    nouns = []
    for entry in _entries(text):
        e, f, gender = [part.strip() for part in entry.split("/")]
        (e1, e2), (f1, f2) = _forms(e, en.plural), _forms(f, fr.plural)
        nouns.append(NS(en=e1, en_plural=e2, fr=f1, fr_plural=f2, gender=gender, lemma="n:" + e1))
    return nouns


def _adjectives(text):
    out = []
    for entry in _entries(text):
        parts = [p.strip() for p in entry.split("/")]
        e, m, f, place = parts[:4]
        out.append(NS(en=e, m=m, f=f, before=place == "b", vowel=parts[4] if len(parts) > 4 else m, lemma="a:" + e))
    return out


NOUNS = {c: _nouns(getattr(lx, c)) for c in
         "PEOPLE ANIMALS FOOD MASS_FOOD DRINK THINGS CLOTHES VEHICLES PLACES BUILDINGS NATURE SKY IDEAS REALMS".split()}
_BY_NAME = {n.en: n for group in NOUNS.values() for n in group}
# Parts of the classes above, for verbs that do not go with all of them.
for _class, _names in {
        "NOVELS": "book letter novel poem story", "STORIES": "story dream secret legend joke", "LESSONS": "lesson poem song exercise rule",
        "SONGS": "song", "GIFTS": "gift project idea ring", "OPENABLE": "box suitcase bag letter bottle envelope umbrella",
        "MEETINGS": "meeting trip game exam", "TASKS": "exercise project speech novel lesson game", "COINS": "coin stamp ticket book bottle",
        "SMALL": "ball hat coin pen pencil", "DISHES": "plate glass cup fork spoon knife", "BREAKABLE": "plate glass cup mirror lamp "
        "bottle watch clock toy guitar", "TOOLS": "watch phone computer camera lamp chair table clock machine tool guitar piano",
        "OWNED": "car bicycle boat truck motorcycle tractor", "DRIVEN": "car truck bus taxi tractor ambulance",
        "PUBLIC": "train bus plane taxi boat", "NATURE_CROSSED": "river forest desert valley road field meadow country",
        "NATURE_CLIMBED": "mountain hill rock"}.items():
    NOUNS[_class] = [_BY_NAME[n] for n in _names.split() if n in _BY_NAME]

# Who or what can be "mine": relatives and neighbours, animals of the house, and any thing.
RELATIONS = set("neighbor friend brother sister mother father uncle aunt cousin grandmother grandfather husband wife son daughter guest".split())
UNIQUE = {"mother", "father", "husband", "wife"}
OWN_PEOPLE = {"doctor", "teacher", "lawyer", "hairdresser", "baker", "cook", "gardener", "tailor", "secretary", "director", "pupil", "customer"}
PETS = set("dog cat horse rabbit bird hen cow pig goat duck donkey turtle".split())
NOBODYS = {"NATURE", "SKY", "BUILDINGS", "PLACES", "PUBLIC", "NATURE_CROSSED", "NATURE_CLIMBED", "REALMS"}
# Verbs of feeling and knowing: no progressive, no orders.
STATIVE = set("love hate know see hear lose forget understand receive find discover meet admire".split())

ADJECTIVES = {c: _adjectives(getattr(lx, c)) for c in "ADJ_THING ADJ_FOOD ADJ_PERSON ADJ_ANIMAL ADJ_PLACE ADJ_IDEA".split()}
_PLAIN = {"round", "square", "wooden", "golden", "empty", "fragile", "precious", "broken", "solid"}
ADJECTIVES["ADJ_WARE"] = [a for a in ADJECTIVES["ADJ_THING"] if a.en not in _PLAIN]
ADJECTIVES["ADJ_SKY"] = [a for k in ("ADJ_THING", "ADJ_PLACE") for a in ADJECTIVES[k] if a.en in ("beautiful", "strange", "magnificent", "red")]
ADJECTIVES_OF = {"CLOTHES": "ADJ_WARE", "VEHICLES": "ADJ_WARE", "OWNED": "ADJ_WARE", "DRIVEN": "ADJ_WARE", "PUBLIC": "ADJ_WARE",
                 "DISHES": "ADJ_WARE", "TOOLS": "ADJ_WARE", "BREAKABLE": "ADJ_WARE", "SKY": "ADJ_SKY", "NATURE_CROSSED": "ADJ_PLACE",
                 "NATURE_CLIMBED": "ADJ_PLACE", "REALMS": "ADJ_PLACE", "NOVELS": "ADJ_IDEA", "STORIES": "ADJ_IDEA", "LESSONS": "ADJ_IDEA",
                 "SONGS": "ADJ_IDEA", "MEETINGS": "ADJ_IDEA", "TASKS": "ADJ_IDEA", "PEOPLE": "ADJ_PERSON", "ANIMALS": "ADJ_ANIMAL", "FOOD": "ADJ_FOOD", "MASS_FOOD": "ADJ_FOOD", "DRINK": "ADJ_FOOD",
                 "PLACES": "ADJ_PLACE", "BUILDINGS": "ADJ_PLACE", "NATURE": "ADJ_PLACE", "IDEAS": "ADJ_IDEA"}
TRANSITIVE = [NS(en=e.strip(), fr=f.strip(), objects=c.split(), lemma="v:" + e.strip())
              for e, f, c in (x.split("/") for x in _entries(lx.TRANSITIVE))]
PAIRS = {k: [(e.strip(), f.strip()) for e, f in (x.split("/") for x in _entries(getattr(lx, k)))]
         for k in "INTRANSITIVE GIVING REFLEXIVE ADVERBS SEASONS WEATHER".split()}
SPLIT = {k: [tuple(x.split("/")) for x in getattr(lx, k).split()] for k in "CITIES LANGUAGES MONTHS DAYS".split()}
SPOTS = [x.split("/") for x in _entries(lx.SPOTS)]
COUNTRIES = [x.split("/") for x in _entries(lx.COUNTRIES)]
JOBS = [[p.strip() for p in x.split("/")] for x in _entries(lx.JOBS)]
POSSESSIVES = [("my", "mon ma mes"), ("his", "son sa ses"), ("our", "notre notre nos"), ("your", "votre votre vos"),
               ("their", "leur leur leurs")]


class Words:
    def __init__(self, rng):
        self.rng = rng
        self.lemmas = []
        self.tags = 0
        self.constructions = sorted(name for name in dir(self) if name.startswith("c_"))

    # ---- pickers ----

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    def chance(self, probability):
        return self.rng.random() < probability

    def note(self, lemma):
        self.lemmas.append(lemma)

    def tagged(self, *texts):
        """The texts with a new tag in common."""
        self.tags += 1
        return [Tagged(text, FIRST + self.tags) for text in texts]

    def tagged_entry(self, entry):
        """A copy of an entry of the lexicon in which all texts have a new tag in common."""
        self.tags += 1
        return NS(**{key: Tagged(value, FIRST + self.tags) if isinstance(value, str) else value
                     for key, value in vars(entry).items()})

    def pair(self, kind):
        e, f = self.pick(PAIRS[kind])
        self.note(kind[0].lower() + ":" + e)
        return self.tagged(e, f)

    def word(self, kind):
        e, f = self.pick(SPLIT[kind])
        self.note(kind.lower() + ":" + e)
        return self.tagged(e, f)

    def noun(self, classes):
        name = self.pick(classes)
        noun = self.pick(NOUNS[name])
        self.note(noun.lemma)
        return self.tagged_entry(noun), name

    def adjective(self, noun_class):
        adjective = self.pick(ADJECTIVES[ADJECTIVES_OF.get(noun_class, "ADJ_THING")])
        self.note(adjective.lemma)
        return self.tagged_entry(adjective)

    def phrase(self, classes, determiner="the", many=None, adjective=0.0, plural_chance=0.25):
        """A noun phrase. determiner: the, a, this, or an index into POSSESSIVES."""
        noun, name = self.noun(classes)
        is_plural = self.chance(plural_chance) if many is None else many
        is_plural = is_plural and noun.en not in UNIQUE
        adj = self.adjective(name) if name != "GIFTS" and self.chance(adjective) else None
        return self.build(noun, name, self.fitting(noun, name, determiner), is_plural, adj)

    def fitting(self, noun, name, determiner):
        """A relative is somebody's, a mountain nobody's."""
        if name == "PEOPLE" and noun.en in RELATIONS:
            return determiner if isinstance(determiner, int) else self.rng.randrange(len(POSSESSIVES))
        owned = noun.en in OWN_PEOPLE if name == "PEOPLE" else noun.en in PETS if name == "ANIMALS" else name not in NOBODYS
        return determiner if owned or not isinstance(determiner, int) else "the"

    def build(self, noun, name, determiner, is_plural, adj):
        e = noun.en_plural if is_plural else noun.en
        f = noun.fr_plural if is_plural else noun.fr
        head = f
        if adj:
            form = self.agreed(adj, noun.gender, is_plural)
            if adj.before and not is_plural and noun.gender == "m" and fr.starts_with_vowel(f):
                form = adj.vowel
            e = f"{adj.en} {e}"
            f = f"{form} {f}" if adj.before else f"{f} {form}"
            head = f if adj.before else head
        bare = (e, f)
        the_e, the_f = self.tagged(self.english_determiner(determiner, f"{e}", is_plural),
                                   self.french_determiner(determiner, noun.gender, is_plural, head, adj))
        e, f = f"{the_e} {e}", f"{the_f} {f}"
        return NS(en=e, fr=f, bare=bare, gender=noun.gender, is_plural=is_plural, person=5 if is_plural else 2, noun=noun, name=name)

    @staticmethod
    def agreed(adj, gender, is_plural):
        form = adj.f if gender == "f" else adj.m
        if not is_plural or form.startswith("en "):
            return form
        return fr.plural(form)

    @staticmethod
    def english_determiner(determiner, text, is_plural):
        if determiner == "a":
            return "some" if is_plural else en.article(text)
        if determiner == "this":
            return "these" if is_plural else "this"
        return determiner if isinstance(determiner, str) else POSSESSIVES[determiner][0]

    @staticmethod
    def french_determiner(determiner, gender, is_plural, head, adj):
        vowel = fr.starts_with_vowel(head)
        if determiner == "the":
            return "les" if is_plural else {"m": "le", "f": "la"}[gender]
        if determiner == "a":
            if is_plural:
                return "de" if adj and adj.before else "des"
            return {"m": "un", "f": "une"}[gender]
        if determiner == "this":
            return "ces" if is_plural else "cette" if gender == "f" else "cet" if vowel else "ce"
        masculine, feminine, many = POSSESSIVES[determiner][1].split()
        return many if is_plural else masculine if gender == "m" or vowel else feminine

    def name(self):
        man = self.chance(0.5)
        name = self.pick((lx.MEN if man else lx.WOMEN).split())
        e, f = self.tagged(name, name)
        return NS(en=e, fr=f, gender="m" if man else "f", is_plural=False, person=2, pronoun=False)

    def subject(self, pronouns=0.35, people=0.4):
        """Who does it: a pronoun, a name, or people."""
        x = self.rng.random()
        if x < pronouns:
            e, person, gender, many = self.pick([("I", 0, "m", False), ("you", 4, "m", False), ("he", 2, "m", False),
                                                 ("she", 2, "f", False), ("we", 3, "m", True), ("they", 5, "m", True)])
            f = "elle" if e == "she" else fr.PERSONS[person]
            e, f = self.tagged(e, f)
            return NS(en=e, fr=f, gender=gender, is_plural=many, person=person, pronoun=True)
        if x < pronouns + people:
            np = self.phrase(["PEOPLE"], self.pick(["the", "the", "this", 0, 1, 2, 3]))
            np.pronoun = False
            return np
        return self.name()

    def third_person(self):
        """A subject that is not I, you or we."""
        subject = self.subject(0.0, 0.5)
        return subject

    def action(self, determiners=("the", "a", "a", 0, 1, 4), adjective=0.3, active=False):
        verb = self.pick([v for v in TRANSITIVE if v.en not in STATIVE] if active else TRANSITIVE)
        self.note(verb.lemma)
        thing = self.phrase(verb.objects, self.pick(determiners), adjective=adjective)
        return self.tagged_entry(verb), thing

    # ---- small agreements ----

    @staticmethod
    def present(verb, subject):
        """English present: eats or eat."""
        return en.third(verb) if subject.person == 2 else verb

    @staticmethod
    def be(subject):
        return "am" if subject.en == "I" else "is" if subject.person == 2 else "are"

    @staticmethod
    def was(subject):
        return "was" if subject.person in (0, 2) else "were"

    @staticmethod
    def do(subject):
        return "does" if subject.person == 2 else "do"

    @staticmethod
    def again(subject):
        """The pronoun that stands for a subject: English, French."""
        if subject.pronoun:
            return subject.en, subject.fr
        if subject.is_plural:
            return "they", "elles" if subject.gender == "f" else "ils"
        return ("she", "elle") if subject.gender == "f" else ("he", "il")
