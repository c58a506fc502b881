"""The tables of translation."""
from measure import SIZES, SIZE_OPTIONS, median, options
from training_tables import PEER_OPTIONS

BEAMS = (1, 4, 5, 12)


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


TABLES = (translate, grow_beam)
