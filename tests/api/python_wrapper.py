"""The tests of scripts/nmt.py: python3 python_wrapper.py SOURCE_DIR, in a folder with train.en, train.fr and models/tiny."""
import contextlib
import copy
import ctypes
import itertools
import logging
import os
import pickle
import signal
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(sys.argv.pop(1), "scripts"))
import nmt  # pylint: disable=wrong-import-position

MODEL = "models/tiny"


def lines(name):
    with open(name, encoding="utf-8") as f:
        return f.read().splitlines()


SOURCES, TARGETS = lines("train.en"), lines("train.fr")


class Wrapper(unittest.TestCase):
    def setUp(self):
        self.translator = nmt.Translator(MODEL)

    def tearDown(self):
        self.translator.close()

    def test_translate(self):
        self.assertEqual(self.translator.translate(SOURCES), TARGETS)
        self.assertEqual(self.translator.translate(iter(SOURCES[:2])), TARGETS[:2])
        self.assertEqual(self.translator.translate([]), [])
        self.assertEqual(self.translator.translate(["", " "]), ["", ""])

    def test_n_best_and_alignment_are_lists(self):
        with nmt.Translator(MODEL, beam=4, n_best=3, alignment=True) as translator:
            found = translator.search(SOURCES)
        self.assertEqual([best[0].text for best in found], TARGETS)
        self.assertGreater(max(map(len, found)), 1)
        for best in found:
            self.assertEqual(sorted((t.score for t in best), reverse=True), [t.score for t in best])
            for t in best:
                self.assertEqual(len(t.token_log_probabilities), len(t.tokens) + 1)
                self.assertAlmostEqual(sum(t.token_log_probabilities), t.log_probability, places=3)
                self.assertEqual(len(t.word_confidences), len(t.words))
                self.assertEqual([link.target for link in t.links], list(range(len(t.words))))
                self.assertLess(max(link.source for link in t.links), len(t.source_words))
                self.assertEqual(len(t.attention), len(t.tokens) + 1)
                self.assertEqual({len(row) for row in t.attention}, {len(t.source_tokens) + 1})
        self.assertEqual(self.translator.search([""])[0][0].tokens, [])
        self.assertEqual(self.translator.search(SOURCES[:1])[0][0].attention, [])

    def test_prefixes_and_scores(self):
        begun = self.translator.translate(SOURCES[:2], ["Il ne", ""])
        self.assertTrue(begun[0].startswith("Il ne"))
        self.assertEqual(begun[1], TARGETS[1])
        right, wrong = self.translator.score([SOURCES[0]] * 2, TARGETS[:2])
        self.assertEqual(right.text, TARGETS[0])
        self.assertGreater(right.log_probability, wrong.log_probability)

    def test_tokens(self):
        tokens = self.translator.tokenize(SOURCES[0])
        self.assertEqual(self.translator.detokenize(tokens, "source"), SOURCES[0])
        self.assertEqual(self.translator.tokenize(" "), [])
        self.assertEqual(self.translator.tokenize("\x1f"), ["\x1f"])  # a blank to Python alone
        broken = b"a\xff".decode("utf-8", "surrogateescape")
        with self.assertLogs("nmt", logging.WARNING):
            self.assertEqual(self.translator.detokenize(self.translator.tokenize(broken), "source"), "a\ufffd")
            self.assertEqual(self.translator.detokenize([broken]), "a\ufffd")
        self.translator.set("tokens", True)
        self.assertEqual(self.translator.translate([" ".join(tokens)]), TARGETS[:1])

    def test_options(self):
        self.translator.set("beam", 3)
        self.assertEqual(self.translator.get("decoding.beam"), "3")
        self.assertEqual(self.translator.model["model.decoder.units"], "32")
        with self.assertRaisesRegex(ValueError, "^unknown option 'n-bets'; did you mean 'n-best'\\?$"):
            nmt.Translator(MODEL, n_bets=2)
        with self.assertRaisesRegex(ValueError, "is 0, out of range 1 to 1000"):
            self.translator.set("beam", 0)
        for name in ("bema", "model.embedding"):
            with self.assertRaises(KeyError):
                self.translator.get(name)
        with self.assertRaisesRegex(nmt.Error, "^cannot open 'nowhere': No such file or directory$"):
            self.translator.set("dictionary", "nowhere")

    def test_errors(self):
        with self.assertRaisesRegex(nmt.Error, "^cannot open model 'nowhere': No such file or directory$"):
            nmt.Translator("nowhere")
        with self.assertRaisesRegex(nmt.Error, "^cannot load libnmt: "):
            nmt.Translator(MODEL, library="/nowhere/libnmt.so")
        with self.assertRaises(TypeError):
            self.translator.translate("one line")
        for lines in ([b"abc"], [None]):
            with self.assertRaisesRegex(TypeError, f"^a str is needed, not {type(lines[0]).__name__}$"):
                self.translator.translate(lines)
        with self.assertRaises(ValueError):
            self.translator.translate(["a\0b"])
        with self.assertRaises(ValueError):
            self.translator.translate(SOURCES[:2], ["Il"])
        with self.assertRaises(ValueError):
            self.translator.tokenize("x", side="both")
        self.translator.close()
        self.translator.close()
        with self.assertRaisesRegex(ValueError, "this Translator is closed"):
            self.translator.translate(SOURCES)
        self.assertRegex(nmt.version(), r"^\d+\.\d+\.\d+$")

    def test_callbacks(self):
        seen = []
        self.translator.set("batch", 4)
        self.translator.translate(SOURCES, progress=lambda done, count: seen.append((done, count)))
        self.assertEqual(seen[-1], (len(SOURCES), len(SOURCES)))
        with self.assertRaises(nmt.Cancelled):
            self.translator.translate(SOURCES, cancelled=lambda: True)
        with self.assertRaises(ZeroDivisionError):
            self.translator.translate(SOURCES, progress=lambda done, count: 1 // 0)
        with self.assertRaises(KeyboardInterrupt):
            self.translator.translate(SOURCES, cancelled=self.interrupt)
        for _ in range(2):
            with self.assertRaises(GeneratorExit):
                self.translator.translate(SOURCES, progress=self.leave)
        t = self.translator
        for within in (lambda: t.translate(["x"]), lambda: t.tokenize("x"), lambda: t.set("beam", 1), lambda: t.get("beam"), t.close):
            with self.assertRaisesRegex(ValueError, "in use by another call"):
                t.translate(SOURCES, progress=lambda done, count, within=within: within())
        self.assertEqual(self.translator.translate(SOURCES), TARGETS)

    @staticmethod
    def leave(done, count):
        raise GeneratorExit

    @staticmethod
    def interrupt():
        raise KeyboardInterrupt

    def test_signals_between_callbacks(self):
        unraisable = []
        sys.unraisablehook, hook = unraisable.append, sys.unraisablehook
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        self.translator.set("batch", 1)
        for _ in range(20):
            begun = threading.Event()
            thread = threading.Thread(target=self.kill_when, args=(begun,), daemon=True)
            thread.start()
            with self.assertRaises(KeyboardInterrupt):
                self.translator.translate(SOURCES * 20, progress=lambda done, count, begun=begun: begun.set())
                thread.join()
            thread.join()
        self.assertEqual(unraisable, [])
        self.assertEqual(self.translator.translate(SOURCES), TARGETS)

    @staticmethod
    def kill_when(begun):
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    def test_a_signal_that_waits_for_a_callback(self):
        callbacks, kill = self.translator._callbacks, ctypes.CDLL(None)["raise"]
        for number, arguments in enumerate([(None, 1, 2), (None,), (None, b"x")]):
            with self.subTest(number):
                calls = [(kill, signal.SIGINT), (callbacks._kept[number], *arguments)]
                answer = list(itertools.starmap(ctypes._CFuncPtr.__call__, calls))[1]
                self.assertIsInstance(callbacks.raised, KeyboardInterrupt)
                self.assertEqual(answer, 1 if number == 1 else None)
                callbacks.raised = None

    def test_what_a_handler_of_warnings_raises(self):
        class Strict(logging.Handler):
            def emit(self, record):
                raise ZeroDivisionError(record.getMessage())

        handler, t = Strict(), self.translator
        logging.getLogger("nmt").addHandler(handler)
        self.addCleanup(logging.getLogger("nmt").removeHandler, handler)
        broken = b"a\xff".decode("utf-8", "surrogateescape")
        for call in (lambda: t.translate([broken]), lambda: t.search([broken]), lambda: t.score([broken], ["x"]),
                     lambda: t.tokenize(broken), lambda: t.detokenize([broken])):
            with self.assertRaises(ZeroDivisionError):
                call()
        logging.getLogger("nmt").removeHandler(handler)
        self.assertEqual(t.translate(SOURCES), TARGETS)

    def test_paths_of_any_bytes(self):
        path = os.path.join(os.getcwdb(), b"d\xff.tsv")
        with open(path, "wb") as f:
            f.write(b"a\tb\n")
        for given in (path, os.fsdecode(path)):
            self.translator.set("dictionary", given)
            self.assertEqual(os.fsencode(self.translator.get("dictionary")), path)
            self.translator.set("dictionary", "")

    def test_warnings_are_logged(self):
        with self.assertLogs("nmt", logging.WARNING) as logged:
            for broken in b"a\xff".decode("utf-8", "surrogateescape"), "a\ud83d":
                self.assertTrue(self.translator.search([broken])[0][0].source_repaired)
        self.assertEqual(logged.output, ["WARNING:nmt:line 1: not valid UTF-8; U+FFFD put in"] * 2)

    def test_threads_share_a_model(self):
        results = {}

        def work(number, model):
            with nmt.Translator(model) as translator:
                results[number] = translator.translate(SOURCES)

        with nmt.Model(MODEL) as model:
            threads = [threading.Thread(target=work, args=(i, model)) for i in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(list(results.values()), [TARGETS] * 4)

    def test_only_who_may_end_a_call_is_asked(self):
        asked, calls = [], self.translator._callbacks
        take = lambda: asked.append(bool(calls.asked()))  # noqa: E731
        for calls.cancelled in None, lambda: False:
            thread = threading.Thread(target=take)
            thread.start()
            thread.join()
        calls.cancelled = None
        take()
        self.assertEqual(asked, [False, True, True])

    def test_a_translator_closed_by_another_thread(self):
        line = "It is late. " * 5000
        for _ in range(10):
            translator = nmt.Translator(MODEL)
            thread = threading.Thread(target=self.tokenize_until_closed, args=(translator, line))
            thread.start()
            while thread.is_alive():
                try:
                    translator.close()
                except ValueError as error:
                    self.assertRegex(str(error), "in use by another call")
                thread.join(0.001)
            self.assertFalse(translator._handle)

    @staticmethod
    def tokenize_until_closed(translator, line):
        try:
            while True:
                translator.tokenize(line)
                time.sleep(0.002)  # closed here, or refused above
        except ValueError:
            pass

    def test_a_model_closed_by_another_thread(self):
        def make(model):
            with self.translator_or_closed(model) as translator:
                if translator:
                    translator.translate(["x"])

        def ask(model):
            try:
                for _ in range(50):
                    self.assertEqual(model["model.decoder.units"], "32")
            except ValueError as error:
                self.assertEqual(str(error), "this Model is closed")

        for work in (make, ask):
            for _ in range(60):
                model = nmt.Model(MODEL)
                threads = [threading.Thread(target=to_do) for to_do in (lambda: work(model), model.close, model.close)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()

    @staticmethod
    @contextlib.contextmanager
    def translator_or_closed(model):
        try:
            translator = nmt.Translator(model)
        except ValueError:
            yield None
        else:
            with translator:
                yield translator

    def test_a_translator_closes_the_model_that_it_has_opened(self):
        with nmt.Translator(MODEL) as translator:
            self.assertEqual(translator.model["model.decoder.units"], "32")
        with self.assertRaisesRegex(ValueError, "^this Model is closed$"):
            translator.model["model.decoder.units"]  # pylint: disable=pointless-statement
        with nmt.Model(MODEL) as model:
            nmt.Translator(model).close()
            self.assertEqual(model["model.decoder.units"], "32")

    def test_an_ensemble_of_paths(self):
        with nmt.Translator(MODEL, MODEL) as translator:
            self.assertEqual(translator.translate(SOURCES), TARGETS)
        with self.assertRaises(TypeError):
            nmt.Translator(self.translator.model, MODEL)

    def test_handles_are_not_copied(self):
        for handle in (self.translator, self.translator.model):
            for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, f"^a {type(handle).__name__} cannot be copied or pickled$"):
                    duplicate(handle)

    def test_children_of_fork(self):
        child = os.fork()
        if not child:
            os._exit(self.translator.translate(SOURCES) != TARGETS)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
