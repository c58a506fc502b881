# What the tests of nmt serve share: each begins with `. "$(dirname "$0")/../cli/lib.sh"` and `. "$(dirname "$0")/server.sh"`.
#
#   serve [OPTION]...    starts a server of $model (models/tiny) on a port that is free and on the Unix socket `socket`; sets $url and
#                        $server, its process
#   wait_until COMMAND...         until it succeeds; fails after a minute
#   ends [SIGNAL]        sends it a signal (TERM), and waits for its end; sets $status. Its messages are in server.err.
#   ask PATH [CURL-OPTION]...     prints what it answers, and the status on a line of its own
#   says PATTERN PATH [CURL-OPTION]...    the same, compared with a pattern
# shellcheck shell=bash disable=SC2034,SC2154
wait_until() {
  local end=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.02
  done
}

listens_or_ended() {
  grep -q '^listening on unix' server.err || ! kill -0 "$server"
}

serve() {
  rm -f server.err
  "$nmt" serve --model "${model:-models/tiny}" --threads 2 --listen 127.0.0.1:0 --listen unix:socket "$@" 2>server.err &
  server=$!
  wait_until listens_or_ended
  url=$(sed -n 's/^listening on \(http.*\)/\1/p' server.err | head -n 1)
  ! grep -q '^listening on unix' server.err || return 0
  report bad "the server starts"
  cat server.err
}

ends() {
  kill -"${1:-TERM}" $server
  wait $server
  status=$?
}

ask() {
  curl -sS --max-time 60 -o answer.txt -w '%{http_code}' "${@:2}" "$url$1" >answer.status || echo "curl: $?" >>answer.status
  printf '%s %s\n' "$(cat answer.status)" "$(cat answer.txt)"
}

says() {
  local got
  got=$(ask "${@:2}")
  # shellcheck disable=SC2053
  if [[ $got == $1 ]]; then report ok ''; else report bad "${*:2}: $got, not $1"; fi
}

post() { # post PATTERN JSON: what /translate says
  says "$1" /translate -H 'Content-Type: application/json' --data-binary "$2"
}
