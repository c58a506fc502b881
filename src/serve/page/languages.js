// The two lists of languages.

import {keep, kept} from "./history.js";
import {words as say} from "./words.js";

const AUTO = "auto";

function option(code, name) {
  const element = document.createElement("option");
  element.value = code;
  element.textContent = name;
  return element;
}

const has = (select, code) => [...select.options].some(({value}) => value === code);

export class Languages {
  #all = [];
  #chosen = ""; // the target: a recognised language may have another one for a while

  /** Two elements <select> and the button that swaps them. */
  constructor(source, target, swap) {
    this.source = source;
    this.target = target;
    this.swapButton = swap;
  }

  get isDetected() { return this.source.value === AUTO; }
  get from() { return this.source.value; }
  get to() { return this.target.value; }

  nameOf(code) {
    return this.#all.find((language) => language.code === code)?.name || code;
  }

  /** Takes the server's languages, and chooses those that were chosen before. */
  fill(all) {
    const [from, to] = this.source.options.length ? [this.from, this.#chosen] : kept("languages", []);
    const sources = all.filter(({targets}) => targets.length);
    this.#all = all;
    this.source.replaceChildren(...(sources.length > 1 ? [option(AUTO, say.detect)] : []), ...sources.map(({code, name}) => option(code, name)));
    this.choose(from, to);
  }

  /** Chooses two languages as far as they are there. */
  choose(from, to) {
    if (has(this.source, from)) this.source.value = from;
    this.changed(to);
  }

  #targetsOf(code) {
    return this.#all.find((language) => language.code === code)?.targets.filter((target) => target !== code) ?? [];
  }

  #targetIsSet() {
    this.swapButton.disabled = !this.#targetsOf(this.to).length;
  }

  /** The source has been chosen: the targets follow. */
  changed(to = this.to) {
    const possible = this.isDetected ? new Set(this.#all.flatMap(({code}) => this.#targetsOf(code))) : new Set(this.#targetsOf(this.from));
    this.target.replaceChildren(...this.#all.filter(({code}) => possible.has(code)).map(({code, name}) => option(code, name)));
    if (has(this.target, to)) this.target.value = to;
    this.#targetIsSet();
    this.#chosen = this.to;
    if (this.isDetected) this.source.options[0].textContent = say.detect;
    keep("languages", [this.from, this.to]);
  }

  /** Of the languages that a text may have, the most probable first; a short one is taken for one that can be translated. */
  likely(codes, isShort) {
    return (isShort && codes.find((code) => this.#targetsOf(code).length)) || codes[0];
  }

  /** The text's language has been recognised: a target that is not to be had from it gives way, until another one is. */
  detected(code) {
    const targets = this.#targetsOf(code).filter((target) => has(this.target, target));
    this.source.options[0].textContent = say.detected(this.nameOf(code));
    if (targets.length) this.target.value = targets.includes(this.#chosen) ? this.#chosen : targets[0];
    this.#targetIsSet();
  }

  /** False if there is nothing to swap. */
  swap(from) {
    if (!has(this.source, this.to)) return false;
    this.choose(this.to, from);
    return true;
  }
}
