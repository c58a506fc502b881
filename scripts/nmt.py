"""Translation with nmt's models. This file is all: copy it to where you need it. It calls libnmt through ctypes.

    from nmt import Translator

    with Translator("models/en-fr") as translator:
        print(translator.translate(["Where is the station?", "It is late."]))

    with Translator("models/en-fr", beam=5, n_best=5, alignment=True) as translator:
        for best in translator.search(["Where is the station?"])[0]:
            print(best.score, best.text, best.links)

Several paths are an ensemble. Options are those of nmt_set in nmt.h, with _ for - in their names; those of a config's
section `decoding` that have no short name are set by translator.set("decoding.block_ngrams", 3). Several threads share
one `Model`, each with a Translator of its own:

    model = Model("models/en-fr")
    translator = Translator(model)

The library is the one in $NMT_LIBRARY, else libnmt.so beside this file, else the system's. Its warnings go to the
logger "nmt". Needs Python 3.9 and nothing else.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import logging
import os
import re
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Optional, Union

__all__ = ["Cancelled", "Error", "Link", "Model", "Translation", "Translator", "version"]

Path = Union[str, "os.PathLike[str]"]

_ERROR_BYTES = 1024
_WRONG_USE, _OUT_OF_MEMORY, _CANCELLED = 1, 3, 4
_NO_MEMORY = -2
_NEEDED = 0, 3  # earlier versions have fewer fields in struct nmt_translation
_SIDES = {"source": 0, "target": 1}
_OF_FILES = "dictionary", "glossary"  # options whose value is a path
_HALVES = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # of surrogate pairs; not those of "surrogateescape"
_log = logging.getLogger("nmt")


class Error(Exception):
    """A model or another file that cannot be read, or text that cannot be translated. Wrong options are a ValueError, and
    where there is no memory, it is a MemoryError."""


class Cancelled(Error):
    """The function `cancelled` said so."""


@dataclass(frozen=True)
class Link:
    """Numbers of words, from 0."""

    source: int
    target: int


@dataclass(frozen=True)
class Translation:
    """One translation of a line; nmt.h says more of each field. The attention has a row for each target token
    and one for the end mark."""

    text: str
    score: float
    log_probability: float
    tokens: list[str]
    source_tokens: list[str]
    token_log_probabilities: list[float]
    words: list[str]
    source_words: list[str]
    word_confidences: list[float]
    links: list[Link]
    attention: list[list[float]]
    source_repaired: bool
    source_cut: bool
    target_cut: bool
    source_divided: bool
    parts: int


# ---- the library ----


class _Link(ctypes.Structure):
    _fields_ = [("source", ctypes.c_size_t), ("target", ctypes.c_size_t)]


_Strings = ctypes.POINTER(ctypes.c_char_p)
_Floats = ctypes.POINTER(ctypes.c_float)


class _Translation(ctypes.Structure):
    """struct nmt_translation"""

    _fields_ = [
        ("text", ctypes.c_char_p),
        ("score", ctypes.c_double),
        ("log_probability", ctypes.c_double),
        ("token_count", ctypes.c_size_t),
        ("source_token_count", ctypes.c_size_t),
        ("tokens", _Strings),
        ("source_tokens", _Strings),
        ("token_log_probabilities", _Floats),
        ("word_count", ctypes.c_size_t),
        ("source_word_count", ctypes.c_size_t),
        ("words", _Strings),
        ("source_words", _Strings),
        ("word_confidences", _Floats),
        ("link_count", ctypes.c_size_t),
        ("links", ctypes.POINTER(_Link)),
        ("attention", _Floats),
        ("source_repaired", ctypes.c_int),
        ("source_cut", ctypes.c_int),
        ("target_cut", ctypes.c_int),
        ("source_divided", ctypes.c_int),
        ("parts", ctypes.c_size_t),
    ]


_Progress = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)
_Cancel = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_Log = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)

_pointer, _text, _size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "nmt_version": (_text, []),
    "nmt_open_ensemble": (_pointer, [_Strings, _size, _text, _size]),
    "nmt_model_get": (ctypes.c_int, [_pointer, _text, _text, _size]),
    "nmt_close": (None, [_pointer]),
    "nmt_translator_new": (_pointer, [_pointer, _text, _size]),
    "nmt_translator_free": (None, [_pointer]),
    "nmt_set": (ctypes.c_int, [_pointer, _text, _text]),
    "nmt_get": (ctypes.c_int, [_pointer, _text, _text, _size]),
    "nmt_error_code": (ctypes.c_int, [_pointer]),
    "nmt_error": (_text, [_pointer]),
    "nmt_on_progress": (None, [_pointer, _Progress, _pointer]),
    "nmt_on_cancel": (None, [_pointer, _Cancel, _pointer]),
    "nmt_on_log": (None, [_pointer, _Log, _pointer]),
    "nmt_translate": (_pointer, [_pointer, _Strings, _size]),
    "nmt_translate_prefixed": (_pointer, [_pointer, _Strings, _Strings, _size]),
    "nmt_score": (_pointer, [_pointer, _Strings, _Strings, _size]),
    "nmt_result_free": (None, [_pointer]),
    "nmt_result_count": (_size, [_pointer, _size]),
    "nmt_result_translation": (ctypes.POINTER(_Translation), [_pointer, _size, _size]),
    "nmt_text": (_text, [_pointer, _size]),
    "nmt_tokenize": (_pointer, [_pointer, ctypes.c_int, _text]),
    "nmt_detokenize": (_pointer, [_pointer, ctypes.c_int, _text]),
    "nmt_free": (None, [_pointer]),
}


def _candidates(given: Optional[Path]) -> Iterator[str]:
    named = os.fspath(given) if given is not None else os.environ.get("NMT_LIBRARY")
    if named:
        yield named
        return
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, name) for name in ("libnmt.so", "libnmt.so.0")]
    yield from filter(os.path.exists, beside)
    yield "libnmt.so.0"
    found = ctypes.util.find_library("nmt")  # starts several programs
    if found:
        yield found


def _load(given: Optional[Path]) -> ctypes.CDLL:
    reasons = []
    for path in _candidates(given):
        try:
            library = ctypes.CDLL(path)
            for name, (result, arguments) in _FUNCTIONS.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
            has: str = library.nmt_version().decode()
            if tuple(map(int, has.split(".")[:2])) < _NEEDED:
                raise OSError(f"{path}: version {has}, but {'.'.join(map(str, _NEEDED))} is needed")
            return library
        except (OSError, AttributeError) as error:
            reasons.append(str(error))
    raise Error("cannot load libnmt: " + "; ".join(dict.fromkeys(reasons)))


def _encode(text: str) -> bytes:
    """A line that is surely passed as a whole: C's texts end at a NUL."""
    if not isinstance(text, str):
        raise TypeError(f"a str is needed, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError("text with a NUL character")
    return _HALVES.sub("\udcff", text).encode("utf-8", "surrogateescape")  # half a pair is an invalid byte


def _decode(text: bytes) -> str:
    """The reverse, whatever the bytes are: those of a path may be any."""
    return text.decode("utf-8", "surrogateescape")


def _path(path: Path) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("a path with a NUL character")
    return name


def _strings(texts: Sequence[str]) -> Any:
    if isinstance(texts, (str, bytes)):
        raise TypeError("a list of lines is needed, not one line")
    return (ctypes.c_char_p * len(texts))(*map(_encode, texts))


def _get(function: Any, handle: Optional[int], key: str) -> str:
    """The value that a function which works as snprintf writes; KeyError if there is no such key."""
    name, size = _encode(key), function(handle, _encode(key), None, 0)
    if size == _NO_MEMORY:
        raise MemoryError
    if size < 0:
        raise KeyError(key)
    value = ctypes.create_string_buffer(size + 1)
    function(handle, name, value, size + 1)
    return _decode(value.value)


def version(library: Optional[Path] = None) -> str:
    """The version of libnmt."""
    text: bytes = _load(library).nmt_version()
    return text.decode()


# ---- models and translators ----


class _Handle:
    """Something of the library's that is closed once, at the latest with the last reference to it."""

    _free = ""

    def __init__(self, library: ctypes.CDLL, handle: Optional[int]) -> None:
        self._library, self._handle = library, handle

    def close(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            getattr(self._library, self._free)(handle)

    __del__ = close

    def __reduce__(self) -> str:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")

    def _open(self) -> int:
        if not self._handle:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._handle


Progress = Callable[[int, int], object]
Question = Callable[[], object]


class _Callbacks:
    """What a translator calls back. It knows nothing of the translator, which is freed with its last reference. What a
    function raises ends the call, if the library asks (`asked`), and is raised again after it."""

    def __init__(self, library: ctypes.CDLL, handle: int) -> None:
        self.progress: Optional[Progress] = None
        self.cancelled: Optional[Question] = None
        self.raised: Optional[BaseException] = None
        progress, cancel = self._taker(self._on_progress, 2), self._taker(self._on_cancel, 0)
        log = self._taker(self._on_log, 1)
        self._kept = _Progress(partial(max, key=progress)), _Cancel(cancel), _Log(partial(max, key=log))
        library.nmt_on_progress(handle, self._kept[0], None)
        library.nmt_on_log(handle, self._kept[2], None)

    def asked(self) -> Any:
        """What the library asks in each step of a call: nothing, if no question was given, no function of the caller may
        raise, and Ctrl-C comes to another thread. Each question waits for Python's other threads."""
        asks = self.cancelled or self.progress or threading.current_thread() is threading.main_thread()
        return self._kept[1] if asks else _Cancel(0)

    def _taker(self, work: Callable[..., object], count: int) -> Callable[[object], int]:
        """A function that takes arguments one by one, the context (None) and `count` others, and does the work with
        those. (`max` passes its own one by one.) Python handles signals, such as Ctrl-C, where a function begins,
        before its `try`; but where a generator goes on, within the `try` around its `yield`: so this is the `send` of
        one."""
        taking = self._take(work, count)
        next(taking)
        return taking.send

    def _take(self, work: Callable[..., object], count: int) -> Generator[int, object, None]:
        taken: list[object] = []
        answer = 0
        while True:
            try:
                while True:
                    value = yield answer
                    taken = [] if value is None else [*taken, value]
                    answer = 1 if len(taken) == count and work(*taken) else 0
            except BaseException as error:
                trace = error.__traceback__  # without this frame: traceback.clear_frames would end the generator
                within = trace.tb_next if trace else None
                if isinstance(error, GeneratorExit) and not within:  # of the generator's own end
                    return
                self.raised, answer = error.with_traceback(within), 1

    def _on_progress(self, done: int, lines: int) -> None:
        if self.progress and not self.raised:
            self.progress(done, lines)

    def _on_cancel(self) -> object:
        return self.raised or (self.cancelled and self.cancelled())

    def _on_log(self, message: bytes) -> None:
        if not self.raised:
            _log.warning("%s", message.decode("utf-8", "replace"))


class Model(_Handle):
    """A model in memory, or several that translate together. Threads may share it."""

    _free = "nmt_close"

    def __init__(self, *paths: Path, library: Optional[Path] = None) -> None:
        loaded = _load(library)
        self._lock = threading.Lock()  # held while the library uses the model, which another thread could close
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        texts = [_path(path) for path in paths]
        handle = loaded.nmt_open_ensemble((ctypes.c_char_p * len(texts))(*texts), len(texts), error, _ERROR_BYTES)
        super().__init__(loaded, handle)
        if not handle:
            raise Error(error.value.decode("utf-8", "replace"))

    def __getitem__(self, key: str) -> str:
        """The value of a key of its config, such as "model.attention.score"."""
        with self._lock:
            return _get(self._library.nmt_model_get, self._open(), key)

    def _translator(self) -> int:
        """A new one's handle."""
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        with self._lock:
            handle: Optional[int] = self._library.nmt_translator_new(self._open(), error, _ERROR_BYTES)
        if not handle:
            raise Error(error.value.decode("utf-8", "replace"))
        return handle

    def close(self) -> None:
        with self._lock:
            super().close()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()


class Translator(_Handle):
    """Translates with a model. Only one thread at a time may use it."""

    _free = "nmt_translator_free"

    def __init__(self, *models: Union[Model, Path], library: Optional[Path] = None, **options: object) -> None:
        first = models[0] if len(models) == 1 else None
        paths = [model for model in models if not isinstance(model, Model)]
        if first is None and len(paths) < len(models):
            raise TypeError("an ensemble is made of paths: Model(path, path)")
        self.model = first if isinstance(first, Model) else Model(*paths, library=library)
        self._owns_model = self.model is not first
        super().__init__(self.model._library, self.model._translator())
        self._callbacks = _Callbacks(self._library, self._open())
        self._in_use = threading.Lock()
        for name, value in options.items():
            self.set(name.replace("_", "-"), value)

    def __enter__(self) -> Translator:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    @contextmanager
    def _use(self) -> Iterator[None]:
        """Not to be had in a callback, nor while another thread's call runs: that could close the translator."""
        if not self._in_use.acquire(blocking=False):
            raise ValueError("the translator is in use by another call")
        try:
            yield
        finally:
            self._in_use.release()

    def close(self) -> None:
        """Frees it, and the model that it has opened from paths."""
        if self._handle:
            with self._use():
                super().close()
            if self._owns_model:
                self.model.close()

    def set(self, option: str, value: object) -> None:
        """Sets an option of nmt_set for the calls that follow."""
        if option in _OF_FILES and isinstance(value, (str, os.PathLike)):
            value = _path(value)
        text = _decode(value) if isinstance(value, bytes) else str(value)
        self._call(self._library.nmt_set, _encode(option), _encode(text.lower() if isinstance(value, bool) else text))

    def get(self, option: str) -> str:
        with self._use():
            try:
                value = _get(self._library.nmt_get, self._open(), option)
                return os.fsdecode(_encode(value)) if option in _OF_FILES else value
            except KeyError:
                error = self._error()
                if isinstance(error, MemoryError):
                    raise error from None
                raise

    def translate(self, lines: Iterable[str], prefixes: Optional[Sequence[str]] = None, *,
                  progress: Optional[Progress] = None,
                  cancelled: Optional[Question] = None) -> list[str]:
        """The best translation of each line. Translations begin with `prefixes`, if there are any. progress(done,
        lines) is called after each batch; if cancelled() is true, which is asked often, the call ends with
        Cancelled."""
        texts = list(lines) if not isinstance(lines, str) else lines
        result, text = self._translate(texts, prefixes, progress, cancelled), self._library.nmt_text
        try:
            return [text(result, i).decode() for i in range(len(texts))]
        finally:
            self._library.nmt_result_free(result)

    def search(self, lines: Iterable[str], prefixes: Optional[Sequence[str]] = None, *,
               progress: Optional[Progress] = None,
               cancelled: Optional[Question] = None) -> list[list[Translation]]:
        """The same with all that is known: for each line a list of as many as the option n_best, the best one first."""
        texts = list(lines) if not isinstance(lines, str) else lines
        return self._take(self._translate(texts, prefixes, progress, cancelled), len(texts))

    def score(self, sources: Sequence[str], targets: Sequence[str], *,
              progress: Optional[Progress] = None,
              cancelled: Optional[Question] = None) -> list[Translation]:
        """What the model thinks of given translations."""
        if len(sources) != len(targets):
            raise ValueError(f"{len(sources)} sources, but {len(targets)} targets")
        arguments = _strings(sources), _strings(targets), len(sources)
        result = self._call(self._library.nmt_score, *arguments, free=self._library.nmt_result_free,
                            progress=progress, cancelled=cancelled)
        return [best for best, in self._take(result, len(sources))]

    def tokenize(self, line: str, side: str = "source") -> list[str]:
        tokens = self._convert(self._library.nmt_tokenize, line, side)
        return tokens.split(" ") if tokens else []

    def detokenize(self, tokens: Iterable[str], side: str = "target") -> str:
        return self._convert(self._library.nmt_detokenize, " ".join(tokens), side)

    # ---- calls ----

    def _error(self) -> Exception:
        text = self._library.nmt_error(self._handle).decode("utf-8", "replace")
        kinds: dict[int, type[Exception]] = {_WRONG_USE: ValueError, _OUT_OF_MEMORY: MemoryError, _CANCELLED: Cancelled}
        return kinds.get(self._library.nmt_error_code(self._handle), Error)(text)

    def _call(self, function: Any, *arguments: object, free: Optional[Callable[[Any], object]] = None,
              progress: Optional[Progress] = None, cancelled: Optional[Question] = None) -> Any:
        """What the library's function returns, which `free` frees; or the exception of a callback, or the library's
        error."""
        calls = self._callbacks
        with self._use():
            calls.progress, calls.cancelled, calls.raised = progress, cancelled, None
            try:
                self._library.nmt_on_cancel(self._open(), calls.asked(), None)
                returned = function(self._open(), *arguments)
            finally:
                raised, calls.raised = calls.raised, None
                calls.progress = calls.cancelled = None
            if raised:
                if free:
                    free(returned)
                raise raised
            if self._library.nmt_error_code(self._handle):
                raise self._error()
            return returned

    def _translate(self, lines: Sequence[str], prefixes: Optional[Sequence[str]],
                   progress: Optional[Progress], cancelled: Optional[Question]) -> int:
        if prefixes is not None and len(prefixes) != len(lines):
            raise ValueError(f"{len(lines)} lines, but {len(prefixes)} prefixes")
        function = self._library.nmt_translate if prefixes is None else self._library.nmt_translate_prefixed
        arguments = (_strings(lines), *([] if prefixes is None else [_strings(prefixes)]), len(lines))
        result: int = self._call(function, *arguments, free=self._library.nmt_result_free, progress=progress,
                                 cancelled=cancelled)
        return result

    def _take(self, result: int, lines: int) -> list[list[Translation]]:
        count, translation = self._library.nmt_result_count, self._library.nmt_result_translation
        try:
            return [[_translation(translation(result, i, rank).contents) for rank in range(count(result, i))]
                    for i in range(lines)]
        finally:
            self._library.nmt_result_free(result)

    def _convert(self, function: Any, text: str, side: str) -> str:
        if side not in _SIDES:
            raise ValueError(f"side is '{side}', must be source or target")
        converted = self._call(function, _SIDES[side], _encode(text), free=self._library.nmt_free)
        try:
            return ctypes.string_at(converted).decode()
        finally:
            self._library.nmt_free(converted)


def _translation(t: _Translation) -> Translation:
    def texts(strings: Any, count: int) -> list[str]:
        return [text.decode() for text in strings[:count]]

    rows, columns = t.token_count + 1, t.source_token_count + 1
    return Translation(
        text=t.text.decode(),
        score=t.score,
        log_probability=t.log_probability,
        tokens=texts(t.tokens, t.token_count),
        source_tokens=texts(t.source_tokens, t.source_token_count),
        token_log_probabilities=t.token_log_probabilities[:rows],
        words=texts(t.words, t.word_count),
        source_words=texts(t.source_words, t.source_word_count),
        word_confidences=t.word_confidences[:t.word_count],
        links=[Link(link.source, link.target) for link in t.links[:t.link_count]],
        attention=[t.attention[i * columns:(i + 1) * columns] for i in range(rows)] if t.attention else [],
        source_repaired=bool(t.source_repaired),
        source_cut=bool(t.source_cut),
        target_cut=bool(t.target_cut),
        source_divided=bool(t.source_divided),
        parts=t.parts,
    )
