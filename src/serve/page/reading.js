// How text and translation are shown: words that can be pointed at, and marks on those that belong to each other.

import {words as say} from "./words.js";

const SURE = 0.8, UNSURE = 0.5; // confidence from which a word has no line, and dots
const SHOWN = 0.05;             // attention from which a word is marked
const MOST_NAMED = 3;

const gradeOf = (confidence) => confidence >= SURE ? "" : confidence >= UNSURE ? "unsure" : "doubtful";

function span(text, kind) {
  const element = document.createElement("span");
  element.textContent = text;
  element.className = kind;
  return element;
}

/** A text as an element, with an element in it for each word that has a place. */
function withWords(text, wordList, kindOf) {
  const parent = document.createElement("span"), elements = [];
  let at = 0;
  wordList.forEach((word, index) => {
    if (word.end <= word.begin || word.begin < at) return;
    elements[index] = span(text.slice(word.begin, word.end), kindOf(word));
    parent.append(text.slice(at, word.begin), elements[index]);
    at = word.end;
  });
  parent.append(text.slice(at));
  return {parent, elements};
}

/** Makes texts and elements the children of an element. The first and the last ones that are there already stay. */
function setChildren(parent, parts) {
  const isThere = (node, part) => node === part || (node?.nodeType === Node.TEXT_NODE && node.data === part);
  let first = parent.firstChild, last = parent.lastChild, begin = 0, end = parts.length;
  while (begin < end && isThere(first, parts[begin])) [first, begin] = [first.nextSibling, begin + 1];
  if (!first) return parent.append(...parts.slice(begin));
  while (end > begin && isThere(last, parts[end - 1]) && last !== first) [last, end] = [last.previousSibling, end - 1];
  const range = document.createRange();
  range.setStartBefore(first);
  range.setEndAfter(last);
  range.deleteContents();
  const added = document.createDocumentFragment();
  added.append(...parts.slice(begin, end));
  range.insertNode(added);
}

/** The words with the most weight, with percents. */
function named(wordList, weights) {
  return wordList.map((word, i) => [word.text, Math.round(100 * (weights[i] || 0))])
    .filter(([text, percent]) => text && percent >= 100 * SHOWN)
    .sort((a, b) => b[1] - a[1]).slice(0, MOST_NAMED);
}

/** Shows paragraphs in the mirror behind the text and in the result. */
export class Reading {
  #views = new WeakMap();  // sentence -> its elements
  #wordOf = new WeakMap(); // element of a word -> {side, sentence, index}
  #marked = [];

  constructor(mirror, result) {
    this.mirror = mirror;
    this.result = result;
  }

  /** {side: "source" or "target", sentence, index} of an element, if it is a word. */
  wordOf(element) {
    return this.#wordOf.get(element);
  }

  #viewOf(sentence) {
    const before = this.#views.get(sentence), {best} = sentence;
    if (before?.best === best) return before;
    const source = withWords(sentence.source, sentence.sourceWords, () => "w");
    const target = withWords(best.text, best.words, (word) => `w ${gradeOf(word.confidence)}`);
    source.elements.forEach((element, index) => this.#wordOf.set(element, {side: "source", sentence, index}));
    target.elements.forEach((element, index) => {
      element.tabIndex = -1;
      element.setAttribute("role", "button");
      element.setAttribute("aria-haspopup", "listbox");
      this.#wordOf.set(element, {side: "target", sentence, index});
    });
    const view = {best, source, target};
    this.#views.set(sentence, view);
    return view;
  }

  #sources({head, tail, done, text, open, ending}) {
    const shown = (sentence) => [sentence.gap, this.#viewOf(sentence).source.parent];
    return done && !head.length ? [text] : [...head.flatMap(shown), done ? "" : open, ...tail.flatMap(shown), ending];
  }

  #targets({head, tail, done, open, rest}) {
    const shown = (sentence) => [sentence.before, this.#viewOf(sentence).target.parent];
    return [...head.flatMap(shown), done ? "" : span(open, "waiting"), ...tail.flatMap(shown), rest];
  }

  /** Shows the paragraphs; the elements of sentences that are as before stay. */
  show(paragraphs) {
    const focused = this.wordOf(document.activeElement);
    const lines = (of) => paragraphs.flatMap((paragraph, i) => [i ? "\n" : "", ...of(paragraph)]).filter((part) => part !== "");
    this.unmark();
    setChildren(this.mirror, [...lines((paragraph) => this.#sources(paragraph)), "\u200b"]);
    setChildren(this.result, lines((paragraph) => this.#targets(paragraph)));
    if (!this.result.querySelector('.w[tabindex="0"]')) this.result.querySelector(".w")?.setAttribute("tabindex", "0");
    if (focused) this.elementOf(focused)?.focus();
  }

  elementOf({side, sentence, index}) {
    return this.#views.get(sentence)?.[side].elements[index];
  }

  /** One word can be reached with the Tab key; the arrow keys go on from there. */
  stopAt(element) {
    for (const other of this.result.querySelectorAll('.w[tabindex="0"]')) other.tabIndex = -1;
    element.tabIndex = 0;
  }

  /** The word beside one, in reading order. */
  neighbour(element, step) {
    const all = [...this.result.querySelectorAll(".w")];
    return all[all.indexOf(element) + step];
  }

  /** The first or the last word. */
  outermost(isLast) {
    const all = this.result.querySelectorAll(".w");
    return all[isLast ? all.length - 1 : 0];
  }

  /** The element of the word at a place in the text, that of the caret. */
  sourceAt(position) {
    const walker = document.createTreeWalker(this.mirror, NodeFilter.SHOW_TEXT);
    for (let node; position >= 0 && (node = walker.nextNode()); position -= node.length)
      if (position <= node.length && this.wordOf(node.parentElement)) return node.parentElement;
    return null;
  }

  unmark() {
    for (const element of this.#marked) {
      element.classList.remove("marked", "chosen");
      element.style.removeProperty("--weight");
    }
    this.#marked = [];
  }

  #mark(elements, weights) {
    const most = Math.max(...weights, 0.01);
    elements.forEach((element, i) => {
      if (!(weights[i] >= SHOWN)) return;
      element.classList.add("marked");
      element.style.setProperty("--weight", (weights[i] / most).toFixed(3));
      this.#marked.push(element);
    });
  }

  /** Marks what a word looked at, or what looked at it; returns that in words. */
  point(element) {
    const {sentence, index, side} = this.wordOf(element), {source, target} = this.#viewOf(sentence);
    this.unmark();
    element.classList.add("chosen");
    this.#marked.push(element);
    if (side === "target") {
      this.#mark(source.elements, sentence.best.words[index].attention);
      return describe(sentence, sentence.best.words[index]);
    }
    const weights = sentence.best.words.map((word) => word.attention[index] || 0);
    this.#mark(target.elements, weights);
    return say.to(sentence.sourceWords[index].text, named(sentence.best.words, weights));
  }
}

function describe(sentence, {text, confidence, attention}) {
  const sources = named(sentence.sourceWords, attention), grade = gradeOf(confidence);
  return say.sure(text, Math.round(100 * confidence), grade && say[grade]) + (sources.length ? say.from(sources) : "") +
    (sentence.middle == null ? "" : say.through(sentence.middle));
}

/** Fills the table with the attention of a sentence. */
export function fillMatrix(table, sentence) {
  const columns = [...sentence.sourceWords.map((word) => word.text), say.end];
  const head = document.createElement("thead"), body = document.createElement("tbody");
  const first = head.insertRow();
  first.append(document.createElement("td"), ...columns.map((text) => heading(text, "col")));
  for (const word of sentence.best.words) {
    const row = body.insertRow();
    row.append(heading(word.text, "row"));
    columns.forEach((_, j) => addWeight(row, word.attention[j] || 0));
  }
  table.replaceChildren(head, body);
}

function addWeight(row, weight) {
  const cell = row.insertCell();
  cell.textContent = weight >= 0.005 ? Math.round(100 * weight) : "";
  cell.style.setProperty("--weight", weight.toFixed(3));
}

function heading(text, scope) {
  const element = document.createElement("th"), inner = document.createElement("span");
  element.scope = scope;
  inner.textContent = text;
  element.append(inner);
  return element;
}
