"""French word forms: plurals, agreement, conjugation, and what happens where words meet (elision, contraction)."""
import re

from .tags import NO_TAG, NUMBERS, Tagged, bare, keeps_tag, marks, tagged_as

VOWELS = "aeiouyàâéèêëîïôûœh"
PERSONS = ["je", "tu", "il", "nous", "vous", "ils"]

# present (six persons) / past participle / future stem; the imperfect comes from the present's fourth person.
IRREGULAR = {
    "être": ("suis es est sommes êtes sont", "été", "ser"),
    "avoir": ("ai as a avons avez ont", "eu", "aur"),
    "aller": ("vais vas va allons allez vont", "allé", "ir"),
    "faire": ("fais fais fait faisons faites font", "fait", "fer"),
    "voir": ("vois vois voit voyons voyez voient", "vu", "verr"),
    "connaître": ("connais connais connaît connaissons connaissez connaissent", "connu", "connaîtr"),
    "lire": ("lis lis lit lisons lisez lisent", "lu", "lir"),
    "écrire": ("écris écris écrit écrivons écrivez écrivent", "écrit", "écrir"),
    "décrire": ("décris décris décrit décrivons décrivez décrivent", "décrit", "décrir"),
    "prendre": ("prends prends prend prenons prenez prennent", "pris", "prendr"),
    "comprendre": ("comprends comprends comprend comprenons comprenez comprennent", "compris", "comprendr"),
    "apprendre": ("apprends apprends apprend apprenons apprenez apprennent", "appris", "apprendr"),
    "ouvrir": ("ouvre ouvres ouvre ouvrons ouvrez ouvrent", "ouvert", "ouvrir"),
    "offrir": ("offre offres offre offrons offrez offrent", "offert", "offrir"),
    "découvrir": ("découvre découvres découvre découvrons découvrez découvrent", "découvert", "découvrir"),
    "conduire": ("conduis conduis conduit conduisons conduisez conduisent", "conduit", "conduir"),
    "construire": ("construis construis construit construisons construisez construisent", "construit", "construir"),
    "mettre": ("mets mets met mettons mettez mettent", "mis", "mettr"),
    "promettre": ("promets promets promet promettons promettez promettent", "promis", "promettr"),
    "peindre": ("peins peins peint peignons peignez peignent", "peint", "peindr"),
    "recevoir": ("reçois reçois reçoit recevons recevez reçoivent", "reçu", "recevr"),
    "suivre": ("suis suis suit suivons suivez suivent", "suivi", "suivr"),
    "dormir": ("dors dors dort dormons dormez dorment", "dormi", "dormir"),
    "partir": ("pars pars part partons partez partent", "parti", "partir"),
    "courir": ("cours cours court courons courez courent", "couru", "courr"),
    "rire": ("ris ris rit rions riez rient", "ri", "rir"),
    "sourire": ("souris souris sourit sourions souriez sourient", "souri", "sourir"),
    "boire": ("bois bois boit buvons buvez boivent", "bu", "boir"),
    "venir": ("viens viens vient venons venez viennent", "venu", "viendr"),
    "revenir": ("reviens reviens revient revenons revenez reviennent", "revenu", "reviendr"),
    "vouloir": ("veux veux veut voulons voulez veulent", "voulu", "voudr"),
    "pouvoir": ("peux peux peut pouvons pouvez peuvent", "pu", "pourr"),
    "devoir": ("dois dois doit devons devez doivent", "dû", "devr"),
    "appartenir": ("appartiens appartiens appartient appartenons appartenez appartiennent", "appartenu", "appartiendr"),
    "croire": ("crois crois croit croyons croyez croient", "cru", "croir"),
    "dire": ("dis dis dit disons dites disent", "dit", "dir"),
}
GRAVE = {"acheter", "lever", "promener", "peser", "mener", "enlever"}  # e becomes è: j'achète
DOUBLE = {"jeter", "appeler"}                                          # je jette
WITH_ETRE = {"aller", "partir", "venir", "revenir", "arriver", "rester", "tomber", "entrer", "sortir"}


def starts_with_vowel(word):
    return word[0].lower() in VOWELS


@keeps_tag
def plural(word):
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith("al") and word not in ("festival", "bal"):
        return word[:-2] + "aux"
    if word.endswith(("eau", "eu")) and word != "bleu":
        return word + "x"
    return word + "s"


@keeps_tag
def agree(participle, gender, is_plural):
    word = participle + ("e" if gender == "f" else "")
    return word + "s" if is_plural and not word.endswith("s") else word


def _er_stem(verb, strong):
    """Stem of a verb in -er; strong: before a silent e."""
    stem = verb[:-2]
    if not strong:
        return stem
    if verb in GRAVE:
        cut = stem.rindex("e")
        return stem[:cut] + "è" + stem[cut + 1:]
    if verb in DOUBLE:
        return stem + stem[-1]
    if stem.endswith(("oy", "uy")):
        return stem[:-1] + "i"
    return re.sub(r"é([^aeiouéè]{1,2})$", r"è\1", stem)


def _soften(stem, ending):
    if ending[0] in "ao" and stem.endswith("g"):
        return stem + "e" + ending
    if ending[0] in "ao" and stem.endswith("c"):
        return stem[:-1] + "ç" + ending
    return stem + ending


@keeps_tag
def present(verb, person):
    if verb in IRREGULAR:
        return IRREGULAR[verb][0].split()[person]
    if verb.endswith("er"):
        ending = ["e", "es", "e", "ons", "ez", "ent"][person]
        return _soften(_er_stem(verb, person not in (3, 4)), ending)
    if verb.endswith("ir"):
        return verb[:-1] + ["s", "s", "t", "ssons", "ssez", "ssent"][person]
    return verb[:-2] + ["s", "s", "", "ons", "ez", "ent"][person]


@keeps_tag
def imperfect(verb, person):
    if verb == "être":
        stem = "ét"
    else:
        stem = present(verb, 3)[:-3]
        if verb.endswith("er") and verb != "aller":
            stem = verb[:-2]
    return _soften(stem, ["ais", "ais", "ait", "ions", "iez", "aient"][person])


def _future_stem(verb):
    if verb in IRREGULAR:
        return IRREGULAR[verb][2]
    if verb == "envoyer":
        return "enverr"
    if verb.endswith("er"):
        strong = verb in GRAVE or verb in DOUBLE or verb[:-2].endswith(("oy", "uy"))
        return _er_stem(verb, strong) + "er"
    return verb if verb.endswith("ir") else verb[:-1]


@keeps_tag
def future(verb, person):
    return _future_stem(verb) + ["ai", "as", "a", "ons", "ez", "ont"][person]


@keeps_tag
def conditional(verb, person):
    return _future_stem(verb) + ["ais", "ais", "ait", "ions", "iez", "aient"][person]


@keeps_tag
def participle(verb):
    if verb in IRREGULAR:
        return IRREGULAR[verb][1]
    if verb.endswith("er"):
        return verb[:-2] + "é"
    return verb[:-2] + ("i" if verb.endswith("ir") else "u")


def perfect(verb, subject, object_agreement=("m", False), before="", negation=None):
    """Passé composé: "a mangé", "ne l'a pas vue": auxiliary, negation, agreement with subject or object."""
    if verb in WITH_ETRE:
        auxiliary, form = present("être", subject.person), agree(participle(verb), subject.gender, subject.is_plural)
    else:
        auxiliary, form = present("avoir", subject.person), agree(participle(verb), *object_agreement)
    auxiliary = tagged_as(auxiliary, verb)
    words = [before, auxiliary] if not negation else ["ne", before, auxiliary, negation]
    return " ".join(f"{w}" for w in words + [form] if w)


def reflexive(verb, tense, subject):
    """se lever: "se lève", "s'est levée"."""
    pronoun = ["me", "te", "se", "nous", "vous", "se"][subject.person]
    infinitive = tagged_as(verb.split(" ", 1)[1] if verb.startswith("se ") else verb[2:], verb)
    pronoun = tagged_as(pronoun, verb)
    if tense == "perfect":
        form = agree(participle(infinitive), subject.gender, subject.is_plural)
        return f"{pronoun} {tagged_as(present('être', subject.person), verb)} {form}"
    return f"{pronoun} {tense(infinitive, subject.person)}"


def numeral(n):
    """0 to 99 in words."""
    return Tagged(_numeral(n), NUMBERS + n)


def _numeral(n):
    small = ("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
             "dix-huit dix-neuf").split()
    if n < 20:
        return small[n]
    tens, ones = divmod(n, 10)
    if tens in (7, 9):
        tens, ones = tens - 1, ones + 10
    word = {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante", 8: "quatre-vingt"}[tens]
    if ones == 0:
        return word + ("s" if tens == 8 else "")
    if ones in (1, 11) and tens != 8:
        return f"{word} et {small[ones]}"
    return f"{word}-{small[ones]}"


ELIDED = {"le": "l'", "la": "l'", "de": "d'", "ne": "n'", "que": "qu'", "je": "j'", "me": "m'", "te": "t'", "se": "s'", "ce": "c'"}
CONTRACTED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}


def join(text):
    """Lets the words of a sentence meet: "de le homme" becomes "de l'homme", "à le lac" "au lac"."""
    words, out, i = text.split(), [], 0
    while i < len(words):
        word, following = words[i], words[i + 1] if i + 1 < len(words) else ""
        later = words[i + 2] if i + 2 < len(words) else "x"
        low, plain = bare(word).lower(), bare(following)
        meets_vowel = bool(following) and starts_with_vowel(following)
        if low == "si" and plain in ("il", "ils"):
            out.append(word[0] + "'" + following)
            i += 2
        elif low in ELIDED and meets_vowel:
            out.append(word[0] + ELIDED[low][1:] + (marks(word) or NO_TAG) + "\0")
            i += 1
        elif (low, plain) in CONTRACTED and not (plain == "le" and starts_with_vowel(later)):
            joined = CONTRACTED[low, plain]
            out.append((joined.capitalize() if word[0].isupper() else joined) + marks(word) + marks(following))
            i += 2
        else:
            out.append(word)
            i += 1
    text = " ".join(out).replace("\0 ", "").replace("*", "")
    return re.sub(r" ([.,])", r"\1", text)
