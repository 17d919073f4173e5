#!/bin/sh
# Runs the compiler with its arguments, then writes what `times` says into a file next to this one: CRATE.PROCESS.
"$@"
code=$?
before=
name=
for word; do
    if [ "$before" = --crate-name ]; then
        name=$word
    fi
    before=$word
done
if [ -n "$name" ]; then
    times > "$(dirname "$0")/$name.$$"
fi
exit $code
