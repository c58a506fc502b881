// What the page says, beside index.html, and how languages are written.

export const words = {
  detect: "Detect language",
  detected: (name) => `${name} (detected)`,
  unknown: "The language is not recognised: choose it above",
  characters: (count) => `${count.toLocaleString("en")} character${count === 1 ? "" : "s"}`,
  translating: "Translating …",
  copied: "Copied",
  noCopy: "The browser does not allow copying",
  offline: "The server does not answer. Trying again …",
  busy: "The server is busy. Trying again …",
  noTarget: "No model translates from this language",
  unread: (count) => `Lines that have neither = nor a tab between two terms, and are not used: ${count.toLocaleString("en")}`,
  withoutGlossary: "Translated through another language, without the glossary",
  tooLong: (most) => `The page translates at most ${most.toLocaleString("en")} characters at once`,
  noHistory: "The browser keeps nothing for this page",
  sure: (word, percent, grade) => `“${word}”: ${percent} % sure${grade ? ` (${grade})` : ""}`,
  unsure: "less sure",
  doubtful: "doubtful",
  from: (sources) => `, from ${list(sources)}`,
  to: (word, targets) => targets.length ? `“${word}” was read for ${list(targets)}` : `“${word}” was hardly read`,
  through: (text) => `. Translated through “${text}”`,
  others: (word) => `Instead of “${word}”:`,
  noOthers: (word) => `The network has no other word for “${word}” here.`,
  chosen: (text) => `Now: ${text}`,
  end: "(end)",
};

const list = (wordList) => wordList.map(([word, percent]) => `${word} (${percent} %)`).join(", ");

/** Scripts that are written from the right. */
const rightToLeft = new Set(["Adlm", "Arab", "Aran", "Armi", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"]);

/** "rtl" or "ltr", as the language's usual script is written; "auto" where the language is not known. */
export function direction(language) {
  if (!language) return "auto";
  try {
    return rightToLeft.has(new Intl.Locale(language).maximize().script) ? "rtl" : "ltr";
  } catch {
    return "ltr"; // that is no language's tag
  }
}

/** A text whose positions are counted in Unicode characters, as the server counts them. */
export class Characters {
  constructor(text) {
    this.text = text;
    this.units = [0];
    for (const character of text) this.units.push(this.units[this.units.length - 1] + character.length);
  }

  /** A position as JavaScript counts. */
  unit(position) {
    return this.units[Math.min(position, this.units.length - 1)];
  }

  slice(begin, end) {
    return this.text.slice(this.unit(begin), this.unit(end));
  }
}
