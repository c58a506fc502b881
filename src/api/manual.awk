# Makes nmt(3) of include/nmt.h: its comments are text, in which what is indented stands as it is; its
# declarations are code, and so are the comments among them. A comment /* ---- title ---- */ begins a section.
#
#   awk -v version=0.3.0 -v date=2026-11-24 -f manual.awk include/nmt.h > nmt.3

function escape(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  gsub(/`/, "\\(ga", text)
  gsub(/\^/, "\\(ha", text)
  gsub(/~/, "\\(ti", text)
  gsub(/…/, "\\[u2026]", text)
  return text
}

function switch_to(wanted) {
  if (kind == wanted)
    return
  if (kind == "code")
    print ".EE\n.RE"
  else if (kind == "example")
    print ".EE\n.RE"
  if (wanted == "text" && !fresh)
    print ".PP"
  if (wanted != "text" && wanted != "")
    print (fresh ? "" : ".PP\n") ".RS 4\n.EX"
  kind = wanted
  fresh = 0
}

# A line of code or of an example; empty lines only between others.
function literal(wanted, text) {
  if (text == "") {
    pending = kind == wanted
    return
  }
  if (pending && kind == wanted)
    print ""
  pending = 0
  switch_to(wanted)
  sub(/^\./, "\\\\&.", text)
  print escape(text)
}

function words(text,    count, list, i, line) {
  count = split(text, list, " ")
  for (i = 1; i <= count; i++) {
    if (length(line) + length(list[i]) > 60) {
      print line
      line = ""
    }
    line = line (line == "" ? "" : " ") escape(list[i])
  }
  if (line != "")
    print line
}

function comment_line(text) {
  if (text ~ /^  / && text !~ /^ *$/)
    literal("example", substr(text, 3))
  else if (text ~ /^ *$/) {
    if (kind == "text")
      kind = "gap"
  } else {
    switch_to("text")
    words(text)
  }
}

BEGIN {
  printf ".TH \"NMT\" \"3\" \"%s\" \"nmt %s\" \"nmt\"\n.SH NAME\nnmt \\- neural machine translation in C and C++\n", date, version
  print ".SH SYNOPSIS\n.EX\n#include <nmt.h>\n\ncc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs nmt)\n.EE\n.SH DESCRIPTION"
  fresh = 1
}

# the guard, and what C++ needs
/^#(ifndef|define) NMT_H$/ || /^#endif/ || /^#ifdef __cplusplus/ || /^extern "C" \{/ || (/^}$/ && !in_struct) { next }

/^\/\* ---- .* ---- \*\/$/ {
  switch_to("")
  gsub(/^\/\* ---- | ---- \*\/$/, "")
  print ".SH " toupper(escape($0))
  fresh = 1
  next
}

/^\/\*/ {
  inside = 1
  sub(/^\/\* ?/, "")
  if (!told && sub(/^nmt: /, ""))
    told = 1
  else if (kind == "text")
    kind = "gap"
}

inside {
  last = sub(/ *\*\/$/, "")
  sub(/^ \* ?/, "")
  sub(/^ \*$/, "")
  comment_line($0)
  if (last)
    inside = 0
  next
}

{
  if (/\{$/)
    in_struct = 1
  if (/^\}/)
    in_struct = 0
  literal("code", $0)
}

END {
  switch_to("")
  print ".SH SEE ALSO"
  print "\\fBnmt\\fR(1), \\fBnmt\\-config\\fR(5), \\fBnmt\\-model\\fR(7)"
}
