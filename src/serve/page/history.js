// What the browser keeps: settings and, if wished, translations. Nothing of it is sent.

const MOST_ENTRIES = 50;
const MOST_CHARACTERS = 20000; // of a text that is kept

/** False if the browser does not keep it. */
export function keep(name, value) {
  try {
    localStorage.setItem(`nmt.${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`nmt.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Entries {source, target, text, translation}, the latest first. They are read anew each time: another tab writes, too. */
export class History {
  get entries() {
    const list = kept("history", []);
    return Array.isArray(list) ? list.filter((entry) => typeof entry?.text === "string" && typeof entry.translation === "string") : [];
  }

  /** A text takes the place of the latest one if it has grown out of that, for the same target. False if the browser keeps nothing. */
  add(entry) {
    if (entry.text.length > MOST_CHARACTERS) return true;
    const same = (other) => other.text === entry.text && other.source === entry.source && other.target === entry.target;
    const grown = (other, i) => i === 0 && other.target === entry.target && entry.text.startsWith(other.text);
    const list = [entry, ...this.entries.filter((other, i) => !same(other) && !grown(other, i))].slice(0, MOST_ENTRIES);
    while (!keep("history", list)) if (!list.pop()) return false;
    return true;
  }

  clear() {
    keep("history", []);
  }
}
