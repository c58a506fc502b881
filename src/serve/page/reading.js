// How text and translation are shown: words that can be pointed at, and marks on those that belong to each other.

import {words as say} from "./words.js";

const SURE = 0.8, UNSURE = 0.5; // confidence from which a word has no line, and dots
const SHOWN = 0.05;             // attention from which a word is marked
const MOST_NAMED = 3;

function span(text, kind) {
  const element = document.createElement("span");
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function gradeOf(confidence) {
  return confidence >= SURE ? "w" : confidence >= UNSURE ? "w unsure" : "w doubtful";
}

/** Adds a text with its words as elements; each(element, index) for every word. */
function addWords(parent, text, wordList, kindOf, each) {
  let at = 0;
  wordList.forEach((word, index) => {
    if (word.end <= word.begin || word.begin < at) return;
    parent.append(text.slice(at, word.begin));
    const element = span(text.slice(word.begin, word.end), kindOf(word));
    each(element, index);
    parent.append(element);
    at = word.end;
  });
  parent.append(text.slice(at));
}

/** Shows paragraphs in the mirror behind the text and in the result. */
export class Reading {
  constructor(mirror, result) {
    this.mirror = mirror;
    this.result = result;
    this.shown = [];          // paragraphs with their elements in mirror and result
    this.wordOf = new WeakMap(); // element -> {side, sentence, index}
  }

  #addSource(parent, paragraph) {
    let at = 0;
    for (const sentence of paragraph.sentences) {
      parent.append(paragraph.text.slice(at, sentence.begin));
      addWords(parent, sentence.source, sentence.sourceWords, () => "w", (element, index) => {
        this.wordOf.set(element, {side: "source", sentence, index});
        (sentence.sourceElements ||= [])[index] = element;
      });
      at = sentence.end;
    }
    parent.append(paragraph.text.slice(at));
  }

  #addTarget(parent, paragraph) {
    for (const sentence of paragraph.sentences) {
      parent.append(sentence.before);
      addWords(parent, sentence.best.text, sentence.best.words, (word) => gradeOf(word.confidence), (element, index) => {
        element.tabIndex = -1;
        element.setAttribute("role", "button");
        element.setAttribute("aria-haspopup", "listbox");
        this.wordOf.set(element, {side: "target", sentence, index});
        (sentence.targetElements ||= [])[index] = element;
      });
    }
    parent.append(paragraph.rest);
    if (!paragraph.done) parent.append(span(paragraph.text.slice(paragraph.open), "waiting"));
  }

  #showOne(paragraph) {
    for (const sentence of paragraph.sentences) sentence.sourceElements = sentence.targetElements = undefined;
    const source = span(""), target = span("");
    this.#addSource(source, paragraph);
    this.#addTarget(target, paragraph);
    return {paragraph, version: paragraph.translation, done: paragraph.done, source, target};
  }

  /** Shows the paragraphs; what is as before stays. */
  show(paragraphs) {
    const old = this.shown;
    this.shown = paragraphs.map((paragraph, i) => {
      const before = old[i];
      const same = before?.paragraph === paragraph && before.version === paragraph.translation && before.done === paragraph.done;
      return same ? before : this.#showOne(paragraph);
    });
    if (this.shown.length === old.length && this.shown.every((one, i) => one === old[i])) return;
    for (const [parent, side] of [[this.mirror, "source"], [this.result, "target"]]) {
      const children = [];
      this.shown.forEach((one, i) => children.push(...(i ? ["\n"] : []), one[side]));
      parent.replaceChildren(...children, ...(side === "source" ? ["\u200b"] : []));
    }
    this.#ensureStop();
  }

  /** One word can be reached with the Tab key; the arrow keys go on from there. */
  #ensureStop() {
    if (!this.result.querySelector('.w[tabindex="0"]')) this.result.querySelector(".w")?.setAttribute("tabindex", "0");
  }

  stopAt(element) {
    this.result.querySelectorAll('.w[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    element.tabIndex = 0;
  }

  /** The word beside one, in reading order. */
  neighbour(element, step) {
    const all = [...this.result.querySelectorAll(".w")];
    return all[all.indexOf(element) + step];
  }

  unmark() {
    for (const element of document.querySelectorAll(".marked, .chosen")) {
      element.classList.remove("marked", "chosen");
      element.style.removeProperty("--weight");
    }
  }

  #mark(elements, weights) {
    const most = Math.max(...weights, 0.01);
    elements?.forEach((element, i) => {
      if (!element || !(weights[i] >= SHOWN)) return;
      element.classList.add("marked");
      element.style.setProperty("--weight", (weights[i] / most).toFixed(3));
    });
  }

  /** Marks what a word looked at, or what looked at it; returns that in words. */
  point(element) {
    this.unmark();
    const word = this.wordOf.get(element);
    if (!word) return "";
    element.classList.add("chosen");
    const {sentence, index, side} = word, {best, sourceWords} = sentence;
    if (side === "target") {
      const {text, confidence, attention} = best.words[index];
      this.#mark(sentence.sourceElements, attention);
      const sources = named(sourceWords, attention);
      return say.sure(text, Math.round(100 * confidence)) + (sources.length ? say.from(sources) : "") +
        (sentence.middle ? `. ${say.through(sentence.middle)}` : "");
    }
    const weights = best.words.map((other) => other.attention[index] || 0);
    this.#mark(sentence.targetElements, weights);
    return say.to(sourceWords[index].text, named(best.words, weights));
  }
}

/** The words with the most weight, with percents. */
function named(wordList, weights) {
  return wordList.map((word, i) => [word.text, Math.round(100 * (weights[i] || 0))])
    .filter(([text, percent]) => text && percent >= 100 * SHOWN)
    .sort((a, b) => b[1] - a[1]).slice(0, MOST_NAMED);
}

/** Fills the table with the attention of a sentence. */
export function fillMatrix(table, sentence) {
  const columns = [...sentence.sourceWords.map((word) => word.text), say.end];
  const head = table.createTHead(), body = document.createElement("tbody");
  table.replaceChildren(head, body);
  head.replaceChildren();
  const first = head.insertRow();
  first.append(document.createElement("td"));
  for (const text of columns) first.append(heading(text, "col"));
  for (const word of sentence.best.words) {
    const row = body.insertRow();
    row.append(heading(word.text, "row"));
    columns.forEach((_, j) => {
      const cell = row.insertCell(), weight = word.attention[j] || 0;
      cell.textContent = weight >= 0.005 ? Math.round(100 * weight) : "";
      cell.style.setProperty("--weight", weight.toFixed(3));
    });
  }
}

function heading(text, scope) {
  const element = document.createElement("th");
  element.scope = scope;
  element.textContent = text;
  return element;
}
