"""Sentence pairs: each construction builds an English sentence and its French translation side by side.

A construction is a method of Grammar whose name begins with "c_"; it draws words through the pickers of Words and returns
(english, french), the French before its words meet (french.join)."""
from functools import partial

from . import english as en
from . import french as fr
from .tags import bare, links
from .words import COUNTRIES, JOBS, RELATIONS, SPOTS, TRANSITIVE, Words


class Grammar(Words):
    def sentence(self, construction):
        """One pair, the lemmas it holds, and what gives its word alignment."""
        self.lemmas, self.tags = [], 0
        e, f = getattr(self, construction)()
        f = fr.join(f)
        e, f = e[0].upper() + e[1:], f[0].upper() + f[1:]
        return bare(e), bare(f), sorted(set(self.lemmas)), partial(links, e, f)

    # ---- constructions: plain statements ----

    def c_present(self):
        s, (v, o) = self.subject(), self.action()
        return f"{s.en} {self.present(v.en, s)} {o.en}.", f"{s.fr} {fr.present(v.fr, s.person)} {o.fr} ."

    def c_progressive(self):
        s, (v, o) = self.subject(), self.action(active=True)
        return (f"{s.en} {self.be(s)} {en.ing(v.en)} {o.en}.",
                f"{s.fr} {fr.present('être', s.person)} en train de {v.fr} {o.fr} .")

    def c_past(self):
        s, (v, o) = self.subject(), self.action()
        return f"{s.en} {en.past(v.en)} {o.en}.", f"{s.fr} {fr.perfect(v.fr, s)} {o.fr} ."

    def c_used_to(self):
        s, (e, f) = self.subject(), self.pair("INTRANSITIVE")
        a, b = self.adverb(s)
        return f"{s.en} used to {e} {a}.", f"{s.fr} {fr.imperfect(f, s.person)} {b} ."

    def c_future(self):
        s, (v, o) = self.subject(), self.action()
        return f"{s.en} will {v.en} {o.en}.", f"{s.fr} {fr.future(v.fr, s.person)} {o.fr} ."

    def c_going_to(self):
        s, (v, o) = self.subject(), self.action(active=True)
        return (f"{s.en} {self.be(s)} going to {v.en} {o.en} tomorrow.",
                f"{s.fr} {fr.present('aller', s.person)} {v.fr} {o.fr} demain .")

    def c_would_like(self):
        s, (v, o) = self.subject(), self.action()
        return f"{s.en} would like to {v.en} {o.en}.", f"{s.fr} {fr.conditional('aimer', s.person)} {v.fr} {o.fr} ."

    def c_modal(self):
        s, (v, o) = self.subject(), self.action(active=True)
        e, f = self.pick([("can", "pouvoir"), ("must", "devoir"), ("wants to", "vouloir"), ("should", "devoir conditional")])
        e = "want to" if e == "wants to" and s.person != 2 else e
        form = fr.conditional("devoir", s.person) if "conditional" in f else fr.present(f, s.person)
        return f"{s.en} {e} {v.en} {o.en}.", f"{s.fr} {form} {v.fr} {o.fr} ."

    def adverb(self, subject):
        e, f = self.pair("ADVERBS")
        while e == "together" and not subject.is_plural:
            e, f = self.pair("ADVERBS")
        return e, fr.agree("seul", subject.gender, subject.is_plural) if f == "seul" else f

    def c_intransitive(self):
        s, (e, f) = self.subject(), self.pair("INTRANSITIVE")
        a, b = self.adverb(s)
        return f"{s.en} {self.present(e, s)} {a}.", f"{s.fr} {fr.present(f, s.person)} {b} ."

    def c_like_doing(self):
        s, (e, f) = self.subject(), self.pair("INTRANSITIVE")
        like, aimer = self.pick([("likes", "aimer"), ("hates", "détester"), ("prefers", "préférer")])
        like = like if s.person == 2 else like[:-1]
        return f"{s.en} {like} to {e}.", f"{s.fr} {fr.present(aimer, s.person)} {f} ."

    # ---- negation ----

    def c_not_present(self):
        s, (v, o) = self.subject(), self.action(("the", 0, 1, "this"))
        return f"{s.en} {self.do(s)} not {v.en} {o.en}.", f"{s.fr} ne {fr.present(v.fr, s.person)} pas {o.fr} ."

    def c_not_past(self):
        s, (v, o) = self.subject(), self.action(("the", 0, 4, "this"))
        return f"{s.en} did not {v.en} {o.en}.", f"{s.fr} {fr.perfect(v.fr, s, negation='pas')} {o.fr} ."

    def c_never(self):
        s, (e, f) = self.subject(), self.pair("INTRANSITIVE")
        return f"{s.en} never {self.present(e, s)}.", f"{s.fr} ne {fr.present(f, s.person)} jamais ."

    def c_no_longer(self):
        s, (e, f) = self.subject(), self.pair("INTRANSITIVE")
        return f"{s.en} no longer {self.present(e, s)}.", f"{s.fr} ne {fr.present(f, s.person)} plus ."

    def c_not_drink(self):
        s, (d, _) = self.subject(), self.noun(["DRINK"])
        return f"{s.en} {self.do(s)} not drink {d.en}.", f"{s.fr} ne {fr.present('boire', s.person)} pas de {d.fr} ."

    def c_have_no(self):
        s, (n, _) = self.subject(), self.noun(["THINGS", "OWNED", "CLOTHES"])
        have = "has" if s.person == 2 else "have"
        return f"{s.en} {have} no {n.en}.", f"{s.fr} ne {fr.present('avoir', s.person)} pas de {n.fr} ."

    # ---- questions ----

    def c_question_present(self):
        s, (v, o) = self.subject(), self.action(("the", 0, 3, "this"))
        return f"{self.do(s)} {s.en} {v.en} {o.en}?", f"est-ce que {s.fr} {fr.present(v.fr, s.person)} {o.fr} ?"

    def c_question_past(self):
        s, (v, o) = self.subject(), self.action(("the", 0, 3, "this"))
        return f"did {s.en} {v.en} {o.en}?", f"est-ce que {s.fr} {fr.perfect(v.fr, s)} {o.fr} ?"

    def c_where(self):
        n = self.phrase(["PEOPLE", "THINGS", "CLOTHES", "ANIMALS", "VEHICLES", "PLACES"], self.pick(["the", 0, 1, 3]))
        return f"where {self.be(n)} {n.en}?", f"où {fr.present('être', n.person)} {n.fr} ?"

    def c_who(self):
        v, o = self.action(("the", 0, "this"))
        return f"who {en.past(v.en)} {o.en}?", f"qui a {fr.participle(v.fr)} {o.fr} ?"

    def c_why(self):
        s, (e, f) = self.subject(), self.pair("INTRANSITIVE")
        return f"why {self.do(s)} {s.en} {e}?", f"pourquoi est-ce que {s.fr} {fr.present(f, s.person)} ?"

    def c_when(self):
        s, (v, o) = self.subject(), self.action(("the", 0, 3))
        return f"when will {s.en} {v.en} {o.en}?", f"quand est-ce que {s.fr} {fr.future(v.fr, s.person)} {o.fr} ?"

    def c_how_many(self):
        s, (n, _) = self.subject(), self.noun(["THINGS", "ANIMALS", "CLOTHES"])
        return (f"how many {n.en_plural} {self.do(s)} {s.en} have?",
                f"combien de {n.fr_plural} est-ce que {s.fr} {fr.present('avoir', s.person)} ?")

    def c_which(self):
        v, o = self.action(("the",), 0)
        s = self.subject()
        which = ("quelle" if o.gender == "f" else "quel") + ("s" if o.is_plural else "")
        return (f"which {o.bare[0]} will {s.en} {v.en}?", f"{which} {o.bare[1]} est-ce que {s.fr} {fr.future(v.fr, s.person)} ?")

    # ---- pronouns ----

    PRONOUNS = [("me", "me", "m", False), ("him", "le", "m", False), ("her", "la", "f", False), ("us", "nous", "m", True),
                ("you", "vous", "m", False), ("them", "les", "m", True)]

    def person_verb(self):
        verb = self.pick([v for v in TRANSITIVE if "PEOPLE" in v.objects])
        self.note(verb.lemma)
        return self.tagged_entry(verb)

    def c_object_pronoun(self):
        s, v, (e, f, _, _) = self.third_person(), self.person_verb(), self.pick(self.PRONOUNS)
        return f"{s.en} {self.present(v.en, s)} {e}.", f"{s.fr} {f} {fr.present(v.fr, s.person)} ."

    def c_object_pronoun_past(self):
        s, v, (e, f, g, many) = self.third_person(), self.person_verb(), self.pick(self.PRONOUNS[:4] + self.PRONOUNS[5:])
        return f"{s.en} {en.past(v.en)} {e}.", f"{s.fr} {fr.perfect(v.fr, s, (g, many), before=f)} ."

    def c_object_pronoun_negative(self):
        s, v, (e, f, _, _) = self.third_person(), self.person_verb(), self.pick(self.PRONOUNS)
        return f"{s.en} {self.do(s)} not {v.en} {e}.", f"{s.fr} ne {f} {fr.present(v.fr, s.person)} pas ."

    def c_it(self):
        """A pronoun that takes its gender from the sentence before."""
        s, n = self.subject(), self.phrase(["THINGS", "CLOTHES", "OWNED"], "a", many=False)
        e, f = self.pick([("lost", "perdre"), ("sold", "vendre"), ("broke", "casser"), ("hid", "cacher"), ("kept", "garder")])
        pe, pf = self.again(s)
        pronoun = "la" if n.gender == "f" else "le"
        return (f"{s.en} bought {n.en}, but {pe} {e} it.",
                f"{s.fr} {fr.perfect('acheter', s)} {n.fr} , mais {pf} {fr.perfect(f, s, (n.gender, False), before=pronoun)} .")

    def c_give(self):
        s, (e, f) = self.subject(), self.pair("GIVING")
        o, p = self.phrase(["THINGS", "CLOTHES"], self.pick(["the", "a"]), adjective=0.2), self.phrase(["PEOPLE"], "the")
        return f"{s.en} {self.present(e, s)} {o.en} to {p.en}.", f"{s.fr} {fr.present(f, s.person)} {o.fr} à {p.fr} ."

    def c_give_past(self):
        s, (e, f) = self.subject(), self.pair("GIVING")
        o, p = self.phrase(["THINGS", "CLOTHES"], self.pick(["the", "a", 1]), adjective=0.2), self.phrase(["PEOPLE"], "the")
        return f"{s.en} {en.past(e)} {o.en} to {p.en}.", f"{s.fr} {fr.perfect(f, s)} {o.fr} à {p.fr} ."

    def c_give_pronoun(self):
        s, (e, f) = self.third_person(), self.pair("GIVING")
        o = self.phrase(["THINGS", "CLOTHES"], self.pick(["the", "a"]))
        pe, pf = self.pick([("me", "me"), ("him", "lui"), ("us", "nous"), ("you", "vous"), ("them", "leur")])
        return f"{s.en} {en.past(e)} {pe} {o.en}.", f"{s.fr} {fr.perfect(f, s, before=pf)} {o.fr} ."

    # ---- being ----

    def c_adjective(self):
        n = self.phrase(["PEOPLE", "THINGS", "CLOTHES", "VEHICLES", "ANIMALS", "FOOD", "BUILDINGS", "NATURE", "IDEAS"],
                        self.pick(["the", "this", 0, 1, 3]))
        a = self.adjective(n.name)
        degree_e, degree_f = self.pick([("", ""), ("very ", "très "), ("too ", "trop ")])
        if a.m.startswith("en "):
            degree_e = degree_f = ""
        return (f"{n.en} {self.be(n)} {degree_e}{a.en}.",
                f"{n.fr} {fr.present('être', n.person)} {degree_f}{self.agreed(a, n.gender, n.is_plural)} .")

    def c_person_is(self):
        s, a = self.subject(0.6, 0.1), self.adjective("PEOPLE")
        if s.en == "you":
            s = self.name()
        return (f"{s.en} {self.be(s)} {a.en} today.",
                f"{s.fr} {fr.present('être', s.person)} {self.agreed(a, s.gender, s.is_plural)} aujourd'hui .")

    def c_not_adjective(self):
        n = self.phrase(["PEOPLE", "THINGS", "ANIMALS", "FOOD", "IDEAS"], self.pick(["the", "this", 0]))
        a = self.adjective(n.name)
        return (f"{n.en} {self.be(n)} not {a.en}.",
                f"{n.fr} ne {fr.present('être', n.person)} pas {self.agreed(a, n.gender, n.is_plural)} .")

    def compared(self, more_e, more_f, than_e):
        classes = [self.pick(["PEOPLE", "THINGS", "ANIMALS", "BUILDINGS", "NATURE", "IDEAS", "FOOD"])]
        n, m = self.phrase(classes, "the"), self.phrase(classes, self.pick(["the", "this", 0]))
        a = self.adjective(n.name)
        while a.en in ("good", "bad") or a.m.startswith("en "):
            a = self.adjective(n.name)
        form = self.agreed(a, n.gender, n.is_plural)
        return (f"{n.en} {self.be(n)} {more_e} {a.en} {than_e} {m.en}.",
                f"{n.fr} {fr.present('être', n.person)} {more_f} {form} que {m.fr} .")

    def c_more_than(self):
        return self.compared("more", "plus", "than")

    def c_less_than(self):
        return self.compared("less", "moins", "than")

    def c_as_as(self):
        return self.compared("as", "aussi", "as")

    def c_superlative(self):
        n, name = self.noun(["BUILDINGS", "NATURE", "ANIMALS", "PEOPLE"])
        while n.en in RELATIONS or n.en == "country":
            n, name = self.noun(["BUILDINGS", "NATURE", "ANIMALS", "PEOPLE"])
        a = self.adjective(name)
        while a.before or a.en == "far away":
            a = self.adjective(name)
        p = self.phrase(["REALMS"], "the", many=False)
        the = "la" if n.gender == "f" else "le"
        return (f"this is the most {a.en} {n.en} of {p.en}.",
                f"ce est {the} {n.fr} {the} plus {self.agreed(a, n.gender, False)} de {p.fr} .")

    def c_job(self):
        s, job = self.name(), self.pick(JOBS)
        self.note("n:" + job[0])
        job = self.tagged(*job)
        e, f = self.pick([("is", "est"), ("wants to become", "veut devenir"), ("was", "était")])
        return f"{s.en} {e} {en.article(job[0])} {job[0]}.", f"{s.fr} {f} {job[2] if s.gender == 'f' else job[1]} ."

    def c_age(self):
        s, n = self.subject(0.4, 0.3), self.rng.randrange(3, 95)
        years = en.numeral(n)
        be = "is" if s.person == 2 else "am" if s.en == "I" else "are"
        return f"{s.en} {be} {years} years old.", f"{s.fr} {fr.present('avoir', s.person)} {fr.numeral(n)} ans ."

    def c_exclamation(self):
        n = self.phrase(["THINGS", "CLOTHES", "BUILDINGS", "ANIMALS", "IDEAS", "NATURE"], "a", many=False, adjective=1.0)
        which = "quelle" if n.gender == "f" else "quel"
        return f"what {n.en}!", f"{which} {n.bare[1]} !"

    # ---- place ----

    INDOORS = {"shelf", "drawer", "cupboard", "table", "roof", "wall", "bed", "attic", "cellar"}

    def spot(self, for_thing):
        """Somewhere to be; not every place is for people and animals."""
        prep_e, prep_f, noun_e, gender, noun_f = self.pick([s for s in SPOTS if for_thing or s[2] not in self.INDOORS])
        self.note("n:" + noun_e)
        (noun_e, noun_f), (prep_e, prep_f) = self.tagged(noun_e, noun_f), self.tagged(prep_e, prep_f)
        the_e, the_f = self.tagged("the", "la" if gender == "f" else "le")
        return f"{prep_e} {the_e} {noun_e}", f"{prep_f} {the_f} {noun_f}"

    def c_location(self):
        n = self.phrase(["THINGS", "CLOTHES", "ANIMALS", "PEOPLE"], self.pick(["the", 0, 1, 4]))
        e, f = self.spot(n.name in ("THINGS", "CLOTHES"))
        return f"{n.en} {self.be(n)} {e}.", f"{n.fr} {fr.present('être', n.person)} {f} ."

    def c_there_is(self):
        n = self.phrase(["THINGS", "ANIMALS", "CLOTHES"], "a", adjective=0.4)
        e, f = self.spot(n.name != "ANIMALS")
        return f"there {self.be(n)} {n.en} {e}.", f"il y a {n.fr} {f} ."

    def c_there_are_number(self):
        (n, name), k = self.noun(["THINGS", "ANIMALS", "PEOPLE", "FOOD"]), self.rng.randrange(2, 21)
        e, f = self.spot(name in ("THINGS", "FOOD"))
        return f"there are {en.numeral(k)} {n.en_plural} {e}.", f"il y a {fr.numeral(k)} {n.fr_plural} {f} ."

    def c_go(self):
        s, p = self.subject(), self.phrase(["PLACES"], "the", many=False)
        e, f = self.pick([("every day", "tous les jours"), ("every week", "chaque semaine"), ("in the morning", "le matin")])
        return f"{s.en} {self.present('go', s)} to {p.en} {e}.", f"{s.fr} {fr.present('aller', s.person)} à {p.fr} {f} ."

    def c_went(self):
        s, p = self.third_person(), self.phrase(["PLACES"], "the", many=False)
        e, f = self.pick([("yesterday", "hier"), ("last week", "la semaine dernière"), ("this morning", "ce matin")])
        return f"{s.en} went to {p.en} {e}.", f"{s.fr} {fr.perfect('aller', s)} à {p.fr} {f} ."

    def c_come_back(self):
        s, p = self.subject(), self.phrase(["PLACES"], "the", many=False)
        return f"{s.en} {self.present('come', s)} back from {p.en}.", f"{s.fr} {fr.present('revenir', s.person)} de {p.fr} ."

    def c_country(self):
        s, (e, f, inside, origin) = self.subject(), self.pick(COUNTRIES)
        self.note("country:" + e)
        e, f = self.tagged(e, f)
        if self.chance(0.5):
            return f"{s.en} {self.present('come', s)} from {e}.", f"{s.fr} {fr.present('venir', s.person)} {origin} {f} ."
        return f"{s.en} {self.present('work', s)} in {e}.", f"{s.fr} {fr.present('travailler', s.person)} {inside} {f} ."

    def c_live_since(self):
        s, (e, f), n = self.third_person(), self.word("CITIES"), self.rng.randrange(2, 40)
        have = "has" if s.person == 2 else "have"
        return (f"{s.en} {have} lived in {e} for {en.numeral(n)} years.",
                f"{s.fr} {fr.present('habiter', s.person)} à {f} depuis {fr.numeral(n)} ans .")

    # ---- of ----

    def c_possession(self):
        p = self.phrase(["PEOPLE"], "the", many=False)
        n = self.phrase(["THINGS", "CLOTHES", "OWNED"], "the")
        a = self.adjective(n.name)
        return (f"{p.en}'s {n.bare[0]} {self.be(n)} {a.en}.",
                f"{n.fr} de {p.fr} {fr.present('être', n.person)} {self.agreed(a, n.gender, n.is_plural)} .")

    def c_belongs(self):
        n, s = self.phrase(["THINGS", "CLOTHES", "OWNED"], "this"), self.name()
        belong = "belongs" if n.person == 2 else "belong"
        return f"{n.en} {belong} to {s.en}.", f"{n.fr} {fr.present('appartenir', n.person)} à {s.fr} ."

    def c_partitive(self):
        s, drinks = self.subject(), self.chance(0.5)
        n, _ = self.noun(["DRINK"] if drinks else ["MASS_FOOD"])
        verb_e, verb_f = ("drink", "boire") if drinks else self.pick([("eat", "manger"), ("buy", "acheter")])
        the = "la" if n.gender == "f" else "le"
        return f"{s.en} {self.present(verb_e, s)} some {n.en}.", f"{s.fr} {fr.present(verb_f, s.person)} de {the} {n.fr} ."

    def c_cup_of(self):
        s, (d, _) = self.subject(), self.noun(["DRINK"])
        e, f = self.pick([("a glass of", "un verre de"), ("a bottle of", "une bouteille de"), ("a cup of", "une tasse de")])
        return f"{s.en} ordered {e} {d.en}.", f"{s.fr} {fr.perfect('commander', s)} {f} {d.fr} ."

    # ---- clauses ----

    def c_relative_subject(self):
        p = self.phrase(["PEOPLE"], "the")
        (v, o), a = self.action(active=True), self.adjective("PEOPLE")
        return (f"{p.en} who {self.was(p)} {en.ing(v.en)} {o.en} {self.be(p)} {a.en}.",
                f"{p.fr} qui {fr.imperfect(v.fr, p.person)} {o.fr} {fr.present('être', p.person)} {self.agreed(a, p.gender, p.is_plural)} .")

    def c_relative_object(self):
        s = self.subject()
        v, o = self.action(("the",), 0)
        a = self.adjective(o.name)
        past = fr.perfect(v.fr, s, (o.gender, o.is_plural))
        return (f"{o.en} that {s.en} {en.past(v.en)} {self.be(o)} {a.en}.",
                f"{o.fr} que {s.fr} {past} {fr.present('être', o.person)} {self.agreed(a, o.gender, o.is_plural)} .")

    def c_because(self):
        s, (e, f), a = self.subject(0.2, 0.4), self.pair("INTRANSITIVE"), self.adjective("PEOPLE")
        if s.en == "you":
            s = self.name()
        pe, pf = self.again(s)
        return (f"{s.en} {self.do(s)} not {e} because {pe} {self.be(s)} {a.en}.",
                f"{s.fr} ne {fr.present(f, s.person)} pas parce que {pf} {fr.present('être', s.person)} {self.agreed(a, s.gender, s.is_plural)} .")

    def c_if(self):
        s, (v, o) = self.subject(), self.action(("the", "a", 1))
        e, f = self.pick([("it rains", "il pleut"), ("it snows", "il neige"), ("the weather is nice", "le temps est beau"),
                          ("they come", "ils viennent"), ("she leaves", "elle part")])
        return f"if {e}, {s.en} will {v.en} {o.en}.", f"si {f} , {s.fr} {fr.future(v.fr, s.person)} {o.fr} ."

    def c_while(self):
        s, (v, o), (e, f) = self.subject(), self.action(("the", "a"), active=True), self.pair("INTRANSITIVE")
        p = self.phrase(["PEOPLE"], "the")
        return (f"{s.en} {self.was(s)} {en.ing(e)} while {p.en} {self.was(p)} {en.ing(v.en)} {o.en}.",
                f"{s.fr} {fr.imperfect(f, s.person)} pendant que {p.fr} {fr.imperfect(v.fr, p.person)} {o.fr} .")

    def c_think_that(self):
        s, n = self.subject(), self.phrase(["PEOPLE", "THINGS", "IDEAS", "BUILDINGS", "FOOD"], self.pick(["the", "this"]))
        a = self.adjective(n.name)
        e, f = self.pick([("thinks", "penser"), ("says", "dire"), ("believes", "croire")])
        e = e if s.person == 2 else e[:-1]
        return (f"{s.en} {e} that {n.en} {self.be(n)} {a.en}.",
                f"{s.fr} {fr.present(f, s.person)} que {n.fr} {fr.present('être', n.person)} {self.agreed(a, n.gender, n.is_plural)} .")

    def c_said_would(self):
        s, (v, o) = self.third_person(), self.action(("the", "a", 0))
        pe, pf = self.again(s)
        return (f"{s.en} said that {pe} would {v.en} {o.en}.",
                f"{s.fr} {fr.perfect('dire', s)} que {pf} {fr.conditional(v.fr, s.person)} {o.fr} .")

    def c_and(self):
        a, b, (e, f) = self.name(), self.phrase(["PEOPLE"], self.pick(["the", 0, 1]), many=False), self.pair("INTRANSITIVE")
        x, y = self.pair("ADVERBS")
        while y == "seul":
            x, y = self.pair("ADVERBS")
        return f"{a.en} and {b.en} {e} {x}.", f"{a.fr} et {b.fr} {fr.present(f, 5)} {y} ."

    # ---- orders ----

    def c_please(self):
        v, o = self.action(("the", "this", 0), active=True)
        return f"please {v.en} {o.en}.", f"{fr.present(v.fr, 4)} {o.fr} , s'il vous plaît ."

    def c_do_not(self):
        v, o = self.action(("the", "this", 0), active=True)
        return f"do not {v.en} {o.en}!", f"ne {fr.present(v.fr, 4)} pas {o.fr} !"

    def c_let_us(self):
        v, o = self.action(("the", "a"), active=True)
        return f"let us {v.en} {o.en}!", f"{fr.present(v.fr, 3)} {o.fr} !"

    # ---- numbers, dates, time ----

    def date(self):
        e, f = self.word("MONTHS")
        day, year = self.rng.randrange(1, 29), self.rng.randrange(1900, 2025)
        return f"{e} {day}, {year}", f"{'1er' if day == 1 else day} {f} {year}"

    def c_born(self):
        s, (e, f) = self.name(), self.date()
        return f"{s.en} was born on {e}.", f"{s.fr} est {fr.agree('né', s.gender, False)} le {f} ."

    def c_built(self):
        n, (e, f) = self.phrase(["BUILDINGS"], "the", many=False), self.pick([("built", "construit"), ("destroyed", "détruit"), ("painted", "peint")])
        year = self.rng.randrange(1100, 2020)
        return f"{n.en} was {e} in {year}.", f"{n.fr} a été {fr.agree(f, n.gender, False)} en {year} ."

    def c_price(self):
        n, k = self.phrase(["THINGS", "CLOTHES", "FOOD", "OWNED"], self.pick(["the", "this"])), self.rng.randrange(2, 99)
        cost = "costs" if n.person == 2 else "cost"
        return f"{n.en} {cost} {en.numeral(k)} euros.", f"{n.fr} {fr.present('coûter', n.person)} {fr.numeral(k)} euros ."

    def hour(self):
        hour, part = self.rng.randrange(2, 12), self.pick(["", "half", "quarter", "to"])
        e, f = en.numeral(hour), f"{fr.numeral(hour)} heures"
        return {"": (f"{e} o'clock", f), "half": (f"half past {e}", f + " et demie"),
                "quarter": (f"a quarter past {e}", f + " et quart"), "to": (f"a quarter to {e}", f + " moins le quart")}[part]

    def c_train_leaves(self):
        n, (e, f) = self.phrase(["PUBLIC"], "the", many=False), self.hour()
        x, y = self.pick([("leaves", "part"), ("arrives", "arrive")])
        return f"{n.en} {x} at {e}.", f"{n.fr} {y} à {f} ."

    def c_reflexive(self):
        s, (e, f), (x, y) = self.subject(), self.pair("REFLEXIVE"), self.hour()
        return f"{s.en} {self.present(e, s)} at {x}.", f"{s.fr} {fr.reflexive(f, fr.present, s)} à {y} ."

    def c_reflexive_past(self):
        s, (e, f), (x, y) = self.third_person(), self.pair("REFLEXIVE"), self.hour()
        return f"{s.en} {en.past(e)} at {x}.", f"{s.fr} {fr.reflexive(f, 'perfect', s)} à {y} ."

    def c_on_days(self):
        s, (e, f), (x, y) = self.subject(), self.word("DAYS"), self.pair("INTRANSITIVE")
        return f"on {e}s, {s.en} {self.present(x, s)}.", f"le {f} , {s.fr} {fr.present(y, s.person)} ."

    def c_ago(self):
        s, (v, o), k = self.subject(), self.action(("a", "the")), self.rng.randrange(2, 13)
        e, f = self.pick([("days", "jours"), ("weeks", "semaines"), ("months", "mois")])
        return (f"{s.en} {en.past(v.en)} {o.en} {en.numeral(k)} {e} ago.",
                f"{s.fr} {fr.perfect(v.fr, s)} {o.fr} il y a {fr.numeral(k)} {f} .")

    def c_weather(self):
        (e, f), (x, y) = self.pair("WEATHER"), self.pair("SEASONS")
        if self.chance(0.5):
            x, y = self.word("CITIES")
            y = "à " + y
        return f"{e} in {x}.", f"{f} {y} ."

    def c_language(self):
        s, (e, f) = self.subject(), self.word("LANGUAGES")
        if self.chance(0.4):
            return f"{s.en} {self.do(s)} not speak {e}.", f"{s.fr} ne {fr.present('parler', s.person)} pas {f} ."
        return f"{s.en} {self.present('speak', s)} {e}.", f"{s.fr} {fr.present('parler', s.person)} {f} ."
