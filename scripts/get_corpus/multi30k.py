"""Multi30k, image captions (Elliott et al. 2016, 2017): split by its makers, raw, and lowercased and tokenized."""
import gzip
import os
import shutil
import zlib

from . import download
from .errors import CorpusError
from .pairs import all_or_nothing

ADDRESS = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1"
LANGUAGES = ("en", "fr", "de")
SPLITS = {"train": "train", "valid": "val", "test2016": "test_2016_flickr"}  # our names: theirs
FORMS = {"raw": "{split}.{language}.gz", "tok": "{split}.lc.norm.tok.{language}"}


def fetched(folder, form, split, language):
    """The path of a file of theirs, unpacked."""
    path = download.address(folder, f"{ADDRESS}/{form}/" + FORMS[form].format(split=SPLITS[split], language=language))
    if not path.endswith(".gz"):
        return path
    try:
        with gzip.open(path, "rb") as packed, open(path.removesuffix(".gz"), "wb") as plain:
            shutil.copyfileobj(packed, plain)
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise CorpusError(f"cannot read '{path}': {problem}") from problem
    return plain.name


def make(folder, local, out):
    """The corpus in OUT, out of a LOCAL copy or, through FOLDER, from its public repository. Returns {path: lines}."""
    lines = {}
    for form in FORMS:
        with all_or_nothing(os.path.join(out, form)) as whole:
            for split in SPLITS:
                for language in LANGUAGES:
                    name = f"{split}.{language}"
                    path = os.path.join(local, form, name) if local else fetched(folder, form, split, language)
                    shutil.copyfile(path, os.path.join(whole, name))
                    with open(path, "rb") as f:
                        lines[os.path.join(form, name)] = sum(1 for _ in f)
    return lines
