// What the browser keeps: settings and, if wished, translations. Nothing of it is sent.

const MOST = 50;

function read(name) {
  try { return JSON.parse(localStorage.getItem(`nmt.${name}`)); } catch { return null; }
}

/** False if the browser does not keep it. */
export function keep(name, value) {
  try { localStorage.setItem(`nmt.${name}`, JSON.stringify(value)); return true; } catch { return false; }
}

export function kept(name, otherwise) {
  return read(name) ?? otherwise;
}

/** Entries {source, target, text, translation}, the latest first. Another tab may have written in between. */
export class History {
  get entries() { const list = read("history"); return Array.isArray(list) ? list : []; }

  add(entry) {
    const same = (other) => other.text === entry.text && other.source === entry.source && other.target === entry.target;
    const grown = (other, i) => i === 0 && entry.text.startsWith(other.text);
    const others = this.entries.filter((other, i) => !same(other) && !grown(other, i));
    return keep("history", [entry, ...others].slice(0, MOST));
  }

  clear() { keep("history", []); }
}
