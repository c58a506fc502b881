"""Plain text of marked-up messages: of manual pages (roff, as po4a writes it), of DocBook and of Mallard pages. None where
that would lose a part of the sentence."""
import html
import html.entities
import re

# Characters of roff that have names (groff_char(7)); spaces and zero-width marks.
ROFF = {r"\-": "-", r"\ ": " ", r"\~": " ", r"\0": " ", r"\&": "", r"\:": "", r"\|": "", r"\^": "", r"\/": "", r"\,": "",
        r"\%": "", r"\e": "\\", r"\(rs": "\\", r"\(aq": "'", r"\(dq": '"', r"\(oq": "‘", r"\(cq": "’", r"\(lq": "“",
        r"\(rq": "”", r"\*(lq": "“", r"\*(rq": "”", r"\(em": "—", r"\(en": "–", r"\(bu": "•", r"\(co": "©", r"\(mu": "×",
        r"\(+-": "±", r"\(ha": "^", r"\(ti": "~", r"\(ga": "`", r"\(aa": "´", r"\(<=": "≤", r"\(>=": "≥", r"\(->": "→",
        r"\(at": "@", r"\(sh": "#", r"\(Fo": "«", r"\(Fc": "»", r"\(bq": "‚", r"\(Bq": "„"}
ROFF_ESCAPE = re.compile(r"\\(?:\*?\(..|\*?\[[^]]*\]|\*?.)|E<(?:lt|gt)>")
FONT = re.compile(r"\b(?:[BIR]|BI|IB|BR|RB|IR|RI|CW|C[RBI]|S[MB])<([^<>]*)>")
TAG = re.compile(r"</?([A-Za-z][\w:.-]*)[^<>]*>|<!--.*?-->|<\?.*?\?>", re.DOTALL)
NO_SENTENCE = {"xref", "footnoteref", "co", "_", "placeholder-1",  # they stand for text of another place
               "screen", "programlisting", "literallayout", "code-block"}  # their lines belong apart
ENTITY = re.compile(r"&([A-Za-z_][\w.-]*);")
SHIELDS = {"<": "\ue000", ">": "\ue001", "\\": "\ue002"}  # the text's own, while markup goes


def plain_roff(text):
    """Fonts as in B<bold> go, E<lt> becomes <."""
    def character(escape):
        if escape[0][0] == "E":
            return SHIELDS["<" if escape[0] == "E<lt>" else ">"]
        found = ROFF.get(re.sub(r"\[(..)\]$", r"(\1", escape[0]), escape[0])
        return SHIELDS.get(found, found)
    text = ROFF_ESCAPE.sub(character, text)
    while FONT.search(text):
        text = FONT.sub(r"\1", text)
    if "\\" in text or re.search(r"\b[A-Z]+<|E<\.", text):
        return None
    for plain, shield in SHIELDS.items():
        text = text.replace(shield, plain)
    return text


def plain_xml(text, entities):
    """Tags go, entities become their text; ENTITIES has those that a document defines."""
    for _ in range(5):  # entities may name entities
        expanded = ENTITY.sub(lambda entity: entities.get(entity[1], entity[0]), text)
        if expanded == text:
            break
        text = expanded
    if any(tag in NO_SENTENCE for tag in TAG.findall(text)):
        return None
    if any(name + ";" not in html.entities.html5 for name in ENTITY.findall(text)):
        return None
    return html.unescape(TAG.sub("", text))
