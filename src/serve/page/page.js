// The page: what happens when somebody types, points, or chooses.

import {History, keep, kept} from "./history.js";
import {divide} from "./paragraphs.js";
import {fillMatrix, Reading} from "./reading.js";
import {Refused, Server} from "./server.js";
import {direction, words as say} from "./words.js";

const TYPING_MS = 250;      // after the last key
const HISTORY_MS = 2500;    // a translation that stays so long is kept
const MOST_CHARACTERS = 1500; // asked for at once
const OTHERS = 8;           // translations among which other words are looked for

const $ = (id) => document.getElementById(id);
const text = $("text"), result = $("result"), source = $("source"), target = $("target");
const server = new Server((kind) => { $("state").textContent = kind ? say[kind] : ""; });
const reading = new Reading($("mirror"), result);
const history = new History();
let languages = [], paragraphs = [], running = null, typing = 0, keeping = 0, focused = null;

// ---- languages ----

const nameOf = (code) => languages.find((language) => language.code === code)?.name || code;

function option(code, name) {
  const element = document.createElement("option");
  element.value = code;
  element.textContent = name;
  return element;
}

function fillTargets() {
  const before = target.value, from = languages.find((language) => language.code === source.value);
  const all = languages.filter((language) => languages.some((other) => other.code !== language.code && other.targets.includes(language.code)));
  const possible = from ? all.filter((language) => from.targets.includes(language.code) && language.code !== from.code) : all;
  target.replaceChildren(...possible.map(({code, name}) => option(code, name)));
  if (possible.some(({code}) => code === before)) target.value = before;
  $("swap").disabled = !languages.some(({code, targets}) => code === target.value && targets.length);
}

async function fillLanguages() {
  languages = await server.languages();
  const sources = languages.filter(({targets}) => targets.length);
  source.replaceChildren(...(sources.length > 1 ? [option("auto", say.detect)] : []), ...sources.map(({code, name}) => option(code, name)));
  const before = kept("languages", []);
  if (sources.some(({code}) => code === before[0])) source.value = before[0];
  fillTargets();
  if ([...target.options].some(({value}) => value === before[1])) target.value = before[1];
}

function languageChanged() {
  fillTargets();
  keep("languages", [source.value, target.value]);
  paragraphs = [];
  refresh();
}

function swapLanguages() {
  const from = source.value === "auto" ? text.lang || target.value : source.value, to = target.value, translated = translation();
  if (![...source.options].some(({value}) => value === to)) return;
  source.value = to;
  fillTargets();
  if ([...target.options].some(({value}) => value === from)) target.value = from;
  if (translated.trim()) text.value = translated;
  languageChanged();
}

function setLanguages(from, to) {
  for (const element of [text, $("mirror")]) {
    element.lang = from;
    element.dir = direction(from);
  }
  result.lang = to;
  result.dir = direction(to);
}

/** The language of the text, recognised if need be. */
async function sourceLanguage(signal) {
  if (source.value !== "auto") return source.value;
  const [best] = await server.detect(text.value.slice(0, 2000), signal);
  if (!best || !(best.confidence > 0)) throw new Refused(400, say.unknown);
  source.options[0].textContent = say.detected(nameOf(best.language));
  return best.language;
}

// ---- translation ----

const translation = () => paragraphs.map((paragraph) => paragraph.translation).join("\n");

function glossary() {
  return $("glossary").value.split("\n").map((line) => line.split(/\t|=/).map((part) => part.trim()))
    .filter(([term, other]) => term && other).map(([term, ...rest]) => [term, rest.join("=")]);
}

/** What a request has besides its text. */
function wishes(from) {
  const terms = glossary();
  return {source: from, target: target.value, ...(terms.length ? {glossary: terms} : {})};
}

/** The next paragraphs to ask for, up to some length. */
function nextOpen() {
  const open = [];
  let characters = 0;
  for (const paragraph of paragraphs) {
    if (paragraph.done || open.includes(paragraph)) continue;
    if (open.length && characters + paragraph.text.length > MOST_CHARACTERS) break;
    open.push(paragraph);
    characters += paragraph.text.length;
  }
  return open;
}

async function translateOpen(signal) {
  const from = await sourceLanguage(signal);
  setLanguages(from, target.value);
  for (let open; (open = nextOpen()).length;) {
    const answer = await server.translate({...wishes(from), q: open.map((paragraph) => paragraph.text.slice(paragraph.open))}, signal);
    signal.throwIfAborted();
    open.forEach((paragraph, i) => paragraph.take(answer.translatedText[i], answer.detail[i]));
    show();
  }
  $("state").textContent = say.ready;
  clearTimeout(keeping);
  keeping = setTimeout(() => keepTranslation(from), HISTORY_MS);
}

function show() {
  reading.show(paragraphs);
  const some = paragraphs.some((paragraph) => paragraph.sentences.length);
  $("copy").disabled = !translation().trim();
  $("matrix").disabled = !some;
}

/** Begins anew with the text as it is; what runs is cancelled. */
async function refresh() {
  clearTimeout(typing);
  running?.abort();
  const own = running = new AbortController();
  paragraphs = divide(text.value, paragraphs);
  $("count").textContent = text.value ? say.characters([...text.value].length) : "";
  hideOthers();
  show();
  if (paragraphs.every((paragraph) => paragraph.done)) return;
  $("state").textContent = target.value ? say.translating : say.noTarget;
  try {
    if (target.value) await translateOpen(own.signal);
  } catch (error) {
    if (!own.signal.aborted) $("state").textContent = error instanceof Refused ? error.message || say.offline : String(error);
  }
}

function typed() {
  paragraphs = divide(text.value, paragraphs);
  show();
  clearTimeout(typing);
  typing = setTimeout(refresh, TYPING_MS);
}

// ---- words ----

function wordAt(x, y) {
  return document.elementsFromPoint(x, y).find((element) => reading.wordOf.has(element));
}

function point(element) {
  $("note").textContent = element ? reading.point(element) : "";
  if (!element) reading.unmark();
  else focused = reading.wordOf.get(element).sentence;
}

function moveWord(event) {
  const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
  const sign = result.dir === "rtl" && event.key.match(/Left|Right/) ? -1 : 1;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    showOthers(event.target);
  } else if (steps[event.key]) {
    const next = reading.neighbour(event.target, sign * steps[event.key]);
    event.preventDefault();
    next?.focus();
  }
}

// ---- other words ----

function hideOthers() {
  $("others").hidden = true;
}

/** Translations that begin with the words before this one, and go on with another word. */
async function otherTranslations(sentence, index) {
  const prefix = sentence.best.text.slice(0, sentence.best.words[index].begin).trimEnd();
  const answer = await server.translate({...wishes(text.lang), q: sentence.source, prefix, alternatives: OTHERS - 1});
  const seen = new Set([sentence.best.text]);
  const {readAnswer} = await import("./paragraphs.js");
  return readAnswer(sentence.source, answer.translatedText, answer.detail, 0).sentences[0].translations
    .filter((other) => !seen.has(other.text) && seen.add(other.text));
}

function choose(sentence, other) {
  sentence.best = other;
  hideOthers();
  show();
  reading.result.querySelector(".w")?.focus();
}

function otherItem(sentence, index, other) {
  const item = document.createElement("li"), bold = document.createElement("b"), word = other.words[index];
  item.tabIndex = 0;
  item.setAttribute("role", "option");
  bold.textContent = word ? word.text : "";
  item.append(bold, word ? other.text.slice(word.end) : other.text);
  item.addEventListener("click", () => choose(sentence, other));
  item.addEventListener("keydown", (event) => {
    const next = {ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling}[event.key];
    if (event.key === "Enter" || event.key === " ") choose(sentence, other);
    else if (next) next.focus();
    else return;
    event.preventDefault();
  });
  return item;
}

async function showOthers(element) {
  const {sentence, index} = reading.wordOf.get(element), list = $("others").querySelector("ul");
  list.replaceChildren();
  try {
    const others = await otherTranslations(sentence, index);
    $("others-title").textContent = (others.length ? say.others : say.noOthers)(sentence.best.words[index].text);
    list.replaceChildren(...others.map((other) => otherItem(sentence, index, other)));
    list.lang = result.lang;
    list.dir = result.dir;
    $("others").hidden = false;
    list.firstElementChild?.focus();
  } catch (error) {
    $("state").textContent = error.message;
  }
}

// ---- history ----

function keepTranslation(from) {
  if (!$("keep").checked || !text.value.trim()) return;
  const entry = {source: from, target: target.value, text: text.value, translation: translation()};
  if (!history.add(entry)) $("state").textContent = say.noHistory;
  showHistory();
}

function reuse(entry) {
  if ([...source.options].some(({value}) => value === entry.source)) source.value = entry.source;
  fillTargets();
  if ([...target.options].some(({value}) => value === entry.target)) target.value = entry.target;
  text.value = entry.text;
  languageChanged();
}

function showHistory() {
  $("history").replaceChildren(...history.entries.map((entry) => {
    const item = document.createElement("li"), button = document.createElement("button"), other = document.createElement("span");
    button.type = "button";
    button.textContent = entry.text.slice(0, 300);
    other.textContent = entry.translation.slice(0, 300);
    button.append(other);
    button.addEventListener("click", () => reuse(entry));
    item.append(button);
    return item;
  }));
}

// ---- the beginning ----

function listen() {
  text.addEventListener("input", typed);
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.ctrlKey) refresh(); });
  text.addEventListener("pointermove", (event) => point(wordAt(event.clientX, event.clientY)));
  text.addEventListener("pointerleave", () => point(null));
  source.addEventListener("change", languageChanged);
  target.addEventListener("change", languageChanged);
  $("swap").addEventListener("click", swapLanguages);
  $("clear").addEventListener("click", () => { text.value = ""; refresh(); text.focus(); });
  $("copy").addEventListener("click", () => navigator.clipboard.writeText(translation())
    .then(() => { $("state").textContent = say.copied; }, () => { $("state").textContent = say.noCopy; }));
  result.addEventListener("pointerover", (event) => { if (reading.wordOf.has(event.target)) point(event.target); });
  result.addEventListener("pointerleave", () => point(null));
  result.addEventListener("focusin", (event) => { if (reading.wordOf.has(event.target)) { reading.stopAt(event.target); point(event.target); } });
  result.addEventListener("click", (event) => { if (reading.wordOf.has(event.target)) showOthers(event.target); });
  result.addEventListener("keydown", (event) => { if (reading.wordOf.has(event.target)) moveWord(event); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !$("others").hidden) hideOthers(); });
  $("matrix").addEventListener("click", () => {
    fillMatrix($("table"), focused && paragraphs.some((p) => p.sentences.includes(focused)) ? focused : paragraphs.find((p) => p.sentences.length).sentences[0]);
    $("dialog").showModal();
  });
  $("glossary").addEventListener("change", () => { keep("glossary", $("glossary").value); paragraphs = []; refresh(); });
  $("keep").addEventListener("change", () => keep("history-on", $("keep").checked));
  $("forget").addEventListener("click", () => { history.clear(); showHistory(); });
  $("key").addEventListener("change", () => { server.key = $("key").value; keep("key", server.key); paragraphs = []; refresh(); });
  $("theme").addEventListener("change", () => { document.documentElement.dataset.theme = $("theme").value; keep("theme", $("theme").value); });
}

async function begin() {
  $("theme").value = document.documentElement.dataset.theme = kept("theme", "");
  $("glossary").value = kept("glossary", "");
  $("keep").checked = kept("history-on", true);
  server.key = $("key").value = kept("key", "");
  showHistory();
  listen();
  const settings = await server.settings();
  $("key-box").hidden = !(settings.apiKeys || settings.keyRequired);
  await fillLanguages();
  if (text.value) refresh();
}

begin().catch((error) => { $("state").textContent = error.message || say.offline; });
