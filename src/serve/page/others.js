// The list of other words in a place of the translation: the words before it stay, and another word follows them.

import {readAnswer} from "./paragraphs.js";
import {words as say} from "./words.js";

const MOST_ASKED = 16; // translations among which other words are looked for
const MARGIN = 12;     // pixels at the sides of the window

/** The word of a translation that stands after so many characters. */
const wordAfter = (translation, begin) => translation.words.find((word) => word.end > begin);

/** The best translation with each word that may follow the prefix, but for the one that is there. */
function differing(translations, begin, word) {
  const seen = new Set([word.text]);
  return translations.filter((other) => {
    const text = wordAfter(other, begin)?.text ?? "";
    return !seen.has(text) && seen.add(text);
  });
}

export class Others {
  #asking = null;
  #word = null; // {sentence, index} that the list is for

  /** ask(body, signal): the server's answer; elementOf(word): its element; choose(word, translation). */
  constructor(box, {ask, elementOf, choose}) {
    this.box = box;
    this.title = box.querySelector("p");
    this.list = box.querySelector("ul");
    this.ask = ask;
    this.elementOf = elementOf;
    this.choose = choose;
    this.most = MOST_ASKED;
    box.addEventListener("keydown", (event) => this.#press(event));
    box.addEventListener("focusout", (event) => { if (!box.contains(event.relatedTarget)) this.hide(); });
    document.addEventListener("pointerdown", (event) => { if (!box.contains(event.target)) this.hide(); });
  }

  hide() {
    this.#asking?.abort();
    this.box.hidden = true;
  }

  async show(word) {
    const {sentence, index} = word, current = sentence.best.words[index], begin = current.begin;
    this.hide();
    const {signal} = this.#asking = new AbortController();
    const answer = await this.ask({q: sentence.source, prefix: sentence.best.text.slice(0, begin), alternatives: this.most - 1}, signal);
    if (signal.aborted) return;
    const translations = readAnswer(sentence.source, answer.translatedText, answer.detail).sentences[0].translations;
    this.#word = word;
    this.#fill(differing(translations, begin, current), begin, current);
  }

  #fill(others, begin, current) {
    this.title.textContent = (others.length ? say.others : say.noOthers)(current.text);
    this.list.replaceChildren(...others.map((other) => this.#item(other, begin)));
    this.list.hidden = !others.length;
    this.box.hidden = false;
    this.#place(this.elementOf(this.#word).getBoundingClientRect());
    (this.list.firstElementChild || this.box).focus();
  }

  #item(other, begin) {
    const item = document.createElement("li"), bold = document.createElement("b"), word = wordAfter(other, begin);
    item.tabIndex = -1;
    item.setAttribute("role", "option");
    bold.textContent = word ? word.text : say.end;
    item.append(bold, word ? other.text.slice(word.end) : "");
    item.addEventListener("click", () => this.#take(other));
    return item;
  }

  /** Below the word, within the window. */
  #place({left, bottom}) {
    const most = document.documentElement.clientWidth - this.box.offsetWidth - MARGIN;
    this.box.style.left = `${Math.max(MARGIN, Math.min(left, most)) + scrollX}px`;
    this.box.style.top = `${bottom + scrollY + 6}px`;
  }

  #take(other) {
    const word = this.#word;
    this.box.hidden = true;
    this.choose(word, other);
  }

  #press(event) {
    const {key, target} = event, items = this.list.children;
    const next = {ArrowDown: target.nextElementSibling, ArrowUp: target.previousElementSibling, Home: items[0], End: items[items.length - 1]}[key];
    if (key === "Escape") this.#back();
    else if ((key === "Enter" || key === " ") && target.matches("li")) target.click();
    else if (next?.matches("li")) next.focus();
    else if (!/^(Arrow|Home|End)/.test(key)) return;
    event.preventDefault();
  }

  #back() {
    this.box.hidden = true;
    this.elementOf(this.#word)?.focus();
  }
}
