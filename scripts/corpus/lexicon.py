"""The words of the shipped English-French corpus. All written for nmt.

Nouns:      english / french / gender (m, f); * marks an h that is not elided; (plural) follows where it is irregular.
Adjectives: english / masculine / feminine / place (b before, a after the noun) [/ masculine before a vowel].
Verbs:      english base / french infinitive.
"""

# People: feminine forms are entries of their own.
PEOPLE = """
teacher/professeur/m; nurse/infirmière/f; doctor/médecin/m; farmer/agriculteur/m; baker/boulanger/m; butcher/boucher/m;
neighbor/voisin/m; cook/cuisinier/m; singer/chanteuse/f; actress/actrice/f; actor/acteur/m; king/roi/m; queen/reine/f;
prince/prince/m; princess/princesse/f; child (children)/enfant/m; husband/mari/m; daughter/fille/f; son/fils/m; boy/garçon/m; little girl/fillette/f; man (men)/homme/m;
lady (ladies)/dame/f; wife (wives)/femme/f; student/étudiant/m; pupil/élève/m; lawyer/avocat/m; judge/juge/m; soldier/soldat/m;
policeman (policemen)/policier/m; painter/peintre/m; writer/écrivain/m; musician/musicien/m; dancer/danseuse/f;
engineer/ingénieur/m; mechanic/mécanicien/m; tailor/tailleur/m; hairdresser/coiffeuse/f; waitress/serveuse/f;
customer/client/m; tourist/touriste/m; traveler/voyageur/m; guest/invité/m; friend/ami/m; brother/frère/m;
sister/sœur/f; mother/mère/f; father/père/m; uncle/oncle/m; aunt/tante/f; cousin/cousin/m; grandmother/grand-mère/f;
grandfather/grand-père/m; baby/bébé/m; pilot/pilote/m; sailor/marin/m; fisherman (fishermen)/pêcheur/m;
gardener/jardinier/m; librarian/bibliothécaire/f; journalist/journaliste/f; photographer/photographe/m;
director/directeur/m; secretary/secrétaire/f; president/président/m; minister/ministre/m; mayor/maire/m;
hero (heroes)/*héros/m; witch/sorcière/f; shepherd/berger/m
"""

ANIMALS = """
dog/chien/m; cat/chat/m; horse/cheval/m; cow/vache/f; pig/cochon/m; goat/chèvre/f; duck/canard/m; hen/poule/f;
rabbit/lapin/m; mouse (mice)/souris/f; bird/oiseau/m; eagle/aigle/m; owl/*hibou (hiboux)/m; wolf (wolves)/loup/m; fox/renard/m;
bear/ours/m; lion/lion/m; tiger/tigre/m; monkey/singe/m; elephant/éléphant/m; giraffe/girafe/f; snake/serpent/m;
turtle/tortue/f; frog/grenouille/f; donkey/âne/m; swan/cygne/m; squirrel/écureuil/m; whale/baleine/f;
dolphin/dauphin/m; bee/abeille/f; butterfly/papillon/m; spider/araignée/f; hedgehog/*hérisson/m
"""

# Things that can be counted and eaten.
FOOD = """
apple/pomme/f; pear/poire/f; orange/orange/f; banana/banane/f; cherry/cerise/f; strawberry/fraise/f; lemon/citron/m;
tomato (tomatoes)/tomate/f; potato (potatoes)/pomme de terre (pommes de terre)/f; carrot/carotte/f; onion/oignon/m; egg/œuf/m; cake/gâteau/m;
cookie/biscuit/m; sandwich/sandwich/m; pizza/pizza/f; pancake/crêpe/f; tart/tarte/f; melon/melon/m; peach/pêche/f;
mushroom/champignon/m; olive/olive/f; sausage/saucisse/f; omelette/omelette/f; croissant/croissant/m
"""

# Things that are poured or weighed: "some bread", "du pain".
MASS_FOOD = """
bread/pain/m; butter/beurre/m; cheese/fromage/m; meat/viande/f; chicken/poulet/m; ham/jambon/m; rice/riz/m; soup/soupe/f;
salad/salade/f; chocolate/chocolat/m; honey/miel/m; jam/confiture/f; fish/poisson/m; sugar/sucre/m; salt/sel/m
"""

DRINK = """
water/eau/f; milk/lait/m; coffee/café/m; tea/thé/m; wine/vin/m; beer/bière/f; lemonade/limonade/f;
orange juice/jus d'orange/m; cider/cidre/m
"""

# Things one buys, owns, loses.
THINGS = """
book/livre/m; newspaper/journal/m; letter/lettre/f; pen/stylo/m; pencil/crayon/m; notebook/cahier/m; dictionary/dictionnaire/m;
map/carte/f; key/clé/f; watch/montre/f; umbrella/parapluie/m; bag/sac/m; suitcase/valise/f; wallet/portefeuille/m;
phone/téléphone/m; computer/ordinateur/m; camera/appareil photo (appareils photo)/m; lamp/lampe/f; chair/chaise/f; table/table/f; bed/lit/m;
sofa/canapé/m; mirror/miroir/m; clock/horloge/f; knife (knives)/couteau/m; fork/fourchette/f; spoon/cuillère/f; plate/assiette/f;
glass/verre/m; bottle/bouteille/f; cup/tasse/f; basket/panier/m; box/boîte/f; gift/cadeau/m; toy/jouet/m; ball/ballon/m;
doll/poupée/f; guitar/guitare/f; piano/piano/m; violin/violon/m; flute/flûte/f; drum/tambour/m; painting/tableau/m;
photograph/photo/f; ticket/billet/m; stamp/timbre/m; envelope/enveloppe/f; hammer/marteau/m; ladder/échelle/f; rope/corde/f;
candle/bougie/f; blanket/couverture/f; pillow/oreiller/m; towel/serviette/f; carpet/tapis/m; curtain/rideau/m; bell/cloche/f;
ring/bague/f; necklace/collier/m; coin/pièce/f; tool/outil/m; machine/machine/f; flag/drapeau/m; flower/fleur/f; rose/rose/f
"""

CLOTHES = """
hat/chapeau/m; shirt/chemise/f; dress/robe/f; skirt/jupe/f; coat/manteau/m; jacket/veste/f; scarf (scarves)/écharpe/f; tie/cravate/f;
sweater/pull/m; belt/ceinture/f; shoe/chaussure/f; boot/botte/f; glove/gant/m; sock/chaussette/f; raincoat/imperméable/m;
uniform/uniforme/m; suit/costume/m; cap/casquette/f
"""

VEHICLES = """
car/voiture/f; bicycle/vélo/m; train/train/m; bus (buses)/bus/m; plane/avion/m; boat/bateau/m; truck/camion/m; motorcycle/moto/f;
taxi/taxi/m; helicopter/hélicoptère/m; tractor/tracteur/m; subway/métro/m; ambulance/ambulance/f
"""

# Places one goes to.
PLACES = """
market/marché/m; school/école/f; church/église/f; station/gare/f; hospital/hôpital/m; museum/musée/m; library/bibliothèque/f;
restaurant/restaurant/m; hotel/hôtel/m; beach/plage/f; park/parc/m; theater/théâtre/m; cinema/cinéma/m; office/bureau/m;
factory/usine/f; airport/aéroport/m; castle/château/m; village/village/m; farm/ferme/f; university/université/f; bank/banque/f;
bakery/boulangerie/f; pharmacy/pharmacie/f; post office/poste/f; supermarket/supermarché/m; stadium/stade/m; zoo/zoo/m;
swimming pool/piscine/f; workshop/atelier/m; port/port/m; town hall/mairie/f; café/café/m
"""

# Where things lie: (english preposition, french one, noun).
SPOTS = """
on/sur/table/f/table; on/sur/shelf/f/étagère; on/sur/roof/m/toit; on/sur/wall/m/mur; in/dans/kitchen/f/cuisine;
in/dans/garden/m/jardin; in/dans/drawer/m/tiroir; in/dans/living room/m/salon; in/dans/bedroom/f/chambre; in/dans/cellar/f/cave;
in/dans/street/f/rue; in/dans/forest/f/forêt; in/dans/cupboard/f/armoire; under/sous/bed/m/lit; under/sous/bridge/m/pont;
under/sous/tree/m/arbre; behind/derrière/door/f/porte; behind/derrière/house/f/maison; in front of/devant/window/f/fenêtre;
in front of/devant/fireplace/f/cheminée; near/près de/river/f/rivière; near/près de/lake/m/lac; next to/à côté de/tower/f/tour;
next to/à côté de/stairs/m/escalier; in/dans/attic/m/grenier; in/dans/yard/f/cour
"""

BUILDINGS = """
house/maison/f; bridge/pont/m; tower/tour/f; palace/palais/m; wall/mur/m; cathedral/cathédrale/f; prison/prison/f; monument/monument/m;
statue/statue/f; lighthouse/phare/m; building/immeuble/m; fountain/fontaine/f; mill/moulin/m; tunnel/tunnel/m; chapel/chapelle/f
"""

NATURE = """
mountain/montagne/f; river/rivière/f; lake/lac/m; forest/forêt/f; sea/mer/f; island/île/f; desert/désert/m; valley/vallée/f; tree/arbre/m;
meadow/prairie/f; hill/colline/f; road/route/f; path/chemin/m; field/champ/m; rock/rocher/m; waterfall/cascade/f; country (countries)/pays/m
"""

SKY = """
sky (skies)/ciel (ciels)/m; sun/soleil/m; moon/lune/f; star/étoile/f; cloud/nuage/m; rainbow/arc-en-ciel (arcs-en-ciel)/m; sunset/coucher de soleil (couchers de soleil)/m
"""

# Of what something is the greatest: "the oldest bridge of the city".
REALMS = """
city/ville/f; village/village/m; country/pays/m; region/région/f; world/monde/m; continent/continent/m; kingdom/royaume/m
"""

IDEAS = """
story/histoire/f; film/film/m; song/chanson/f; question/question/f; answer/réponse/f; idea/idée/f; problem/problème/m; lesson/leçon/f;
exercise/exercice/m; game/jeu/m; trip/voyage/m; dream/rêve/m; project/projet/m; speech/discours/m; novel/roman/m; poem/poème/m;
joke/blague/f; rule/règle/f; exam/examen/m; meeting/réunion/f; secret/secret/m; legend/légende/f
"""

# Adjectives for anything one can hold.
ADJ_THING = """
big/grand/grande/b; small/petit/petite/b; beautiful/beau/belle/b/bel; new/nouveau/nouvelle/b/nouvel; old/vieux/vieille/b/vieil;
red/rouge/rouge/a; blue/bleu/bleue/a; green/vert/verte/a; white/blanc/blanche/a; black/noir/noire/a; yellow/jaune/jaune/a;
gray/gris/grise/a; brown/brun/brune/a; purple/violet/violette/a; pink/rose/rose/a; heavy/lourd/lourde/a; light/léger/légère/a;
expensive/cher/chère/a; useful/utile/utile/a; broken/cassé/cassée/a; empty/vide/vide/a; clean/propre/propre/a; dirty/sale/sale/a;
round/rond/ronde/a; square/carré/carrée/a; long/long/longue/b; ugly/laid/laide/a; strange/étrange/étrange/a; modern/moderne/moderne/a;
solid/solide/solide/a; fragile/fragile/fragile/a; precious/précieux/précieuse/a; wooden/en bois/en bois/a; golden/doré/dorée/a
"""
ADJ_FOOD = """
good/bon/bonne/b; bad/mauvais/mauvaise/b; delicious/délicieux/délicieuse/a; sweet/sucré/sucrée/a; salty/salé/salée/a; hot/chaud/chaude/a;
cold/froid/froide/a; fresh/frais/fraîche/a; ripe/mûr/mûre/a; bitter/amer/amère/a
"""
ADJ_PERSON = """
young/jeune/jeune/b; tall/grand/grande/b; happy/heureux/heureuse/a; sad/triste/triste/a; tired/fatigué/fatiguée/a; sick/malade/malade/a;
rich/riche/riche/a; poor/pauvre/pauvre/a; kind/gentil/gentille/a; nice/sympathique/sympathique/a; serious/sérieux/sérieuse/a;
funny/drôle/drôle/a; intelligent/intelligent/intelligente/a; patient/patient/patiente/a; famous/célèbre/célèbre/a;
brave/courageux/courageuse/a; shy/timide/timide/a; angry/fâché/fâchée/a; proud/fier/fière/a; busy/occupé/occupée/a;
curious/curieux/curieuse/a; polite/poli/polie/a; honest/honnête/honnête/a; lazy/paresseux/paresseuse/a; strong/fort/forte/a;
weak/faible/faible/a; surprised/surpris/surprise/a; worried/inquiet/inquiète/a; jealous/jaloux/jalouse/a; generous/généreux/généreuse/a;
nervous/nerveux/nerveuse/a; calm/calme/calme/a; elegant/élégant/élégante/a; blond/blond/blonde/a
"""
ADJ_ANIMAL = """
fast/rapide/rapide/a; slow/lent/lente/a; wild/sauvage/sauvage/a; dangerous/dangereux/dangereuse/a; hungry/affamé/affamée/a;
quiet/tranquille/tranquille/a; fat/gros/grosse/b; thin/maigre/maigre/a; gentle/doux/douce/a; clever/rusé/rusée/a
"""
ADJ_PLACE = """
magnificent/magnifique/magnifique/a; huge/immense/immense/a; ancient/ancien/ancienne/a; deep/profond/profonde/a; wide/large/large/a;
high/*haut/haute/a; noisy/bruyant/bruyante/a; dark/sombre/sombre/a; far away/lointain/lointaine/a; peaceful/paisible/paisible/a;
narrow/étroit/étroite/a
"""
ADJ_IDEA = """
interesting/intéressant/intéressante/a; boring/ennuyeux/ennuyeuse/a; difficult/difficile/difficile/a; easy/facile/facile/a;
important/important/importante/a; necessary/nécessaire/nécessaire/a; possible/possible/possible/a; simple/simple/simple/a;
complicated/compliqué/compliquée/a; clear/clair/claire/a; useless/inutile/inutile/a; excellent/excellent/excellente/a; short/court/courte/a;
perfect/parfait/parfaite/a; original/original/originale/a
"""

# Verbs with an object: english base / french infinitive / classes of objects.
TRANSITIVE = """
eat/manger/FOOD; cook/cuisiner/FOOD; wash/laver/CLOTHES DISHES OWNED; buy/acheter/THINGS CLOTHES OWNED FOOD; sell/vendre/THINGS CLOTHES OWNED;
lose/perdre/THINGS CLOTHES; find/trouver/THINGS CLOTHES; look for/chercher/THINGS CLOTHES ANIMALS; see/voir/PEOPLE ANIMALS NATURE BUILDINGS SKY;
look at/regarder/BUILDINGS NATURE ANIMALS SKY; hear/entendre/PEOPLE ANIMALS; visit/visiter/PLACES BUILDINGS; know/connaître/PEOPLE;
meet/rencontrer/PEOPLE; help/aider/PEOPLE; invite/inviter/PEOPLE; thank/remercier/PEOPLE; greet/saluer/PEOPLE; admire/admirer/PEOPLE BUILDINGS NATURE;
love/adorer/PEOPLE ANIMALS; hate/détester/PEOPLE ANIMALS; watch over/surveiller/PEOPLE ANIMALS; photograph/photographier/ANIMALS BUILDINGS NATURE SKY;
feed/nourrir/ANIMALS; chase/chasser/ANIMALS; carry/porter/THINGS; repair/réparer/TOOLS VEHICLES; break/casser/BREAKABLE; paint/peindre/BUILDINGS NATURE;
read/lire/NOVELS; write/écrire/NOVELS; tell/raconter/STORIES; understand/comprendre/IDEAS; forget/oublier/LESSONS THINGS; explain/expliquer/LESSONS TASKS;
learn/apprendre/LESSONS; finish/finir/TASKS; begin/commencer/TASKS; choose/choisir/THINGS CLOTHES; open/ouvrir/OPENABLE; close/fermer/OPENABLE;
clean/nettoyer/TOOLS VEHICLES; hide/cacher/THINGS; borrow/emprunter/THINGS CLOTHES OWNED; drive/conduire/DRIVEN; steal/voler/THINGS OWNED;
wear/mettre/CLOTHES; cut/couper/FOOD; draw/dessiner/ANIMALS BUILDINGS NATURE; build/construire/BUILDINGS; sing/chanter/SONGS; prepare/préparer/FOOD MEETINGS;
discover/découvrir/NATURE STORIES; receive/recevoir/THINGS; throw/jeter/SMALL; keep/garder/THINGS; lend/prêter/THINGS; follow/suivre/PEOPLE ANIMALS;
wait for/attendre/PEOPLE PUBLIC; take/prendre/PUBLIC THINGS; describe/décrire/NATURE BUILDINGS; imagine/imaginer/STORIES; refuse/refuser/GIFTS;
accept/accepter/GIFTS; touch/toucher/THINGS; push/pousser/OWNED; pull/tirer/OWNED; taste/goûter/FOOD; count/compter/COINS ANIMALS;
copy/copier/LESSONS; correct/corriger/LESSONS; organize/organiser/MEETINGS; cross/traverser/NATURE_CROSSED; climb/escalader/NATURE_CLIMBED;
protect/protéger/PEOPLE ANIMALS; save/sauver/PEOPLE ANIMALS
"""

# Verbs without an object.
INTRANSITIVE = """
work/travailler; sleep/dormir; run/courir; walk/marcher; sing/chanter; dance/danser; laugh/rire; cry/pleurer; swim/nager; travel/voyager;
cook/cuisiner; smoke/fumer; wait/attendre; read/lire; write/écrire; listen/écouter; shout/crier; play/jouer; eat/manger; think/réfléchir;
dream/rêver; drive/conduire; paint/peindre; draw/dessiner; smile/sourire; speak/parler; study/étudier; win/gagner
"""

# Verbs of giving: "X gives the book to the boy".
GIVING = """
give/donner; show/montrer; send/envoyer; bring/apporter; offer/offrir; lend/prêter; sell/vendre; promise/promettre; return/rendre
"""

REFLEXIVE = """
get up/se lever; wake up/se réveiller; get dressed/s'habiller; rest/se reposer; go to bed/se coucher; wash/se laver; go for a walk/se promener
"""

ADVERBS = """
slowly/lentement; quickly/rapidement; often/souvent; well/bien; badly/mal; together/ensemble; quietly/doucement; carefully/prudemment;
every day/tous les jours; every evening/chaque soir; every morning/chaque matin; alone/seul
"""

MEN = "Pierre Paul Jacques Louis Henri Antoine Nicolas Thomas Julien Marc Lucas Hugo Victor Simon Olivier Daniel Robert Georges"
WOMEN = "Marie Sophie Claire Julie Anne Alice Camille Louise Emma Charlotte Hélène Jeanne Nathalie Isabelle Léa Chloé Manon Lucie"
CITIES = "Paris/Paris Lyon/Lyon Marseille/Marseille Bordeaux/Bordeaux London/Londres Rome/Rome Berlin/Berlin Madrid/Madrid Brussels/Bruxelles " \
         "Geneva/Genève Montreal/Montréal Lisbon/Lisbonne Vienna/Vienne Athens/Athènes Toulouse/Toulouse Strasbourg/Strasbourg"
# english / french / preposition "in" / preposition "from"
COUNTRIES = """
France/France/en/de; Spain/Espagne/en/de; Italy/Italie/en/de; Germany/Allemagne/en/de; Belgium/Belgique/en/de; Canada/Canada/au/du;
Portugal/Portugal/au/du; Japan/Japon/au/du; Brazil/Brésil/au/du; China/Chine/en/de; Egypt/Égypte/en/de; Morocco/Maroc/au/du; Greece/Grèce/en/de;
Mexico/Mexique/au/du; Switzerland/Suisse/en/de
"""
LANGUAGES = "French/français English/anglais Spanish/espagnol Italian/italien German/allemand Japanese/japonais Chinese/chinois Arabic/arabe " \
            "Portuguese/portugais Greek/grec"
# english / masculine / feminine
JOBS = """
teacher/professeur/professeure; doctor/médecin/médecin; baker/boulanger/boulangère; farmer/agriculteur/agricultrice; singer/chanteur/chanteuse;
actor/acteur/actrice; lawyer/avocat/avocate; musician/musicien/musicienne; dancer/danseur/danseuse; student/étudiant/étudiante;
cook/cuisinier/cuisinière; nurse/infirmier/infirmière; engineer/ingénieur/ingénieure; journalist/journaliste/journaliste;
hairdresser/coiffeur/coiffeuse; director/directeur/directrice; pharmacist/pharmacien/pharmacienne; gardener/jardinier/jardinière
"""
MONTHS = "January/janvier February/février March/mars April/avril May/mai June/juin July/juillet August/août September/septembre October/octobre " \
         "November/novembre December/décembre"
DAYS = "Monday/lundi Tuesday/mardi Wednesday/mercredi Thursday/jeudi Friday/vendredi Saturday/samedi Sunday/dimanche"
SEASONS = "winter/en hiver; spring/au printemps; summer/en été; autumn/en automne"
WEATHER = "It is cold/il fait froid; It is hot/il fait chaud; It rains/il pleut; It snows/il neige; It is windy/il y a du vent; The weather is nice/il fait beau"

# English verbs that are not regular: base past participle
ENGLISH_IRREGULAR = """
eat ate eaten; buy bought bought; sell sold sold; lose lost lost; find found found; see saw seen; hear heard heard; know knew known;
meet met met; feed fed fed; break broke broken; read read read; write wrote written; tell told told; understand understood understood;
forget forgot forgotten; begin began begun; choose chose chosen; hide hid hidden; drive drove driven; steal stole stolen; wear wore worn;
cut cut cut; draw drew drawn; build built built; sing sang sung; throw threw thrown; keep kept kept; lend lent lent; take took taken;
sleep slept slept; run ran run; swim swam swum; think thought thought; speak spoke spoken; win won won; give gave given; show showed shown;
send sent sent; bring brought brought; get got got; wake woke woken; go went gone; drink drank drunk; leave left left; come came come;
make made made; have had had
"""
