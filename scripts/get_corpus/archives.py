"""The files of a corpus, wherever they lie: in a folder, compressed, or within a Debian package, a tar or a zip archive."""
import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import subprocess
import tarfile
import zipfile
import zlib

from .errors import CorpusError

APT_HELPER = "/usr/lib/apt/apt-helper"  # reads what Python cannot
BROKEN = (OSError, EOFError, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)


def output_of(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except FileNotFoundError as problem:
        raise OSError(f"needs the program '{os.path.basename(command[0])}'") from problem
    if done.returncode:
        raise OSError(" ".join(done.stderr.decode(errors="replace").split()))
    return done.stdout


def with_apt(path):
    return output_of([APT_HELPER, "cat-file", path])


def whole(opener):
    def read(path):
        with opener(path, "rb") as f:
            return f.read()
    return read


# Byte-order marks; those of UTF-32 begin as those of UTF-16.
MARKS = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
         (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# How a file is read, by its name's ending.
COMPRESSED = {".gz": whole(gzip.open), ".bz2": whole(bz2.open), ".xz": whole(lzma.open), ".lz4": with_apt, ".zst": with_apt}


def tar_members(archive, wanted):
    with archive:
        for member in archive:
            if member.isfile() and wanted(member.name):
                yield member.name, archive.extractfile(member).read()


def deb_members(path, wanted):
    content = io.BytesIO(output_of(["dpkg-deb", "--fsys-tarfile", path]))
    return tar_members(tarfile.open(fileobj=content), wanted)


def zip_members(path, wanted):
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir() and wanted(member.filename):
                yield member.filename, archive.read(member)


# How an archive is read, by its name.
ARCHIVES = ((r"\.deb$", deb_members), (r"\.zip$", zip_members),
            (r"\.tar(?:\.\w+)?$|\.tgz$", lambda path, wanted: tar_members(tarfile.open(path), wanted)))


def archive_reader(path):
    return next((read for name, read in ARCHIVES if re.search(name, path.lower())), None)


def is_archive(path):
    return archive_reader(path) is not None


MAGIC = ((b"\x1f\x8b", ".gz"), (b"BZh", ".bz2"), (b"\xfd7zXZ", ".xz"), (b"\x28\xb5\x2f\xfd", ".zst"), (b"!<arch>\ndebian", ".deb"))


def lacking_ending(path):
    """The ending that an archive's, a compressed file's or a TMX file's name lacks."""
    with open(path, "rb") as f:
        begin = f.read(1024)
    if is_archive(path) or os.path.splitext(path)[1].lower() in COMPRESSED:
        return ""
    if zipfile.is_zipfile(path):
        return ".zip"
    if tarfile.is_tarfile(path):
        return ".tar"
    if re.search(rb"<tmx\b", begin) and not path.lower().endswith(".tmx"):
        return ".tmx"
    return next((ending for magic, ending in MAGIC if begin.startswith(magic)), "")


def uncompressed(path):
    """The name without .gz and so on."""
    stem, ending = os.path.splitext(path)
    return stem if ending.lower() in COMPRESSED else path


def is_of_mac(name):
    """What a Mac adds to each file, in archives mostly below __MACOSX."""
    return os.path.basename(name).startswith("._")


def files_at(path, wanted):
    if is_archive(path):
        members = archive_reader(path)(path, lambda name: not is_of_mac(name) and wanted(f"{path}/{name}"))
        yield from sorted((f"{path}/{name.removeprefix('./')}", data) for name, data in members)
        return
    if wanted(uncompressed(path)):
        yield path, COMPRESSED.get(os.path.splitext(path)[1].lower(), whole(open))(path)


def files(root, wanted):
    """Yields (path, bytes) of each file at or below ROOT, also within archives, whose path WANTED accepts, in order of
    paths. Compressed files are wanted by their names without .gz and so on."""
    if not os.path.exists(root):
        raise CorpusError(f"cannot read '{root}': there is no such file or folder")
    paths = [root] if not os.path.isdir(root) else sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names
        if not is_of_mac(name))
    for path in paths:
        try:
            yield from files_at(path, wanted)
        except BROKEN as problem:
            raise CorpusError(f"cannot read '{path}': {getattr(problem, 'strerror', None) or problem}") from problem


def text_of(path, data, encoding="utf-8"):
    """The text of a file; a byte-order mark goes, which also tells UTF-16 and UTF-32, and the CR of CRLF. Files of old Macs have
    CR alone."""
    if encoding == "utf-8":
        data = data.removeprefix(codecs.BOM_UTF8)
        encoding = next((name for mark, name in MARKS if data.startswith(mark)), encoding)
    try:
        text = data.decode(encoding).replace("\r\n", "\n")
        return text if "\n" in text[:-1] or text.count("\r") < 2 else text.replace("\r", "\n")
    except UnicodeDecodeError as problem:
        before = data[:problem.start]
        line, column = before.count(b"\n") + 1, problem.start - before.rfind(b"\n")
        raise CorpusError(f"cannot read '{path}': invalid {encoding.upper()} at line {line}, byte {column}") from problem
    except LookupError as problem:
        raise CorpusError(f"cannot read '{path}': unknown encoding '{encoding}'") from problem
