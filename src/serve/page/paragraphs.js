// The text as paragraphs of sentences that are translated, and what of them stays when the text changes.

import {Characters} from "./words.js";

/** A translation of a sentence: its text and words, each with its place, confidence and attention. */
function readTranslation(from) {
  const text = new Characters(from.text);
  const words = (from.word_spans || []).map(([begin, end], i) => ({
    begin: text.unit(begin), end: text.unit(end), text: text.slice(begin, end),
    confidence: from.word_confidences[i], attention: from.attention?.[i] || [],
  }));
  return {text: from.text, words};
}

/** A sentence of the server's detail; `offset`: where the text that was asked for begins in the paragraph. */
function readSentence(from, asked, offset) {
  const source = new Characters(from.source);
  return {
    source: from.source,
    begin: offset + asked.unit(from.source_begin),
    end: offset + asked.unit(from.source_end),
    middle: from.middle,
    sourceWords: (from.source_word_spans || []).map(([begin, end]) =>
      ({begin: source.unit(begin), end: source.unit(end), text: source.slice(begin, end)})),
    best: readTranslation(from.translations[0]),
    translations: from.translations.map(readTranslation),
  };
}

/** What the server says of a text: sentences, each with the text that stands before it in the translation. */
export function readAnswer(text, translated, detail, offset) {
  const asked = new Characters(text), answer = new Characters(translated);
  let end = 0;
  const sentences = detail.sentences.map((from) => {
    const sentence = readSentence(from, asked, offset);
    sentence.before = answer.slice(end, from.target_begin);
    end = from.target_end;
    return sentence;
  });
  return {sentences, rest: answer.slice(end, Infinity)};
}

export class Paragraph {
  constructor(text) {
    this.text = text;
    this.sentences = [];
    this.rest = "";
    this.done = !text.trim();
    if (this.done) this.rest = text;
  }

  /** Keeps the sentences of an older paragraph that this text begins with, but for the last one, which may go on. */
  inherit(old) {
    let kept = 0;
    while (kept < old.sentences.length && this.text.startsWith(old.text.slice(0, old.sentences[kept].end))) kept++;
    this.sentences = old.sentences.slice(0, Math.max(0, kept - 1));
  }

  /** Where the part begins that is to be translated. */
  get open() { return this.sentences.length ? this.sentences[this.sentences.length - 1].end : 0; }

  take(translated, detail) {
    const open = this.open, {sentences, rest} = readAnswer(this.text.slice(open), translated, detail, open);
    this.sentences = this.sentences.concat(sentences);
    this.rest = rest;
    this.done = true;
  }

  get translation() { return this.sentences.map((s) => s.before + s.best.text).join("") + this.rest; }
}

/** The paragraphs of a text, with what is known of the ones before. */
export function divide(text, old) {
  const byText = new Map(old.map((paragraph) => [paragraph.text, paragraph]));
  return text.split("\n").map((line, i) => {
    const same = byText.get(line);
    if (same?.done) return same;
    const paragraph = new Paragraph(line);
    if (!paragraph.done && old[i]) paragraph.inherit(old[i]);
    return paragraph;
  });
}
