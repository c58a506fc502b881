# What the command-line tests share; each of them begins with `. "$(dirname "$0")/lib.sh"` and ends with `finish`.
# They are called as TOPIC NMT SOURCE_DIR API_EXAMPLE [TINY], run in a folder of their own, and find there, where TINY
# is given, what the test tiny_model has made: train.en, train.fr, tiny.json and models/tiny.
# shellcheck shell=bash
set -uo pipefail
nmt=$(realpath "$1")
source_dir=$(realpath "$2")
api_example=$(realpath "$3")
tests_dir=$source_dir/tests/cli
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -z "${4:-}" ] || cp -a "$4/." "$work" || exit 1
cd "$work" || exit 1
unset NMT_MODEL
export LC_ALL=C.UTF-8
passed=0
failed=0

nmt() {
  "$nmt" "$@"
}

report() { # report OK DESCRIPTION
  if [ "$1" = ok ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $2"
  fi
}

matches() { # matches TEXT PATTERN
  # shellcheck disable=SC2053
  [ "$2" = - ] || [[ $1 == $2 ]]
}

# expect STATUS STDOUT STDERR COMMAND...: runs a command; the texts are glob patterns, and "-" matches anything.
expect() {
  local status=$1 out_pattern=$2 err_pattern=$3 out err got
  shift 3
  "$@" >out.txt 2>err.txt
  got=$?
  out=$(cat out.txt)
  err=$(cat err.txt)
  if [[ $err == *"LeakSanitizer has encountered a fatal error"* ]]; then
    # It looks for leaks when the program is done, and once in a thousand times it crashes itself: the output stands,
    # status and messages are its own.
    echo "note: LeakSanitizer crashed after: $*"
    got=$status
    err=$err_pattern
  fi
  if [ $got = "$status" ] && matches "$out" "$out_pattern" && matches "$err" "$err_pattern"; then
    report ok ''
  else
    report bad "$*"
    printf '  status %s, expected %s\n  stdout: %s\n  stderr: %s\n  expected stdout: %s\n  expected stderr: %s\n' \
      "$got" "$status" "${out:0:600}" "${err:0:600}" "$out_pattern" "$err_pattern"
  fi
}

near() { # near A B: files of one number a line, equal within a hundredth
  paste "$1" "$2" | awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF != 2 || d > 0.01) bad = 1 } END { exit bad || !NR }'
}

# The corpus and the config of the smallest model that is worth asking: twenty pairs, known by heart.
tiny_corpus() {
  head -n 20 "$source_dir/data/en-fr/train.en" >train.en
  head -n 20 "$source_dir/data/en-fr/train.fr" >train.fr
  cat >tiny.json <<'END'
{
  "model_dir": "models/tiny",
  "data": {
    "train": {"source": "train.en", "target": "train.fr"},
    "valid": {"source": "train.en", "target": "train.fr"},
    "test": {"source": "train.en", "target": "train.fr"}
  },
  "text": {"merges": 100},
  "model": {
    "embedding": 24, "encoder": {"units": 24}, "decoder": {"units": 32}, "attention": {"units": 20, "feed": "input"}, "layer_norm": false,
    "dropout": {"embedding": 0, "annotation": 0, "readout": 0, "state": 0}
  },
  "training": {"threads": 2, "batch_sentences": 5, "learning_rate": 0.01, "label_smoothing": 0, "schedule": "constant", "warmup": 0, "cooldown": 0, "weight_decay": 0, "average": 0, "beta2": 0.999, "max_epochs": 60, "patience": 0}
}
END
}

finish() {
  echo "$passed passed, $failed failed"
  [ $failed = 0 ]
  exit
}
