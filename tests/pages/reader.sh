# What the tests of the pages share, beside ../cli/lib.sh: a reader who types commands, with `nmt` in his path. So that
# this takes seconds, each `nmt train` ends after three updates.
# shellcheck shell=bash
# shellcheck source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

mkdir bin
cat >bin/nmt <<END
#!/bin/sh
case "\$*" in
*--help* | *--schema*) ;;
train*) set -- "\$@" --set training.max_updates=3 --set training.max_epochs=0 ;;
esac
exec "$nmt" "\$@"
END
chmod +x bin/nmt
PATH=$work/bin:$PATH
unset -f nmt # what is typed finds the program by its name
