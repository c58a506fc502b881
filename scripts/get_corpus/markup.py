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
FONT = re.compile(r"(?:BI|IB|BR|RB|IR|RI|CW|C[RBI]|S[MB]|[BIR])<([^<>]*)>")
TAG = re.compile(r"</?[A-Za-z_][\w:.-]*[^<>]*>|<!--.*?-->|<\?.*?\?>", re.DOTALL)
# Elements that stand for text of another place, and those whose lines belong apart.
NO_SENTENCE = re.compile(r"<(?:xref|footnoteref|co|_:[\w-]+|placeholder-\d+|screen|programlisting|literallayout)\b|<u?link\b[^<>]*/>")
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
    if "\\" in text or "<" in text:
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
    if NO_SENTENCE.search(text):
        return None
    text = TAG.sub("", text)
    if any(name + ";" not in html.entities.html5 for name in ENTITY.findall(text)):
        return None
    return html.unescape(text)
