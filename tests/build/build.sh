# What tests of the build of nmt share: each begins with `. "$(dirname "$0")/../cli/lib.sh"` and `. "$(dirname "$0")/build.sh"`.
#
#   setting NAME       prints what CMake's cache has
#   has_plain FILE     the build has made this file, and is without sanitizers and coverage
# shellcheck shell=bash disable=SC2154
build=$(dirname "$nmt")

setting() {
  sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}

has_plain() {
  [ -e "$build/$1" ] && [[ $(setting NMT_SANITIZE) = OFF && $(setting NMT_COVERAGE) = OFF ]]
}
