# What the command-line tests share: each begins with `. "$(dirname "$0")/lib.sh"` and ends with `finish`.
#
#   TOPIC NMT SOURCE_DIR API_EXAMPLE [TINY]
#
# A test runs in an empty folder of its own ($work). Where TINY is given, the folder begins as a copy of what the test
# tiny_model has made: train.en, train.fr, tiny.json and models/tiny.
#
#   expect STATUS STDOUT STDERR COMMAND...   runs a command and compares its status and both outputs
#   check WHAT COMMAND...                    the command succeeds; WHAT says what that shows
#   refute WHAT COMMAND...                   the command fails
#   same FILE FILE WHAT                      two files have the same bytes, and are not empty
#   skip REASON                              ends a test that can try nothing here, which ctest then says
#
# STDOUT and STDERR are glob patterns of the whole text, `-` for any text, or @NAME for the text of the file
# TOPIC.NAME.stdout or TOPIC.NAME.stderr beside the test. Such a file is compared exactly; it has WORK in the place of
# $work and VERSION in the place of $version in signatures, and must not hold what differs from machine to machine (times, results of a training). NMT_ACCEPT=1 writes these
# files instead of comparing them:
#
#   NMT_ACCEPT=1 ctest -R cli_check && git diff tests
# shellcheck shell=bash disable=SC2034
set -uo pipefail
nmt=$(realpath "$1")
source_dir=$(realpath "$2")
api_example=$(realpath "$3")
topic=$(realpath "$0")
work=$(mktemp -d)
clean_up() {
  # shellcheck disable=SC2046
  { kill $(jobs -p) && wait; } 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
[ -z "${4:-}" ] || cp -a "$4/." "$work" || exit 1
cd "$work" || exit 1
unset NMT_MODEL http_proxy HTTP_PROXY all_proxy ALL_PROXY # servers of tests are on this machine
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
version=$("$nmt" --version | sed -n '1s/^nmt \([^ ]*\) .*/\1/p')
passed=0
failed=0

nmt() {
  "$nmt" "$@"
}

report() { # report ok|bad DESCRIPTION
  if [ "$1" = ok ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $2"
  fi
}

check() { # check WHAT COMMAND...
  if "${@:2}"; then report ok ''; else report bad "$1"; fi
}

refute() { # refute WHAT COMMAND...
  if "${@:2}"; then report bad "$1"; else report ok ''; fi
}

same() { # same FILE FILE WHAT
  [ -s "$1" ] && cmp "$1" "$2"
  check "$3" [ $? = 0 ]
}

shim() { # shim NAME: a shared object of the tests for LD_PRELOAD, which takes no path with a blank
  cp "$(dirname "$api_example")/$1" "$work/.$1"
  echo "$work/.$1"
}

skip() { # skip REASON
  echo "skipped: $1"
  exit 77
}

begin() { # begin COMMAND...: in the background, as $begun, with the signals that a script's jobs ignore
  env --default-signal=INT,HUP,TERM "$@" &
  begun=$!
}

wait_for() { # wait_for COMMAND...: until it succeeds, or the process $begun ends
  while kill -0 "$begun" 2>/dev/null && ! "$@" >/dev/null 2>&1; do sleep 0.02; done
}

small_files() { # small_files KILOBYTES COMMAND...: none that it writes may become larger
  # shellcheck disable=SC2016
  sh -c 'ulimit -f $((2 * $0)) && exec "$@"' "$@"
}

matches() { # matches TEXT PATTERN
  # shellcheck disable=SC2053
  [ "$2" = - ] || [[ $1 == $2 ]]
}

# as_expected TEXT EXPECTED KIND: one output of a command; KIND is stdout or stderr
as_expected() {
  local text=${1//"$work"/WORK} file=$topic.${2#@}.$3
  [[ $2 == @* ]] || { matches "$1" "$2"; return; }
  text=${text//"version:nmt-$version"/version:nmt-VERSION}
  [ -z "${NMT_ACCEPT:-}" ] || printf '%s\n' "$text" >"$file"
  diff "$file" - <<<"$text"
}

# expect STATUS STDOUT STDERR COMMAND...
expect() {
  local status=$1 wanted_out=$2 wanted_err=$3 out err got
  shift 3
  "$@" >out.txt 2>err.txt
  got=$?
  out=$(<out.txt)
  err=$(<err.txt)
  if [[ $err == *"LeakSanitizer has encountered a fatal error"* ]]; then
    # It looks for leaks when the program is done, and once in a thousand times it crashes itself: the output stands,
    # status and messages are its own.
    echo "note: LeakSanitizer crashed after: $*"
    got=$status
    wanted_err=-
  fi
  if [ $got = "$status" ] && as_expected "$out" "$wanted_out" stdout && as_expected "$err" "$wanted_err" stderr; then
    report ok ''
  else
    report bad "$*"
    printf '  status %s, expected %s\n  stdout: %s\n  stderr: %s\n  expected stdout: %s\n  expected stderr: %s\n' \
      "$got" "$status" "${out:0:600}" "${err:0:600}" "$wanted_out" "$wanted_err"
  fi
}

set_all() { # set_all KEY=VALUE...: makes them options, in `settings`
  local setting
  settings=()
  for setting; do settings+=(--set "$setting"); done
}

refuses_to_train() { # refuses_to_train REASON SETTING...
  local reason=$1 settings
  set_all "${@:2}"
  expect 1 '' "nmt: $reason" nmt train -q --config tiny.json --set model_dir=models/refused "${settings[@]}"
}

# variant NAME SETTING...: trains models/NAME, which is the tiny model but for these settings, for thirty epochs, and sees
# that it works
variant() {
  local name=$1 settings
  set_all "${@:2}"
  expect 0 '' '' nmt train --quiet --config tiny.json --set model_dir=models/"$name" --set training.max_epochs=30 "${settings[@]}"
  check "20 lines from $name" [ "$(nmt translate -q --model models/"$name" <train.en | wc -l)" = 20 ]
  nmt tokenize -q --model models/"$name" <train.en | nmt detokenize -q --model models/"$name" >round.en
  check "$name: tokenize and detokenize undo each other" cmp train.en round.en
  expect 0 'model*' - nmt info --model models/"$name"
  nmt pack -q --model models/"$name" --precision int8 -o "$name.int8.nmt"
  nmt translate -q --model "$name.int8.nmt" --n-best 2 --json <train.en >packed.jsonl
  nmt translate -q --model models/"$name" --set decoding.precision=int8 --n-best 2 --json <train.en >rounded.jsonl
  same packed.jsonl rounded.jsonl "$name: an int8 file translates as the directory does in int8"
}

# enlarge_weights MODEL: all of them become 1e38, in a file without a checksum, as other programs write it
enlarge_weights() {
  local weights=$1/model.safetensors header bytes
  header=$((8 + $(od -An -tu8 -N8 "$weights")))
  bytes=$(stat -c %s "$weights")
  {
    head -c $header "$weights" | sed 's/"checksum"/"checkless"/; s/ $//'
    yes $'\x99\x76\x96\x7e' | tr -d '\n' | head -c $((bytes - header))
  } >huge
  check 'a file of the same size' [ "$(stat -c %s huge)" = "$bytes" ]
  mv huge "$weights"
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
    "test": {"source": "train.en", "target": "train.fr"},
    "source_language": "en", "target_language": "fr",
    "concatenate": 0
  },
  "text": {"merges": 100, "protect": false},
  "model": {
    "embedding": 24, "tie": "target", "encoder": {"units": 24, "lexical": false}, "decoder": {"units": 32}, "attention": {"units": 20, "feed": "input"}, "layer_norm": false,
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
