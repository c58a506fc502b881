// What the page says, and how languages are written.

export const words = {
  detect: "Recognise the language",
  detected: (name) => `Recognised: ${name}`,
  characters: (count) => `${count} character${count === 1 ? "" : "s"}`,
  translating: "Translating …",
  ready: "",
  copied: "Copied",
  noCopy: "The browser does not allow copying",
  offline: "The server does not answer. Trying again …",
  busy: "The server is busy. Trying again …",
  unknown: "The language of the text cannot be recognised: choose it above",
  noTarget: "No model translates from this language",
  noHistory: "The browser keeps nothing for this page",
  sure: (word, percent) => `${word}: ${percent} % sure`,
  from: (sources) => `, from ${sources.map(([word, percent]) => `${word} (${percent} %)`).join(", ")}`,
  to: (word, targets) => `${word}: read for ${targets.map(([other, percent]) => `${other} (${percent} %)`).join(", ")}`,
  through: (text) => `Through: ${text}`,
  others: (word) => `In place of “${word}”:`,
  noOthers: (word) => `Nothing else was found in place of “${word}”`,
  end: "(end)",
};

const rightToLeft = /^(ar|arc|ckb|dv|fa|ha-arab|he|iw|ks|ku-arab|nqo|pa-arab|ps|sd|syr|ug|ur|yi)(-|$)/i;
const rightToLeftScripts = /-(arab|hebr|thaa|syrc|nkoo|adlm)(-|$)/i;

/** "rtl" or "ltr". */
export function direction(language) {
  if (/-latn(-|$)/i.test(language)) return "ltr";
  return rightToLeft.test(language) || rightToLeftScripts.test(language) ? "rtl" : "ltr";
}

/** The text between two positions that are counted in Unicode characters. */
export class Characters {
  constructor(text) {
    this.text = text;
    this.at = [0];
    for (const character of text) this.at.push(this.at[this.at.length - 1] + character.length);
  }
  unit(position) {
    return this.at[Math.min(position, this.at.length - 1)];
  }
  slice(begin, end) {
    return this.text.slice(this.unit(begin), this.unit(end));
  }
}
