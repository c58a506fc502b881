# Links between pages: begins with `. "$(dirname "$0")/../cli/lib.sh"` and this.
#
#   check_links PAGE...    each link within the project leads to a file, and a heading, that there is
# shellcheck shell=bash
links_of() { # links_of PAGE: "FILE HEADING" of each link within the project
  grep -oE '\]\([^)]+\)|src="[^"]+"' "$1" | sed -E 's/^(\]\(|src=")//; s/[)"]$//; /^https?:/d; s/#/ /'
}

headings_of() { # headings_of PAGE: as links have them
  sed -n 's/^##* //p' "$1" | tr '[:upper:] ' '[:lower:]-' | tr -cd 'a-z0-9_\n-'
}

check_links() {
  local page file heading target
  for page; do
    while read -r file heading; do
      target=$(dirname "$page")/$file
      check "$page: $file" [ -e "$target" ]
      [ -z "$heading" ] || check "$page: $file#$heading" grep -qxF -e "$heading" <(headings_of "$target")
    done < <(links_of "$page")
  done
}
