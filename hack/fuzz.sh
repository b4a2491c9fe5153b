#!/usr/bin/env bash
# fuzz.sh TIME CACHE [NAME] runs every fuzz target whose PACKAGE.TARGET holds NAME for TIME (30s, 2m), one after another,
# and keeps in CACHE the inputs that found new code. It exits 1 if an input broke a target, whose output says where that
# input was written: from then on `go test` runs it too.
#
# The binaries have the compiler's counters only in the packages of this module: `go test -fuzz` rebuilds the standard
# library and every dependency with counters, which guide the search into other people's code.
set -euo pipefail
each=$1 cache=$2 only=${3:-}
case $each in *m) seconds=$((${each%m} * 60)) ;; *) seconds=${each%s} ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
counted=-gcflags=$(go list -m)/...=-d=libfuzzer

targets=$(grep -roE --include='*_test.go' '^func Fuzz\w*' -- * |
	sed -E 's|^(.*)/[^/]*:func |\1.|' | { grep -F -- "$only" || true; } | sort)
[ -n "$targets" ] || { echo "error: fuzz: no target is called $only" >&2 && exit 1; }
packages=$(sed 's|\.[^.]*$||;s|^|./|' <<< "$targets" | uniq)
go build "$counted" $packages # what they share, once
xargs -P "$(nproc)" -I{} go test -c -vet=off "$counted" -o "$work/{}.test" {} <<< "$packages"

# late holds where the time was up while an input was being worked on, which is then reported as a failure
# (go.dev/issue/75804, fixed in Go 1.27).
late() {
	[ "$(grep -c -e '--- FAIL' "$1")" = 1 ] && grep -q '^ *context deadline exceeded$' "$1" &&
		! grep -q 'Failing input written' "$1"
}

ran=0 broke=0
for one in $targets; do
	package=${one%.*} ran=$((ran + 1)) word=ok
	# A target that is at work a minute after its time hangs.
	(cd "$package" && timeout -k 5 $((seconds + 60)) "$work/$package.test" -test.run='^$' -test.fuzz="^${one##*.}\$" \
		-test.fuzztime="$each" -test.fuzzcachedir="$cache/$package" -test.timeout=0) > "$work/said" 2>&1 ||
		late "$work/said" || { word=FAIL broke=$((broke + 1)) && cat "$work/said"; }
	echo "$word  $one  $(grep -o 'execs: .*' "$work/said" | tail -1)"
done
echo "fuzz: $ran targets, $each each: $broke broke"
[ "$broke" = 0 ]
