# What the tests under mpirun share, beside ../cli/lib.sh: TOPIC NMT SOURCE_DIR API_EXAMPLE; $MPIRUN is the launcher.
# They find in their folder 1,000 pairs to train on, 100 for validation, and small.json, which trains the model `one` by
# four shards: what one, two or four ranks share evenly.
# shellcheck shell=bash disable=SC2034
# shellcheck source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

mpirun=(timeout 600 "${MPIRUN:-mpirun}")
"${mpirun[@]}" --version | grep -q 'Open MPI\|OpenRTE' && mpirun+=(--oversubscribe --bind-to none) # more ranks than cores
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OPENBLAS_NUM_THREADS=1

ranks() { # ranks N NMT-ARGUMENT...
  "${mpirun[@]}" -n "$1" "$nmt" "${@:2}" >out.txt 2>&1
}

for side in en fr; do
  head -n 1000 "$source_dir/data/en-fr/train.$side" >"train.$side"
  head -n 100 "$source_dir/data/en-fr/valid.$side" >"valid.$side"
done
cat >small.json <<'END'
{"model_dir": "one",
 "data": {"train": {"source": "train.en", "target": "train.fr"}, "valid": {"source": "valid.en", "target": "valid.fr"}},
 "text": {"merges": 300},
 "model": {"embedding": 24, "encoder": {"units": 20}, "decoder": {"units": 28}, "attention": {"units": 16}},
 "training": {"threads": 1, "shards": 4, "max_updates": 20, "max_epochs": 0, "batch_sentences": 30, "validate_every": 10, "checkpoint_every": 5,
              "learning_rate": 0.003, "warmup": 400, "cooldown": 0}}
END

# near_weights A B [DISTANCE]: the weights of two models, up to rounding
near_weights() {
  python3 - "$@" <<'PYTHON'
import json, math, struct, sys
def weights(path):
    data = open(path + "/model.safetensors", "rb").read()
    size, = struct.unpack("<Q", data[:8])
    body = data[8 + size:]
    return struct.unpack(f"<{len(body) // 4}f", body)
a, b = map(weights, sys.argv[1:3])
distance = math.dist(a, b) / math.hypot(*a)
print(f"{sys.argv[2]}: relative distance {distance:.1e}")
sys.exit(not (len(a) == len(b) and distance <= float(sys.argv[3] if sys.argv[3:] else 1e-6)))
PYTHON
}

# same_validations A B: the logs of two models have the same validations
same_validations() {
  python3 - "$@" <<'PYTHON'
import json, math, sys
def validations(path):
    return [e for e in map(json.loads, open(path + "/log.jsonl")) if e["event"] == "validation"]
a, b = map(validations, sys.argv[1:3])
same = len(a) == len(b) > 0 and all(math.isclose(x[key], y[key], rel_tol=1e-6) for x, y in zip(a, b)
                                    for key in ("update", "perplexity", "bleu", "chrf"))
sys.exit(not (same and all(x["samples"] == y["samples"] for x, y in zip(a, b))))
PYTHON
}

updates() { # updates MODEL: the numbers of those in its log
  grep -o '"event":"update","update":[0-9]*' "$1/log.jsonl" | grep -o '[0-9]*$' | tr '\n' ' '
}
