// What the page asks the server.

const MOST_TRIES = 8;

export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, {once: true});
  });
}

export class Server {
  /** report(kind): "busy" or "offline" while a request is tried again, else "". */
  constructor(report) {
    this.report = report;
    this.key = "";
  }

  async #once(path, body, signal) {
    const options = body
      ? {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(this.key ? {...body, api_key: this.key} : body), signal}
      : {signal};
    const response = await fetch(path, options);
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return {answer};
    if (response.status !== 429 && response.status !== 503) throw new Refused(response.status, answer.error || `error ${response.status}`);
    return {wait: Number(response.headers.get("Retry-After")) || 1};
  }

  /** A busy or absent server is asked again. */
  async ask(path, body, signal) {
    for (let tries = 0; ; tries++) {
      let wait = Math.min(2 ** tries, 15), kind = "offline";
      try {
        const result = await this.#once(path, body, signal);
        if (result.answer) {
          this.report("");
          return result.answer;
        }
        wait = result.wait;
        kind = "busy";
      } catch (error) {
        if (error instanceof Refused || error.name === "AbortError") throw error;
      }
      if (tries === MOST_TRIES) throw new Refused(0, "");
      this.report(kind);
      await pause(Math.min(wait, 30), signal);
    }
  }

  languages() { return this.ask("languages"); }
  settings() { return this.ask("frontend/settings"); }
  detect(text, signal) { return this.ask("detect", {q: text}, signal); }
  translate(body, signal) { return this.ask("translate", {format: "text", detail: true, ...body}, signal); }
}
