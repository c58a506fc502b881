"""The tables of translation."""
import json
import os

from measure import CTRANSLATE2, NMT, SIZES, SIZE_OPTIONS, first_translation, median, options, run
from training_tables import PEER_OPTIONS

BEAMS = (1, 4, 5, 12)
LINE_WORDS = 24  # as many as an English sentence of newstest2019 has, which other programs are measured with
LARGE_VOCABULARY = 32000  # as theirs

# Weights and instructions: options of nmt_bench decode.
FORMS = {"float32": (), "int8": ("--int8",)}
SHORTLIST_FORMS = {"shortlist_int8": ("--int8", "--shortlist", "50")}  # where the vocabulary is large
AVX2_FORMS = {f"avx2_{name}": (*flags, "--instructions", "avx2") for name, flags in FORMS.items()}


def translation_row(bench, beam, batch, threads, lines):
    files = bench.prepare()
    values = SIZES["base"][0]
    source = files[bench.test, "en"]
    ours, theirs = [], []
    for _ in range(bench.rounds):
        ours.append(bench.bench("decode", source=source, lines=lines, beam=beam, batch=batch, threads=threads, rounds=1,
                                **dict(zip(SIZE_OPTIONS, values))))
        if bench.python:
            theirs.append(bench.peer(["decode-speed", source, "--lines", str(lines), "--beam", str(beam), "--batch",
                                      str(batch), *options(PEER_OPTIONS, values)], threads))
    rates = [r["sentences_per_second"][0] for r in ours]
    row = {"sentences_per_second": median(rates), "lowest": min(rates), "highest": max(rates),
           "source_tokens_per_second": median(rates) * ours[0]["source_tokens_per_sentence"],
           "milliseconds_per_sentence": 1000 / median(rates), "peak_mib": max(r["peak_mib"] for r in ours)}
    if theirs:
        row["pytorch_sentences_per_second"] = median([r["sent_per_s"] for r in theirs])
        row["ratio_to_pytorch"] = row["sentences_per_second"] / row["pytorch_sentences_per_second"]
    return row


def translate(bench):
    rows = {}
    for threads in bench.threads:
        for beam in BEAMS:
            rows[f"beam_{beam}_threads_{threads}"] = translation_row(bench, beam, 64, threads, lines=256 * threads)
    for beam in (1, 5):
        rows[f"beam_{beam}_one_at_a_time"] = translation_row(bench, beam, 1, 1, lines=64)
    return rows


def grow_beam(bench):
    rows = {}
    source = bench.prepare()[bench.test, "en"]
    for beam in (1, 2, 4, 8, 16, 32):
        result = bench.bench("decode", source=source, lines=64, beam=beam, rounds=bench.rounds,
                             **dict(zip(SIZE_OPTIONS, SIZES["base"][0])))
        rate = median(result["sentences_per_second"])
        rows[f"beam_{beam}"] = {"sentences_per_second": rate, "hypotheses_per_second": rate * beam, "peak_mib": result["peak_mib"]}
    middle = rows["beam_8"]["hypotheses_per_second"]
    for row in rows.values():
        row["cost_beside_paper"] = middle / row["hypotheses_per_second"]
    return rows


def even_lines(bench):
    """The words of the test set in lines of LINE_WORDS, as subwords."""
    path = os.path.join(bench.folder, f"{LINE_WORDS}_words.en")
    with open(bench.file(bench.test, "en"), encoding="utf-8") as f, open(path, "w", encoding="utf-8") as out:
        words = f.read().split()
        for i in range(0, len(words) - LINE_WORDS + 1, LINE_WORDS):
            out.write(" ".join(words[i:i + LINE_WORDS]) + "\n")
    return bench.subwords(path)


def rates_of_forms(bench, forms, settings, vocabulary):
    """Sentences per second on one thread: medians of what each form of nmt, and CTranslate2, makes in turns."""
    values = {**dict(zip(SIZE_OPTIONS, SIZES["base"][0])), "vocabulary": vocabulary}
    rates = {name: [] for name in (*forms, *(["ctranslate2_int8"] if bench.ctranslate2 else []))}
    for _ in range(bench.rounds):
        for name, flags in forms.items():
            rates[name] += bench.bench("decode", *flags, **values, **settings)["sentences_per_second"]
        if bench.ctranslate2:
            text, _, _ = run([bench.ctranslate2, CTRANSLATE2, "--vocabulary", str(vocabulary),
                              *options(settings.keys(), settings.values())])
            rates["ctranslate2_int8"] += json.loads(text)["sentences_per_second"]
    return {name: median(values) for name, values in rates.items()}


def with_ratios(row):
    """The columns of int8 beside what it is measured against."""
    ratios = {}
    for over, name in (("int8", "float32"), ("int8", "ctranslate2_int8"), ("avx2_int8", "avx2_float32"), ("shortlist_int8", "int8")):
        if over in row and name in row:
            ratios[f"{over}_over_{name}"] = row[over] / row[name]
    return {**row, **ratios}


def int8_processes(bench):
    """Whole processes with the two forms of the prepared model: file, memory for the test set, start."""
    with open(bench.file(bench.test, "en"), "rb") as f:
        line = f.readline()
    rows = {"packed_file_mib": {}, "peak_mib_of_translate": {}, "first_translation_ms": {}}
    files = {name: os.path.join(bench.folder, f"{name}.nmt") for name in FORMS}
    for name, file in files.items():
        run([NMT, "pack", "--quiet", "--model", bench.model, "--precision", name, "--output", file])
        rows["packed_file_mib"][name] = os.path.getsize(file) / 2**20
        _, _, rows["peak_mib_of_translate"][name] = run([NMT, "translate", "--quiet", "--model", file, "--threads", "1",
                                                         "--max-length-ratio", "1", "--input", bench.file(bench.test, "en")])
    seconds = {name: [] for name in files}
    for _ in range(2 + 3 * bench.rounds):
        for name, file in files.items():
            seconds[name].append(first_translation(NMT, file, line))
    rows["first_translation_ms"] = {name: 1000 * median(values[2:]) for name, values in seconds.items()}
    return rows


def translate_int8(bench):
    """Sentences per second on one thread, and the sizes of processes: int8 beside float32, beside CTranslate2, and beside
    float32 where a processor has AVX2 alone; with a large vocabulary, a shortlist of words, too."""
    source, even = bench.prepare()[bench.test, "en"], even_lines(bench)
    forms = {**FORMS, **(AVX2_FORMS if bench.has_avx2 else {})}
    base, test, long = SIZES["base"][0][-1], {"source": source, "rounds": 1}, {"source": even, "rounds": 1}
    cases = {"beam_5_batch_64": ({**test, "beam": 5, "batch": 64}, base),
             "greedy_batch_64": ({**test, "beam": 1, "batch": 64, "rounds": 5}, base),
             "beam_5_one_at_a_time": ({**test, "beam": 5, "batch": 1, "lines": 400}, base),
             "greedy_one_at_a_time": ({**test, "beam": 1, "batch": 1, "lines": 400}, base)}
    for vocabulary in (base, LARGE_VOCABULARY):
        for name, beam in (("beam_5", 5), ("greedy", 1)):
            cases[f"{LINE_WORDS}_words_V_{vocabulary}_{name}"] = ({**long, "beam": beam, "batch": 64}, vocabulary)
    rows = {}
    for name, (settings, vocabulary) in cases.items():
        lists = SHORTLIST_FORMS if vocabulary == LARGE_VOCABULARY else {}
        rows[name] = rates_of_forms(bench, {**forms, **lists}, settings, vocabulary)
        if settings["batch"] == 1:
            rows[name]["int8_milliseconds"] = 1000 / rows[name]["int8"]
    rows.update(int8_processes(bench))
    return {name: with_ratios(row) for name, row in rows.items()}


TABLES = (translate, translate_int8, grow_beam)
