# What the tests of scripts/get-corpus share; after ../cli/lib.sh. The script runs as a copy in $work, and so writes to
# $work/data.
# shellcheck shell=bash
mkdir -p scripts
cp -r "$source_dir/scripts/get-corpus" "$source_dir/scripts/get_corpus" scripts/

get_corpus() {
  "$work/scripts/get-corpus" "$@"
}

all_pairs() { # all_pairs DIR SOURCE TARGET: a corpus's pairs, sorted, a tab between
  local split
  for split in train valid test; do paste "$1/$split.$2" "$1/$split.$3"; done | sort
}

# deb NAME DIR: packs DIR as NAME_1_all.deb.
deb() {
  mkdir -p "$2/DEBIAN"
  printf 'Package: %s\nVersion: 1\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\nDescription: test\n' "$1" >"$2/DEBIAN/control"
  dpkg-deb --build -Zgzip --root-owner-group "$2" "$1_1_all.deb" >/dev/null
}
