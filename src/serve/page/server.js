// What the page asks the server.

const MOST_WAIT = 15; // seconds until a server that does not answer is asked again

/** The JSON of a response; {} where a proxy has said no with a page of its own. One without a server asks to wait. */
async function read(response) {
  try {
    return await response.json();
  } catch (error) {
    if (!(error instanceof SyntaxError) || response.ok || response.status === 502 || response.status === 503) throw error;
    return {};
  }
}

/** The address of a path beside the page's; without a name and a password, with which browsers ask nothing. */
function addressOf(path) {
  const address = new URL(path, document.baseURI);
  address.username = address.password = "";
  return address;
}

/** The server has said no, and why. */
export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => { clearTimeout(timer); reject(signal.reason); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(); }, 1000 * seconds);
    signal?.addEventListener("abort", stop, {once: true});
  });
}

/** Half a character, as some texts have it and cuts make it, is no text for the server. */
const wellFormed = (_, value) => typeof value === "string" && value.toWellFormed ? value.toWellFormed() : value;

export class Server {
  #trouble = "";

  /** report(kind, before): "busy" or "offline" each time that a request is to be tried again, then "". */
  constructor(report) {
    this.report = report;
    this.key = "";
  }

  #say(kind) {
    const before = this.#trouble;
    this.#trouble = kind;
    if (kind || before) this.report(kind, before);
  }

  #options(body, signal) {
    if (!body) return {signal};
    const sent = JSON.stringify(this.key ? {...body, api_key: this.key} : body, wellFormed);
    return {method: "POST", headers: {"Content-Type": "application/json"}, body: sent, signal};
  }

  /** {answer}, or {wait} if the server is busy. */
  async #once(path, body, signal) {
    const response = await fetch(addressOf(path), this.#options(body, signal));
    const wait = Number(response.headers.get("Retry-After")); // none where a second try would do no better
    if (response.status === 429 || (response.status === 503 && wait)) return {wait: wait || 1};
    const answer = await read(response);
    if (!response.ok) throw new Refused(response.status, answer.error || `${response.status} ${response.statusText}`);
    return {answer};
  }

  /** Asks, and asks a busy or absent server again. */
  async ask(path, body, signal) {
    for (let tries = 0; ; tries++) {
      let wait = Math.min(2 ** tries, MOST_WAIT);
      try {
        const result = await this.#once(path, body, signal);
        this.#say(result.answer ? "" : "busy");
        if (result.answer) return result.answer;
        wait = Math.min(result.wait, 4 * MOST_WAIT);
      } catch (error) {
        if (signal?.aborted || error instanceof Refused) throw error;
        this.#say("offline");
      }
      await pause(wait, signal);
    }
  }

  languages() { return this.ask("languages"); }
  settings() { return this.ask("frontend/settings"); }
  detect(text, signal) { return this.ask("detect", {q: text}, signal); }

  /** Two models, one after the other, take no glossary: they translate without it, and the answer says so (withoutGlossary). */
  async translate(body, signal) {
    const asked = {format: "text", detail: true, ...body};
    try {
      return await this.ask("translate", asked, signal);
    } catch (error) {
      if (!asked.glossary || !/^a glossary is for languages/.test(error.message)) throw error;
      return {...await this.ask("translate", {...asked, glossary: []}, signal), withoutGlossary: true};
    }
  }
}
