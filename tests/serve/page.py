"""The page of nmt serve in headless Chromium, driven through chromedriver: page.py URL FOLDER LINES. Prints what
is wrong; screenshots stay in the folder, the browser's profile in the current one. The server has the smallest
model as en-fr, fr-en and en-ar; LINES is a file of sentences that it knows."""
import atexit
import base64
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

WIDTHS = 360, 768, 1280, 2000
TIMEOUT = 20

# All that is read by a script in the page.
RELATIVE_LUMINANCE = """
function rgba(colour) { const c = document.createElement('canvas').getContext('2d'); c.fillStyle = colour; c.fillRect(0, 0, 1, 1);
  const d = c.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; }
function over(top, below) { return [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])); }
function ground(element) { const layers = []; for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]); }
function luminance(c) { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; }
"""
LOW_CONTRAST = RELATIVE_LUMINANCE + """
const low = [];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own && !element.matches('input, textarea, select')) continue;
  if (!element.checkVisibility({visibilityProperty: true}) || element.closest('#mirror, noscript, option')) continue;
  const below = ground(element), a = luminance(over(rgba(getComputedStyle(element).color), below)), b = luminance(below);
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) low.push(`${element.tagName} '${element.textContent.slice(0, 20)}' ${ratio.toFixed(2)}`);
}
return low;
"""
NAMELESS = """
return [...document.querySelectorAll('button, select, input, textarea, a, summary, dialog, [role]')]
  .filter(e => e.checkVisibility() && !(e.getAttribute('aria-label') || e.labels?.length || e.textContent.trim() ||
    (e.getAttribute('aria-labelledby') || '').split(' ').some(id => document.getElementById(id)?.textContent.trim())) &&
    e.getAttribute('role') !== 'status' && e.id !== 'result')
  .map(e => e.outerHTML.slice(0, 80));
"""


class Browser:
    """A session of chromedriver."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        atexit.register(self.driver.terminate)
        self.base = ""
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.base = f"http://127.0.0.1:{line.rsplit(' ', 1)[1].strip().rstrip('.')}"
                break
        if not self.base:
            sys.exit("chromedriver does not start")
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={os.getcwd()}/profile"]}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}, "goog:chromeOptions": options}}})
        self.session = f"/session/{session['sessionId']}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"chromedriver: {path}: {json.load(error)['value']['message']}")

    def post(self, path, **body):
        return self.call("POST", self.session + path, body)

    def script(self, code, *arguments):
        return self.post("/execute/sync", script=code, args=arguments)

    def open(self, url):
        self.post("/url", url=url)

    def resize(self, width, height=900):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def point(self, element):
        """Moves the mouse to the middle of what a script returns."""
        x, y = self.script(f"const e = {element}; e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect(); "
                           "return [Math.round(r.x + r.width / 2), Math.round(r.y + r.height / 2)];")
        self.post("/actions", actions=[{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "x": x, "y": y}]}])

    def click(self, selector):
        element = self.post("/element", using="css selector", value=selector)
        self.post(f"/element/{list(element.values())[0]}/click", id=list(element.values())[0])

    def cdp(self, command, **parameters):
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def log(self, kind):
        return self.post("/se/log", type=kind)

    def end(self):
        self.call("DELETE", self.session)


class Page:
    def __init__(self, browser, url, folder):
        self.browser, self.url, self.folder = browser, url, folder
        self.passed = self.failed = 0

    def check(self, what, truth, details=""):
        self.passed += bool(truth)
        self.failed += not truth
        if not truth:
            print(f"FAILED: {what} {details}")

    def wait(self, what, code, *arguments):
        """Until the script says yes."""
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            if self.browser.script(code, *arguments):
                return self.check(what, True)
            time.sleep(0.05)
        return self.check(what, False, f"(in {TIMEOUT} s; state: {self.text('state')!r}, result: {self.text('result')!r})")

    def shows(self, what, translation):
        return self.wait(what, "return document.getElementById('result').textContent === arguments[0]", translation)

    def text(self, name):
        return self.browser.script("return document.getElementById(arguments[0]).textContent", name)

    def type(self, text):
        self.browser.script("const t = document.getElementById('text'); t.value = ''; t.focus();")
        element = self.browser.post("/element", using="css selector", value="#text")
        self.browser.post(f"/element/{list(element.values())[0]}/value", text=text)

    def paste(self, text):
        self.browser.script("const t = document.getElementById('text'); t.value = arguments[0]; t.dispatchEvent(new Event('input'));", text)

    def choose(self, name, value):
        self.browser.script("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'));",
                            name, value)

    def translate(self, text, source="en", target="fr"):
        request = urllib.request.Request(self.url + "translate", json.dumps({"q": text, "source": source, "target": target}).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["translatedText"]

    def picture(self, name):
        self.browser.picture(f"{self.folder}/{name}.png")


def translates_while_one_types(page, lines):
    text = "\n".join(lines[:3])
    page.type(lines[0])
    page.shows("a line is translated", page.translate(lines[0]))
    page.paste(text)
    page.shows("several lines are, each on its own", page.translate(text))
    page.paste(text + "\n\n  1 2 3 \U0001f600\n")
    page.shows("what has no letters stays", page.translate(text) + "\n\n  1 2 3 \U0001f600\n")
    page.paste("")
    page.wait("no text, no translation", "return document.getElementById('result').textContent === ''")
    page.paste(text)
    page.shows("and again", page.translate(text))


def old_answers_are_not_shown(page, lines):
    """The first question's answer is held back until the second one's has come."""
    page.browser.script("""
      const real = window.fetch; let first = true;
      window.fetch = async (...a) => { const late = first && String(a[0]).includes('translate'); if (late) first = false;
        const answer = await real(...a); if (late) await new Promise(done => setTimeout(done, 800)); return answer; };
      window.realFetch = real;""")
    page.paste(lines[4])
    time.sleep(0.5)
    page.paste(lines[5])
    time.sleep(1.5)
    page.check("an older answer is not shown", page.text("result") == page.translate(lines[5]), page.text("result"))
    page.browser.script("window.fetch = window.realFetch;")


def unchanged_sentences_stay(page, lines):
    """Sentences before and after a change are not asked for again, but for the ones beside it."""
    for paragraph, changed, most in (
            (" ".join(lines[:9]), lambda s: s[:4] + ["We eat."] + s[5:], 3),
            (" ".join(lines[:9]), lambda s: s[:-1], 1),
            (" ".join(lines[:9]), lambda s: ["We eat."] + s, 2)):
        page.paste(paragraph)
        page.shows("a paragraph of several sentences", page.translate(paragraph))
        page.browser.script("""window.asked = []; const real = window.realFetch ||= window.fetch;
          window.fetch = (path, options) => { if (String(path).endsWith('/translate')) window.asked.push(...JSON.parse(options.body).q); return real(path, options); };""")
        after = " ".join(changed(lines[:9]))
        page.paste(after)
        page.shows("a changed paragraph is as if it was new", page.translate(after))
        asked = page.browser.script("window.fetch = window.realFetch; return window.asked;")
        page.check("unchanged sentences are not asked for again", len(" ".join(asked)) <= max(map(len, lines[:9])) * most + most, asked)


def repeated_lines_are_different_words(page, lines):
    page.paste(f"{lines[0]}\n{lines[0]}")
    page.shows("the same line twice", f"{page.translate(lines[0])}\n{page.translate(lines[0])}")
    page.browser.script("const w = document.querySelectorAll('#result .w'); w[w.length / 2].focus();")
    marks = page.browser.script("""const all = [...document.querySelectorAll('#mirror .w')];
      return all.filter(e => e.classList.contains('marked')).map(e => all.indexOf(e) >= all.length / 2);""")
    page.check("a word of the second line marks the second line", marks and all(marks), marks)


def trouble_passes(page, lines):
    """A server that is busy, away, or says no."""
    page.browser.script("""const real = window.realFetch ||= window.fetch; let tries = 0;
      window.fetch = (...a) => { tries++;
        if (tries === 1) return Promise.reject(new TypeError('network'));
        if (tries === 2) return Promise.resolve(new Response('{"error": "busy"}', {status: 503, headers: {'Retry-After': '1'}}));
        return real(...a); };""")
    page.paste(lines[8])
    page.wait("an absent server is said to be away", "return document.getElementById('state').textContent.includes('not answer')")
    page.wait("a busy one to be busy", "return document.getElementById('state').textContent.includes('busy')")
    page.shows("it is asked again", page.translate(lines[8]))
    page.wait("and nothing more is said", "return document.getElementById('state').textContent === ''")
    page.browser.script("window.fetch = () => Promise.reject(new TypeError('network'));")
    page.paste(lines[6])
    page.wait("an absent server is said to be away again", "return document.getElementById('state').textContent.includes('not answer')")
    page.paste(lines[7])
    time.sleep(1)
    page.check("and to be so for the next text", "not answer" in page.text("state"), page.text("state"))
    page.browser.script("""window.fetch = () => Promise.resolve(new Response('{"error": "Invalid API key"}', {status: 403}));""")
    page.paste(lines[9])
    page.wait("a refusal is shown", "return document.getElementById('state').textContent === 'Invalid API key'")
    page.check("a key can be given", page.browser.script("return document.getElementById('key').checkVisibility()"))
    page.browser.script("document.getElementById('key-box').hidden = true;")
    for status, line in (413, 6), (504, 7):
        page.browser.script("""const status = arguments[0]; window.asked = 0; window.fetch = () => { window.asked++;
          return Promise.resolve(new Response('<html>no</html>', {status, statusText: 'of a proxy'})); };""", status)
        page.paste(lines[line])
        page.wait("what a proxy refuses is shown", "return document.getElementById('state').textContent === arguments[0]", f"{status} of a proxy")
        page.check("and asked once", page.browser.script("return window.asked") == 1)
    page.browser.script("""let tries = 0;
      window.fetch = (...a) => tries++ ? window.realFetch(...a) : Promise.resolve(new Response('<html>gone</html>', {status: 502}));""")
    page.paste(lines[9])
    page.shows("a proxy without its server is asked again", page.translate(lines[9]))
    page.browser.script("window.fetch = window.realFetch;")


def a_server_may_take_fewer_sentences(page, lines):
    """It says so after it has counted them: it is asked for less at once."""
    page.browser.script("""const real = window.realFetch ||= window.fetch;
      window.fetch = (path, options) => {
        const count = String(path).endsWith('/translate') && JSON.parse(options.body).q.join(' ').split(/[.!?](?: |$)/).filter(Boolean).length;
        return count > 4 ? Promise.resolve(new Response('{"error": "Invalid request: the request has more than 4 sentences"}', {status: 400})) :
          real(path, options); };""")
    for text in "\n".join(lines), " ".join(lines):
        page.paste(text)
        page.shows("more sentences than a request may have are translated", page.translate(text))
    page.browser.script("""window.asked = 0; window.fetch = (path, options) => { window.asked++;
      return Promise.resolve(new Response('{"error": "the request has more than 0 sentences"}', {status: 400})); };""")
    page.paste(lines[1])
    page.wait("it is not asked for ever", "return document.getElementById('state').textContent.includes('more than 0')")
    page.check("but some times", page.browser.script("return window.asked") < 20, page.browser.script("return window.asked"))
    page.browser.script("window.fetch = window.realFetch;")


def odd_texts_are_texts(page):
    page.paste("<img src=x onerror=alert(1)><b>bold</b> &amp; \U0001f600<script>alert(2)</script>")
    page.wait("markup is translated as text", "return !document.querySelector('#result .waiting') && document.getElementById('result').textContent")
    page.check("and makes no elements", not page.browser.script("return document.querySelectorAll('#result :not(span), #mirror :not(span)').length"))
    page.browser.script("const t = document.getElementById('text'); t.value = 'Half ' + String.fromCharCode(0xd83d) + ' of one.'; t.dispatchEvent(new Event('input'));")
    page.wait("half a character does no harm", "return document.getElementById('result').textContent.isWellFormed() && !document.querySelector('#result .waiting')")
    page.paste("a " * 500000)
    page.wait("a text of a million characters is too long", "return document.getElementById('state').textContent.includes('100,000')")
    page.check("but can be scrolled", page.browser.script(
        "const t = document.getElementById('text'); return t.scrollHeight > t.clientHeight && getComputedStyle(t).overflowY === 'auto'"))
    page.paste("")
    page.wait("until it is gone", "return document.getElementById('state').textContent === ''")
    page.check("and grows with its text again", page.browser.script("return getComputedStyle(document.getElementById('text')).overflowY === 'hidden'"))


def it_works_without_storage(page, lines):
    """As where the browser forbids it."""
    script = page.browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
      Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }});""")
    page.browser.open(page.url)
    page.wait("the languages are there", "return document.getElementById('target').options.length > 1")
    page.choose("source", "en")
    page.choose("target", "fr")
    page.paste(lines[3])
    page.shows("it translates without storage", page.translate(lines[3]))
    page.wait("and says that nothing is kept", "return document.getElementById('state').textContent.includes('keeps nothing')")
    page.browser.cdp("Page.removeScriptToEvaluateOnNewDocument", **script)


def it_works_with_a_password_in_its_address(page, lines):
    page.browser.open(page.url.replace("//", "//user:secret@"))
    page.wait("the languages are there, too", "return document.getElementById('target').options.length > 1")
    page.paste(lines[4])
    page.shows("it translates", page.translate(lines[4]))


def words_show_what_was_looked_at(page, lines):
    marked = "return document.querySelectorAll('#mirror .marked').length > 0 && document.querySelectorAll('#result .chosen').length === 1"
    page.paste("\n".join(lines[:3]))
    page.shows("the lines are there", page.translate("\n".join(lines[:3])))
    page.browser.point("document.querySelectorAll('#result .w')[1]")
    page.wait("pointing at a word marks its source words", marked)
    page.check("and says so", "% sure" in page.text("note"), page.text("note"))
    page.picture("pointed")
    page.paste(lines[3])
    page.check("what was said of another text goes", page.text("note") == "", page.text("note"))
    page.paste("\n".join(lines[:3]))
    page.shows("the lines are there again", page.translate("\n".join(lines[:3])))
    page.browser.point("document.querySelectorAll('#mirror .w')[1]")
    page.wait("pointing at a source word marks its translations", "return document.querySelectorAll('#mirror .chosen').length === 1")
    page.browser.script("document.querySelector('#result .w[tabindex=\"0\"]').focus()")
    page.wait("a focused word marks, too", marked)
    page.browser.press("\ue014")
    page.check("an arrow key goes to the next word", page.browser.script(
        "return document.activeElement === document.querySelectorAll('#result .w')[1]"))
    page.browser.press("\ue010")
    page.check("End goes to the last one", page.browser.script("return document.activeElement === [...document.querySelectorAll('#result .w')].at(-1)"))
    page.browser.script("document.getElementById('text').focus(); document.getElementById('text').setSelectionRange(2, 2);")
    page.browser.press("\ue012")
    page.wait("the caret marks the translations of its word", "return document.querySelectorAll('#mirror .chosen').length === 1")
    page.browser.script("document.querySelectorAll('#result .w')[1].focus()")
    confidences = page.browser.script("return document.querySelectorAll('#result .w').length")
    page.check("all words can be pointed at", confidences >= 10, confidences)


def other_words_are_offered(page):
    before = page.text("result")
    page.browser.press("\ue007")
    page.wait("Enter lists other words", "return !document.getElementById('others').hidden && document.querySelector('#others li')")
    page.picture("others")
    words = page.browser.script("return [document.querySelectorAll('#result .w')[1], ...document.querySelectorAll('#others b')].map(e => e.textContent)")
    page.check("each is another word", len(words) >= 3 and len(set(words)) == len(words), words)
    page.browser.press("\ue00c")
    page.check("Escape closes the list", page.browser.script("return document.getElementById('others').hidden"))
    page.check("and goes back to the word", page.browser.script("return document.activeElement === document.querySelectorAll('#result .w')[1]"))
    page.browser.script("document.querySelectorAll('#result .w')[1].click()")
    page.wait("a click lists them, too", "return !document.getElementById('others').hidden && document.querySelector('#others li')")
    page.browser.script("document.querySelector('#others li').click()")
    page.check("a chosen one takes its place", page.text("result") != before and page.text("result").split()[0] == before.split()[0],
               f"{before!r} {page.text('result')!r}")


def the_matrix_is_shown(page):
    page.browser.script("document.getElementById('matrix').click()")
    rows, columns = page.browser.script("const t = document.getElementById('table'); return [t.tBodies[0].rows.length, t.tHead.rows[0].cells.length];")
    page.check("the matrix has a row and a column for each word", rows > 2 and columns > 2 and page.browser.script("return document.getElementById('dialog').open"))
    page.picture("matrix")
    page.browser.press("\ue00c")
    page.wait("Escape closes it", "return !document.getElementById('dialog').open")


def the_translation_is_copied(page):
    page.browser.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    for way in "the clipboard", "a selection":
        page.browser.click("#copy")
        page.wait(f"copied by {way}", "return document.getElementById('state').textContent === 'Copied'")
        page.check(f"as it is, by {way}", page.browser.script("return window.clipboard.readText()" if way != "the clipboard" else "window.clipboard = navigator.clipboard; return clipboard.readText()") ==
                   page.text("result"))
        page.browser.script("clipboard.writeText(''); Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true}); document.getElementById('state').textContent = '';")
    page.browser.script("delete navigator.clipboard")


def languages_can_be_chosen(page, lines):
    page.paste(lines[7])
    page.shows("French", page.translate(lines[7]))
    page.browser.script("document.getElementById('swap').click()")
    page.wait("the languages are swapped, and the translation is the text",
              "return document.getElementById('source').value === 'fr' && document.getElementById('target').value === 'en' && document.getElementById('text').value === arguments[0]",
              page.translate(lines[7]))
    page.choose("source", "en")
    page.choose("target", "ar")
    page.wait("Arabic is written from the right", "return getComputedStyle(document.getElementById('result')).direction === 'rtl' && document.getElementById('result').lang === 'ar'")
    page.picture("right-to-left")
    page.choose("target", "fr")
    page.wait("French from the left", "return getComputedStyle(document.getElementById('result')).direction === 'ltr'")


def scripts_have_directions(page):
    tags = {"rtl": ["ar", "arz", "ar-EG", "azb", "ckb", "fa-AF", "he", "pnb", "skr", "UR", "pa-Arab", "pa-Arab-PK", "pa-PK", "ff-Adlm", "ks-Aran"],
            "ltr": ["en", "az", "pa", "ar-Latn", "arn", "sd-Deva-IN", "ber-Tfng", "lr", "zh-Hant", "qaa", "no tag"], "auto": [""]}
    for wanted, some in tags.items():
        got = page.browser.script("return import(new URL('words.js', document.baseURI)).then(({direction}) => arguments[0].map(direction))", some)
        page.check(f"{wanted}", got == [wanted] * len(some), dict(zip(some, got)))


def a_language_is_recognised(page, lines):
    """The smallest model knows too little for that: the answer is made up."""
    page.browser.script("""const real = window.realFetch ||= window.fetch;
      window.fetch = (path, options) => String(path).endsWith('/detect') ? Promise.resolve(new Response('[{"language": "fr", "confidence": 90}]')) : real(path, options);""")
    page.choose("source", "auto")
    page.choose("target", "fr")
    page.paste(lines[2])
    page.shows("a text of the target's language goes to another one", page.translate(lines[2], "fr", page.browser.script("return document.getElementById('target').value")))
    page.check("the language is named", page.browser.script("return document.getElementById('source').selectedOptions[0].text") == "French (detected)")
    page.check("and the text has it", page.browser.script("return document.getElementById('text').lang") == "fr")
    page.browser.script("""window.fetch = (path, options) => String(path).endsWith('/detect') ?
      Promise.resolve(new Response('[{"language": "en", "confidence": 90}]')) : window.realFetch(path, options);""")
    page.paste("\n".join(lines[2:4]))
    page.shows("where more text is recognised as another language, all of it is translated from that, to the chosen one",
               page.translate("\n".join(lines[2:4]), "en", "fr"))
    page.check("which has its name", page.browser.script("return document.getElementById('target').value") == "fr")
    page.browser.script("""window.fetch = (path, options) => String(path).endsWith('/detect') ?
      Promise.resolve(new Response('[{"language": "xx", "confidence": 60}, {"language": "en", "confidence": 40}]')) : window.realFetch(path, options);""")
    page.paste("A man.")
    page.shows("a short text is taken for a language that can be translated", page.translate("A man.", "en", "fr"))
    page.browser.script("""window.fetch = (path, options) => String(path).endsWith('/detect') ? Promise.resolve(new Response('{"error": "no"}', {status: 400})) : window.realFetch(path, options);""")
    page.paste(lines[5])
    page.wait("it is said where a language is not recognised", "return document.getElementById('state').textContent.includes('not recognised')")
    page.browser.script("window.fetch = window.realFetch;")


def a_third_language_is_named(page, lines):
    page.choose("source", "fr")
    page.choose("target", "ar")
    page.paste(lines[2])
    page.shows("a translation through a third language", page.translate(lines[2], "fr", "ar"))
    page.browser.script("document.querySelector('#result .w').focus();")
    page.check("what it went through is shown", page.translate(lines[2], "fr", "en") in page.text("note"), page.text("note"))
    page.check("there is no matrix of it", page.browser.script("return document.getElementById('matrix').disabled && !document.querySelector('#mirror .w')"))
    page.check("nothing is said of a glossary that is empty", page.text("state") == "", page.text("state"))
    page.choose("glossary", "a = b")
    page.wait("it is said that a glossary is not used", "return document.getElementById('state').textContent.includes('without the glossary')")
    page.browser.log("browser")  # the server's no
    page.choose("glossary", "")
    page.choose("source", "en")
    page.choose("target", "fr")


def history_and_glossary_are_kept(page, lines):
    entries = "return [...document.querySelectorAll('#history button')].filter(b => b.textContent.startsWith(arguments[0])).length === Number(arguments[1])"
    page.paste(lines[1])
    page.wait("a text is kept", entries, lines[1][:100], 1)
    page.choose("target", "ar")
    page.wait("and its translation into another language, too", entries, lines[1][:100], 2)
    page.choose("target", "fr")
    page.paste(lines[6])
    page.wait("the text is kept after a while", "return [...document.querySelectorAll('#history button')].some(b => b.textContent.startsWith(arguments[0]))", lines[6][:100])
    page.browser.script("document.getElementById('text').value = ''; [...document.querySelectorAll('#history button')].at(0).click()")
    page.check("a kept text comes back", page.browser.script("return document.getElementById('text').value") != "")
    word = lines[6].split()[1]
    page.choose("glossary", f"{word} = rouge")
    page.wait("a term of the glossary is used", "return document.getElementById('result').textContent.toLowerCase().includes('rouge')")
    page.browser.script("""window.fetch = (path, options) => { window.glossary = JSON.parse(options.body).glossary; return window.realFetch(path, options); };""")
    page.choose("glossary", " E = mc \t E=mc² \na=b\n\nc\td=\n=e\nf=\t")
    page.wait("a tab divides a line, or else the first =", "return JSON.stringify(window.glossary) === arguments[0]",
              json.dumps([["E = mc", "E=mc²"], ["a", "b"], ["c", "d="]], ensure_ascii=False, separators=(",", ":")))
    page.browser.script("window.fetch = window.realFetch;")
    page.check("lines that are no terms are counted", page.text("unread").endswith(": 2"), page.text("unread"))
    page.choose("glossary", "")
    page.check("none are in an empty glossary", page.text("unread") == "", page.text("unread"))
    page.browser.script("document.getElementById('forget').click()")
    page.browser.click("#history-box summary")
    page.browser.click("#keep")
    page.paste(lines[5])
    time.sleep(2)
    page.check("nothing is kept if that is switched off", page.browser.script("return localStorage.getItem('nmt.history')") == "[]")
    page.browser.click("#keep")
    page.check("the history can be cleared", page.browser.script("return document.querySelectorAll('#history li').length") == 0)


def it_fits_and_can_be_read(page):
    page.browser.script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    for theme in "light", "dark":
        page.choose("theme", theme)
        page.browser.script("""document.querySelector('#result .w').focus(); document.getElementById('matrix').click();
          for (const marked of document.querySelectorAll('#table td, .marked')) marked.style.setProperty('--weight', 1);""")
        low = page.browser.script(LOW_CONTRAST)
        page.browser.script("document.getElementById('dialog').close()")
        page.check(f"contrast of at least 4.5, {theme}", not low, low)
        for width in WIDTHS:
            page.browser.resize(width)
            page.browser.script("scrollTo(0, 0)")
            wide = page.browser.script("return document.documentElement.scrollWidth")
            page.check(f"no sideways scrolling at {width} px", wide <= width, wide)
            page.picture(f"{theme}-{width}")
    page.browser.resize(1280)
    page.check("all controls have names", not page.browser.script(NAMELESS), page.browser.script(NAMELESS))
    page.check("one heading of the first level, landmarks and a language", page.browser.script(
        "return document.querySelectorAll('h1').length === 1 && !!document.querySelector('main') && document.documentElement.lang === 'en' && "
        "!!document.querySelector('[role=status]') && !!document.querySelector('[aria-live=polite]')"))


def the_keyboard_reaches_all(page):
    page.browser.script("document.getElementById('theme').focus();")
    seen = []
    for i in range(60):
        if i:
            page.browser.press("\ue004")
        at = page.browser.script("""const e = document.activeElement; if (e === document.body) return null; const s = getComputedStyle(e);
          const all = [...document.querySelectorAll('*')]; return [all.indexOf(e), s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2, e.id || e.className || e.tagName];""")
        if not at or (seen and at[0] <= seen[0][0]):
            break
        seen.append(at)
    page.check("the order of focus is that of the page", [s[0] for s in seen] == sorted(s[0] for s in seen), seen)
    page.check("focus can be seen", all(s[1] for s in seen), [s for s in seen if not s[1]])
    names = [s[2] for s in seen]
    for name in ("source", "swap", "target", "text", "clear", "matrix", "copy", "glossary", "keep", "forget"):
        page.check(f"the Tab key reaches {name}", name in names, names)


def it_keeps_to_itself(page):
    messages = [m for m in page.browser.log("browser") if m["level"] in ("SEVERE", "WARNING")]
    page.check("the console is empty", not messages, messages)
    urls = [json.loads(entry["message"])["message"]["params"]["request"]["url"] for entry in page.browser.log("performance")
            if json.loads(entry["message"])["message"]["method"] == "Network.requestWillBeSent"]
    foreign = [u for u in urls if not u.startswith((page.url, "data:", "chrome:", "about:"))]
    page.check("nobody else is asked", urls and not foreign, foreign)


def a_long_text_does_not_freeze(page, lines):
    text = "\n".join(lines * 15)[:10000]
    page.paste(text)
    page.wait("10,000 characters are translated", "return !document.querySelector('#result .waiting') && document.getElementById('result').textContent.length > 5000")
    begun = time.monotonic()
    page.paste(text + " x")
    page.check("and typing goes on", time.monotonic() - begun < 2)


def main():
    url, folder, lines_file = sys.argv[1:4]
    with open(lines_file, encoding="utf8") as f:
        lines = f.read().split("\n")[:-1]
    browser = Browser()
    page = Page(browser, url, folder)
    try:
        browser.resize(1280)
        browser.open(url)
        page.wait("the languages are there", "return document.getElementById('target').options.length > 1")
        page.choose("source", "en")
        page.choose("target", "fr")
        translates_while_one_types(page, lines)
        old_answers_are_not_shown(page, lines)
        unchanged_sentences_stay(page, lines)
        repeated_lines_are_different_words(page, lines)
        trouble_passes(page, lines)
        a_server_may_take_fewer_sentences(page, lines)
        odd_texts_are_texts(page)
        words_show_what_was_looked_at(page, lines)
        other_words_are_offered(page)
        the_matrix_is_shown(page)
        the_translation_is_copied(page)
        languages_can_be_chosen(page, lines)
        scripts_have_directions(page)
        a_language_is_recognised(page, lines)
        a_third_language_is_named(page, lines)
        history_and_glossary_are_kept(page, lines)
        it_fits_and_can_be_read(page)
        the_keyboard_reaches_all(page)
        a_long_text_does_not_freeze(page, lines)
        it_works_without_storage(page, lines)
        it_keeps_to_itself(page)
        it_works_with_a_password_in_its_address(page, lines)
    finally:
        browser.end()
    print(f"{page.passed} checks of the page passed, {page.failed} failed")
    return page.failed > 0


if __name__ == "__main__":
    sys.exit(main())
