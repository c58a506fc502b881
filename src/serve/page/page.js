// The page: what happens when somebody types, points, or chooses.

import {History, keep, kept} from "./history.js";
import {Languages} from "./languages.js";
import {Others} from "./others.js";
import {divide} from "./paragraphs.js";
import {fillMatrix, Reading} from "./reading.js";
import {Refused, Server} from "./server.js";
import {direction, words as say} from "./words.js";

const WAITING_MS = 500;        // until it is said that one waits
const HISTORY_MS = 1500;       // a translation that stays so long is kept
const ASKED_CHARACTERS = 3000; // at once, if the server takes so many
const ASKED_TEXTS = 50;        // a server may take fewer in a request
const LEAST_PORTION = 1 / 64;  // of these, for a server that takes few sentences
const DETECTED_CHARACTERS = 2000;
const SHORT_CHARACTERS = 40; // of a text whose language is uncertain, as for the server
const MOST_CHARACTERS = 100000;
const SPOKEN_CHARACTERS = 2000;
const SHOWN_CHARACTERS = 160;  // of an entry of the history

const $ = (id) => document.getElementById(id);
const text = $("text"), result = $("result");
const server = new Server(troubled);
const languages = new Languages($("source"), $("target"), $("swap"));
const reading = new Reading($("mirror"), result);
const others = new Others($("others"), {
  ask: (body, signal) => server.translate({...wishes(text.lang), ...body}, signal),
  elementOf: (word) => reading.elementOf(word),
  choose: chooseOther,
});
const history = new History();
let askedCharacters = ASKED_CHARACTERS, askedTexts = ASKED_TEXTS, portion = 1, typingMs = 0, paragraphs = [], running = null, typing = 0, waiting = 0, keeping = 0, pointed = null;

function state(message) {
  clearTimeout(waiting);
  $("state").textContent = message;
}

/** The server is busy, away, or back: it may have other models then. */
function troubled(kind, before) {
  state(kind ? say[kind] : "");
  if (before === "offline" && !kind) server.languages().then((all) => languages.fill(all), () => {});
}

function failed(error) {
  state(error.message);
  if (error.status !== 403) return;
  $("key-box").hidden = false;
  $("key-box").open = true;
}

// ---- translation ----

const translation = () => paragraphs.map((paragraph) => paragraph.translation).join("\n");
const isDone = () => paragraphs.every((paragraph) => paragraph.done);

function setLanguages(from, to) {
  for (const element of [text, $("mirror")]) {
    element.lang = from;
    element.dir = direction(from);
  }
  for (const element of [result, $("spoken"), $("others").querySelector("ul")]) {
    element.lang = to;
    element.dir = direction(to);
  }
}

/** The language of the text, recognised if need be. */
async function sourceLanguage(signal) {
  if (!languages.isDetected) return languages.from;
  try {
    const most = Math.min(DETECTED_CHARACTERS, askedCharacters);
    const guesses = await server.detect(text.value.slice(0, most), signal);
    const language = languages.likely(guesses.map((guess) => guess.language), text.value.trim().length <= SHORT_CHARACTERS);
    languages.detected(language);
    return language;
  } catch (error) {
    const isOfKey = /API key/.test(error.message);
    throw error.status === 400 && !isOfKey ? new Refused(400, say.unknown) : error;
  }
}

/** The glossary's lines that are not empty: term = translation, or with a tab between them; then = may be in both. null for others. */
function glossaryLines() {
  const divided = (line) => line.match(/^(.+?)\s*\t\s*(.+)$/) || line.match(/^(.+?)\s*=\s*(.+)$/);
  return $("glossary").value.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => divided(line)?.slice(1) ?? null);
}

function glossaryIsSet(isChanged) {
  const unread = glossaryLines().filter((line) => !line).length;
  $("unread").textContent = unread ? say.unread(unread) : "";
  if (isChanged) restart();
}

/** What a request has besides its text. The target is that of what is there already: the list may change meanwhile. */
function wishes(from) {
  const terms = glossaryLines().filter(Boolean);
  return {source: from, target: result.lang, ...(terms.length ? {glossary: terms} : {})};
}

/** The next parts to ask for: [paragraph, text]. */
function nextParts() {
  const parts = [], most = askedCharacters * portion;
  let characters = 0;
  for (const paragraph of paragraphs) {
    if (paragraph.done) continue;
    const asked = paragraph.asked(most / 2);
    characters += asked.length;
    if (parts.length && (parts.length >= askedTexts * portion || characters > most)) break;
    parts.push([paragraph, asked]);
  }
  return parts;
}

/** Asks for parts, or for fewer of them from now on (null) if these have more sentences than the server takes. */
async function askForParts(from, parts, signal) {
  try {
    return await server.translate({...wishes(from), q: parts.map(([, asked]) => asked)}, signal);
  } catch (error) {
    if (error.status !== 400 || !/more than \d+ sentences/.test(error.message)) throw error;
    portion = portion > LEAST_PORTION ? portion / 2 : 1;
    if (portion === 1) throw error;
    return null;
  }
}

/** What is to be said of the translation, or "". */
async function translateParts(signal) {
  let remark = "";
  const from = await sourceLanguage(signal);
  if (text.lang !== from || result.lang !== languages.to) {
    setLanguages(from, languages.to);
    paragraphs = divide(text.value, []);
    show();
  }
  for (let parts; (parts = nextParts()).length;) {
    const answer = await askForParts(from, parts, signal);
    signal.throwIfAborted();
    if (!answer) continue;
    parts.forEach(([paragraph, asked], i) => paragraph.take(asked, answer.translatedText[i], answer.detail[i]));
    if (answer.withoutGlossary) remark = say.withoutGlossary;
    show();
  }
  return remark;
}

function show() {
  reading.show(paragraphs);
  result.setAttribute("aria-busy", String(!isDone()));
  $("copy").disabled = !translation().trim();
  $("matrix").disabled = !attended().length;
  if (pointed && !attended().includes(pointed.sentence)) { pointed = null; $("note").textContent = ""; }
}

/** All is translated: it is said, and kept. */
function finish(remark) {
  state(remark);
  $("spoken").textContent = translation().slice(0, SPOKEN_CHARACTERS);
  clearTimeout(keeping);
  keeping = setTimeout(keepTranslation, HISTORY_MS);
}

/** The text has changed: what runs is cancelled. */
function stop() {
  clearTimeout(typing);
  clearTimeout(keeping);
  running?.abort();
  others.hide();
  const count = [...text.value].length;
  $("count").textContent = count ? say.characters(count) : "";
  const isTooLong = count > MOST_CHARACTERS;
  text.classList.toggle("long", isTooLong);
  paragraphs = isTooLong ? [] : divide(text.value, paragraphs);
  show();
  if (isTooLong) state(say.tooLong(MOST_CHARACTERS));
  else if (isDone()) state("");
}

async function translate() {
  stop();
  const {signal} = running = new AbortController();
  if (isDone()) return;
  if (!languages.to) return state(languages.from && say.noTarget);
  waiting = setTimeout(() => state(say.translating), WAITING_MS);
  try {
    finish(await translateParts(signal));
  } catch (error) {
    if (!signal.aborted) failed(error);
  }
}

function typed() {
  stop();
  typing = setTimeout(translate, typingMs);
}

/** All is to be translated anew. */
function restart() {
  paragraphs = [];
  setLanguages(languages.isDetected ? "" : languages.from, languages.to);
  translate();
}

// ---- languages ----

function swapLanguages() {
  const translated = translation();
  if (!languages.swap(languages.isDetected ? text.lang : languages.from)) return;
  if (translated.trim() && isDone()) text.value = translated;
  restart();
}

// ---- words ----

function point(element) {
  pointed = reading.wordOf(element) || pointed;
  if (reading.wordOf(element)) $("note").textContent = reading.point(element);
  else reading.unmark();
}

/** The word of the text below the pointer. */
function pointText(event) {
  point(document.elementsFromPoint(event.clientX, event.clientY).find((element) => reading.wordOf(element)));
}

function pointCaret(event) {
  if (event.type === "click" || /^(Arrow|Home|End|Page)/.test(event.key)) point(reading.sourceAt(text.selectionStart));
}

/** The word to which a key leads from another one. */
function wordOfKey(element, key) {
  const forward = result.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (key === "Home" || key === "End") return reading.outermost(key === "End");
  if (key.startsWith("Arrow")) return reading.neighbour(element, key === forward || key === "ArrowDown" ? 1 : -1);
  return null;
}

function pressOnWord(event) {
  const isChoice = event.key === "Enter" || event.key === " ";
  if (!reading.wordOf(event.target) || event.ctrlKey || !(isChoice || /^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key))) return;
  event.preventDefault();
  if (isChoice) showOthers(event.target);
  else wordOfKey(event.target, event.key)?.focus();
}

async function showOthers(element) {
  element.setAttribute("aria-busy", "true");
  try {
    await others.show(reading.wordOf(element));
    if (!$("others").hidden) point(element);
  } catch (error) {
    if (error.name !== "AbortError") failed(error);
  }
  element.removeAttribute("aria-busy");
}

function chooseOther(word, other) {
  word.sentence.best = other;
  show();
  reading.elementOf({...word, index: Math.min(word.index, other.words.length - 1)})?.focus();
  $("spoken").textContent = say.chosen(other.text);
  clearTimeout(keeping);
  keeping = setTimeout(keepTranslation, HISTORY_MS);
}

/** The sentences of which there is a matrix. */
const attended = () => paragraphs.flatMap(({head}) => head).filter(({sourceWords}) => sourceWords.length);

function showMatrix() {
  const sentences = attended();
  fillMatrix($("table"), sentences.find((sentence) => sentence === pointed?.sentence) || sentences[0]);
  $("dialog").showModal();
}

/** Browsers have a clipboard for scripts on https and this machine alone. */
async function copy() {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(translation());
    else copySelected();
    state(say.copied);
  } catch {
    state(say.noCopy);
  }
}

function copySelected() {
  const selection = getSelection();
  selection.selectAllChildren(result);
  const isCopied = document.execCommand("copy");
  selection.removeAllRanges();
  if (!isCopied) throw new Error();
}

// ---- history ----

function keepTranslation() {
  if (!$("keep").checked || !text.value.trim() || !isDone()) return;
  const entry = {source: text.lang, target: result.lang, text: text.value, translation: translation()};
  if (!history.add(entry)) state(say.noHistory);
  showHistory();
}

function reuse(entry) {
  languages.choose(entry.source, entry.target);
  text.value = entry.text;
  restart();
  text.focus();
}

const shortened = (long) => long.length > SHOWN_CHARACTERS ? `${long.slice(0, SHOWN_CHARACTERS)}…` : long;

function historyItem(entry) {
  const item = document.createElement("li"), button = document.createElement("button"), translated = document.createElement("span");
  button.type = "button";
  button.textContent = shortened(entry.text);
  button.lang = entry.source;
  translated.textContent = shortened(entry.translation);
  translated.lang = entry.target;
  button.dir = translated.dir = "auto";
  button.append(translated);
  button.addEventListener("click", () => reuse(entry));
  item.append(button);
  return item;
}

function showHistory() {
  $("history").replaceChildren(...history.entries.map(historyItem));
}

// ---- the beginning ----

function listenToText() {
  text.addEventListener("input", typed);
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.ctrlKey) translate(); });
  text.addEventListener("pointermove", pointText);
  text.addEventListener("pointerleave", () => point(null));
  text.addEventListener("click", pointCaret);
  text.addEventListener("keyup", pointCaret);
  $("clear").addEventListener("click", () => { text.value = ""; restart(); text.focus(); });
  window.addEventListener("online", translate);
}

function listenToResult() {
  const isWord = (event) => reading.wordOf(event.target);
  result.addEventListener("pointerover", (event) => point(event.target));
  result.addEventListener("pointerleave", () => point(null));
  result.addEventListener("focusin", (event) => { if (isWord(event)) { reading.stopAt(event.target); point(event.target); } });
  result.addEventListener("focusout", () => reading.unmark());
  result.addEventListener("click", (event) => { if (isWord(event)) showOthers(event.target); });
  result.addEventListener("keydown", pressOnWord);
  $("copy").addEventListener("click", copy);
  $("matrix").addEventListener("click", showMatrix);
}

/** What is set is kept; set(value) puts it into force. */
function listenToSetting(element, field, name, otherwise, set) {
  element[field] = kept(name, otherwise);
  set(element[field]);
  element.addEventListener("change", () => { keep(name, element[field]); set(element[field], true); });
}

function listenToSettings() {
  listenToSetting($("theme"), "value", "theme", "", (theme) => { document.documentElement.dataset.theme = theme; });
  listenToSetting($("glossary"), "value", "glossary", "", (_, isChanged) => glossaryIsSet(isChanged));
  listenToSetting($("keep"), "checked", "keep", true, () => {});
  listenToSetting($("key"), "value", "key", "", (key, isChanged) => { server.key = key; if (isChanged) restart(); });
  $("source").addEventListener("change", () => { languages.changed(); restart(); });
  $("target").addEventListener("change", () => { languages.changed(); restart(); });
  $("swap").addEventListener("click", swapLanguages);
  $("forget").addEventListener("click", () => { history.clear(); showHistory(); });
  window.addEventListener("storage", showHistory);
}

async function begin() {
  listenToText();
  listenToResult();
  listenToSettings();
  showHistory();
  const settings = await server.settings();
  $("key-box").hidden = !(settings.apiKeys || settings.keyRequired);
  if (settings.charLimit > 0) askedCharacters = Math.min(askedCharacters, settings.charLimit);
  typingMs = settings.frontendTimeout ?? typingMs;
  askedTexts = Math.min(askedTexts, settings.maxTexts ?? askedTexts);
  others.most = Math.min(others.most, (settings.maxAlternatives ?? others.most) + 1);
  languages.fill(await server.languages());
  restart();
}

begin().catch(failed);
