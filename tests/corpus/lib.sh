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

# catalog FILE: a compiled one; its entries are "ORIGINAL=TRANSLATION" lines, with escapes as Python has them.
catalog() {
  mkdir -p "$(dirname "$1")"
  python3 -c 'import struct, sys
entries = sorted(tuple(s.encode().decode("unicode_escape").encode("latin-1") for s in line.rstrip("\n").split("=", 1)) for line in sys.stdin)
place, tables, strings = 28 + 16 * len(entries), ([], []), b""
for side in 0, 1:
    for entry in entries:
        tables[side].append(struct.pack(">2I", len(entry[side]), place + len(strings)))
        strings += entry[side] + b"\0"
head = struct.pack(">7I", 0x950412DE, 0, len(entries), 28, 28 + 8 * len(entries), 0, 0)
open(sys.argv[1], "wb").write(head + b"".join(tables[0] + tables[1]) + strings)' "$1"
}
