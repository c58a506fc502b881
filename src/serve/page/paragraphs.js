// The text as paragraphs of sentences that are translated, and what of them stays when the text changes.

import {Characters} from "./words.js";

/** A translation of a sentence: its text and words, each with its place, confidence and attention. */
function readTranslation(from) {
  const text = new Characters(from.text);
  const words = (from.word_spans || []).map(([begin, end], i) => ({
    begin: text.unit(begin), end: text.unit(end), text: text.slice(begin, end),
    confidence: from.word_confidences?.[i] ?? 1, attention: from.attention?.[i] || [],
  }));
  return {text: from.text, words};
}

/** The words of the sentence that the network has attended to: none without attention, or where a second model has read
 * what a first one made of the sentence. */
function readWords(from, source) {
  const text = new Characters(source), isAttended = from.middle == null && from.translations[0].attention;
  return (isAttended ? from.source_word_spans : []).map(([begin, end]) =>
    ({begin: text.unit(begin), end: text.unit(end), text: text.slice(begin, end)}));
}

/** What the server says of a text: its sentences, each with what stands before it (`gap` in the text, `before` in the
 * translation), and what stands after the last one (`ending`, `rest`). */
export function readAnswer(text, translated, detail) {
  const asked = new Characters(text), answer = new Characters(translated);
  let sourceEnd = 0, targetEnd = 0;
  const sentences = detail.sentences.map((from) => {
    const source = asked.slice(from.source_begin, from.source_end), translations = from.translations.map(readTranslation);
    const sentence = {
      gap: asked.slice(sourceEnd, from.source_begin), source, middle: from.middle, sourceWords: readWords(from, source),
      before: answer.slice(targetEnd, from.target_begin), translations, best: translations[0],
    };
    sourceEnd = from.source_end;
    targetEnd = from.target_end;
    return sentence;
  });
  return {sentences, ending: asked.slice(sourceEnd, Infinity), rest: answer.slice(targetEnd, Infinity)};
}

export class Paragraph {
  constructor(text) {
    this.text = text;
    this.head = [];   // the sentences that are translated, from the beginning,
    this.tail = [];   // and those after a part that is to be translated
    this.ending = ""; // what stands after the last sentence in the text,
    this.rest = "";   // and in the translation
    this.stretch = 1; // of the part that is asked for: a long sentence needs more
    this.done = !/\p{L}/u.test(text);
    if (this.done) this.rest = text;
  }

  /** Takes over the sentences that have not changed, or copies of them; those beside the change, which may go on now, are
   * asked for again. */
  inherit(old, isCopied) {
    const own = (sentence) => isCopied ? {...sentence} : sentence;
    let begin = 0, end = this.text.length - old.ending.length;
    for (const sentence of old.head) {
      const piece = sentence.gap + sentence.source;
      if (!this.text.startsWith(piece, begin)) break;
      this.head.push(own(sentence));
      begin += piece.length;
    }
    this.head.pop();
    begin = this.headLength;
    if (!this.text.endsWith(old.ending)) return;
    const later = old.done ? old.head : old.tail;
    for (const sentence of [...later].reverse()) {
      const piece = sentence.gap + sentence.source;
      if (end - piece.length < begin || !this.text.startsWith(piece, end - piece.length)) break;
      this.tail.unshift(own(sentence));
      end -= piece.length;
    }
    this.tail.shift();
    if (this.tail.length) [this.ending, this.rest] = [old.ending, old.rest];
  }

  /** The same text once more, with sentences of its own. */
  copy() {
    const copied = Object.assign(new Paragraph(this.text), this);
    copied.head = this.head.map((sentence) => ({...sentence}));
    copied.tail = this.tail.map((sentence) => ({...sentence}));
    return copied;
  }

  get headLength() { return lengthOf(this.head); }

  /** What is to be translated. */
  get open() { return this.text.slice(this.headLength, this.text.length - lengthOf(this.tail) - this.ending.length); }

  /** What is asked for next: a part of more than so many characters is cut. */
  asked(characters) {
    const {open} = this, most = characters * this.stretch;
    if (open.length <= most) return open;
    const blank = open.lastIndexOf(" ", most);
    return open.slice(0, blank > 0 ? blank : most);
  }

  /** Takes the answer. The last sentence of a part that has been cut may go on: it is asked for again. */
  take(asked, translated, detail) {
    const {sentences, ending, rest} = readAnswer(asked, translated, detail), isCut = asked.length < this.open.length;
    if (isCut) {
      sentences.pop();
      if (!sentences.length) this.stretch *= 2;
    }
    this.head.push(...sentences);
    if (isCut) return;
    const [next] = this.tail;
    if (next) [next.gap, next.before] = [ending + next.gap, rest + next.before];
    else [this.ending, this.rest] = [ending, rest];
    this.head.push(...this.tail);
    this.tail = [];
    this.done = true;
  }

  get translation() {
    return this.head.concat(this.tail).map((sentence) => sentence.before + sentence.best.text).join("") + this.rest;
  }
}

function lengthOf(sentences) {
  return sentences.reduce((sum, {gap, source}) => sum + gap.length + source.length, 0);
}

/** The paragraphs of a text, with what is known of those before. No two of them have a sentence in common. */
export function divide(text, old) {
  const byText = new Map(old.map((paragraph) => [paragraph.text, paragraph])), lines = text.split("\n"), used = new Set();
  const same = lines.map((line) => {
    const paragraph = byText.get(line);
    if (used.has(paragraph)) return paragraph.copy();
    if (paragraph) used.add(paragraph);
    return paragraph;
  });
  return lines.map((line, i) => {
    if (same[i]) return same[i];
    const paragraph = new Paragraph(line);
    if (!paragraph.done && old[i]) paragraph.inherit(old[i], used.has(old[i]));
    return paragraph;
  });
}
