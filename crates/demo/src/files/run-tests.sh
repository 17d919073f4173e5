#!/bin/sh
# Recomputes every invoice; fails when one differs. With a number: waits that many seconds first.
cd "$(dirname "$0")" || exit 2
[ -n "$1" ] && sleep "$1"
awk -f lib/invoice.awk -f tests/run.awk data/rates.csv $(ls data/*.csv | grep -v rates.csv)
